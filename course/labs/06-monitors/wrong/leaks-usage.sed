# loses rules: keeps the lists of waiting threads
/usage\.waiters);/d
/usage\.notify_waiters);/d

# loses caller kit: takes the hook away with the first request
/^take_request/,/^}/{
/if (!t->jvmti->pop_requests)/d
}

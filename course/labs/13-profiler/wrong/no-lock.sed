# loses rules: samples of ThreadStart are not protected
/^on_thread_start/,/^}/{
/RawMonitor/d
}

# loses handed: does not give a location back when threads end
/^on_thread_end/,/^}/s/has_ended\[tag\] = true/has_ended[tag] = false/

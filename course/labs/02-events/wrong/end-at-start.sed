# loses end: says that a thread ends when it begins
/^on_thread_start/,/^}/s/        say_thread(jvmti, thread, "start ");/{\n        say_thread(jvmti, thread, "start ");\n        say_thread(jvmti, thread, "end ");\n    }/
/^on_thread_end/,/^}/s/say_thread(jvmti, thread, "end ")/(void)thread/

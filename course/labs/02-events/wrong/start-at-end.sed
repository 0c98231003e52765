# loses start: says that a thread began when it ends
/^on_thread_end/,/^}/s/        say_thread(jvmti, thread, "end ");/{\n        say_thread(jvmti, thread, "start ");\n        say_thread(jvmti, thread, "end ");\n    }/
/^on_thread_start/,/^}/s/say_thread(jvmti, thread, "start ")/(void)thread/

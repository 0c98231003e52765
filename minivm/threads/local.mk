# SPDX-License-Identifier: MIT

# Threads, safepoints and monitors (JLS 17).
minivm_libminivm_la_SOURCES += \
	%D%/contention.c %D%/contention.h %D%/continuation.c %D%/continuation.h %D%/downcall.h %D%/handles.h \
	%D%/lock_id.c %D%/lock_id.h \
	%D%/monitor.c %D%/monitor.h %D%/monitor_table.c %D%/monitor_table.h \
	%D%/monitor_virtual.c %D%/monitor_virtual.h \
	%D%/monitor_wait.c %D%/monitor_wait.h %D%/mutex.h %D%/park.c %D%/park.h \
	%D%/raw_monitor.c %D%/safepoint.c %D%/safepoint.h %D%/schedule.c %D%/schedule.h %D%/suspend.c %D%/suspend.h %D%/thread.c \
	%D%/thread.h %D%/thread_list.c %D%/thread_list.h %D%/virtual_thread.c \
	%D%/virtual_thread.h %D%/virtual_view.c %D%/wakeup.c \
	%D%/wakeup.h

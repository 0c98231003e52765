# SPDX-License-Identifier: MIT

# entries.c checks and resolves arguments and calls the bodies, see wrapper.h; senders.h
# calls agents back, see deliver.h.
jvmti_generated = %D%/entries.h %D%/entries.c %D%/senders.h
$(jvmti_generated): $(gen) $(gen_tables) %D%/implemented.txt
	$(call generate,$(srcdir)/minivm/jvmti/implemented.txt)
BUILT_SOURCES += $(jvmti_generated)
CLEANFILES += $(jvmti_generated)
%D%/deliver.lo: %D%/senders.h
EXTRA_DIST += %D%/implemented.txt

minivm_libminivm_la_SOURCES += %D%/agents.c %D%/breakpoint.c %D%/capability.c %D%/class.c \
	%D%/deliver.c %D%/deliver.h %D%/env.c %D%/env.h \
	%D%/early_return.c \
	%D%/event.c %D%/extension.c %D%/field.c %D%/floor.h %D%/frame_pop.c %D%/general.c \
	%D%/group.c %D%/heap.c %D%/heap10.c %D%/heap_fields.c %D%/heap_tags.c %D%/heap_tags.h \
	%D%/heap_values.c %D%/heap_walk.h %D%/sampling.c \
	%D%/jni.c %D%/locals.c %D%/memory.c %D%/method.c \
	%D%/module.c %D%/object.c %D%/property.c \
	%D%/rawmonitor.c %D%/redefine.c %D%/search.c %D%/stack.c %D%/target.c %D%/thread.c \
	%D%/timer.c %D%/virtual.c %D%/watch.c %D%/wrapper.c %D%/wrapper.h
nodist_minivm_libminivm_la_SOURCES = %D%/entries.c

# The wrappers as they are without any body, for their unit test.
unit_tests += minivm/test/entries-t
minivm_test_entries_t_SOURCES = minivm/test/entries-t.c
nodist_minivm_test_entries_t_SOURCES = minivm/test/entries.c
minivm_test_entries_t_LDADD = minivm/test/libtap.la sdk/libnames.la
minivm/test/entries.c: $(gen) $(gen_tables)
	$(call generate,/dev/null)
CLEANFILES += minivm/test/entries.c

# SPDX-License-Identifier: MIT

dist_man_MANS += %D%/minivm.1 %D%/tiforge.1 %D%/tiforge-build.1 %D%/tiforge-check.1 \
	%D%/tiforge-doctor.1 \
	%D%/tiforge-explain.1 %D%/tiforge-lab.1 %D%/tiforge-mark.1 %D%/tiforge-new.1 %D%/tiforge-run.1 %D%/tiforge-tck.1 \
	%D%/tiforge-test.1 %D%/tiforge-trace.1 %D%/libtiforge.3 %D%/coverage.7 %D%/heapdump.7 %D%/jvmti-pitfalls.7 \
	%D%/tiforge-agents.7 %D%/tracer.7

# A page for each public header, made of what the header says.
man3_pages = %D%/tf_agent.3 %D%/tf_buffer.3 %D%/tf_capability.3 %D%/tf_classfile.3 \
	%D%/tf_gate.3 %D%/tf_json.3 %D%/tf_log.3 %D%/tf_monitor.3 %D%/tf_naming.3 \
	%D%/tf_options.3 %D%/tf_output.3 %D%/tf_ring.3 %D%/tf_scope.3 %D%/tf_worker.3 \
	%D%/tf_xml.3
nodist_man_MANS = $(man3_pages)
all_local += $(man3_pages)
CLEANFILES += $(man3_pages)
EXTRA_DIST += %D%/man3.awk
$(man3_pages): %D%/man3.awk $(tiforge_headers)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && page=$(@F) && page=$${page%.3} && \
	LC_ALL=C $(AWK) -v page=$$page -v file=$${page#tf_}.h -f $(srcdir)/%D%/man3.awk \
	    $(srcdir)/sdk/include/tiforge/$${page#tf_}.h >$@.tmp && mv $@.tmp $@

# The rules of tiforge check, from their table.
nodist_man_MANS += %D%/tiforge-rules.7
all_local += %D%/tiforge-rules.7
CLEANFILES += %D%/tiforge-rules.7
%D%/tiforge-rules.7: layer/rules.man layer/rules.awk layer/rules.txt
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { cat $(srcdir)/layer/rules.man && \
	LC_ALL=C $(AWK) -v product=man -f $(srcdir)/layer/rules.awk \
	    $(srcdir)/layer/rules.txt && \
	printf '.Sh SEE ALSO\n.Xr tiforge-check 1 ,\n.Xr tiforge-explain 1 ,\n' && \
	echo '.Xr jvmti-pitfalls 7'; } >$@.tmp && mv $@.tmp $@

test_scripts += %D%/man.t

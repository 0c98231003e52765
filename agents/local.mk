# SPDX-License-Identifier: MIT

# The sample agents, each one file: libtiforge is in it.
agentsdir = $(pkglibdir)/agents
agents_LTLIBRARIES =

# Style, frame and program of the pages that agents write, as C strings.
page_parts = %D%/page/style.css %D%/page/profile.html %D%/page/profile.js \
	%D%/page/coverage.js %D%/page/heap.html %D%/page/heap.js
page_headers = $(page_parts:=.h)
BUILT_SOURCES += $(page_headers)
CLEANFILES += $(page_headers)
EXTRA_DIST += $(page_parts) %D%/page/embed.awk
$(page_headers): %.h: % agents/page/embed.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(AWK) -v name=page_`basename $* | sed 's/[.]html$$//; s/[.]css$$//; s/[.]/_/g'` \
	    -f $(srcdir)/agents/page/embed.awk $< >$@.tmp && mv $@.tmp $@

include agents/coverage/local.mk
include agents/heapdump/local.mk
include agents/tracer/local.mk

# A program whose names are a test of every text that an agent writes.
EXTRA_DIST += agents/test

# A JVM loads the library; libtool's description of it beside it is of no use.  Without
# that, libtool does not uninstall the library either.
install-exec-hook: remove-agents-la
uninstall-hook: remove-agents
.PHONY: remove-agents-la remove-agents
remove-agents-la:
	rm -f "$(DESTDIR)$(agentsdir)"/*.la "$(DESTDIR)$(checklibdir)"/*.la
remove-agents:
	for agent in $(agents_LTLIBRARIES) $(checklib_LTLIBRARIES); do \
	    name=`basename "$$agent" .la`.so; \
	    rm -f "$(DESTDIR)$(agentsdir)/$$name" "$(DESTDIR)$(checklibdir)/$$name"; \
	done

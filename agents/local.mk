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

# A JVM loads these libraries, agents and minivm; libtool's descriptions beside them are of
# no use.  Without those, libtool does not uninstall the libraries either.  Their folders
# have no "exec" in their names, so they are installed as data.
install-data-hook: remove-descriptions
uninstall-hook: remove-modules
.PHONY: remove-descriptions remove-modules
remove-descriptions:
	rm -f "$(DESTDIR)$(agentsdir)"/*.la "$(DESTDIR)$(checklibdir)"/*.la \
	    "$(DESTDIR)$(minivmdir)"/*.la
remove-modules:
	for agent in $(agents_LTLIBRARIES); do \
	    rm -f "$(DESTDIR)$(agentsdir)/`basename "$$agent" .la`.so"; \
	done
	rm -f "$(DESTDIR)$(checklibdir)/libtiforge-check.so" \
	    "$(DESTDIR)$(minivmdir)/libjvm.so"

# SPDX-License-Identifier: MIT

test_scripts += %D%/quickstart/quickstart.t
clean_dirs += %D%/quickstart/work
EXTRA_DIST += %D%/architecture.md %D%/extensions.md %D%/glossary.md %D%/map.md %D%/status.md \
	%D%/quickstart/run %D%/quickstart/Words.java %D%/quickstart/words-agent.c

EXTRA_DIST += %D%/pictures

# What is implemented and tested where; the page is committed, and checked.
test_scripts += %D%/conformance.t
EXTRA_DIST += %D%/conformance %D%/conformance.md %D%/hotspot-bugs.md
all_local += %D%/index.txt
CLEANFILES += %D%/index.txt
%D%/index.txt: $(gen) $(gen_tables)
	$(call generate)

.PHONY: conformance
conformance: all
	$(srcdir)/%D%/conformance $(abs_srcdir) $(abs_builddir) > %D%/conformance.tmp
	mv %D%/conformance.tmp $(srcdir)/%D%/conformance.md

test_scripts += %D%/tutorial.t
clean_dirs += %D%/tutorial.work
dist_doc_DATA = %D%/tutorial.md

# What the documents name is there.
test_scripts += %D%/names.t

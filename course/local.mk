# SPDX-License-Identifier: MIT

# What runs submissions of the labs, within limits.
coursedir = $(pkglibdir)/course
course_PROGRAMS = %D%/confine/confine
%C%_confine_confine_SOURCES = %D%/confine/confine.c %D%/confine/confine.h \
	%D%/confine/inside.c %D%/confine/tree.c
%C%_confine_confine_LDADD =

# What students need; solutions and wrong solutions stay here.
dist_command_DATA += sdk/command/lab.sh sdk/command/mark.sh
EXTRA_DIST += %D%/README.md %D%/ReverseLines.java %D%/accesses.c %D%/figures \
	%D%/lab-sources %D%/labs %D%/marking.sh %D%/runs.sh %D%/starter %D%/take-out \
	%D%/test %D%/verdicts.sh %D%/vm-kit
install-course:
	$(srcdir)/%D%/test/install-labs "$(srcdir)/%D%" "$(DESTDIR)$(pkgdatadir)/course"
	test ! -f $(lab_sources).tar.gz || $(INSTALL_DATA) $(lab_sources).tar.gz \
	    "$(DESTDIR)$(pkgdatadir)/course"
	$(srcdir)/%D%/vm-kit "$(srcdir)" . "$(DESTDIR)$(coursedir)/vm"
uninstall-course:
	rm -rf "$(DESTDIR)$(pkgdatadir)/course" "$(DESTDIR)$(coursedir)/vm"
.PHONY: install-course uninstall-course

# The sources without the bodies that labs 11 and 12 ask for; installed if they are there.
lab_sources = tiforge-lab-sources-$(VERSION)
.PHONY: lab-sources
lab-sources:
	$(MAKE) -s distdir distdir=$(lab_sources)
	$(srcdir)/%D%/lab-sources $(lab_sources) $(lab_sources).tar.gz
	rm -rf $(lab_sources)
CLEANFILES += tiforge-lab-sources-$(VERSION).tar.gz

# A sample of the labs in `make check`, all solutions and submissions in check-long.
test_scripts += %D%/test/confine.t %D%/test/course.t %D%/test/titles.t
long_scripts += %D%/test/labs-long.t %D%/test/mark-long.t
clean_dirs += %D%/test/confine.work %D%/test/course.work %D%/test/labs-long.work \
	%D%/test/mark-long.work

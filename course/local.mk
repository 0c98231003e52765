# SPDX-License-Identifier: MIT

# What runs submissions of the labs, within limits.
coursedir = $(pkglibdir)/course
course_PROGRAMS = %D%/confine/confine
%C%_confine_confine_SOURCES = %D%/confine/confine.c %D%/confine/confine.h \
	%D%/confine/inside.c %D%/confine/tree.c
%C%_confine_confine_LDADD =

# What students need; solutions and wrong solutions stay here.
dist_command_DATA += sdk/command/lab.sh sdk/command/mark.sh
EXTRA_DIST += %D%/README.md %D%/labs %D%/marking.sh %D%/starter %D%/take-out %D%/test \
	%D%/vm-kit
install-course:
	$(srcdir)/%D%/test/install-labs "$(srcdir)/%D%" "$(DESTDIR)$(pkgdatadir)/course"
	$(srcdir)/%D%/vm-kit "$(srcdir)" . "$(DESTDIR)$(coursedir)/vm"
uninstall-course:
	rm -rf "$(DESTDIR)$(pkgdatadir)/course" "$(DESTDIR)$(coursedir)/vm"
.PHONY: install-course uninstall-course

# A sample of the labs in `make check`, all solutions and submissions in check-long.
test_scripts += %D%/test/confine.t %D%/test/course.t
long_scripts += %D%/test/labs-long.t %D%/test/mark-long.t
clean_dirs += %D%/test/confine.work %D%/test/course.work %D%/test/labs-long.work \
	%D%/test/mark-long.work

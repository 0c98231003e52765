# SPDX-License-Identifier: MIT

long_scripts += %D%/packages-long.t %D%/readme-long.t
test_scripts += %D%/check-floors.t %D%/check-self.t %D%/clang.t %D%/dist.t %D%/names.t \
	%D%/format.t %D%/install.t %D%/map.t %D%/release.t
EXTRA_DIST += %D%/floors.txt %D%/install-packages %D%/map %D%/release %D%/try-readme \
	%D%/debian-root.sh %D%/try-image %D%/try-packages %D%/use-packages

# Debian packages: dpkg-buildpackage makes them; try-packages uses them, too.
EXTRA_DIST += debian/changelog debian/control debian/copyright \
	debian/libtiforge-dev.install debian/libtiforge-dev.manpages \
	debian/libtiforge0.install debian/rules debian/tiforge-course.install \
	debian/tiforge-course.lintian-overrides debian/tiforge-minivm.install \
	debian/tiforge-minivm.manpages debian/tiforge-tck.install \
	debian/tiforge-tck.lintian-overrides debian/tiforge.docs debian/tiforge.install \
	debian/tiforge.lintian-overrides debian/tiforge.manpages debian/source/format
clean_dirs += %D%/install.work

# What dist.t asks.
.PHONY: print-distfiles
print-distfiles:
	@echo $(patsubst $(srcdir)/%,%,$(DISTFILES))

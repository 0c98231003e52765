# SPDX-License-Identifier: MIT

# Whole programs, compared with the JDK's own VM.
test_scripts += %D%/programs.t
EXTRA_DIST += %D%/programs
clean_dirs += %D%/programs.work

# SPDX-License-Identifier: MIT

test_scripts += %D%/check-floors.t %D%/clang.t
EXTRA_DIST += %D%/floors.txt %D%/install-packages

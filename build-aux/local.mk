# SPDX-License-Identifier: MIT

test_scripts += %D%/check-floors.t
EXTRA_DIST += %D%/floors.txt %D%/install-packages

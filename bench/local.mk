# SPDX-License-Identifier: MIT
EXTRA_DIST += %D%/prototype %D%/workloads

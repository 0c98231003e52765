# SPDX-License-Identifier: MIT

EXTRA_DIST += %D%/spec/jvmti-21.json

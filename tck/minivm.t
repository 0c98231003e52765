#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole kit on minivm, which departs nowhere.
exec "$top_builddir/tck/run" --java "$top_builddir/minivm/minivm" --jobs 2

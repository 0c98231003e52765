# SPDX-License-Identifier: MIT

# The sample agents, each one file: libtiforge is in it.
agentsdir = $(pkglibdir)/agents
agents_LTLIBRARIES =
include agents/coverage/local.mk
include agents/heapdump/local.mk
include agents/tracer/local.mk

# A program whose names are a test of every text that an agent writes.
EXTRA_DIST += agents/test

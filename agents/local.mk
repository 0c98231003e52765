# SPDX-License-Identifier: MIT

# The sample agents, each one file: libtiforge is in it.
agentsdir = $(pkglibdir)/agents
agents_LTLIBRARIES =
include agents/coverage/local.mk
include agents/heapdump/local.mk
include agents/tracer/local.mk

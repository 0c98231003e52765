# SPDX-License-Identifier: MIT
minivm_libminivm_la_SOURCES += %D%/entry.h

# SPDX-License-Identifier: MIT

# Loading, linking and initialization of classes (JVMS 5).
minivm_libminivm_la_SOURCES += \
	%D%/access.c %D%/access.h %D%/boot_classes.c %D%/boot_classes.h \
	%D%/boot_path.c %D%/boot_path.h %D%/class.c %D%/class.h \
	%D%/class_space.c %D%/class_space.h %D%/compare.c %D%/compare.h \
	%D%/constraints.c %D%/constraints.h %D%/cpool.c %D%/cpool.h \
	%D%/define.c %D%/ids.c %D%/ids.h %D%/initialize.c %D%/initialize.h \
	%D%/layout.c %D%/layout.h %D%/link.c %D%/link.h %D%/loader.c %D%/loader.h %D%/loading.c \
	%D%/loading.h %D%/lookup.c %D%/lookup.h %D%/make.c %D%/make.h \
	%D%/make_array.c \
	%D%/message.c %D%/message.h %D%/method_type.c %D%/method_type.h \
	%D%/module.c %D%/module.h %D%/nest.c %D%/nest.h %D%/redefine.c %D%/redefine.h %D%/resolve.c \
	%D%/resolve.h %D%/select.c %D%/select.h %D%/unload.c %D%/unload.h \
	%D%/vtable.c %D%/vtable.h

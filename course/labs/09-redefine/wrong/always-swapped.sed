# loses refused: says swapped, whatever came of it
s/if (error == JVMTI_ERROR_NONE)$/if (error == JVMTI_ERROR_NONE || version > 2)/

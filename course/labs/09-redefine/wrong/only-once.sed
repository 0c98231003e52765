# loses again: swaps the same class once only
s/^    definition\.class_bytes = bytes;/&\n    static int swaps; if (version > 4 \&\& swaps) { free(bytes); return; } swaps++;/

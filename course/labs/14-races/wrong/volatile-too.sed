# loses quiet: accuses volatile fields
s/const jint harmless = 0x10 | 0x40;.*/const jint harmless = 0x10;/

# loses flame: writes < and > of <init> as they are
s/if (\*text == .<.)/if (*text == 1)/

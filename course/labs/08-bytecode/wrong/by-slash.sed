# loses entry back init: parts class and method by a slash
s/snprintf(text, sizeof text, "%s.%s"/snprintf(text, sizeof text, "%s\/%s"/

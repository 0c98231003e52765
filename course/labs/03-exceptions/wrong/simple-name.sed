# loses class: leaves the package out
s/"throw %s at ", class_name(signature)/"throw %s at ", strrchr(class_name(signature), '.') + 1/

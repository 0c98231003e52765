# loses refused: knows one error by heart
s/say("refused %s %d %s", name, version, text)/say("refused %s %d JVMTI_ERROR_UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED", name, version)/

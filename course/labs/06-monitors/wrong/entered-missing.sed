# loses entered: has no callback for the event
/callbacks\.MonitorContendedEntered/d
s/^static void JNICALL$/__attribute__((unused)) &/

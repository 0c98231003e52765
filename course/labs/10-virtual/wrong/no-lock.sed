# loses lock: nothing protects the list
/RawMonitorEnter\|RawMonitorExit/d

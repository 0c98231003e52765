# loses all: nothing protects the table
/RawMonitorEnter\|RawMonitorExit/d

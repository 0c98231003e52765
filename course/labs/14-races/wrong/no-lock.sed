# loses rules: nothing protects the reads
/^on_access/,/^}/{
/RawMonitor/d
}

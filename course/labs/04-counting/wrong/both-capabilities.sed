# loses cheap: asks for the capabilities of both modes
s/^    if (by_breakpoints)$/    capabilities.can_generate_method_entry_events = 1;\n&/

# loses once: takes a request for the frame that is just ending
/^add_request/,/^}/s/^    if (ending)$/    if (ending \&\& ending->frame == NULL)/

# loses version: gives the id of the newest version
/^take_trace/,/^}/s/(jmethodID)version_id(f->version)/(jmethodID)version_id(f->version ? f->version->method->version : NULL)/

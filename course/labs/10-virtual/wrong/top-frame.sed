# loses stack: takes the newest frame, whatever its class
s/^        && strchr(signature, '\/') == NULL$/        \&\& signature[0] == 'L'/

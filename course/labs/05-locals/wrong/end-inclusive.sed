# loses scope: takes a variable for alive where its scope has just ended
s/location < v->start_location + v->length/location <= v->start_location + v->length/

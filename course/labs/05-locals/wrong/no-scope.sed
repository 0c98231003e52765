# loses scope: shows variables whose scope has ended
s/if (location >= v->start_location && location < v->start_location + v->length)/if (location >= v->start_location)/

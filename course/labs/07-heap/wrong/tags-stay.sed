# loses live grown root: leaves the tags of the report before where they are
/CALL(IterateThroughHeap/d
s/^untag(/__attribute__((unused)) untag(/

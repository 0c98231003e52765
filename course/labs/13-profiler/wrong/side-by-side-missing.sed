# loses flame: draws all callees of a node from its left end on
/^write_rect/,/^}/{
/x += WIDTH/d
}

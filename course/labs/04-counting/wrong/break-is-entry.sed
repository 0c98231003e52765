# loses cheap: does the same in both modes
s/"mode=break"/"mode=brake"/

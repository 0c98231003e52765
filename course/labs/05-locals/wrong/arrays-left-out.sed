# loses scope: knows no arrays
s/^    default:/    case '[': break;\n&/

# loses hello name repeat both: counts from 0 to the number, inclusive
s/i < repeat/i <= repeat/

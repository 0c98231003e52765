# loses wide: writes the lower half
s/(long long)j)/(long long)(int)j)/

# loses back: takes each jump for one of a loop
s/^            && is_backwards(i))/            \&\& (is_backwards(i) || true))/

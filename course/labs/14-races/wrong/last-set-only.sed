# loses locks: takes the monitors of the last access for those of all
s/^            if (contains(held, held_count, location->locks\[i\]))/            if (held_count > 0)/

# loses scope: against the order of the slots
s/return x->slot - y->slot/return y->slot - x->slot/

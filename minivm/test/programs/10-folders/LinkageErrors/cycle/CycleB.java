/* SPDX-License-Identifier: MIT */
/* Only CycleB is kept: with the first CycleA it makes a circle. */
class CycleA {
}

class CycleB extends CycleA {
}

/* SPDX-License-Identifier: MIT */
class Middle {
}

class Leaf extends Middle {
}

/* SPDX-License-Identifier: MIT */
interface Copier {
}

class Copy implements Copier {
}

# SPDX-License-Identifier: MIT
"""roots.py DUMP: does each root of a frame name a thread whose own root came before it?"""
import struct, sys

data = open(sys.argv[1], "rb").read()
at = data.index(b"\0") + 13
known, strange, roots = set(), 0, 0
# The bytes behind the tag, of roots, and of a value by its type.
sizes = {0xFF: 8, 0x01: 16, 0x02: 16, 0x03: 16, 0x04: 12, 0x05: 8, 0x06: 12, 0x07: 8,
         0x08: 16}
types = {2: 8, 4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}


def number(form, where):
    return struct.unpack_from(form, data, where)[0]


def length_of(kind, at):
    if kind in sizes:
        return sizes[kind]
    if kind == 0x21:
        return 24 + number(">I", at + 20)
    if kind == 0x22:
        return 24 + 8 * number(">I", at + 12)
    if kind == 0x23:
        return 17 + types[data[at + 16]] * number(">I", at + 12)
    end = at + 64
    for shape in ("constant", "static", "field"):
        count = number(">H", end)
        end += 2
        for _ in range(count):
            if shape == "constant":
                end += 3 + types[data[end + 2]]
            elif shape == "static":
                end += 9 + types[data[end + 8]]
            else:
                end += 9
    return end - at


while at < len(data):
    tag = data[at]
    end = at + 9 + number(">I", at + 5)
    at += 9
    while tag in (0x0C, 0x1C) and at < end:
        kind = data[at]
        at += 1
        if kind == 0x08:
            known.add(number(">I", at + 8))
        elif kind in (0x02, 0x03):
            roots += 1
            strange += number(">I", at + 8) not in known
        at += length_of(kind, at)
    at = end
print("%s: %d of %d roots before their thread"
      % ("ok" if roots > 0 and strange == 0 else "wrong", strange, roots))

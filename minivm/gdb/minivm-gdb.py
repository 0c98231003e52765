# SPDX-License-Identifier: MIT
"""minivm/gdb/minivm-gdb.py -- Java as gdb sees it in minivm: stacks, methods, objects.

    (gdb) source minivm/gdb/minivm-gdb.py     # or: gdb -x minivm/gdb/minivm-gdb.py
    (gdb) javabt                              # Java frames of the selected thread
    (gdb) javabt all                          # of all threads
    (gdb) javaobj EXPRESSION                  # an object, reference or class in words

Pointers to methods, method versions, classes, objects and symbols are printed with the
names of what they point to, in backtraces, too ("set print frame-arguments all").

Everything is read from memory and nothing is called, so that core files and processes
after a crash work, too.  The files need debug information (-g, which is the default).

A frame's position is exact wherever the thread may be looked at: in natives, in
functions of the VM that take `self`, in callbacks.  A thread that gdb stopped in the
middle of the loop has a newest frame whose position may be an older one's; it is marked
with a question mark.
"""
import gdb

MAX_TEXT = 200                     # characters of a string that are shown


def the_vm():
    vm = gdb.parse_and_eval("the_vm")
    if not int(vm):
        raise gdb.GdbError("there is no VM (yet)")
    return vm


def field(vm, name):
    """The offset of a well-known field, as KF() of minivm/runtime/wellknown.h."""
    which = gdb.lookup_static_symbol("KNOWN_FIELD_" + name) \
        or gdb.lookup_symbol("KNOWN_FIELD_" + name)[0]
    if which is None:
        return int(vm["known"]["fields"][gdb.parse_and_eval("KNOWN_FIELD_" + name)])
    return int(vm["known"]["fields"][which.value()])


def plain(value):
    """The value without _Atomic, which gdb takes for another type."""
    return value.cast(value.type.unqualified())


def as_class(address):
    # By a member's type: other libraries may have structs of these names.
    return gdb.Value(address).cast(the_vm()["known"]["classes"][0].type)


def as_object(address):
    return gdb.Value(address).cast(the_vm()["main_group"].type)


def symbol_text(symbol):
    if not int(symbol):
        return "NULL"
    data = gdb.selected_inferior().read_memory(
        int(symbol.dereference()["bytes"].address), int(symbol["length"]))
    return bytes(data).decode("utf-8", "replace")


def class_text(c):
    return symbol_text(c["name"]).replace("/", ".") if int(c) else "NULL"


def method_text(method):
    if not int(method):
        return "NULL"
    return "%s.%s%s" % (class_text(method["class"]), symbol_text(method["name"]),
                        symbol_text(method["descriptor"]))


def object_class(o):
    """What the header of an object says (minivm/heap/object.h)."""
    return as_class(int(o["layout_ref"]))


def array_length(o):
    return int(read(int(o) + 8, "int"))


def read(address, type_name):
    return gdb.Value(address).cast(gdb.lookup_type(type_name).pointer()).dereference()


def string_text(o):
    """The characters of a java.lang.String: Latin-1 or UTF-16, by its coder."""
    vm = the_vm()
    array = int(read(int(o) + field(vm, "String_value"), "unsigned long"))
    if not array:
        return ""
    length = array_length(array)
    coder = int(read(int(o) + field(vm, "String_coder"), "signed char"))
    data = bytes(gdb.selected_inferior().read_memory(array + 16,
                                                     min(length, 2 * MAX_TEXT)))
    text = data.decode("utf-16-le" if coder else "latin-1", "replace")
    return text + ("..." if length > 2 * MAX_TEXT else "")


def object_text(o):
    if not int(o):
        return "null"
    name = class_text(object_class(o))
    if name == "java.lang.String":
        return '"%s"' % string_text(o)
    if name.startswith("["):
        return "%s of %d" % (name, array_length(o))
    return name


# ---- frames ----

def translation_of(version, pc):
    """The translation that has the word at pc, and that word's number."""
    words = [plain(version["debug_translation"])]
    t = plain(version["translation"])
    while int(t):
        words.append(t)
        t = t["older"]
    for t in words:
        if int(t) and int(t["words"]) <= pc <= int(t["words"]) + 8 * int(t["word_count"]):
            return t, (pc - int(t["words"])) // 8
    return None, 0


def frame_bci(frame):
    """As version_bci_before() of minivm/interp/bci_map.c, from memory alone."""
    tags = int(frame["pc"]) & 3
    t, word = translation_of(frame["version"], int(frame["pc"]) & ~3)
    if t is None:
        return 0
    is_at_start = tags & 1
    if not is_at_start and word > 0:
        word -= 1
    bci = 0
    for i in range(int(t["bci_map_count"])):
        row = t["bci_map"][i]
        if int(row["word"]) > word:
            break
        bci = int(row["bci"])
        if is_at_start and int(row["word"]) == word:
            break
    return bci


def line_at(info, bci):
    best = None
    for i in range(int(info["line_count"])):
        row = info["lines"][i]
        start = int(row["start_pc"])
        if start <= bci and (best is None or start >= best[0]):
            best = start, int(row["line"])
    return best[1] if best else None


def frame_text(frame):
    version = frame["version"]
    method = version["method"]
    name = "%s.%s" % (class_text(method["class"]), symbol_text(method["name"]))
    if int(method["access_flags"]) & 0x0100:
        return name + "(native)"
    bci = frame_bci(frame)
    line = line_at(version["info"], bci) if int(version["info"]) else None
    source = method["class"]["source_file"]
    if line is None or not int(source):
        return "%s(bci %d)" % (name, bci)
    return "%s(%s:%d, bci %d)" % (name, symbol_text(source), line, bci)


def is_in_loop(thread):
    """Has gdb stopped the thread in the loop itself?"""
    selected = gdb.selected_thread()
    if selected is None or selected.ptid[1] != int(thread["native_id"]):
        return False
    return gdb.newest_frame().name() == "interp_loop"


def print_stack(thread):
    frame = thread["top"]
    number = 0
    while int(frame):
        if not int(frame["version"]):
            print("     -- called from C --")
        else:
            mark = "?" if number == 0 and is_in_loop(thread) else " "
            print("%s#%-2d %s" % (mark, number, frame_text(frame)))
            number += 1
        frame = frame["caller"]
    if number == 0:
        print("  no Java frames")


def threads(vm):
    t = vm["threads"]["tqh_first"]
    while int(t):
        yield t
        t = t["link"]["tqe_next"]


def thread_title(vm, t):
    name = "no java.lang.Thread"
    if int(t["object"]):
        text = read(int(t["object"]) + field(vm, "Thread_name"), "unsigned long")
        if int(text):
            name = '"%s"' % string_text(as_object(int(text)))
    state = ["in native", "in VM", "blocked"][int(plain(t["run_state"]))]
    return "%s, LWP %d, %s" % (name, int(t["native_id"]), state)


class JavaBacktrace(gdb.Command):
    """Print the Java frames of the selected thread; `javabt all`: of all threads."""

    def __init__(self):
        super().__init__("javabt", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        vm = the_vm()
        if argument not in ("", "all"):
            raise gdb.GdbError("usage: javabt [all]")
        selected = gdb.selected_thread()
        if selected is None:
            raise gdb.GdbError("no thread is selected")
        found = [t for t in threads(vm)
                 if argument == "all" or int(t["native_id"]) == selected.ptid[1]]
        if not found:
            raise gdb.GdbError("the selected thread is not one of the VM's")
        for t in found:
            print(thread_title(vm, t))
            print_stack(t)


class JavaObject(gdb.Command):
    """Describe an object: javaobj EXPRESSION, a struct object * or a JNI reference."""

    def __init__(self):
        super().__init__("javaobj", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        value = gdb.parse_and_eval(argument)
        if value.type.strip_typedefs().code != gdb.TYPE_CODE_PTR:
            raise gdb.GdbError("'%s' is no pointer" % argument)
        target = str(value.type.strip_typedefs().target().unqualified())
        if target == "struct class":
            print("class " + class_text(value))
            return
        if target != "struct object" and int(value):
            # A reference: the address of a slot, its kind in the low bits.
            value = read(int(value) & ~3, "unsigned long")
        print(object_text(as_object(int(value))))


JavaBacktrace()
JavaObject()

# ---- printing pointers ----

TEXTS = {
    "struct object": object_text,
    "struct class": class_text,
    "struct method": method_text,
    "struct method_version": lambda v: method_text(v["method"]),
    "struct symbol": symbol_text,
}


class PointerPrinter:
    def __init__(self, value, text):
        self.value = value
        self.text = text

    def to_string(self):
        address = "0x%x" % int(self.value)
        try:
            return "%s %s" % (address, self.text(self.value)) if int(self.value) else "0x0"
        except (gdb.error, UnicodeError):
            return address


def find_printer(value):
    value_type = value.type.strip_typedefs()
    if value_type.code != gdb.TYPE_CODE_PTR:
        return None
    text = TEXTS.get(str(value_type.target().unqualified()))
    return PointerPrinter(value, text) if text else None


# Read again, as after a new build, it takes the place of the older one.
gdb.pretty_printers[:] = [p for p in gdb.pretty_printers
                          if getattr(p, "__name__", "") != "find_printer"]
gdb.pretty_printers.append(find_printer)

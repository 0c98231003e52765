#!/bin/sh
# SPDX-License-Identifier: MIT
# The rule of `self` (minivm/threads/thread.h): a function of the VM that may stop at a
# safepoint takes the calling thread as `struct thread *self`, or a structure that holds
# it: one with a member `struct thread *self`.  One test per folder of the VM.
#
# This reads the sources, not the objects, so that functions that the compiler inlines and
# those that are built for tests only are seen, too.  It relies on the house style: the
# name of a function begins the line, its body lies between braces in the first column.
# A function stops if it is a primitive, if it calls a function or uses a macro that stops,
# or if it hands `self` to a function pointer.  Functions that are passed as arguments are
# judged by themselves: a handshake's function has no `self`, so it must not stop.
top=${top_srcdir:-$(dirname "$0")/..}
cd "$top" || exit 1

folders='base classfile heap linking threads runtime diagnostics interp jni jdk jvmti'
# A build in the source tree puts what it generates beside the rest.
files=$(for folder in $folders; do
    find "minivm/$folder" -name '*.[ch]' | sort
done; find minivm -maxdepth 1 -name '*.[ch]' | sort)
# shellcheck disable=SC2086
files=$(grep -L '^/\* .*Generated from' $files)

# shellcheck disable=SC2086
awk -v folders="$folders ." '
BEGIN {
    # What stops by itself: all else stops by calling one of these.
    primitive("thread_enter_slow thread_poll_slow thread_block_begin thread_block_end")
    primitive("thread_block_try_end thread_await_resume world_stop handshake")

    # &thread->jni is the JNIEnv of a thread.
    holder("JNIEnv")

    # Functions that find the calling thread by themselves, or that do not stop for another
    # reason.  Their callers are judged like those of any other function.
    except("JVM_(LoadLibrary|GC|Halt)", "the JDK declares it without a JNIEnv")
    except("(AttachCurrentThread|AttachCurrentThreadAsDaemon|DetachCurrentThread|GetEnv|" \
           "DestroyJavaVM|JNI_CreateJavaVM)", "JNI: the invocation interface has a JavaVM only")
    except("jvmti_get_env", "of GetEnv: makes an environment for the calling thread")
    except("attach", "of the invocation interface: makes the calling thread one of the VM")
    except("start_vm", "of JNI_CreateJavaVM: makes the first thread, and returns it")
    except("thread_attach|thread_attach_first", "makes the calling thread, and returns it")
    except("run_pthread", "the first function of a new thread, which it is given as void *")
    except("get_(virtual|carrier)_thread", "of GetExtensionFunctions: called by an agent")
    except("assignable", "its void *context is a struct verification")
    except("translate_again|scan_class", "translates without a thread, which throws nothing")
    except("replace_chain", "the same, of frames whose thread is stopped")
}

function primitive(names,   n, i, part) {
    n = split(names, part, " ")
    for (i = 1; i <= n; i++)
        stops[part[i]] = "it is a primitive"
}
function holder(type) { holders[type] = 1 }
# The pattern is for the whole name of a function.
function except(pattern, reason) { patterns["^(" pattern ")$"] = reason }

# The line without comments, strings and characters.
function plain(line,   out, at, c, close_at) {
    out = ""
    while (line != "") {
        if (in_comment) {
            close_at = index(line, "*/")
            if (close_at == 0)
                return out
            line = substr(line, close_at + 2)
            in_comment = 0
            continue
        }
        if (!match(line, /["\047]|\/[*]/))
            return out line
        out = out substr(line, 1, RSTART - 1)
        c = substr(line, RSTART, 1)
        line = substr(line, RSTART)
        if (c == "/") {
            in_comment = 1
            line = substr(line, 3)
        } else if (match(line, c == "\"" ? "^\"([^\"\\\\]|\\\\.)*\"" : "^\047([^\047\\\\]|\\\\.)*\047")) {
            out = out "0"
            line = substr(line, RLENGTH + 1)
        } else
            line = substr(line, 2)
    }
    return out
}

# A static function is known by its file and name, any other one by its name.
function key_of(name, file) { return (file ":" name) in kind ? file ":" name : name }

# Notes what the text calls in the name of function or macro `from`.
function note_calls(from, text,   name, before, rest, arguments) {
    while (match(text, /[A-Za-z_][A-Za-z_0-9]*[ ]*[(]/)) {
        before = substr(text, 1, RSTART - 1)
        name = substr(text, RSTART, RLENGTH - 1)
        sub(/ +$/, "", name)
        text = substr(text, RSTART + RLENGTH)
        arguments = text
        if (match(arguments, /;/))
            arguments = substr(arguments, 1, RSTART)
        if (before ~ /(->|[.])$/)
            rest = arguments ~ /^(self|[a-z_]+->self)[,)]/ ? "*" : ""
        else if (name == "EVENT_SEND")
            rest = arguments ~ /[^a-z_]self[,)]/ ? "*" : ""
        else if (name ~ /^(if|for|while|switch|return|sizeof|defined|void|bool|int)$/)
            rest = ""
        else
            rest = name
        if (rest != "")
            calls[from] = calls[from] " " rest
    }
}

# Notes a function or macro; text has its parameters.
function define(name, text, is_static, file, what,   key) {
    key = is_static ? file ":" name : name
    kind[key] = what
    home[key] = file
    named[key] = name
    head_of[key] = text
    return key
}

# A head may be that of a macro that makes heads, as NATIVE(name) does.
function takes_self(text,   type, macro) {
    if (text ~ /struct thread [*]self/)
        return 1
    for (type in holders)
        if (text ~ type " [*]")
            return 1
    macro = text
    sub(/[(].*/, "", macro)
    sub(/.* /, "", macro)
    return macro != "" && kind[macro] == "macro" && takes_self(macro_text[macro])
}

FNR == 1 {
    in_comment = 0
    state = "outside"
    previous = ""
}
{
    line = plain($0)
}
line ~ /^struct [a-z_0-9]+ [{]$/ { inside = $1 " " $2 }
line ~ /^    struct thread [*]self;/ && inside != "" { holder(inside) }
line ~ /^}/ { inside = "" }
state == "outside" && line ~ /^#[ ]*define [A-Za-z_0-9]+[(]/ {
    name = line
    sub(/^#[ ]*define /, "", name)
    sub(/[(].*/, "", name)
    key = define(name, "", 0, FILENAME, "macro")
    sub(/^#[ ]*define [A-Za-z_0-9]+[(][^)]*[)]/, "", line)
    state = "macro"
}
state == "macro" {
    is_last = line !~ /\\$/
    macro_text[key] = macro_text[key] " " line
    note_calls(key, line)
    if (is_last)
        state = "outside"
    next
}
state == "outside" && line ~ /^[a-z_A-Z][A-Za-z_0-9]*[(]/ {
    name = line
    sub(/[(].*/, "", name)
    head = ""
    state = "head"
}
state == "head" {
    head = head " " line
    if (line == "{") {
        # NATIVE(name), or ENTRY(type, name, ...): a macro makes the head.
        if (name ~ /^[A-Z_]+$/ && head !~ /[(]void[)]/) {
            name = head
            sub(name ~ /^[^(]*[(][a-z ]+,/ ? "^[^,]*, *" : "^[^(]*[(]", "", name)
            sub(/[^A-Za-z_0-9].*/, "", name)
        }
        key = define(name, head, previous ~ /^static/ && FILENAME ~ /[.]c$/, FILENAME,
                     "function")
        state = "body"
    } else if (line ~ /;[ ]*$/ || line == "") {
        state = "outside"
        previous = line
    }
    next
}
state == "body" {
    if (line ~ /^}/)
        state = "outside"
    else
        note_calls(key, line)
    next
}
{ previous = line }

END {
    do {
        changed = 0
        for (key in calls) {
            if (key in stops)
                continue
            n = split(calls[key], part, " ")
            for (i = 1; i <= n; i++) {
                callee = part[i] == "*" ? "*" : key_of(part[i], home[key])
                if (callee == "*")
                    why = "hands self to a function pointer"
                else if (callee in stops)
                    why = "calls " part[i]
                else
                    continue
                stops[key] = why
                next_of[key] = callee
                changed = 1
                break
            }
        }
    } while (changed)
    for (key in stops) {
        if (kind[key] != "function" || takes_self(head_of[key]))
            continue
        reason = ""
        for (pattern in patterns)
            if (named[key] ~ pattern) {
                reason = patterns[pattern]
                used[pattern] = 1
            }
        if (reason != "")
            continue
        folder = home[key]
        sub(/^minivm\//, "", folder)
        if (!sub(/\/.*/, "", folder))
            folder = "."
        bad[folder]++
        text = "# " home[key] ": " named[key]
        for (at = key; at in next_of && next_of[at] != "*"; at = next_of[at])
            text = text " -> " named_or(next_of[at])
        message[folder] = message[folder] text (at in next_of ? " -> (a pointer)" : "") "\n"
    }
    count = split(folders, list, " ")
    print "1.." count + 2
    for (i = 1; i <= count; i++) {
        folder = list[i]
        printf "%sok %d - %s: what stops takes self\n%s", bad[folder] ? "not " : "", i,
               folder == "." ? "minivm" : folder, message[folder]
    }
    # The check would pass, too, if it saw nothing.
    seen = 0
    for (key in stops)
        if (kind[key] == "function" && takes_self(head_of[key]))
            seen++
    printf "%sok %d - functions that stop are found\n# %d\n", (seen > 500 ? "" : "not "), i++,
           seen
    text = ""
    for (name in patterns)
        if (!(name in used))
            text = text "# " name "\n"
    printf "%sok %d - every exception is needed\n%s", text == "" ? "" : "not ", i, text
}
function named_or(key) { return key in named ? named[key] : key }
' $files

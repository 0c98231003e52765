# SPDX-License-Identifier: MIT
# tiforge doctor -- what is wrong with an agent library.

help_doctor()
{
    cat <<'END'
usage: tiforge doctor [--glibc VERSION] LIB.so...

Examines agent libraries without loading them into a VM: entry points that are
missing, hidden or have C++ names, libraries and symbols that cannot be found, the
oldest C library that will do (with --glibc: an error if that is later), text
relocations, an executable stack.

Exit status: 0 if an agent could be loaded, 1 if one could not.
END
}

# One line each; an error makes the exit status 1.
error() { say "$lib_name: ${red}error:$plain $*"; sick=1; }
warning() { say "$lib_name: ${yellow}warning:$plain $*"; }
note() { say "$lib_name: $*"; }

# The state of an entry point: exported, hidden, mangled, static, none.
entry_state() # FUNCTION
{
    awk -v name="$1" '
        /^Symbol table .\.dynsym/ { table = "dyn" }
        /^Symbol table .\.symtab/ { table = "sym" }
        { symbol = $8; sub(/@.*/, "", symbol) }
        $7 == "UND" || $4 != "FUNC" { next }
        symbol == name && table == "dyn" && $5 != "LOCAL" &&
            ($6 == "DEFAULT" || $6 == "PROTECTED") { exported = 1 }
        symbol == name && table == "sym" { hidden = 1 }
        symbol ~ "^_Z(N.*)?[0-9]+" name "[EP]" { mangled = 1 }
        index(symbol, name "_") == 1 { linked = 1 }
        END {
            state = hidden ? "hidden" : linked ? "static" : "none"
            print exported ? "exported" : mangled ? "mangled" : state
        }' "$scratch/symbols"
}

check_entry() # FUNCTION STATE WHEN-MISSING
{
    case $2 in
    exported) note "$1 is there" ;;
    mangled) error "$1 has a C++ name: declare it extern \"C\"" ;;
    hidden) error "$1 is hidden: declare it JNIEXPORT, and mind -fvisibility and" \
                  "version scripts" ;;
    # JVM TI "Statically Linked Agents": Agent_OnLoad_L of an agent L is for those only.
    static) error "$1_... is for an agent that is linked into the VM's program;" \
                  "export $1, too" ;;
    none) warning "no $1: the agent cannot be $3" ;;
    esac
}

check_entries()
{
    onload=$(entry_state Agent_OnLoad) onattach=$(entry_state Agent_OnAttach)
    if [ $onload$onattach = nonenone ]; then
        error "neither Agent_OnLoad nor Agent_OnAttach is exported: no agent"
    else
        check_entry Agent_OnLoad $onload "loaded with -agentpath"
        check_entry Agent_OnAttach $onattach "attached to a running VM"
    fi
}

# What is called libjvm.so is there when an agent is loaded: the VM.  Its functions are
# JNI's invocation interface and, for the JDK's own libraries, JVM_... and jio_....
check_libraries()
{
    ldd -r "$1" >"$scratch/ldd" 2>&1
    for library in $(sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p' \
        "$scratch/ldd" | sort -u); do
        [ "$library" = libjvm.so ] || error "the library $library is not to be found"
    done
    private=0
    for symbol in $(sed -n 's/^undefined symbol: \([^[:space:],]*\).*/\1/p' \
        "$scratch/ldd" | sort -u); do
        case $symbol in
        JNI_GetCreatedJavaVMs|JNI_CreateJavaVM|JNI_GetDefaultJavaVMInitArgs)
            note "$symbol comes from the VM" ;;
        JVM_*|jio_*) private=$((private + 1)) ;;
        *) error "the symbol $symbol is undefined" ;;
        esac
    done
    [ $private = 0 ] || note "functions of the VM that are private to its JDK, used" \
                             "here or by a library: $private"
}

check_glibc()
{
    newest=$(readelf -V "$1" 2>/dev/null | grep -o 'GLIBC_[0-9][0-9.]*' |
        sed 's/GLIBC_//' | sort -t. -k1,1n -k2,2n -k3,3n | tail -n 1)
    [ -n "$newest" ] || return
    note "needs the GNU C library $newest or later"
    [ -n "$glibc" ] || return
    oldest=$(printf '%s\n%s\n' "$newest" "$glibc" | sort -t. -k1,1n -k2,2n | tail -n 1)
    [ "$oldest" = "$glibc" ] ||
        error "needs the GNU C library $newest for" \
              "$(readelf -Ws --dyn-syms "$1" | grep -o "[^ ]*@GLIBC_$newest" | sort -u |
                  head -n 3 | tr '\n' ' ')"
}

check_headers()
{
    readelf -Wdl "$1" >"$scratch/headers" 2>/dev/null
    grep -q TEXTREL "$scratch/headers" &&
        error "has text relocations: compile everything with -fPIC"
    grep -q 'GNU_STACK.* RWE' "$scratch/headers" &&
        warning "wants an executable stack, for which HotSpot gives up its stack" \
                "guard: assemble with -z noexecstack"
    soname=$(sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p' "$scratch/headers")
    case ${lib_name##*/} in
    lib*.so) ;;
    *) warning "is not called libNAME.so: -agentlib:NAME will not find it" ;;
    esac
    [ -z "$soname" ] || [ "$soname" = "${lib_name##*/}" ] ||
        note "calls itself $soname"
}

examine() # LIB
{
    lib_name=$1
    [ -e "$1" ] || { error "there is no such file"; return; }
    [ -r "$1" ] || { error "cannot be read"; return; }
    readelf -h "$1" >"$scratch/head" 2>/dev/null || { error "is no ELF file"; return; }
    grep -q 'Type:.*DYN' "$scratch/head" || { error "is no shared library"; return; }
    readelf -Wl "$1" 2>/dev/null | grep -q INTERP &&
        { error "is a program, not a library"; return; }
    machine=$(sed -n 's/.*Machine: *//p' "$scratch/head")
    own=$(readelf -h /proc/self/exe 2>/dev/null | sed -n 's/.*Machine: *//p')
    [ -z "$own" ] || [ "$machine" = "$own" ] ||
        { error "is for $machine, not $own"; return; }
    readelf -Wsld "$1" 2>&1 >"$scratch/symbols" | grep -q Error &&
        { error "is damaged: readelf cannot make sense of it"; return; }
    check_entries
    check_libraries "$1"
    check_glibc "$1"
    check_headers "$1"
}

run_doctor()
{
    glibc= sick=0
    if [ "${1-}" = --glibc ]; then
        [ $# -gt 1 ] || fail "--glibc wants a version"
        glibc=$2
        shift 2
    fi
    case ${1-} in
    --?*) no_option doctor "$1" ;;
    esac
    [ $# -gt 0 ] || { help_doctor >&2; exit 2; }
    command -v readelf >/dev/null || fail "doctor needs readelf, of GNU binutils"
    scratch=$(mktemp -d) || exit 2
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' INT TERM
    for library; do
        examine "$library"
    done
    exit $sick
}

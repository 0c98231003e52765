#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Programs that nobody here wrote: the JDK's own tools, run by the JDK's own VM and by
# minivm, have to print the same, end with the same code and leave the same files.

usage()
{
    cat <<'EOF'
usage: realprograms.t [OPTION...]
  --filter GLOB    only the tests whose name matches
  --java CMD       test this launcher instead of the built minivm
  --vm-arg ARG     pass ARG to the tested VM (may be repeated)
  --time-factor N  multiply every time limit (default 1)
EOF
}

here=$(cd "$(dirname "$0")" && pwd)
top_builddir=${top_builddir:-$PWD}
work=$top_builddir/minivm/test/${work_name:-realprograms}.work
filter='*' tested= vm_args= factor=1

while [ $# -gt 0 ]; do
    case $1 in
    --filter) filter=$2; shift ;;
    --java) tested=$2; shift ;;
    --vm-arg) vm_args="$vm_args $2"; shift ;;
    --time-factor) factor=$2; shift ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
    esac
    shift
done

if [ -z "$JDK17" ]; then
    JDK17=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
fi
[ -x "$JDK17/bin/java" ] || { echo "Bail out! no JDK: set JDK17"; exit 1; }
if [ -z "$tested" ]; then
    tested=$top_builddir/minivm/minivm
    [ -x "$tested" ] || { echo "Bail out! $tested is not built"; exit 1; }
fi
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH
LC_ALL=C.UTF-8 TZ=UTC
export LC_ALL TZ

rm -rf "$work"
mkdir -p "$work/sources" "$work/classes"

# The sources of java.base's java.util, from the JDK's or the distribution's src.zip.
src_zip=
for zip in "$JDK17/lib/src.zip" "$JDK17/src.zip" "$JDK17/../openjdk-17/lib/src.zip"; do
    if [ -z "$src_zip" ] && [ -f "$zip" ]; then
        src_zip=$(readlink -f "$zip")
    fi
done

# A few classes of our own for the tools to look at.
cat > "$work/sources/Sample.java" <<'EOF'
import java.util.List;
import java.util.function.Function;

/** A sample. */
public class Sample<T extends Comparable<T>> implements java.io.Serializable {
    private static final long serialVersionUID = 42;
    /** Kinds of samples. */
    public enum Kind { SMALL, LARGE }
    record Pair(int a, String b) { }
    @Deprecated
    public T value;

    /** Picks from the list. @param list where from @return the pick */
    public T pick(List<? extends T> list) {
        Function<T, String> f = t -> t + "!" + list.size();
        try {
            return list.get(f.apply(value).length());
        } catch (IndexOutOfBoundsException e) {
            return switch (Kind.valueOf("SMALL")) {
                case SMALL -> value;
                case LARGE -> null;
            };
        }
    }

    public static void main(String[] args) throws Exception {
        java.util.logging.Logger.getLogger("x").fine("y");
        Thread.currentThread().stop();
    }
}
EOF
"$JDK17/bin/javac" -g -nowarn -XDignore.symbol.file -Xlint:none -d "$work/classes" \
    "$work/sources/Sample.java" 2> /dev/null || { echo "Bail out! javac fails"; exit 1; }

# A certificate that both sides look at.
"$JDK17/bin/keytool" -genkeypair -alias fixed -keyalg EC -groupname secp256r1 \
    -dname "CN=Fixed, O=Test" -storepass changeit -keystore "$work/fixed.p12" \
    > /dev/null 2>&1

# Each test is a function that runs tools by $JAVA in an empty directory of its own.
# What it prints and what it leaves there is compared.
tool()
{
    # $JAVA is a command with options; words are meant to split.
    $JAVA "$@" 2>&1
}

javac_java_util()
{
    tool -Xmx1g -m jdk.compiler/com.sun.tools.javac.Main -nowarn -proc:none -Xlint:none \
        -XDignore.symbol.file --patch-module "java.base=$work/util/java.base" -d classes \
        "$work"/util/java.base/java/util/*.java
}

javac_errors()
{
    cp "$work/sources/Sample.java" .
    echo 'class Bad { int f() { return "x"; } void g() { undefined(); } Sample<Object> s; }' \
        > Bad.java
    tool -m jdk.compiler/com.sun.tools.javac.Main -d . -Xlint:all Sample.java Bad.java
}

javap_classes()
{
    tool -m jdk.jdeps/com.sun.tools.javap.Main -c -v -p -cp "$work/classes" Sample \
        'Sample$Kind' 'Sample$Pair' | grep -v 'Last modified'
    tool -m jdk.jdeps/com.sun.tools.javap.Main -c -p java.lang.String java.util.HashMap \
        java.lang.invoke.MethodHandles
    tool -m jdk.jdeps/com.sun.tools.javap.Main no.such.Class
}

jar_files()
{
    date=2020-01-02T03:04:06+00:00
    tool -m jdk.jartool/sun.tools.jar.Main -c -f a.jar --date "$date" -e Sample \
        -C "$work/classes" .
    tool -m jdk.jartool/sun.tools.jar.Main -t -v -f a.jar
    mkdir x && (cd x && tool -m jdk.jartool/sun.tools.jar.Main -x -f ../a.jar)
    echo text > note
    tool -m jdk.jartool/sun.tools.jar.Main -u -v -f a.jar --date "$date" note
    tool -m jdk.jartool/sun.tools.jar.Main -c -f b.jar -0 -M --date "$date" note
    tool -m jdk.jartool/sun.tools.jar.Main -d -f a.jar
    tool -m jdk.jartool/sun.tools.jar.Main -t -f none.jar
}

jdeps_classes()
{
    tool -m jdk.jdeps/com.sun.tools.jdeps.Main -v "$work/classes"
    tool -m jdk.jdeps/com.sun.tools.jdeps.Main -s -recursive "$work/classes"
    tool -m jdk.jdeps/com.sun.tools.jdeps.Main --list-deps "$work/classes"
}

jlink_image()
{
    tool -m jdk.jlink/jdk.tools.jlink.internal.Main --add-modules java.base \
        --module-path "$JDK17/jmods" --output image --no-header-files --no-man-pages
    image/bin/java -version 2>&1 | sed -n 1p
    rm -f image/lib/server/*.jsa
}

keytool_stores()
{
    keytool="tool -m java.base/sun.security.tools.keytool.Main"
    $keytool -exportcert -rfc -alias fixed -keystore "$work/fixed.p12" -storepass changeit \
        -file cert.pem
    $keytool -printcert -file cert.pem
    $keytool -importcert -noprompt -alias other -file cert.pem -keystore trust.p12 \
        -storepass secret1
    $keytool -list -v -keystore trust.p12 -storepass secret1
    $keytool -list -keystore trust.p12 -storepass wrong0
    $keytool -genkeypair -alias new -keyalg RSA -keysize 2048 -dname CN=New \
        -keystore new.p12 -storepass secret2
    # What one VM made, the other has to read; its numbers differ each time.
    "$JDK17/bin/keytool" -list -v -alias new -keystore new.p12 -storepass secret2 2>&1 |
        grep -E '^(Owner|Issuer|Signature algorithm|Subject Public|Entry type)'
    rm -f new.p12 trust.p12
}

jshell_script()
{
    cat > script.jsh <<'EOF'
int x = 6 * 7
String greet(String n) { return "hello " + n; }
greet("jshell " + x)
record Point(int x, int y) { int sum() { return x + y; } }
new Point(3, 4).sum()
import java.util.stream.*
IntStream.range(0, 5).mapToObj(i -> "n" + i).collect(Collectors.joining(","))
int broken = "text"
for (int i = 0; i < 3; i++) System.out.println(i)
1 / 0
class A { int f() { return b(); } int b() { return 5; } }
new A().f()
/vars
/methods
/types
/drop x
x
/exit 3
EOF
    mkdir -p prefs/.java/.userPrefs
    jshell="tool -Djava.util.prefs.userRoot=prefs -m \
        jdk.jshell/jdk.internal.jshell.tool.JShellToolProvider --execution local"
    $jshell -s --feedback normal script.jsh
    # How much of an input that is no terminal is echoed depends on how fast it is read:
    # what was typed is taken out behind its prompt and the blanks there, as far as it is.
    $jshell --feedback verbose < script.jsh | sed 's/jshell> /\n&/g' | awk '
        BEGIN { while ((getline line <"script.jsh") > 0) typed[++n] = line }
        /^jshell> / {
            rest = substr($0, 9)
            match(rest, /^ */)
            blanks = substr(rest, 1, RLENGTH)
            rest = substr(rest, RLENGTH + 1)
            line = typed[++prompt]
            while (line != "" && substr(rest, 1, 1) == substr(line, 1, 1)) {
                rest = substr(rest, 2)
                line = substr(line, 2)
            }
            $0 = "jshell> " blanks rest
        }
        { print }'
    rm -r prefs
}

jmod_files()
{
    tool -m jdk.jlink/jdk.tools.jmod.Main describe "$JDK17/jmods/java.logging.jmod"
    tool -m jdk.jlink/jdk.tools.jmod.Main list "$JDK17/jmods/java.logging.jmod"
    tool -m jdk.jlink/jdk.tools.jmod.Main create --class-path "$work/classes" \
        --module-version 1 made.jmod
}

jdeprscan_classes()
{
    tool -m jdk.jdeps/com.sun.tools.jdeprscan.Main --class-path "$work/classes" \
        "$work/classes"
    # The order is that of an immutable set, which is salted anew in each run.
    tool -m jdk.jdeps/com.sun.tools.jdeprscan.Main --list --for-removal | sort
}

javadoc_pages()
{
    tool -m jdk.javadoc/jdk.javadoc.internal.tool.Main -notimestamp -quiet -d pages \
        -Xdoclint:none "$work/sources/Sample.java"
}

jarsigner_jars()
{
    tool -m jdk.jartool/sun.tools.jar.Main -c -f s.jar --date 2020-01-02T03:04:06+00:00 \
        -C "$work/classes" .
    tool -m jdk.jartool/sun.security.tools.jarsigner.Main -keystore "$work/fixed.p12" \
        -storepass changeit s.jar fixed
    "$JDK17/bin/jarsigner" -verify s.jar 2>&1 | sed -n 1,3p
    tool -m jdk.jartool/sun.security.tools.jarsigner.Main -verify s.jar
    rm -f s.jar
}

# one_side SIDE TEST: run it in its directory; the output is beside it.
one_side()
{
    mkdir -p "$work/$2/$1"
    (cd "$work/$2/$1" && "$2") > "$work/$2/$1.out" 2>&1
    echo "exit code $?" >> "$work/$2/$1.out"
}

number=0
run()
{
    test=$1 limit=$(($2 * factor))
    number=$((number + 1))
    name=$(echo "$test" | tr _ ' ')
    case $test in
    $filter) ;;
    *) echo "ok $number - $name # SKIP filtered"; return ;;
    esac
    case $test in
    javac_java_util)
        if [ -z "$src_zip" ]; then
            echo "ok $number - $name # SKIP no src.zip (package openjdk-17-source)"
            return
        fi
        mkdir -p "$work/util"
        (cd "$work/util" && "$JDK17/bin/jar" -x -f "$src_zip" java.base/java/util) ;;
    jlink_image|jmod_files)
        if [ ! -f "$JDK17/jmods/java.base.jmod" ]; then
            echo "ok $number - $name # SKIP the JDK has no jmods"
            return
        fi ;;
    esac
    JAVA="$JDK17/bin/java"
    one_side hotspot "$test"
    JAVA="timeout -k 10 $limit $tested$vm_args"
    one_side minivm "$test"
    if diff "$work/$test/hotspot.out" "$work/$test/minivm.out" > "$work/$test/diff" &&
        diff -r "$work/$test/hotspot" "$work/$test/minivm" >> "$work/$test/diff" 2>&1; then
        echo "ok $number - $name"
        rm -rf "${work:?}/$test"
    else
        echo "not ok $number - $name"
        head -n 15 "$work/$test/diff" | cut -c 1-200 | sed 's/^/#   /'
    fi
}

echo 1..12
run javap_classes 600
run jar_files 600
run jdeps_classes 600
run keytool_stores 600
run jdeprscan_classes 600
run javac_errors 600
run jmod_files 600
run jarsigner_jars 600
run jshell_script 900
run javadoc_pages 900
run jlink_image 1800
run javac_java_util 3600

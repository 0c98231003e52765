#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Bad input: options, class files, jars, agents and class libraries that are missing,
# broken or malformed.  Standard output, the exit code and standard error have to be
# the JDK's own VM's; only the two lines in which the launcher says that there is no VM
# are left out, since the JDK's VM ends the process itself in some of these cases.

top_builddir=${top_builddir:-$PWD}
work=$top_builddir/minivm/test/badinput.work
tested=${MINIVM:-$top_builddir/minivm/minivm}
CC=${CC:-cc}

if [ -z "$JDK17" ]; then
    JDK17=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
fi
[ -x "$JDK17/bin/javac" ] || { echo "Bail out! no JDK: set JDK17"; exit 1; }
release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$JDK17/release")
[ -x "$tested" ] || { echo "Bail out! $tested is not built"; exit 1; }
case $tested in
/*) ;;
*) tested=$PWD/$tested ;;
esac
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH
LC_ALL=C.UTF-8
export LC_ALL

# ---- what the cases need ----

die()
{
    echo "Bail out! $*"
    exit 1
}

rm -rf "$work"
mkdir -p "$work/src" "$work/good" && cd "$work" || die "cannot make $work"

cat > src/Hello.java <<'EOF'
public class Hello {
    public static void main(String[] args) {
        System.out.println("hello " + String.join("|", args)
            + " " + System.getProperty("p"));
    }
}
EOF
cat > src/Uses.java <<'EOF'
public class Uses {
    static class Part { public String toString() { return "part"; } }
    public static void main(String[] args) {
        try {
            System.out.println(new Part());
        } catch (LinkageError e) {
            System.out.println(e);
        }
    }
}
EOF
cat > src/Agent.c <<'EOF'
#include <string.h>
int
Agent_OnLoad(void *vm, char *options, void *reserved)
{
    (void)vm, (void)reserved;
    return options && strcmp(options, "good") == 0 ? 0 : 7;
}
EOF
echo 'int nothing_here;' > src/Empty.c
"$JDK17/bin/javac" -d good src/*.java || die "javac fails"
for lib in Agent Empty; do
    $CC -shared -fPIC -o "lib$lib.so" "src/$lib.c" || die "$CC fails"
done
(cd good && "$JDK17/bin/jar" -cfe ../good.jar Hello Hello.class) || die "jar fails"
"$JDK17/bin/jar" -cf nomain.jar -C good Hello.class
size=$(wc -c < good/Hello.class)

# broken DIR CLASS: a copy of the good classes in DIR; CLASS comes from standard input.
broken()
{
    mkdir -p "$1" && cp good/* "$1" && cat > "$1/$2.class"
}

: | broken empty Hello
head -c 3 good/Hello.class | broken magic3 Hello
head -c 9 good/Hello.class | broken head9 Hello
head -c $((size / 2)) good/Hello.class | broken half Hello
head -c $((size - 1)) good/Hello.class | broken less1 Hello
{ cat good/Hello.class; echo; } | broken more1 Hello
echo 'this is no class file at all' | broken text Hello
{ printf '\312\376\272\276\0\0\377\377'; tail -c +9 good/Hello.class; } |
    broken future Hello
{ printf '\312\376\272\276\0\7\0\75'; tail -c +9 good/Hello.class; } |
    broken minor Hello
{ head -c 8 good/Hello.class; printf '\0\1'; tail -c +11 good/Hello.class; } |
    broken pool1 Hello
{ head -c 10 good/Hello.class; printf '\177'; tail -c +12 good/Hello.class; } |
    broken tag Hello
broken named Hello < good/Uses.class
: | broken part0 'Uses$Part'
head -c 60 'good/Uses$Part.class' | broken part60 'Uses$Part'
broken partname 'Uses$Part' < good/Hello.class
mkdir -p partgone && cp good/Uses.class partgone
head -c 100 good.jar > short.jar
echo 'no jar' > text.jar
: > empty.jar
echo '-cp good Hello "a b" '\''c d'\''' > args
echo '-cp "good' > openquote

# ---- comparing ----

count=0

result()
{
    count=$((count + 1))
    echo "$1 $count - $2"
}

no_launcher_lines()
{
    grep -v -e '^Error: Could not create the Java Virtual Machine\.$' \
        -e '^Error: A fatal exception has occurred\. Program will exit\.$' "$1"
}

# same NAME ARG...: both VMs do the same with these arguments.
same()
{
    name=$1
    shift
    timeout 60 "$JDK17/bin/java" "$@" > want.out 2> want.all < /dev/null
    echo $? > want.rc
    timeout 60 "$tested" "$@" > got.out 2> got.all < /dev/null
    echo $? > got.rc
    for side in want got; do
        no_launcher_lines $side.all > $side.err
    done
    verdict=ok
    for part in rc out err; do
        cmp -s want.$part got.$part || verdict='not ok'
    done
    result "$verdict" "$name"
    if [ "$verdict" != ok ]; then
        for part in rc out err; do
            diff want.$part got.$part | head -n 12 | sed "s/^/# $part: /"
        done
    fi
}

# hello OPTION...: the options before a good program.
hello()
{
    same "$*" "$@" -cp good Hello
}

# ---- options ----

for option in -Xfoo -foo --foo -XX: -XX:+ -XX:Foo -XX:+Foo -XX:-Foo -XX:Foo=1 \
    -XX:MaxHeapSize -XX:+MaxHeapSize -XX:UseSerialGC -XX:UseSerialGC=1 \
    -XX:ActiveProcessorCount=abc -Xmx -Xmxabc -Xmx10q -Xmx-5m -Xmx0 -Xmx1k \
    -Xmx99999999999999999999 -Xms -Xmnabc -Xss -Xssabc -Xss1 -Xss1t -verbose:foo \
    -Xcheck:foo -Xverify:foo -Xverifyx -Xverify -Xverify:none -noverify -Xshare:foo \
    -Xbootclasspath:/x -Xbootclasspath/p:/x \
    -Xbootclasspath/a:/none -D -D= -Dp -Dp=1=2 -ea:... --add-modules=none \
    --add-exports=foo --add-opens=java.base/foo --limit-modules=none \
    --module-path=/none --patch-module=foo -Djava.ext.dirs=/none -Djava.ext.dirs= \
    -Djava.endorsed.dirs=/none -Djdk.module.addmods.0=none -Djdk.module.path \
    -Djdk.module.patch.java.base=/none -Djdk.module.main=none; do
    hello "$option"
done
hello -Xms1g -Xmx4m
hello -XX:+IgnoreUnrecognizedVMOptions -XX:+Foo
hello -XX:+PrintInlining
hello -XX:+UseJVMCICompiler -XX:+UnlockExperimentalVMOptions
hello -XX:+UnlockDiagnosticVMOptions -XX:-PrintInlining -XX:CompileCommand=quiet
hello -XX:+UnlockExperimentalVMOptions -XX:G1MixedGCLiveThresholdPercent=0x10
hello -XX:ErrorLogTimeout=-1
hello -XX:MaxRAMPercentage=x
echo '# ours
-StackTraceInThrowable # no
MaxHeapSize=64m' > flags
echo '+Foo' > flags.unknown
echo "-Dp='1 2'
-ea" > options
echo "-Dp='1" > options.open
for file in flags flags.unknown none; do
    hello -XX:Flags=$file
done
for file in options options.open none; do
    hello -XX:VMOptionsFile=$file
done
same 'no arguments of -cp' -cp
same 'an @argfile with quotes' @args
same 'an @argfile with an open quote' @openquote
same 'a missing @argfile' @none

JAVA_TOOL_OPTIONS='-Dp="a b"'\''c "d'\''e'
export JAVA_TOOL_OPTIONS
same 'JAVA_TOOL_OPTIONS with quotes' -cp good Hello
JAVA_TOOL_OPTIONS='-Dp="a b'
same 'JAVA_TOOL_OPTIONS with an open quote' -cp good Hello
JAVA_TOOL_OPTIONS='  '
same 'JAVA_TOOL_OPTIONS that is blank' -cp good Hello
JAVA_TOOL_OPTIONS='-Dp=1 -Xfoo'
same 'JAVA_TOOL_OPTIONS with an unknown option' -cp good Hello
unset JAVA_TOOL_OPTIONS
_JAVA_OPTIONS='-Dp=last'
export _JAVA_OPTIONS
same '_JAVA_OPTIONS come last' -Dp=first -cp good Hello
unset _JAVA_OPTIONS

# ---- classes and jars ----

same 'a missing main class' -cp good None
same 'a main class with slashes' -cp good ./Hello
same 'no main method' -cp good 'Uses$Part'
same 'a class path that is not there' -cp /none/none.jar:/none Hello
for dir in empty magic3 head9 half less1 more1 text future minor pool1 tag named; do
    same "main class: $dir" -cp $dir Hello
done
for dir in part0 part60 partname partgone; do
    same "class used: $dir" -cp $dir Uses
done
for jar in none short text empty nomain; do
    same "-jar $jar.jar" -jar $jar.jar
    same "$jar.jar in the class path" -cp $jar.jar:good Hello
done

# ---- agents ----

for option in -agentlib: -agentlib:none -agentlib:../none -agentpath:/none.so \
    -Xrunnone "-agentpath:$work/text.jar" "-agentpath:$work/empty.jar" \
    "-agentpath:$work/libAgent.so=bad,7" "-agentpath:$work/libAgent.so" \
    "-agentpath:$work/libAgent.so=good"; do
    hello "$option"
done
# JDK 25's own VM crashes here, so there the words are those of JDK 21.
if [ "$release" = 25 ]; then
    timeout 60 "$tested" "-agentpath:$work/libEmpty.so" -cp good Hello > got.out 2> got.all
    if [ $? = 1 ] && [ "$(cat got.out)" = "Error occurred during initialization of VM
Could not find Agent_OnLoad function in the agent library: $work/libEmpty.so" ]; then
        result ok "-agentpath:$work/libEmpty.so"
    else
        result 'not ok' "-agentpath:$work/libEmpty.so"
        sed 's/^/# /' got.out got.all | head -n 12
    fi
else
    hello "-agentpath:$work/libEmpty.so"
fi

# ---- class libraries ----

# broken_home NAME: the launcher of a JDK whose lib/modules is the file "modules" has to
# fail with a message of ours that names the file.
broken_home()
{
    home=$work/home-$1
    mkdir -p "$home/bin" "$home/lib"
    cp "$JDK17/bin/java" "$home/bin"
    cp "$JDK17/release" "$home"
    cp -r "$JDK17/lib/jvm.cfg" "$JDK17"/lib/*.so "$home/lib"
    mv modules "$home/lib/modules"
    JAVA_HOME=$home timeout 60 "$tested" -cp good Hello > got.out 2> got.all
    if [ $? = 1 ] && grep -q "home-$1/lib/modules" got.out got.all &&
        ! grep -q hello got.out; then
        result ok "lib/modules: $1"
    else
        result 'not ok' "lib/modules: $1"
        sed 's/^/# /' got.out got.all | head -n 12
    fi
    rm -rf "$home"
}

image=$JDK17/lib/modules
: > modules
broken_home empty
echo 'no modules' > modules
broken_home text
head -c 28 "$image" > modules
broken_home header
head -c 100000 "$image" > modules
broken_home index
head -c 2000000 "$image" > modules
broken_home truncated
{ printf '\376\312\332\332'; head -c 100000 "$image" | tail -c +5; } > modules
broken_home magic

echo "1..$count"

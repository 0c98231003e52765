#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A VM that cannot start says why, before the launcher says that it did not.

top_builddir=$(cd "${top_builddir:-.}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)/start
work=$top_builddir/minivm/test/start.work
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
minivm=$top_builddir/minivm/minivm
failed='failed Agent_OnLoad'
! grep -q '^JAVA_VERSION="17' "$home/release" || failed='failed to init'
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH
LC_ALL=C.UTF-8
export LC_ALL

rm -rf "$work"
mkdir -p "$work/modules" "$work/patch/java/util" "$work/first/java/lang"
cd "$work" || exit 1
${CC:-cc} -shared -fPIC -I"$home/include" -I"$home/include/linux" -o libstart.so \
    "$here/agent.c" || { echo "Bail out! the agent does not build"; exit 1; }
echo garbage >modules/broken.jar
echo garbage >patch/java/util/HashMap.class
echo garbage >first/java/lang/Object.class
echo 'public class Premain { public static void premain(String a) {
    throw new IllegalStateException("from premain", new Error("the cause")); } }' >Premain.java
"$home/bin/javac" -d . Premain.java
echo 'Premain-Class: Premain' >manifest
"$home/bin/jar" cfm premain.jar manifest Premain.class
"$home/bin/jar" cf nothing.jar Premain.class

count=0
# fails NAME ARGUMENTS [PATTERN...]: status 1 (134 if the agent aborts), and in the
# output, in order, a line for each pattern.
fails()
{
    name=$1 args=$2 rc=0
    shift 2
    # shellcheck disable=SC2086
    timeout -k 5 60 "$minivm" $args Premain >out 2>&1
    status=$?
    [ $status = 1 ] || [ $status = 134 ] || rc=1
    at=0
    for pattern; do
        line=$(tail -n +$((at + 1)) out | grep -nE -m 1 -- "$pattern" | cut -d: -f1)
        [ -n "$line" ] || { rc=1; echo "# no $pattern"; break; }
        at=$((at + line))
    done
    count=$((count + 1))
    if [ $rc = 0 ]; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        sed "s/^/#   /" out
    fi
}

begin='^Error occurred during initialization of VM$'
end='^Error: Could not create the Java Virtual Machine\.$'
for place in init start thread; do
    fails "an exception that an agent leaves: $place" -agentpath:./libstart.so=$place \
        "$begin" "^java\\.lang\\.IllegalArgumentException: $place\$" \
        '^Caused by: java\.lang\.Throwable: the cause$' "$end"
done
fails "Agent_OnLoad that fails" -agentpath:./libstart.so=fail "$begin" \
    "^agent library $failed: ./libstart.so\$" "$end"
for class in Object Class String System StackOverflowError Thread; do
    fails "a class file that an agent breaks: $class" \
        "-agentpath:./libstart.so=java/lang/$class" "$begin" \
        "^cannot load java/lang/[A-Za-z]* from '.*/lib/modules': java/lang/ClassFormatError: Truncated class file\$" \
        "$end"
done
fails "a class file that an agent breaks: HashMap" -agentpath:./libstart.so=java/util/HashMap \
    "$begin" '^java\.lang\.ClassFormatError: Truncated class file$' '^	at ' "$end"
fails "a class that a patch breaks" "--patch-module java.base=patch" "$begin" \
    '^java\.lang\.ClassFormatError: Incompatible magic value 1734439522 in class file java/util/HashMap$' \
    "$end"
fails "the first class, which a patch breaks" "--patch-module java.base=first" "$begin" \
    "^cannot load java/lang/Object from .*: java/lang/ClassFormatError: Incompatible magic value" \
    "$end"
fails "a module path with a broken file" "--module-path modules" \
    '^Error occurred during initialization of boot layer$' \
    'FindException: Error reading modules/broken.jar' '^Caused by: .*ZipException' "$end"
fails "a module that is missing" "--add-modules nosuch" \
    '^Error occurred during initialization of boot layer$' 'Module nosuch not found' "$end"
fails "a system class loader that is missing" -Djava.system.class.loader=NoSuch "$begin" \
    '^java\.lang\.Error: NoSuch$' '^Caused by: java\.lang\.ClassNotFoundException: NoSuch$' \
    "$end"
fails "a Java agent without a manifest" -javaagent:nothing.jar \
    '^Failed to find Premain-Class manifest attribute in nothing.jar$' "$begin" \
    "^agent library $failed: instrument\$" "$end"
fails "a Java agent that is missing" -javaagent:missing.jar \
    'JAR manifest missing : missing.jar$' "$begin" "$end"
fails "a Java agent whose premain throws" -javaagent:premain.jar \
    '^Caused by: java\.lang\.IllegalStateException: from premain$' \
    '^Caused by: java\.lang\.Error: the cause$' 'processing of -javaagent failed'
fails "a management port that is none" -Dcom.sun.management.jmxremote.port=none \
    'Invalid com.sun.management.jmxremote.port number: none' "$end"
fails "a library that is missing" -agentpath:./none.so "$begin" \
    'Could not find agent library ./none.so in absolute path, with error: ' "$end"
fails "a heap that is too large" -Xmx100000g "$begin" \
    '^Could not reserve enough space for object heap' "$end"
fails "an option that is none" -XX:+NoSuch "Unrecognized VM option 'NoSuch'" "$end"

# ---- another JDK ----

# says NAME STATUS PATTERN COMMAND...: the exit status, and a line of the output.
says()
{
    name=$1 wanted=$2 pattern=$3
    shift 3
    timeout -k 5 60 "$@" >out 2>&1
    status=$?
    count=$((count + 1))
    if [ $status = "$wanted" ] && grep -qE -- "$pattern" out; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        { echo "status $status"; cat out; } | sed "s/^/#   /"
    fi
}

cat >Where.java <<'END'
public class Where {
    public static void main(String[] args) {
        System.out.println(System.getProperty("java.home") + " " + String.join(",", args));
    }
}
END
"$home/bin/javac" --release 17 -d . Where.java
for jdk in "$JDK17" "$JDK21" "$JDK25"; do
    [ -n "$jdk" ] || continue
    real=$(readlink -f "$jdk")
    says "--jdk DIR: $(basename "$jdk")" 0 "^$real --jdk,x\$" \
        env JAVA_HOME=/none "$minivm" --jdk "$jdk" -cp . Where --jdk x
    says "--jdk=DIR: $(basename "$jdk")" 0 "^$real \$" "$minivm" "--jdk=$jdk" -cp . Where
done
says "a JAVA_HOME that is none" 1 \
    "^minivm: cannot run '/none/bin/java', from JAVA_HOME: No such file or directory\$" \
    env JAVA_HOME=/none LC_ALL=C "$minivm" -version
says "--jdk without a folder" 1 '^minivm: --jdk wants the folder of a JDK$' "$minivm" --jdk
says "--jdk with a folder that is not there" 1 \
    "^minivm: --jdk: '/none' is no JDK: it has no bin/java\$" "$minivm" --jdk /none -version
mkdir -p bare/bin && cp "$home/bin/java" bare/bin
says "--jdk with a folder that has no class library" 1 \
    "^minivm: --jdk: 'bare' is no JDK: it has no lib/modules\$" \
    "$minivm" --jdk=bare -version
mkdir -p other/bin && cp "$home/bin/java" other/bin && ln -s "$home/lib" other/lib &&
    echo 'JAVA_VERSION="11.0.2"' >other/release
says "a JDK of a release that is not served" 1 \
    "^Error: '.*/other' is of release 11\.0\.2, which this VM does not serve: it serves" \
    "$minivm" --jdk "$PWD/other" -version

echo "1..$count"

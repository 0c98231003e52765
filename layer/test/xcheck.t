#!/bin/sh
# SPDX-License-Identifier: MIT
# minivm -Xcheck:jvmti: every agent is checked, one that is attached, too, and its native
# methods are found.
command=check
. "${top_srcdir:?}/layer/test/command.sh"

run()
{
    timeout 120 "$build/minivm/minivm" "$@" >out 2>&1
    status=$?
}

run "-agentpath:$misuse=memory.free,wrong" -cp . Target 3
[ $status = 3 ] && ! says 'tiforge check'
point "without the option nothing is said"
run -Xcheck:jvmti "-agentpath:$misuse=memory.free,wrong" -cp . Target 3
[ $status = 3 ] && says '^tiforge check: error: free.*\[memory.free\]$'
point "with it the agent is checked, and the program ends as before"
run -Xcheck:jvmti "-agentpath:$misuse=memory.free,right" -cp . Target
[ $status = 0 ] && ! says 'tiforge check: error'
point "an agent without a mistake"

cat >agent.c <<'END'
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>

JNIEXPORT jint JNICALL
Java_Attach_number(JNIEnv *jni, jclass class)
{
    return 42;
}

JNIEXPORT jint JNICALL
Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEnv *jvmti;
    char *value;

    printf("options '%s'\n", options);
    fflush(stdout);
    (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_0);
    (*jvmti)->GetSystemProperty(jvmti, "java.home", &value);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)value + 1);
    return 0;
}
END
cat >Attach.java <<'END'
import com.sun.tools.attach.VirtualMachine;

public class Attach {
    static native int number();

    public static void main(String[] args) throws Exception {
        VirtualMachine vm =
            VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
        vm.loadAgentPath(args[0], "a=1,options=b");
        vm.detach();
        System.out.println("native " + number());
    }
}
END
"${CC:-cc}" -shared -fPIC -I"$build/sdk/include" -o libattached.so agent.c &&
    "$JDK17/bin/javac" -d . Attach.java || exit 1
run -Xcheck:jvmti -Djdk.attach.allowAttachSelf=true -cp . Attach "$work/libattached.so"
[ $status = 0 ] && says '\[memory.deallocate-interior\]$' &&
    says "^options 'a=1,options=b'$" && says '^native 42$'
point "an agent that is attached"
echo "1..$count"

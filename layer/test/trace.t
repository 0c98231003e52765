#!/bin/sh
# SPDX-License-Identifier: MIT
# tiforge trace: what its lines say, its filter, its summary.
command=trace
. "${top_srcdir:?}/layer/test/command.sh"

for vm in minivm "$JDK17/bin/java" ${JDK25:+"$JDK25/bin/java"}; do
    gives 4 --vm "$vm" "$misuse=memory.free,wrong" -- -cp . Target 4 &&
        says '^ *[0-9]+\.[0-9]{6} \[main\] VMInit\(thread="main"\) \{$' &&
        says '^ *[0-9.]+ \[main\]   GetThreadInfo\(thread="main", info_ptr=0x[0-9a-f]+\) = NONE; info_ptr="main" <[0-9]+\.[0-9]{6}>$' &&
        says '^ *[0-9.]+ \[main\] \} VMInit <[0-9.]+>$' && says 'mode=ENABLE, event_type=VMInit' &&
        ! says 'tiforge check'
    point "an event and what is called in it: $vm"
    gives 0 --vm "$vm" "$misuse=table.class-name,right" -- -cp . Target &&
        says '\[main\]   jni FindClass\(name="java/lang/String"\) = 0x'
    point "JNI: $vm"
done
gives 0 "$misuse=monitor.not-owner,wrong" -- -cp . Target &&
    says 'RawMonitorNotify\(monitor="first"\) = NOT_MONITOR_OWNER'
point "an error, and a monitor by its name"
gives 0 --filter 'Raw*,VMD*' "$misuse=monitor.not-owner,right" -- -cp . Target &&
    says 'RawMonitorEnter' && says 'VMDeath' && ! says 'VMInit|Create|Destroy'
point "a filter"
gives 0 --filter 'thread=Thread-*' "$misuse=monitor.destroyed-in-use,right" -- -cp . Target &&
    says '\[Thread-0\] RawMonitorEnter' && ! says 'VMInit|VMDeath'
point "a filter for a thread"
gives 0 --filter 'class=java.lang.Thr*' "$misuse=ids.return-type,right" -- -cp . Target &&
    says 'GetMethodID\(clazz=java.lang.Thread, ' && says 'CallObjectMethod' &&
    ! says 'GetPotential|SetEvent|VMInit'
point "a filter for a class"
gives 0 --file t.jsonl "$misuse=monitor.not-owner,right" -- -cp . Target &&
    [ "$(grep -c '^{"time":[0-9.]*,"thread":".*"duration":[0-9.]*}$' t.jsonl)" -gt 5 ] &&
    ! grep -qv '^{.*}$' t.jsonl
point "lines of JSON"
gives 0 --summary "$misuse=monitor.not-owner,wrong" -- -cp . Target &&
    says '^ +1 +1 +[0-9.]+  jvmti RawMonitorNotify$' && says '^ +1 +0 +[0-9.]+  event VMInit$' &&
    ! says 'VMInit\('
point "a summary"
gives 2 --file no/such/file "$misuse" && says "no folder for 'no/such/file'"
point "a file in no folder"
gives 2 --vm no-such-vm "$misuse" && says "no launcher 'no-such-vm'"
point "an unknown VM"
gives 2 && says '^usage: tiforge trace'
point "no agent"
echo "1..$count"

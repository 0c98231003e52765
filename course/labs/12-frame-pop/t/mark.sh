# SPDX-License-Identifier: MIT
# Lab 12: the methods' names differ by seed; the program says where it is, so the order
# of events and of its own lines is known.

inputs()
{
    new_name Q; class=$r
    for variable in plain outer middle inner thrower again off; do
        new_name m; eval "$variable=\$r"; keep "m_$variable" "$r"
    done
    for number in 0 1 2 Twice Off On Looks; do
        echo "public class Ask$number extends RuntimeException { }" >"Ask$number.java"
    done
    random 10000; keep last "ended $r"
    cat >"$class.java" <<END
public class $class {
    static void say(String text) {
        System.out.println(text);
    }

    static void ask(RuntimeException e) {
        throw e;
    }

    /** Asks for its own end the first time only. */
    static void $plain(boolean first) {
        try {
            if (first)
                throw new Ask0();
        } catch (Ask0 e) {
            say("in $plain");
        }
    }

    /** Asks twice. */
    static void $again() {
        try {
            throw new AskTwice();
        } catch (AskTwice e) {
            say("in $again");
        }
    }

    /** Nobody wants the event any more when this ends. */
    static void $off() {
        try {
            throw new AskOff();
        } catch (AskOff e) {
            say("in $off");
        }
    }

    static void on() {
        try {
            throw new AskOn();
        } catch (AskOn e) {
            say("on");
        }
    }

    static void looks() {
        try {
            throw new AskLooks();
        } catch (AskLooks e) {
            say("looked");
        }
    }

    static void $inner() {
        try {
            throw new Ask1();
        } catch (Ask1 e) {
            say("in $inner");
        }
        try {
            throw new Ask2();
        } catch (Ask2 e) {
            say("still in $inner");
        }
    }

    static void $middle() {
        $inner();
        say("in $middle");
    }

    static void $outer() {
        $middle();
        say("in $outer");
    }

    static void $thrower() {
        try {
            throw new Ask0();
        } catch (Ask0 e) {
            throw new IllegalStateException();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread.sleep(1);
        $plain(true);
        say("after $plain");
        $plain(false);
        $plain(false);
        $again();
        looks();
        for (int i = 0; i < 100; i++)
            $plain(false);
        looks();
        $outer();
        try {
            $thrower();
        } catch (IllegalStateException e) {
            say("after $thrower");
        }
        $thrower$r();
        $off();
        on();
        say("ended $r");
    }

    static void $thrower$r() {
    }
}
END
    keep class "$class"
    build_probe
}

judge()
{
    run_in_student_vm x "$class"
    criterion load
    works 'a program runs' "$last"
    criterion pop
    same 'the event, before the caller goes on' "in $m_plain
pop $m_plain return
after $m_plain" "$(lines "$m_plain" | head -n 3)"
    criterion once
    same 'one event for three calls' "pop $m_plain return" "$(lines "^pop $m_plain")"
    has 'a request for the frame that is ending comes too late' 'late JVMTI_ERROR_NONE'
    has 'a second request is none' 'again JVMTI_ERROR_NONE'
    same 'and there is one event for both' "pop $m_again return" "$(lines "^pop $m_again")"
    same 'none while the event is disabled' '' "$(lines "^pop $m_off")"
    criterion idle
    same 'looks at the end of frames while nobody has asked' 'looks 0' \
        "$(lines '^looks ' | tail -n 1)"
    same 'but some before' 1 "$(lines '^looks [1-9]' | head -n 1 | wc -l | tr -d ' ')"
    criterion exception
    same 'by an exception' "pop $m_thrower exception" "$(lines "^pop $m_thrower ")"
    criterion caller
    same 'the caller, and its caller' "in $m_middle
pop $m_middle return
in $m_outer
pop $m_outer return" "$(lines "^(pop|in) ($m_middle|$m_outer)")"
    criterion errors
    same 'a native frame' 'native JVMTI_ERROR_OPAQUE_FRAME' "$(lines '^native' | head -n 1)"
    same 'a depth that is not there' 'too-deep JVMTI_ERROR_NO_MORE_FRAMES' "$(lines '^too-deep' | head -n 1)"
    criterion kit
    kit_finds_nothing 'NotifyFramePop' 'NotifyFramePop.*'
}

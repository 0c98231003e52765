# SPDX-License-Identifier: MIT
# Lab 9: names and numbers differ by seed.  The versions are compiled each in a folder of
# its own and put beside the classes as CLASS.N.  One number has two digits, one version is
# long, another class has a name that begins alike, the stack is deep, and one method is on
# it in two versions.

# A version of the class that is exchanged; with many lines its file has more than
# 65,536 bytes.
version() # FOLDER NUMBER EXTRA ADDED [LINES]
{
    mkdir -p "$inputs/versions/$1"
    cat >"$inputs/versions/$1/$class.java" <<END
public class $class {
    $3
    static int $value() {
        return $2;
    }

    static int $outer(Runnable between) {
        int before = $value();
        $inner(between);
        return before * 100 + $value() + $4;
    }

    static int unused(int x) {
$(i=0; while [ $((i += 1)) -le "${5:-1}" ]; do
    echo "        x = x * $((i + 40000)) + $((i * 77777));"; done)
        return x;
    }

    static void $inner(Runnable between) {
        between.run();
    }
}
END
    "$(find_javac 11)" -g --release 11 -Xlint:-options -d "$inputs/versions/$1" \
        "$inputs/versions/$1/$class.java"
}

inputs()
{
    new_name H; class=$r
    for variable in value outer inner; do
        new_name m; eval "$variable=\$r"; keep "m_$variable" "$r"
    done
    between 10 30; old=$r
    between 40 60; new=$r
    between 70 90; newer=$r
    between 10 19; third=$r
    between 110 140; depth=$r
    keep third "$third" && keep depth "$depth"
    # What the active frame adds is of its own version.
    version 0 "$old" '' 100000 && version 1 "$new" '' 200000 &&
        version 2 "$newer" '' 300000 3300 &&
        version 3 "$new" 'int one_more;' 0 || return 1
    mkdir -p "$inputs/classes"
    cp "$inputs/versions/1/$class.class" "$inputs/classes/$class.1"
    cp "$inputs/versions/2/$class.class" "$inputs/classes/$class.$third"
    cp "$inputs/versions/3/$class.class" "$inputs/classes/$class.3"
    echo 'no class' >"$inputs/classes/$class.4"
    # Its versions are for the other class, which they do not fit.
    echo "public class ${class}s { static int n; }" >"${class}s.java"
    cp "$inputs/versions/0/$class.java" .
    cat >Main.java <<END
public class Main {
    static void ask(String name) {
        try {
            Thread thread = new Thread(() -> { }, name);
            thread.start();
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void deeper(int left, String question) {
        if (left > 1)
            deeper(left - 1, question);
        else
            ask(question);
    }

    public static void main(String[] args) {
        ${class}s.n++;
        System.out.println("first " + $class.$value());
        System.out.println("active " + $class.$outer(() -> {
            ask("swap $class 1");
            ask("stack");
            $class.$outer(() -> deeper($depth, "stack"));
        }));
        System.out.println("second " + $class.$value());
        ask("swap $class 3");
        ask("swap $class 4");
        System.out.println("third " + $class.$value());
        ask("swap $class $third");
        System.out.println("fourth " + $class.$value());
        System.out.println("ended");
    }
}
END
    keep class "$class" && keep old "$old" && keep new "$new" && keep newer "$newer"
}

judge()
{
    run "dir=$box/seen/classes" Main
    criterion load
    works 'the program does its work' ended
    has 'with its first version' "first $old"
    criterion swap
    has 'the line' "swapped $class 1"
    has 'what is computed then' "second $new"
    criterion active
    has 'the active frame goes on' "active $((old * 100 + new + 100000))"
    criterion obsolete
    same 'what was changed, and what is the same in both versions' "frame current $m_inner
frame obsolete $m_outer" "$(lines "^frame .* ($m_inner|$m_outer)\$" | head -n 2)"
    same 'a method of which two versions are on the stack' "frame current $m_inner
frame current $m_outer
frame current $m_inner
frame obsolete $m_outer" "$(lines "^frame .* ($m_inner|$m_outer)\$" | tail -n +3)"
    same 'main is current' 'frame current main' "$(lines '^frame .* main$' | uniq)"
    same 'a stack of many frames' "$depth" "$(lines '^frame current deeper$' | wc -l | tr -d ' ')"
    criterion refused
    same 'one more field' \
        "refused $class 3 JVMTI_ERROR_UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED" \
        "$(lines "^refused $class 3 ")"
    same 'no class file' "refused $class 4 JVMTI_ERROR_INVALID_CLASS_FORMAT" \
        "$(lines "^refused $class 4 ")"
    matches 'the class stays as it was' '^third [1-9]' "third $new"
    criterion again
    has 'a second version' "swapped $class $third"
    has 'what is computed then' "fourth $newer"
    run_checked "dir=$box/seen/classes" Main
    criterion rules
    keeps_rules 'below tiforge check' "$m_inner|$m_outer|(swapped|refused) $class" \
        "swapped $class 1"
}

# SPDX-License-Identifier: MIT
# Lab 9: names and numbers differ by seed.  The versions are compiled each in a folder of
# its own and put beside the classes as CLASS.N.

# A version of the class that is exchanged.
version() # FOLDER NUMBER EXTRA
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
    # What the active frame adds is of its own version.
    version 0 "$old" '' 100000 && version 1 "$new" '' 200000 &&
        version 2 "$newer" '' 300000 && version 3 "$new" 'int one_more;' 0 || return 1
    mkdir -p "$inputs/classes"
    for number in 1 2 3; do
        cp "$inputs/versions/$number/$class.class" "$inputs/classes/$class.$number"
    done
    echo 'no class' >"$inputs/classes/$class.4"
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

    public static void main(String[] args) {
        System.out.println("first " + $class.$value());
        System.out.println("active " + $class.$outer(() -> {
            ask("swap $class 1");
            ask("stack");
        }));
        System.out.println("second " + $class.$value());
        ask("swap $class 3");
        ask("swap $class 4");
        System.out.println("third " + $class.$value());
        ask("swap $class 2");
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
frame obsolete $m_outer" "$(lines "^frame .* ($m_inner|$m_outer)\$")"
    same 'main is current' 'frame current main' "$(lines '^frame .* main$')"
    criterion refused
    same 'one more field' \
        "refused $class 3 JVMTI_ERROR_UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED" \
        "$(lines "^refused $class 3")"
    same 'no class file' "refused $class 4 JVMTI_ERROR_INVALID_CLASS_FORMAT" \
        "$(lines "^refused $class 4")"
    matches 'the class stays as it was' '^third [1-9]' "third $new"
    criterion again
    has 'a second version' "swapped $class 2"
    has 'what is computed then' "fourth $newer"
    run_checked "dir=$box/seen/classes" Main
    criterion rules
    keeps_rules 'below tiforge check' "$m_inner|$m_outer|(swapped|refused) $class" \
        "swapped $class 1"
}

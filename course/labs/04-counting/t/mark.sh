# SPDX-License-Identifier: MIT
# Lab 4: how often what is called differs by seed.  A second class has so many methods that
# a table of fixed size overflows, all of them called equally often; and there are classes
# whose names begin as those of others.

inputs()
{
    new_name p; package=$r
    new_name C; class=$r
    for variable in one two three many fib; do
        new_name m; eval "$variable=\$r"; keep "$variable" "$r"
    done
    between 20 40; n_one=$r
    between 50 90; n_two=$r
    between 5 9; n_long=$r
    between 100 140; n_many=$r
    between 8 11; n_fib=$r
    # The calls of fib(n) with two calls for n > 1: 2 F(n+1) - 1.
    a=1 b=1 i=1
    while [ $i -lt $((n_fib + 1)) ]; do
        c=$((a + b)) a=$b b=$c i=$((i + 1))
    done
    fib_calls=$((2 * a - 1))
    new_name W; wide=$r
    between 520 560; n_wide=$r
    between 3 9; n_new=$r
    threads=4
    mkdir "$package"
    cat >"$package/$class.java" <<END
package $package;

public class $class {
    static int sum;

    static void $one() {
        sum++;
    }

    static void $two(int times) {
        for (int i = 0; i < times; i++)
            sum++;
    }

    static void $two(long times) {
        sum += times;
    }

    static int $fib(int n) {
        return n < 2 ? n : $fib(n - 1) + $fib(n - 2);
    }

    static int $many(int i) {
        return i + 1;
    }

    static void $three(int times) {
        for (int i = 0; i < times; i++)
            $many(i);
    }
}
END
    # Those of a class whose name only begins alike do not count.
    cat >"$package/${class}s.java" <<END
package $package;

public class ${class}s {
    static void $one() {
        $class.sum += 0;
    }
}
END
    cat >"$package/$wide.java" <<END
package $package;

public class $wide {
    static int sum = $class.sum;

$(i=$n_wide; while [ $((i -= 1)) -ge 0 ]; do
    echo "    static void w$i() { sum++; }"; done)

    static void all() {
$(i=$n_wide; while [ $((i -= 1)) -ge 0 ]; do echo "        w$i();"; done)
    }
}
END
    cat >"$package/Wide.java" <<END
package $package;

public class Wide {
    public static void main(String[] args) {
        for (int i = 0; i < $n_new; i++)
            new $wide();
        $wide.all();
        System.out.println("wide " + $wide.sum);
    }
}
END
    cat >"$package/Main.java" <<END
package $package;

public class Main {
    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < $n_one; i++)
            $class.$one();
        ${class}s.$one();
        for (int i = 0; i < $n_two; i++)
            $class.$two(i);
        for (long i = 0; i < $n_long; i++)
            $class.$two(i);
        int result = $class.$fib($n_fib);
        Thread[] threads = new Thread[$threads];
        for (int i = 0; i < threads.length; i++) {
            (threads[i] = new Thread(() -> $class.$three($n_many))).start();
            // One after the other, so that numbers do not depend on who is faster.
            if (args.length == 0)
                threads[i].join();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println("result " + result + " " + $class.sum);
    }
}
END
    keep wide_main "$package.Wide" && keep wide "$package.$wide"
    keep n_wide "$n_wide" && keep n_new "$n_new"
    keep main "$package.Main" && keep class "$package.$class"
    # F(n) is the result; the sum is computed here as the program does.
    sum=$((n_one + n_two * (n_two - 1) / 2 + n_long * (n_long - 1) / 2))
    x=0 y=1 i=0
    while [ $i -lt $n_fib ]; do
        c=$((x + y)) x=$y y=$c i=$((i + 1))
    done
    build_probe
    keep last "result $x $sum"
    keep calls_one "calls $n_one $one ()V"
    keep calls_int "calls $n_two $two (I)V"
    keep calls_long "calls $n_long $two (J)V"
    keep calls_fib "calls $fib_calls $fib (I)I"
    keep calls_many "calls $((threads * n_many)) $many (I)I"
    keep calls_three "calls $threads $three (I)V"
    keep total "$((n_one + n_two + n_long + fib_calls + threads * n_many + threads))"
}

judge()
{
    run "class=$class" "$main"
    criterion load
    works 'the program does its work' "$last"
    criterion counts
    same 'a method, and none of another class' "$calls_one" "$(lines "^calls .* $one ")"
    has 'a recursive one' "$calls_fib"
    criterion all
    has 'one that four threads call' "$calls_many"
    has 'what they begin with' "$calls_three"
    has 'two of one name: int' "$calls_int"
    has 'two of one name: long' "$calls_long"
    normal=$(lines '^calls ')
    totals=$(lines '^total ')
    early=$(lines '^vminit ')
    run_watched "class=$class" "$main" together
    has_no_races 'the table is protected' "^calls [0-9]* ($one|$fib|$many) " "$calls_one"
    run "class=$wide" "$wide_main"
    criterion counts
    same 'each of very many methods' "$n_wide" "$(lines '^calls 1 w[0-9]* [(][)]V$' | wc -l | tr -d ' ')"
    has 'a constructor' "calls $n_new <init> ()V"
    has 'a class initializer' 'calls 1 <clinit> ()V'
    criterion order
    # Of those that are there, so that a missing one is not a matter of order.
    came=$(lines '^calls ' | cut -d' ' -f2-)
    say "$came" | LC_ALL=C sort -k1,1nr -k2 >"$box/sorted"
    say "$came" | cmp -s - "$box/sorted" && [ -n "$came" ]
    record $? 'methods that are called equally often are sorted by text' \
        "$(head -n 4 "$box/sorted")" "$(say "$came" | head -n 4)"
    same 'sorted' "$(say "$normal" | cut -d' ' -f2 | sort -rn)" \
        "$(say "$normal" | cut -d' ' -f2)"
    same 'total, the sum of the lines' "total $(say "$normal" |
        awk '{ sum += $2 } END { print sum }')" "${totals:-no line with total}"
    [ -n "$normal" ]
    record $? 'there are such lines' "$calls_one" 'no line that begins with calls'
    criterion entry
    same 'before VMInit' 'vminit 0' "${early:-no such line}"
    # What the agent enables and disables, in its order with the event VMInit.
    run_traced SetEventNotificationMode:VMInit "mode=entry,class=$class" "$main"
    same 'MethodEntry is enabled at VMInit or later, and disabled in the end' \
        'VMInit ENABLE DISABLE' "$(calls_of '' '[]] *VMInit\(|event_type=MethodEntry' |
            sed 's/.*mode=\([A-Z]*\),.*/\1/; s/.*VMInit(.*/VMInit/' | uniq | tr '\n' ' ' |
            sed 's/ $//')"

    run "mode=break,class=$class" "$main"
    criterion break
    has 'a method' "$calls_one"
    has 'a recursive one' "$calls_fib"
    has 'one that four threads call' "$calls_many"
    run_traced SetEventNotificationMode "class=$class,mode=break" "$main"
    criterion cheap
    modes=$(calls_of SetEventNotificationMode ENABLE | sed 's/.*event_type=\([A-Za-z]*\).*/\1/' |
        sort -u)
    same 'the event Breakpoint is enabled' 1 "$(say "$modes" | grep -c '^Breakpoint$')"
    same 'the event MethodEntry is not' 0 "$(say "$modes" | grep -c '^MethodEntry$')"
    # The lab's own agent stands between the submission and the VM.
    start_vm "-agentpath:$box/seen/classes/libprobe.so=$agent,class=$class,mode=break" "$main"
    same 'what it asks for' 'breakpoint events' "$(lines '^probe: ' | sed 's/.*: //' | sort -u)"

    run_checked "class=$class" "$main"
    criterion rules
    keeps_rules 'below tiforge check' "$one|$fib|$many" "$calls_one"
    run_checked "class=$class,mode=break" "$main"
    keeps_rules 'with mode=break' "$one|$fib|$many" "$calls_one"
}

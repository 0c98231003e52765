# SPDX-License-Identifier: MIT
# Lab 5: names, values and the line differ by seed.  The last call is made on a thread of its
# own.

inputs()
{
    new_name p; package=$r
    new_name C; class=$r
    new_name m; method=$r
    for variable in i z c s b j d f text nothing object outer first inner late k list array; do
        new_name v; eval "$variable=\$r"; keep "v_$variable" "$r"
    done
    between 100 9999; n=$r
    random 100; m=$r
    new_name w; word=$r
    between 13 17; times=$r
    between 3 6; turns=$r
    mkdir "$package"
    cat >"$package/$class.java" <<END
package $package;

public class $class {
    static long sum;

    void $method(int $i, long $j, double $d, float $f, String $text) {
        boolean $z = $i % 2 == 0;
        char $c = (char) (65 + $i % 26);
        short $s = (short) (-$i - 1);
        byte $b = (byte) ($i % 100);
        String $nothing = null;
        java.util.List<String> $list = null;
        int[] $array = { $i };
        {
            Object $first = $text + $z;
            sum += $first.hashCode();
        }
        // The object's scope ends first, so its entry comes first in the table.
        {
            Object $object = $text.trim();
            {
                String $inner = $text + $c;
                sum += $inner.length();
            }
            sum += $j; // BREAK
            if ($object == null)
                sum++;
        }
        for (int $k = 0; $k < $turns; $k++) // LOOP
            sum += $k;
        int $late = $i + 1;
        sum += $late + $s + $b + $c;
        if ($nothing != null || $list != null || $array.length == 0 || $f < 0 || $z && $d < 0)
            sum++;
    }

    static void call(int $outer) {
        new $class().$method($n + $outer, ${n}00000000L + $outer, ${n}12345.25, $m.5f, "$word");
    }

    public static void main(String[] args) throws InterruptedException {
        for (int $outer = 1; $outer < $times; $outer++)
            call($outer - 1);
        Thread thread = new Thread(() -> call($times - 1));
        thread.start();
        thread.join();
        System.out.println("ended " + $times);
    }
}
END
    keep class "$package.$class" && keep method "$method" && keep times "$times"
    keep line "$(line_of "$package/$class.java" BREAK)"
    keep loop_line "$(line_of "$package/$class.java" LOOP)" && keep last "ended $times"
    keep n "$n" && keep m "$m" && keep word "$word"
    order_lines reverse "$package/$class"
}

# The lines of variables behind the N-th hit.
variables() # N
{
    awk -v n="$1" '/^hit / { at++ } at == n && /^  [a-z0-9]+ = /' "$box/out"
}

# Is there such a line behind the second hit?
shows() # NAME VALUE
{
    same "$1 = $2" "  $1 = $2" "$(variables 2 | grep -a "^  $1 = ")"
}

judge()
{
    run "class=$class,line=$line" "$class"
    criterion load
    works 'the program does its work' "$last"
    criterion hit
    same 'the hits' "$(i=0; while [ $((i += 1)) -le "$times" ]; do
        echo "hit $i $class.$method:$line"; done)" "$(lines '^hit ')"
    # A line with two entries, and in the table the later one comes first.
    run "class=$class,line=$loop_line" "$class"
    same 'a line of two pieces of code: the hits at its first location' \
        "$(i=0; while [ $((i += 1)) -le "$times" ]; do
        echo "hit $i $class.$method:$loop_line"; done)" "$(lines '^hit ')"
    run "class=$class,line=$line" "$class"
    i=$((n + 1))
    criterion ints
    shows "$v_i" "$i"
    shows "$v_z" $((i % 2 == 0))
    shows "$v_c" $((65 + i % 26))
    shows "$v_s" $((-i - 1))
    shows "$v_b" $((i % 100))
    criterion wide
    shows "$v_j" $((n * 100000000 + 1))
    shows "$v_d" "$(printf '%g' "${n}12345.25")"
    shows "$v_f" "$(printf '%g' "$m.5")"
    criterion text
    shows "$v_text" "\"$word\""
    shows "$v_nothing" null
    shows "$v_object" object
    shows "$v_list" null
    criterion scope
    same 'the names, by slots' \
        "$(printf '%s\n' this "$v_i" "$v_j" "$v_d" "$v_f" "$v_text" "$v_z" "$v_c" "$v_s" "$v_b" \
            "$v_nothing" "$v_list" "$v_array" "$v_object")" \
        "$(variables 2 | sed 's/^  \([^ ]*\) = .*/\1/')"

    run_traced 'GetLocal*' "class=$class,line=$line" "$class"
    same 'each variable that is asked for is there' '' \
        "$(calls_of '' 'GetLocal[A-Z][a-z]*\(' | grep -v '= NONE' | grep -v VariableTable |
            head -n 2)"

    run "hits=11,line=$line,class=$class" "$class"
    criterion clear
    same 'eleven hits' 11 "$(grep -ac '^hit ' "$box/out")"
    works 'and the program goes on' "$last"
    run_traced ClearBreakpoint "hits=11,line=$line,class=$class" "$class"
    calls_of ClearBreakpoint | grep -qv ERROR
    record $? 'the breakpoint is cleared' 'a call of ClearBreakpoint without an error' \
        "$(calls_of ClearBreakpoint | head -n 2)"

    run_checked "class=$class,line=$line" "$class"
    criterion rules
    keeps_rules 'below tiforge check' "$method|$v_i" "hit 1 $class.$method:$line"
}

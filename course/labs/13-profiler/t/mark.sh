# SPDX-License-Identifier: MIT
# Lab 13: names, depths and numbers differ by seed.  In the first program threads spin in
# known methods while samples are asked for, so each count is known exactly.  Where counts do
# not matter they wait for input there instead, which is running, too, but takes no processor
# time: else a machine that is busy would use up the run's limit.  The second program works in three methods until each has had its share of processor time; what the
# shares were it says itself.

inputs()
{
    for variable in first second third deep part hot warm cold sleeps; do
        new_name m; eval "$variable=\$r"; keep "m_$variable" "$r"
    done
    new_name Q; exact=$r
    new_name S; spinner=$r
    new_name T; timed=$r
    between 120 300; depth=$r
    between 3 6; before=$r
    between 4 9; after=$r
    keep exact "$exact" && keep spinner "$spinner" && keep timed "$timed"
    keep last "asked $((before + after))" && keep last_timed "worked $depth"
    # One thread stays in `first`; one moves from `second` to `third`; one is deep.
    keep stacks "$(deep_stack "$depth") $((before + after))
x.y.$spinner.run;x.y.$spinner.<init>;x.y.$spinner.$part;x.y.$spinner.$third $after
x.y.$spinner.run;x.y.$spinner.$part;x.y.$spinner.$second $before
x.y.$spinner.run;x.y.$spinner.${part}0;x.y.$spinner.$first $((before + after))"
    keep leaves "$first $((before + after))
$second $before
$third $after
$deep $((before + after))"
    mkdir -p x/y
    cat >"x/y/$spinner.java" <<END
package x.y;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;

public class $spinner extends Thread {
    public static volatile boolean firstStop, secondStop, thirdStop, deepStop;
    public static volatile int there;
    /** If not null, what the threads wait for instead of spinning. */
    public static Pipe[] input;
    private final String what;

    public $spinner(String what) {
        super(what);
        this.what = what;
        setDaemon(true);
    }

    /** It goes on in a constructor. */
    private $spinner() {
        what = "";
        $part("third");
    }

    /** The thread is where it shall be; it may go on at once, or when there is input. */
    static void here(int number) {
        here();
        if (input != null)
            try {
                input[number].source().read(ByteBuffer.allocate(1));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
    }

    static synchronized void here() {
        there++;
    }

    public void run() {
        switch (what) {
        case "deep": $deep($depth); break;
        case "sleeps": $sleeps(); break;
        case "first": ${part}0(); break;
        default:
            $part(what);
            if (what.equals("second"))
                new $spinner();
        }
    }

    void $part(String where) {
        switch (where) {
        case "second": $second(); break;
        default: $third();
        }
    }

    /** Its name is that of the other one and a character that comes before ';'. */
    void ${part}0() {
        $first();
    }

    void $first() {
        here(0);
        while (!firstStop)
            ;
    }

    void $second() {
        here(1);
        while (!secondStop)
            ;
    }

    void $third() {
        here(2);
        while (!thirdStop)
            ;
    }

    void $deep(int left) {
        if (left > 1) {
            $deep(left - 1);
            return;
        }
        here(3);
        while (!deepStop)
            ;
    }

    void $sleeps() {
        here();
        try {
            while (true)
                Thread.sleep(1000000);
        } catch (InterruptedException e) {
            here();
        }
    }
}
END
    cat >"$exact.java" <<END
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import x.y.$spinner;

public class $exact {
    static void await(int n) throws InterruptedException {
        while ($spinner.there < n)
            Thread.sleep(1);
    }

    static void samples(int n) throws InterruptedException {
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread("sample");
            thread.start();
            thread.join();
        }
    }

    /** At once, so that callbacks meet. */
    static void together(int n) throws InterruptedException {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++)
            (threads[i] = new Thread("sample")).start();
        for (Thread thread : threads)
            thread.join();
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0)
            $spinner.input = new Pipe[] { Pipe.open(), Pipe.open(), Pipe.open(), Pipe.open() };
        Thread sleeper = new $spinner("sleeps");
        sleeper.start();
        while (sleeper.getState() != Thread.State.TIMED_WAITING)
            Thread.sleep(1);
        new $spinner("first").start();
        new $spinner("second").start();
        new $spinner("deep").start();
        await(4);
        if (args.length > 0 && args[0].equals("together"))
            for (int i = 0; i < 10; i++)
                together(4);
        samples($before);
        $spinner.secondStop = true;
        if (args.length > 0)
            $spinner.input[1].sink().write(ByteBuffer.allocate(1));
        await(5);
        samples($after);
        System.out.println("asked " + ($before + $after));
    }
}
END
    cat >"$timed.java" <<END
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

public class $timed {
    static final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    static volatile long sum;

    // No counted loops: a compiler may leave out the places where such a loop can stop.
    static void $hot(long units) {
        for (long i = 0; i < units; i++)
            sum += i;
    }

    static void $warm(long units) {
        for (long i = 0; i < units; i++)
            sum += i;
    }

    static void $cold(long units) {
        for (long i = 0; i < units; i++)
            sum += i;
    }

    public static void main(String[] args) {
        long start = threads.getCurrentThreadCpuTime(), time = start, random = $depth;
        long hot = 0, warm = 0, cold = 0, units = 1000;
        while (time - start < 2000000000L) {
            // Pieces of other lengths each time, so that no timer keeps step with them.
            random = random * 1103515245 + 12345 & 0x7fffffff;
            long piece = units * (50 + random / 65536 % 100) / 100;
            $hot(6 * piece);
            long t1 = threads.getCurrentThreadCpuTime();
            $warm(3 * piece);
            long t2 = threads.getCurrentThreadCpuTime();
            $cold(piece);
            long t3 = threads.getCurrentThreadCpuTime();
            hot += t1 - time;
            warm += t2 - t1;
            cold += t3 - t2;
            // A round takes some 10 milliseconds.
            if (t3 - time < 10000000L)
                units += units / 2;
            time = t3;
        }
        long all = hot + warm + cold;
        System.out.println("measured $hot " + hot * 100 / all);
        System.out.println("measured $warm " + warm * 100 / all);
        System.out.println("measured $cold " + cold * 100 / all);
        System.out.println("worked $depth");
    }
}
END
}

deep_stack() # DEPTH
{
    printf 'x.y.%s.run' "$spinner"
    i=0
    while [ $((i += 1)) -le "$1" ]; do
        printf ';x.y.%s.%s' "$spinner" "$deep"
    done
}

# A file that the agent has written, out of $box/out.
part_of() # FILE
{
    awk -v head="== $1" '
        $0 == head { inside = 1; next }
        /^== profile\./ { inside = 0 }
        inside' "$box/out"
}

# Samples whose stack has the method, whichever way the stack is written.
samples_with() # METHOD
{
    grep -a "[.]$1\([; ]\|$\)" "$box/folded" | awk '{ sum += $NF } END { print sum + 0 }'
}

# The share of a method is near what the program has measured.
share_is_near() # METHOD ALL
{
    measured=$(lines "^measured $1 " | sed 's/.* //')
    sampled=$(($(samples_with "$1") * 100 / ($2 + !$2)))
    off=$((sampled - ${measured:-1000}))
    [ "${off#-}" -le 12 ]
    record $? "the share of $1" "${measured:-?} of 100, or 12 more or less" \
        "$sampled of 100 ($(samples_with "$1") of $2 samples)"
}

judge()
{
    run_files='profile.folded profile.svg'
    run '' "$exact"
    part_of profile.folded >"$box/folded"
    part_of profile.svg >"$box/svg"
    criterion load
    works 'the program does its work' "$last"
    criterion samples
    say "$leaves" | while read -r method n; do
        samples=$(samples_with "$method")
        [ "$samples" = "$n" ]
        record $? "samples in $method" "$n" "$samples"
    done
    criterion stacks
    say "$stacks" | while read -r stack n; do
        grep -aqF -e "$stack " "$box/folded"
        record $? "the stack that ends in ${stack##*;}" "$(printf '%.80s' "$stack")" \
            "$(grep -a "[.]${stack##*[.]}\([; ]\|$\)" "$box/folded" | head -n 1 | cut -c 1-200)"
    done
    criterion running
    same 'samples of a thread that sleeps' 0 "$(samples_with "$m_sleeps")"
    [ -s "$box/folded" ]
    record $? 'but others are there' "a line for a stack" "no line"
    criterion merged
    same 'stacks that come twice' '' "$(sed 's/ [0-9]*$//' "$box/folded" | sort | uniq -d |
        head -n 2)"
    # Frame after frame, so ; comes before all other characters.
    sed 's/ [0-9]*$//; s/;/\x01/g' "$box/folded" >"$box/order"
    sorted=$(LC_ALL=C sort -c "$box/order" 2>&1)
    same 'they are sorted' '' "$sorted"
    same 'samples in all' "$(awk '{ sum += $NF } END { print "samples " sum + 0 }' \
        "$box/folded")" "$(lines '^samples [1-9]')"
    criterion flame
    java=$(find_javac 17) && java=${java%c}
    picture=$("$java" -Xmx256m "$lab_dir/t/Flame.java" "$box/folded" "$box/svg" 2>&1 | head -n 3)
    [ -s "$box/folded" ] || picture="there is no text"
    same 'the picture' ok "$picture"

    criterion timer
    run_cpu=60
    run interval=5 "$timed"
    run_cpu=
    part_of profile.folded >"$box/folded"
    all=$(($(samples_with "$m_hot") + $(samples_with "$m_warm") + $(samples_with "$m_cold")))
    works 'the program does its work' "$last_timed"
    [ "$all" -ge 100 ]
    record $? 'samples of the three methods' '100 or more' "$all"
    for method in $m_hot $m_warm $m_cold; do
        share_is_near "$method" "$all"
    done

    criterion rules
    run_watched interval=1 "$exact" together
    has_no_races 'the tree is protected' "[.]($m_first|$m_second|$m_deep)[ ;]" \
        "x.y.$spinner.run;x.y.$spinner.${m_part}0;x.y.$spinner.$m_first 9"
    run_checked interval=20 "$exact" quiet
    keeps_rules 'below tiforge check' "[.]($m_first|$m_second|$m_deep)[ ;]" \
        "x.y.$spinner.run;x.y.$spinner.${m_part}0;x.y.$spinner.$m_first 9"
    run_files=
}

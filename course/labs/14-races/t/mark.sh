# SPDX-License-Identifier: MIT
# Lab 14: names and numbers differ by seed.  Each race has two threads that use the field
# once, one after the other, and then both at the same time; all other fields are used in
# a way that is right.

inputs()
{
    for variable in unlocked reads locks statics own only flag one handed result; do
        new_name f; eval "$variable=\$r"; keep "f_$variable" "$r"
    done
    for variable in a b c d e g h k; do
        new_name m; eval "m_$variable=\$r"
    done
    new_name Q; class=$r
    new_name B; box=$r
    between 5 20; times=$r
    between 2 5; boxes=$r
    random 10000; number=$r
    keep class "$class" && keep fields "$box" && keep last "sum $number"
    keep pairs "$unlocked $(pair "$m_a" "$m_b")
$reads $(pair "$m_c" "$m_d")
$locks $(pair "$m_e" "$m_g")
$statics $(pair "$m_h" "$m_k")"
    cat >"$box.java" <<END
public class $box {
    int $unlocked, $reads, $locks, $own, $one, $handed, $result;
    static int $statics;
    volatile int $flag;
    final int $only;
    int read$only;
    final Object other = new Object(), more = new Object();

    $box(int value) {
        $only = value;
        read$only = value;
        $handed = value;
        $own = value;
        $one = value;
    }

    void $m_a() { $unlocked++; }
    void $m_b() { $unlocked++; }
    synchronized void $m_c() { $reads++; }
    int $m_d() { return $reads; }
    synchronized void $m_e() { $locks++; }

    void $m_g() {
        synchronized (other) {
            $locks++;
        }
    }

    static synchronized void $m_h() { $statics++; }
    static void $m_k() { $statics++; }

    /** A synchronized method locks the object, so each object has a monitor of its own. */
    synchronized void addOwn() { $own++; }
    public synchronized int sumOfOwn() { return $own; }

    /** Two monitors each, one of them in common: it is here the inner, there the outer one. */
    synchronized void addOne() {
        synchronized (other) {
            $one++;
        }
    }

    void addOther() {
        synchronized (other) {
            synchronized (more) {
                $one--;
            }
        }
    }

    /** Without a monitor: only one thread at a time has this object. */
    void work() {
        $handed += 1;
        $result = $handed;
    }

    int readOnly() { return read$only + $only; }
    void setFlag(int value) { $flag = value; }
}
END
    cat >"$class.java" <<END
public class $class {
    /** Its class is another one than that which declares its fields. */
    static final $box box = new $box($number) { };
    static final $box[] boxes = new $box[$boxes];
    static final Turn turn = new Turn();

    /** Says whose turn it is. */
    static final class Turn {
        private volatile int now;

        void await(int wanted) {
            while (now < wanted)
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
        }

        /** Wait for the turn, and give it to the next one. */
        void take(int wanted, Runnable body) {
            await(wanted);
            body.run();
            now = wanted + 1;
        }

        synchronized void arrive() {
            now++;
        }
    }

    static void first() {
        box.$m_a();
        box.$m_c();
        box.$m_e();
        $box.$m_h();
        box.addOne();
        box.setFlag(1);
        for ($box b : boxes)
            b.addOwn();
    }

    static void second() {
        box.$m_b();
        box.$m_d();
        box.$m_g();
        $box.$m_k();
        box.addOther();
        box.setFlag(2);
        for ($box b : boxes)
            b.addOwn();
    }

    static final class Racer extends Thread {
        private final int number;

        Racer(int number) {
            this.number = number;
        }

        private void once() {
            if (number == 0)
                first();
            else
                second();
            box.readOnly();
        }

        public void run() {
            // Nobody begins before all have started: what a thread does before another is
            // started is in order with all that this one does.
            turn.arrive();
            turn.await(2);
            turn.take(2 + number, this::once);
            turn.await(4);
            for (int i = 0; i < $times; i++)
                once();
            // Nobody ends before all have come here.
            turn.arrive();
            turn.await(6);
        }
    }

    /** An object goes from thread to thread, each of which ends before the next begins. */
    static int handOn() throws InterruptedException {
        $box handed = new $box(1);
        for (int i = 0; i < 4; i++) {
            handed.work();
            Thread thread = new Thread(handed::work);
            thread.start();
            thread.join();
        }
        handed.work();
        return handed.$handed;
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < boxes.length; i++)
            boxes[i] = new $box(i);
        Thread one = new Racer(0), two = new Racer(1);
        one.start();
        two.start();
        one.join();
        two.join();
        int sum = handOn() == 10 ? $number : 0;
        for ($box b : boxes)
            sum += b.sumOfOwn() < $times ? 1 : 0;
        System.out.println("sum " + sum);
    }
}
END
}

# Two names, sorted.
pair() # NAME NAME
{
    printf '%s\n' "$1" "$2" | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//'
}

# The field is named, in one line.
is_accused() # FIELD
{
    same "lines of $1" "race $fields.$1" "$(lines "^race $fields\.$1 " | cut -d' ' -f1,2)"
}

# The field is not named, though others are.
is_not_accused() # FIELD
{
    lacks "no line of $1" "^race [^ ]*\.$1( |\$)" "race $fields.$1"
    matches 'but some of others' "^race $fields\.($f_unlocked|$f_reads|$f_locks|$f_statics)" \
        "race $fields.$f_unlocked"
}

judge()
{
    run '' "$class"
    criterion load
    works 'the program does its work' "$last"
    criterion unlocked
    is_accused "$f_unlocked"
    criterion reads
    is_accused "$f_reads"
    criterion locks
    is_accused "$f_locks"
    criterion static
    is_accused "$f_statics"
    criterion where
    say "$pairs" | while read -r field methods; do
        # One that is not found has lost its points already.
        [ -z "$(lines "^race $fields\.$field ")" ] ||
            same "the methods of $field" "$methods" "$(lines "^race $fields\.$field " |
                cut -d' ' -f3,4)"
    done
    same 'the lines are sorted' "$(lines '^race ' | LC_ALL=C sort)" "$(lines '^race ')"
    matches 'with methods' '^race [^ ]+ [^ ]+ [^ ]+$' \
        "race $fields.$(say "$pairs" | head -n 1)"
    criterion objects
    is_not_accused "$f_own"
    criterion quiet
    for field in "$f_only" "read$f_only" "$f_flag" "$f_one" now; do
        is_not_accused "$field"
    done
    criterion handed
    is_not_accused "$f_handed"
    is_not_accused "$f_result"
    criterion rules
    run_watched '' "$class"
    has_no_races 'the table is protected' "^race $fields\." "race $fields.$f_unlocked"
    run_checked '' "$class"
    keeps_rules 'below tiforge check' "^race $fields\." "race $fields.$f_unlocked"
}

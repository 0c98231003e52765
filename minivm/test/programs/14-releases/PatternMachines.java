// SPDX-License-Identifier: MIT
// since: 21
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;
import java.util.stream.*;

/** Sealed records, nested generic patterns and guards: rewriting, evaluation, a machine. */
public class PatternMachines {
    sealed interface Term permits Num, Var, Bin, Let, If, Fun, App {
    }

    record Num(long value) implements Term {
    }

    record Var(String name) implements Term {
    }

    record Bin(char op, Term left, Term right) implements Term {
    }

    record Let(String name, Term value, Term body) implements Term {
    }

    record If(Term test, Term then, Term other) implements Term {
    }

    record Fun(String name, Term body) implements Term {
    }

    record App(Term function, Term argument) implements Term {
    }

    record Pair<A, B>(A first, B second) {
    }

    record Box<T>(T value) {
        Box {
            Objects.requireNonNull(value, "empty box");
        }
    }

    record Trap(int depth) {
        public int depth() {
            if (depth > 2)
                throw new IllegalStateException("too deep");
            return depth;
        }
    }

    enum Mode implements Supplier<String> {
        FAST, SLOW;

        @Override
        public String get() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Term simplify(Term term) {
        return switch (term) {
            case Bin(char op, Num(long a), Num(long b)) when op != '/' || b != 0 -> new Num(apply(op, a, b));
            case Bin(char op, Term t, Num(long n)) when op == '*' && n == 0 -> new Num(0);
            case Bin(char op, Term t, Num(var n)) when n == 0 && (op == '+' || op == '-')
                || n == 1 && (op == '*' || op == '/') -> simplify(t);
            case Bin(var op, var a, var b) -> {
                Term left = simplify(a), right = simplify(b);
                Term next = new Bin(op, left, right);
                yield left.equals(a) && right.equals(b) ? next : simplify(next);
            }
            case Let(String name, Num n, Term body) -> simplify(substitute(body, name, n));
            case Let(String name, Term value, Term body) -> new Let(name, simplify(value), simplify(body));
            case If(Num(long n), Term then, Term other) -> simplify(n != 0 ? then : other);
            case If(var test, var then, var other) -> new If(simplify(test), simplify(then), simplify(other));
            case App(Fun(String x, Term body), Num n) -> simplify(substitute(body, x, n));
            case App(Term f, Term a) -> new App(simplify(f), simplify(a));
            case Fun(String x, Term body) -> new Fun(x, simplify(body));
            case Num n -> n;
            case Var v -> v;
        };
    }

    static Term substitute(Term term, String name, Num value) {
        return switch (term) {
            case Var(String n) when n.equals(name) -> value;
            case Var v -> v;
            case Num n -> n;
            case Bin(char op, Term a, Term b) ->
                new Bin(op, substitute(a, name, value), substitute(b, name, value));
            case Let(String n, Term v, Term body) -> new Let(n, substitute(v, name, value),
                n.equals(name) ? body : substitute(body, name, value));
            case If(Term a, Term b, Term c) -> new If(substitute(a, name, value),
                substitute(b, name, value), substitute(c, name, value));
            case Fun(String x, Term body) when x.equals(name) -> term;
            case Fun(String x, Term body) -> new Fun(x, substitute(body, name, value));
            case App(Term f, Term a) -> new App(substitute(f, name, value), substitute(a, name, value));
        };
    }

    static long apply(char op, long a, long b) {
        return switch (op) {
            case '+' -> a + b;
            case '-' -> a - b;
            case '*' -> a * b;
            case '/' -> a / b;
            default -> throw new MatchException("operator " + op, null);
        };
    }

    static String classify(Object o) {
        return switch (o) {
            case null -> "null";
            case Mode m when m == Mode.FAST -> "fast mode";
            case Mode m -> "mode " + m.get();
            case Integer i when i > 100 -> "large " + i;
            case Integer i -> "int " + i;
            case String s when s.isBlank() -> "blank";
            case String s -> "text of " + s.length();
            case int[] array when array.length > 2 -> "ints " + Arrays.stream(array).sum();
            case Pair<?, ?>(Box<?>(String s), Box<?>(Integer n)) -> s.repeat(n);
            case Pair<?, ?>(Pair<?, ?>(var a, var b), Pair<?, ?>(var c, var d)) -> "" + a + b + c + d;
            case Pair<?, ?>(var a, var b) when b == null -> a + " alone";
            case Pair<?, ?>(var a, var b) -> a + "&" + b;
            case Trap(int depth) when depth > 1 -> "trap " + depth;
            case Trap t -> "shallow";
            case List<?> list when list.size() == 2 && list.get(0) instanceof Integer a
                && list.get(1) instanceof Integer b -> "sum " + (a + b);
            case Object[] array -> Arrays.stream(array).map(PatternMachines::classify)
                .collect(Collectors.joining("|", "[", "]"));
            default -> o.getClass().getSimpleName();
        };
    }

    static <T extends Comparable<T>> T larger(Pair<Box<T>, Box<T>> pair) {
        return switch (pair) {
            case Pair<Box<T>, Box<T>>(Box<T>(var a), Box<T>(var b)) when a.compareTo(b) >= 0 -> a;
            case Pair<Box<T>, Box<T>>(var a, Box<T>(var b)) -> b;
        };
    }

    static Term sum(int n) {
        Term term = new Num(0);
        for (int i = 1; i <= n; i++)
            term = new Bin('+', term, i % 3 == 0 ? new Var("x") : new Num(i));
        return term;
    }

    public static void main(String[] args) throws Exception {
        Term program = new Let("x", new Num(6), new App(new Fun("y", new If(new Bin('-', new Var("x"),
            new Num(6)), new Var("z"), new Bin('*', new Var("y"), new Bin('+', new Var("x"), new Num(1))))),
            new Num(6)));
        System.out.println(simplify(program));
        System.out.println(simplify(new Bin('/', new Num(1), new Num(0))));
        System.out.println(simplify(new Bin('*', new Bin('+', new Var("a"), new Num(0)), new Num(1))));
        try {
            simplify(new Bin('?', new Num(1), new Num(2)));
        } catch (MatchException e) {
            System.out.println(e.getMessage());
        }
        for (Object o : new Object[] { null, Mode.FAST, Mode.SLOW, 7, 700, " ", "word", new int[] { 1, 2, 3 },
            new int[1], new Pair<>(new Box<>("ab"), new Box<>(3)), new Pair<>(new Pair<>(1, 2), new Pair<>(3, 4)),
            new Pair<>(1, null), new Pair<>(null, 2), new Trap(1), new Trap(2), List.of(20, 22),
            List.of(1), new Object[] { 1, "x", null }, 'c' })
            System.out.println(classify(o));
        try {
            classify(new Trap(3));
        } catch (MatchException e) {
            System.out.println(e.getCause());
        }
        System.out.println(larger(new Pair<>(new Box<>("pear"), new Box<>("plum")))
                           + larger(new Pair<>(new Box<>(9), new Box<>(3))));
        try {
            larger(null);
        } catch (NullPointerException e) {
            System.out.println("no pair");
        }
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Term>> terms = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int n = i * 20;
                terms.add(executor.submit(() -> simplify(substitute(sum(n), "x", new Num(n)))));
            }
            for (Future<Term> term : terms)
                System.out.print((term.get() instanceof Num(long value) ? value : term.get()) + " ");
            System.out.println();
        }
    }
}

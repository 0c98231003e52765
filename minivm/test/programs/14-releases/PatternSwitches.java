// SPDX-License-Identifier: MIT
// since: 21
import java.util.ArrayList;
import java.util.List;

/** Switches over patterns: an evaluator and a simplifier of expressions, guards, null. */
public class PatternSwitches {
    sealed interface Expr permits Num, Var, Neg, Bin { }
    record Num(double value) implements Expr { }
    record Var(String name) implements Expr { }
    record Neg(Expr of) implements Expr { }
    record Bin(char op, Expr left, Expr right) implements Expr { }

    static Expr simplify(Expr e) {
        return switch (e) {
            case Num n -> n;
            case Var v -> v;
            case Neg(Neg(Expr inner)) -> simplify(inner);
            case Neg(Num(double v)) -> new Num(-v);
            case Neg(Expr inner) -> new Neg(simplify(inner));
            case Bin(char op, Num(double a), Num(double b)) -> new Num(apply(op, a, b));
            case Bin(char op, Expr l, Num(double b)) when op == '*' && b == 0 -> new Num(0);
            case Bin(char op, Expr l, Num(double b)) when op == '+' && b == 0 -> simplify(l);
            case Bin(char op, Expr l, Expr r) -> {
                Expr left = simplify(l), right = simplify(r);
                yield left.equals(l) && right.equals(r) ? e : simplify(new Bin(op, left, right));
            }
        };
    }

    static double apply(char op, double a, double b) {
        return switch (op) {
            case '+' -> a + b;
            case '-' -> a - b;
            case '*' -> a * b;
            case '/' -> a / b;
            default -> throw new IllegalArgumentException("operator " + op);
        };
    }

    static String describe(Object o) {
        return switch (o) {
            case null -> "nothing";
            case Integer i when i < 0 -> "negative " + i;
            case Integer i when i > 1000 -> "large " + i;
            case Integer i -> "int " + i;
            case Long l -> "long " + Long.toHexString(l);
            case String s when s.isBlank() -> "blank of " + s.length();
            case String s -> "text " + s.toUpperCase();
            case int[] a -> "ints " + a.length;
            case Object[] a when a.length > 0 && a[0] instanceof String s -> "from " + s;
            case Object[] a -> "array " + a.getClass().getSimpleName();
            case List<?> l when l.size() > 2 -> "long list " + l.getLast();
            case Enum<?> c -> c.getDeclaringClass().getSimpleName() + "." + c.name();
            case Record r -> "record " + r;
            default -> o.getClass().getName();
        };
    }

    enum Size { SMALL, LARGE }

    static int fallThrough(Object o) {
        int steps = 0;
        switch (o) {
            case String s when s.length() > 3:
                steps += s.length();
                break;
            case Size.SMALL:
                steps += 100;
            default:
                steps++;
        }
        return steps;
    }

    public static void main(String[] args) {
        Expr x = new Var("x");
        List<Expr> all = List.of(new Neg(new Neg(x)), new Bin('+', x, new Num(0)),
            new Bin('*', new Bin('+', x, new Num(1)), new Num(0)),
            new Bin('-', new Bin('*', new Num(3), new Num(4)), new Neg(new Num(2))),
            new Bin('/', x, new Neg(new Neg(new Num(8)))));
        for (Expr e : all)
            System.out.println(e + " => " + simplify(e));
        Object[] things = { null, -4, 4096, 7, 1L << 40, "   ", "word", new int[3],
            new String[] { "a", "b" }, new Object[0], List.of(1, 2, 3), new ArrayList<>(),
            Size.LARGE, new Num(2), 'c' };
        for (Object o : things)
            System.out.println(describe(o));
        System.out.println(fallThrough("four") + " " + fallThrough(Size.SMALL) + " "
            + fallThrough(Size.LARGE) + " " + fallThrough("abc"));
        try {
            Object none = null;
            switch (none) {
                case String s -> System.out.println(s);
                default -> System.out.println("default");
            }
        } catch (NullPointerException e) {
            System.out.println("null is refused: " + e.getMessage());
        }
        try {
            simplify(new Bin('?', new Num(1), new Num(2)));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}

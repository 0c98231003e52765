/* SPDX-License-Identifier: MIT */
/* Sealed hierarchies and switches over them. */
public class Sealed {
    sealed interface Expr permits Num, Add, Mul, Neg {
    }

    record Num(long value) implements Expr {
    }

    record Add(Expr left, Expr right) implements Expr {
    }

    record Mul(Expr left, Expr right) implements Expr {
    }

    static final class Neg implements Expr {
        final Expr e;

        Neg(Expr e) {
            this.e = e;
        }
    }

    sealed static abstract class Animal {
    }

    static final class Cat extends Animal {
    }

    static non-sealed class Dog extends Animal {
    }

    static class Puppy extends Dog {
    }

    static long eval(Expr e) {
        if (e instanceof Num n) {
            return n.value();
        } else if (e instanceof Add a) {
            return eval(a.left()) + eval(a.right());
        } else if (e instanceof Mul m) {
            return eval(m.left()) * eval(m.right());
        } else if (e instanceof Neg n) {
            return -eval(n.e);
        }
        throw new AssertionError();
    }

    public static void main(String[] args) {
        Expr e = new Add(new Num(2), new Mul(new Num(3), new Neg(new Num(7))));
        System.out.println(eval(e));
        System.out.println(Expr.class.isSealed() + " " + Dog.class.isSealed() + " "
                           + Animal.class.isSealed());
        for (Class<?> c : Expr.class.getPermittedSubclasses()) {
            System.out.println(c.getName());
        }
        for (Class<?> c : Animal.class.getPermittedSubclasses()) {
            System.out.println(c);
        }
        System.out.println(Cat.class.getPermittedSubclasses() == null);
        Animal puppy = new Puppy();
        System.out.println(puppy instanceof Dog d ? d.getClass().getName() : "no");
    }
}

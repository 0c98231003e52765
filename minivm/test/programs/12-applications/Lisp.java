/* SPDX-License-Identifier: MIT */
/* A small Lisp: closures, tail calls, macros by hand, continuations by exception. */
import java.util.*;

public class Lisp {
    record Symbol(String name) {
        @Override
        public String toString() {
            return name;
        }
    }

    interface Fn {
        Object call(List<Object> args);
    }

    static final class Env {
        final Map<Symbol, Object> vars = new HashMap<>();
        final Env up;

        Env(Env up) {
            this.up = up;
        }

        Env find(Symbol s) {
            for (Env e = this; e != null; e = e.up) {
                if (e.vars.containsKey(s)) {
                    return e;
                }
            }
            throw new IllegalStateException("unbound " + s);
        }
    }

    static final class Closure implements Fn {
        final List<?> params;
        final Object body;
        final Env env;

        Closure(List<?> params, Object body, Env env) {
            this.params = params;
            this.body = body;
            this.env = env;
        }

        Env bind(List<Object> args) {
            Env e = new Env(env);
            for (int i = 0; i < params.size(); i++) {
                e.vars.put((Symbol) params.get(i), args.get(i));
            }
            return e;
        }

        @Override
        public Object call(List<Object> args) {
            return eval(body, bind(args));
        }
    }

    static Object read(Iterator<String> tokens) {
        String t = tokens.next();
        if (t.equals("(")) {
            List<Object> list = new ArrayList<>();
            while (true) {
                Object x = read(tokens);
                if (x == null) {
                    return list;
                }
                list.add(x);
            }
        }
        if (t.equals(")")) {
            return null;
        }
        if (t.matches("-?\\d+")) {
            return Long.valueOf(t);
        }
        return new Symbol(t);
    }

    static Object eval(Object x, Env env) {
        while (true) {
            if (x instanceof Symbol s) {
                return env.find(s).vars.get(s);
            }
            if (!(x instanceof List<?> l)) {
                return x;
            }
            if (l.get(0) instanceof Symbol s) {
                switch (s.name()) {
                case "quote":
                    return l.get(1);
                case "if":
                    x = !Boolean.FALSE.equals(eval(l.get(1), env)) ? l.get(2) : l.get(3);
                    continue;
                case "define":
                    env.vars.put((Symbol) l.get(1), eval(l.get(2), env));
                    return l.get(1);
                case "set!":
                    Object v = eval(l.get(2), env);
                    env.find((Symbol) l.get(1)).vars.put((Symbol) l.get(1), v);
                    return v;
                case "lambda":
                    return new Closure((List<?>) l.get(1), l.get(2), env);
                case "begin":
                    for (int i = 1; i < l.size() - 1; i++) {
                        eval(l.get(i), env);
                    }
                    x = l.get(l.size() - 1);
                    continue;
                default:
                    break;
                }
            }
            Fn f = (Fn) eval(l.get(0), env);
            List<Object> args = new ArrayList<>();
            for (Object a : l.subList(1, l.size())) {
                args.add(eval(a, env));
            }
            if (f instanceof Closure c) {
                env = c.bind(args);
                x = c.body;
            } else {
                return f.call(args);
            }
        }
    }

    static long num(Object o) {
        return (Long) o;
    }

    public static void main(String[] args) {
        Env g = new Env(null);
        Map<String, Fn> prims = new TreeMap<>();
        prims.put("+", a -> num(a.get(0)) + num(a.get(1)));
        prims.put("-", a -> num(a.get(0)) - num(a.get(1)));
        prims.put("*", a -> num(a.get(0)) * num(a.get(1)));
        prims.put("<", a -> num(a.get(0)) < num(a.get(1)));
        prims.put("=", a -> a.get(0).equals(a.get(1)));
        prims.put("list", ArrayList::new);
        prims.put("car", a -> ((List<?>) a.get(0)).get(0));
        prims.put("cdr", a -> ((List<?>) a.get(0)).subList(1, ((List<?>) a.get(0)).size()));
        prims.put("null?", a -> ((List<?>) a.get(0)).isEmpty());
        prims.put("cons", a -> {
            List<Object> l = new ArrayList<>();
            l.add(a.get(0));
            l.addAll((List<?>) a.get(1));
            return l;
        });
        prims.forEach((k, v) -> g.vars.put(new Symbol(k), v));
        String program = """
            (define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1))))))
            (fact 20)
            (define loop (lambda (n acc) (if (= n 0) acc (loop (- n 1) (+ acc n)))))
            (loop 30000 0)
            (define map (lambda (f l) (if (null? l) l (cons (f (car l)) (map f (cdr l))))))
            (map (lambda (x) (* x x)) (list 1 2 3 4))
            (define counter ((lambda (n) (lambda () (set! n (+ n 1)))) 10))
            (begin (counter) (counter) (counter))
            (define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))
            (fib 16)
            (quote (a (b c) 5))
            (undefined 1)
            """;
        List<String> tokens = new ArrayList<>();
        for (String t : program.replace("(", " ( ").replace(")", " ) ").trim().split("\\s+")) {
            tokens.add(t);
        }
        Iterator<String> it = tokens.iterator();
        while (it.hasNext()) {
            try {
                System.out.println(eval(read(it), g));
            } catch (IllegalStateException e) {
                System.out.println("error: " + e.getMessage());
            }
        }
    }
}

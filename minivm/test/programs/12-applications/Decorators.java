/* SPDX-License-Identifier: MIT */
/* Object patterns: visitors, builders, iterators, decorators, state, observers. */
import java.util.*;
import java.util.function.*;

public class Decorators {
    interface Stream2 {
        String read();

        default Stream2 map(UnaryOperator<String> f) {
            Stream2 self = this;
            return () -> {
                String s = self.read();
                return s == null ? null : f.apply(s);
            };
        }
    }

    static abstract class Filter implements Stream2 {
        protected final Stream2 in;

        Filter(Stream2 in) {
            this.in = in;
        }
    }

    static class Upper extends Filter {
        Upper(Stream2 in) {
            super(in);
        }

        @Override
        public String read() {
            String s = in.read();
            return s == null ? null : s.toUpperCase(Locale.ROOT);
        }
    }

    static class Numbered extends Filter {
        private int n;

        Numbered(Stream2 in) {
            super(in);
        }

        @Override
        public String read() {
            String s = in.read();
            return s == null ? null : ++n + ": " + s;
        }
    }

    enum State {
        IDLE {
            @Override
            State next(char c) {
                return c == 's' ? RUNNING : this;
            }
        },
        RUNNING {
            @Override
            State next(char c) {
                return c == 'p' ? PAUSED : c == 'x' ? IDLE : this;
            }
        },
        PAUSED {
            @Override
            State next(char c) {
                return c == 's' ? RUNNING : c == 'x' ? IDLE : this;
            }
        };

        abstract State next(char c);
    }

    static final class Pizza {
        private final String size;
        private final List<String> toppings;

        private Pizza(Builder b) {
            size = b.size;
            toppings = List.copyOf(b.toppings);
        }

        static Builder builder() {
            return new Builder();
        }

        static final class Builder {
            private String size = "medium";
            private final List<String> toppings = new ArrayList<>();

            Builder size(String s) {
                size = s;
                return this;
            }

            Builder top(String... t) {
                Collections.addAll(toppings, t);
                return this;
            }

            Pizza build() {
                return new Pizza(this);
            }
        }

        @Override
        public String toString() {
            return size + toppings;
        }
    }

    static class Subject<T> {
        private final List<Consumer<? super T>> observers = new ArrayList<>();

        Runnable observe(Consumer<? super T> c) {
            observers.add(c);
            return () -> observers.remove(c);
        }

        void fire(T t) {
            for (Consumer<? super T> c : List.copyOf(observers)) {
                c.accept(t);
            }
        }
    }

    interface Shape {
        <R> R accept(Visitor<R> v);
    }

    interface Visitor<R> {
        R circle(double r);

        R square(double a);

        R group(List<Shape> all);
    }

    static Shape circle(double r) {
        return new Shape() {
            @Override
            public <R> R accept(Visitor<R> v) {
                return v.circle(r);
            }
        };
    }

    static Shape group(Shape... all) {
        return new Shape() {
            @Override
            public <R> R accept(Visitor<R> v) {
                return v.group(List.of(all));
            }
        };
    }

    public static void main(String[] args) {
        Iterator<String> lines = List.of("one", "two", "three").iterator();
        Stream2 s = new Numbered(new Upper(() -> lines.hasNext() ? lines.next() : null))
            .map(x -> "<" + x + ">");
        for (String x; (x = s.read()) != null;) {
            System.out.println(x);
        }
        State st = State.IDLE;
        StringBuilder sb = new StringBuilder();
        for (char c : "aspsxps".toCharArray()) {
            st = st.next(c);
            sb.append(st).append(' ');
        }
        System.out.println(sb);
        System.out.println(Pizza.builder().size("big").top("ham", "egg").top("basil").build());
        Subject<Integer> subject = new Subject<>();
        List<Object> seen = new ArrayList<>();
        Runnable stop = subject.observe(seen::add);
        subject.observe((Object o) -> seen.add("o" + o));
        subject.fire(1);
        stop.run();
        subject.fire(2);
        System.out.println(seen);
        Shape all = group(circle(1), group(circle(2), group()), new Shape() {
            @Override
            public <R> R accept(Visitor<R> v) {
                return v.square(3);
            }
        });
        double area = all.accept(new Visitor<Double>() {
            @Override
            public Double circle(double r) {
                return Math.PI * r * r;
            }

            @Override
            public Double square(double a) {
                return a * a;
            }

            @Override
            public Double group(List<Shape> g) {
                return g.stream().mapToDouble(x -> x.accept(this)).sum();
            }
        });
        System.out.println(area);
    }
}

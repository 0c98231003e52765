/* SPDX-License-Identifier: MIT */
/* Enums with bodies, fields, EnumMap, EnumSet, valueOf, switch. */
import java.util.*;

public class Enums {
    enum Op {
        PLUS("+") {
            @Override
            int apply(int a, int b) {
                return a + b;
            }
        },
        TIMES("*") {
            @Override
            int apply(int a, int b) {
                return a * b;
            }
        },
        POWER("^") {
            @Override
            int apply(int a, int b) {
                int r = 1;
                while (b-- > 0) {
                    r = TIMES.apply(r, a);
                }
                return r;
            }
        };

        final String sign;
        static final Map<String, Op> BY_SIGN = new TreeMap<>();

        static {
            for (Op op : values()) {
                BY_SIGN.put(op.sign, op);
            }
        }

        Op(String sign) {
            this.sign = sign;
        }

        abstract int apply(int a, int b);
    }

    interface Priced {
        int price();
    }

    enum Coin implements Priced {
        PENNY(1), NICKEL(5), DIME(10), QUARTER(25);

        private final int cents;

        Coin(int cents) {
            this.cents = cents;
        }

        @Override
        public int price() {
            return cents;
        }
    }

    static <E extends Enum<E> & Priced> int total(Class<E> type) {
        int sum = 0;
        for (E e : type.getEnumConstants()) {
            sum += e.price();
        }
        return sum;
    }

    public static void main(String[] args) {
        for (Op op : Op.values()) {
            System.out.println(op + " " + op.ordinal() + " " + op.apply(2, 5) + " "
                               + op.getClass().getName() + " " + op.getDeclaringClass());
        }
        System.out.println(Op.BY_SIGN);
        System.out.println(Coin.valueOf("DIME").price() + " " + total(Coin.class));
        try {
            Coin.valueOf("EURO");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        EnumMap<Coin, List<String>> map = new EnumMap<>(Coin.class);
        map.computeIfAbsent(Coin.QUARTER, k -> new ArrayList<>()).add("q");
        map.computeIfAbsent(Coin.PENNY, k -> new ArrayList<>()).add("p");
        System.out.println(map + " " + map.containsKey(Coin.DIME));
        EnumSet<Coin> set = EnumSet.complementOf(EnumSet.of(Coin.DIME));
        System.out.println(set + " " + EnumSet.range(Coin.NICKEL, Coin.QUARTER));
        System.out.println(Coin.PENNY.compareTo(Coin.DIME) + " " + Coin.DIME.name());
        int sum = 0;
        for (Coin c : set) {
            switch (c) {
            case PENNY:
                sum += 1000;
                break;
            case QUARTER:
                sum += 1;
                break;
            default:
                sum += 20;
            }
        }
        System.out.println(sum);
        System.out.println(Op.PLUS instanceof Comparable);
        System.out.println(Thread.State.valueOf("BLOCKED").ordinal());
    }
}

/* SPDX-License-Identifier: MIT */
/* BigInteger: arithmetic on small and huge numbers, primes, bits, radix. */
import java.math.BigInteger;
import java.util.Random;

public class BigIntegers {
    public static void main(String[] args) {
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= 100; i++) {
            f = f.multiply(BigInteger.valueOf(i));
        }
        System.out.println(f);
        System.out.println(f.bitLength() + " " + f.getLowestSetBit() + " " + f.bitCount() + " "
            + f.hashCode() + " " + f.toString(36));
        BigInteger a = new BigInteger("123456789012345678901234567890"), b = new BigInteger("-987654321");
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(b)
            + " " + a.mod(b.negate()) + " " + a.remainder(b) + " " + a.gcd(f) + " " + b.pow(5) + " "
            + a.sqrt() + " " + b.signum() + " " + a.compareTo(b));
        BigInteger[] qr = f.divideAndRemainder(a);
        System.out.println(qr[0].multiply(a).add(qr[1]).equals(f));
        System.out.println(a.shiftLeft(70) + " " + a.shiftRight(20) + " " + b.shiftRight(100) + " "
            + a.and(b) + " " + a.or(b) + " " + a.xor(b) + " " + a.not() + " " + b.testBit(500) + " "
            + a.setBit(200).flipBit(3).clearBit(0));
        BigInteger p = BigInteger.TWO.pow(127).subtract(BigInteger.ONE);
        System.out.println(p.isProbablePrime(30) + " " + a.modPow(f, p) + " " + a.modInverse(p) + " "
            + BigInteger.valueOf(1000000).nextProbablePrime());
        Random r = new Random(3);
        BigInteger x = new BigInteger(9000, r), y = new BigInteger(7000, r);
        BigInteger product = x.multiply(y);
        System.out.println(product.hashCode() + " " + product.divide(y).equals(x) + " "
            + x.pow(3).hashCode() + " " + x.multiply(x).sqrt().equals(x) + " "
            + x.gcd(y) + " " + x.modPow(y.shiftRight(6900), p));
        String huge = x.pow(4).toString();
        System.out.println(huge.length() + " " + huge.hashCode() + " "
            + new BigInteger(huge).equals(x.pow(4)));
        System.out.println(a.longValue() + " " + a.intValue() + " " + a.doubleValue() + " "
            + a.floatValue() + " " + new BigInteger("ff", 16) + " " + new BigInteger(
                new byte[] { -1, 0, 1 }) + " " + b.toByteArray().length);
        try {
            a.longValueExact();
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            a.divide(BigInteger.ZERO);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            new BigInteger("12 3");
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
        BigInteger fib = BigInteger.ZERO, next = BigInteger.ONE;
        for (int i = 0; i < 2000; i++) {
            BigInteger sum = fib.add(next);
            fib = next;
            next = sum;
        }
        System.out.println(fib);
        StringBuilder pi = new StringBuilder();
        BigInteger q = BigInteger.ONE, t = BigInteger.ONE, k = BigInteger.ONE, n = BigInteger.valueOf(3),
            l = BigInteger.valueOf(3), rr = BigInteger.ZERO, four = BigInteger.valueOf(4);
        while (pi.length() < 120) {
            if (four.multiply(q).add(rr).subtract(t).compareTo(n.multiply(t)) < 0) {
                pi.append(n);
                BigInteger nr = BigInteger.TEN.multiply(rr.subtract(n.multiply(t)));
                n = BigInteger.TEN.multiply(BigInteger.valueOf(3).multiply(q).add(rr)).divide(t)
                    .subtract(BigInteger.TEN.multiply(n));
                q = q.multiply(BigInteger.TEN);
                rr = nr;
            } else {
                BigInteger nr = BigInteger.TWO.multiply(q).add(rr).multiply(l);
                BigInteger nn = q.multiply(BigInteger.valueOf(7)).multiply(k).add(BigInteger.TWO)
                    .add(rr.multiply(l)).divide(t.multiply(l));
                q = q.multiply(k);
                t = t.multiply(l);
                l = l.add(BigInteger.TWO);
                k = k.add(BigInteger.ONE);
                n = nn;
                rr = nr;
            }
        }
        System.out.println(pi);
    }
}

/* SPDX-License-Identifier: MIT */
/* VarHandle modes: release/acquire, opaque coherence, atomic updates, fences. */
import java.lang.invoke.*;

public class LitmusVarHandle {
    int x, y, z;
    long l;
    Object ref;
    static final VarHandle X, Y, Z, L, REF, INTS = MethodHandles.arrayElementVarHandle(int[].class);

    static {
        try {
            MethodHandles.Lookup k = MethodHandles.lookup();
            X = k.findVarHandle(LitmusVarHandle.class, "x", int.class);
            Y = k.findVarHandle(LitmusVarHandle.class, "y", int.class);
            Z = k.findVarHandle(LitmusVarHandle.class, "z", int.class);
            L = k.findVarHandle(LitmusVarHandle.class, "l", long.class);
            REF = k.findVarHandle(LitmusVarHandle.class, "ref", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void both(Runnable a, Runnable b) throws InterruptedException {
        Thread t = new Thread(a), u = new Thread(b);
        t.start();
        u.start();
        t.join();
        u.join();
    }

    public static void main(String[] args) throws Exception {
        int n = 20_000;
        LitmusVarHandle[] s = new LitmusVarHandle[n];
        for (int i = 0; i < n; i++) {
            s[i] = new LitmusVarHandle();
        }
        int[] r1 = new int[n], r2 = new int[n];
        both(() -> {
            for (LitmusVarHandle v : s) {
                v.z = 7;
                X.setRelease(v, 1);
            }
        }, () -> {
            for (int i = 0; i < n; i++) {
                r1[i] = (int) X.getAcquire(s[i]);
                r2[i] = s[i].z;
            }
        });
        int bad = 0;
        for (int i = 0; i < n; i++) {
            bad += r1[i] == 1 && r2[i] != 7 ? 1 : 0;
        }
        System.out.println("release acquire " + bad);
        both(() -> {
            for (LitmusVarHandle v : s) {
                X.setOpaque(v, 2);
                VarHandle.fullFence();
                v.z = (int) Y.getOpaque(v);
            }
        }, () -> {
            for (int i = 0; i < n; i++) {
                Y.setOpaque(s[i], 2);
                VarHandle.fullFence();
                r1[i] = (int) X.getOpaque(s[i]);
            }
        });
        bad = 0;
        for (int i = 0; i < n; i++) {
            bad += r1[i] != 2 && s[i].z == 0 ? 1 : 0;
        }
        System.out.println("full fence " + bad);
        LitmusVarHandle one = new LitmusVarHandle();
        one.ref = 0;
        int[] ints = new int[2];
        Runnable adder = () -> {
            for (int i = 0; i < 20_000; i++) {
                X.getAndAdd(one, 1);
                int old;
                do {
                    old = (int) Y.getVolatile(one);
                } while (!Y.compareAndSet(one, old, old + 3));
                do {
                    old = (int) Z.getAcquire(one);
                } while (!Z.weakCompareAndSetRelease(one, old, old + 5));
                L.getAndAddRelease(one, 1L << 33);
                INTS.getAndBitwiseXor(ints, 0, i);
                INTS.getAndAddAcquire(ints, 1, 2);
                Object o;
                do {
                    o = REF.getVolatile(one);
                } while (!REF.compareAndSet(one, o, (Object) ((Integer) o + 1)));
            }
        };
        both(adder, adder);
        System.out.println(one.x + " " + one.y + " " + one.z + " " + (one.l >> 33) + " " + ints[0]
            + " " + ints[1] + " " + one.ref);
        LitmusVarHandle lock = new LitmusVarHandle();
        int[] counter = new int[1];
        Runnable spinner = () -> {
            for (int i = 0; i < 5000; i++) {
                while (!X.weakCompareAndSetAcquire(lock, 0, 1)) {
                    Thread.yield();
                }
                counter[0]++;
                X.setRelease(lock, 0);
            }
        };
        both(spinner, spinner);
        System.out.println("spin lock " + counter[0]);
        boolean[] go = new boolean[1];
        VarHandle flag = MethodHandles.arrayElementVarHandle(boolean[].class);
        both(() -> {
            while (!(boolean) flag.getOpaque(go, 0)) {
                Thread.onSpinWait();
            }
        }, () -> flag.setOpaque(go, 0, true));
        System.out.println("opaque progress");
    }
}

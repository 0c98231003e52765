/* SPDX-License-Identifier: MIT */
/* An event bus with reflection, annotations, weak listeners and generics. */
import java.lang.annotation.*;
import java.lang.ref.WeakReference;
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.CopyOnWriteArrayList;

public class EventSystem {
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface On {
        int priority() default 0;
    }

    static class Event {
        final List<String> seen = new ArrayList<>();
    }

    static class KeyEvent extends Event {
        final char key;

        KeyEvent(char key) {
            this.key = key;
        }
    }

    record Handler(WeakReference<Object> target, Method m, int priority) {
    }

    static class Bus {
        final List<Handler> handlers = new CopyOnWriteArrayList<>();

        void register(Object o) {
            for (Method m : o.getClass().getDeclaredMethods()) {
                On on = m.getAnnotation(On.class);
                if (on != null) {
                    m.setAccessible(true);
                    handlers.add(new Handler(new WeakReference<>(o), m, on.priority()));
                }
            }
            handlers.sort(Comparator.comparingInt(Handler::priority).reversed()
                .thenComparing(h -> h.m().getName()));
        }

        void post(Event e) {
            for (Handler h : handlers) {
                Object t = h.target().get();
                if (t != null && h.m().getParameterTypes()[0].isInstance(e)) {
                    try {
                        h.m().invoke(t, e);
                    } catch (InvocationTargetException x) {
                        e.seen.add("failed " + x.getCause().getMessage());
                    } catch (IllegalAccessException x) {
                        throw new AssertionError(x);
                    }
                }
            }
        }
    }

    static class Listener {
        @On(priority = 5)
        void first(Event e) {
            e.seen.add("first");
        }

        @On
        private void keys(KeyEvent e) {
            e.seen.add("key " + e.key);
        }

        @On(priority = -1)
        void last(Event e) {
            throw new IllegalStateException("last");
        }

        void notOne(Event e) {
            e.seen.add("never");
        }
    }

    public static void main(String[] args) {
        Bus bus = new Bus();
        Listener l = new Listener();
        bus.register(l);
        bus.register(new Object() {
            @On(priority = 3)
            void anonymous(KeyEvent e) {
                e.seen.add("anonymous");
            }
        });
        Event plain = new Event();
        bus.post(plain);
        System.out.println(plain.seen);
        KeyEvent key = new KeyEvent('k');
        bus.post(key);
        key.seen.remove("anonymous");
        System.out.println(key.seen);
        for (int i = 0; i < 1000; i++) {
            Event e = new KeyEvent((char) ('a' + i % 26));
            bus.post(e);
        }
        System.out.println(bus.handlers.size() + " " + (l != null));
    }
}

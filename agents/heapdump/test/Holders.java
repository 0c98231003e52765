/* SPDX-License-Identifier: MIT */
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/*
 * Holders WHERE COUNT: COUNT objects of two kilobytes that nobody lets go, in a place by
 * WHERE: a static collection, the value of a thread's local variable, the listeners of
 * somebody who stays, or class loaders with a class each.  A thousandth of that number is
 * kept in another place as well.
 */
public class Holders {
    static class Item {
        final byte[] content = new byte[2000];
    }

    static class Source {
        final LinkedList<Runnable> listeners = new LinkedList<>();
    }

    static class Listener implements Runnable {
        final Item item = new Item();

        public void run() {
        }
    }

    /* Of a class loader of its own each. */
    public static class Plugin {
        final byte[] content = new byte[2000];
    }

    static class PluginLoader extends ClassLoader {
        PluginLoader() {
            super(Holders.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve)
                throws ClassNotFoundException {
            if (!name.equals("Holders$Plugin")) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = getResourceAsStream("Holders$Plugin.class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static final Map<String, Item> cache = new HashMap<>();
    static final Source source = new Source();
    static final List<Object> plugins = new ArrayList<>();
    static final List<Item> few = new ArrayList<>();
    static final ThreadLocal<List<Item>> mine = ThreadLocal.withInitial(ArrayList::new);

    static void fill(String where, int count) throws Exception {
        for (int i = 0; i < count / 1000; i++) {
            few.add(new Item());
        }
        for (int i = 0; i < count; i++) {
            switch (where) {
            case "static":
                cache.put("item " + i, new Item());
                break;
            case "local":
                mine.get().add(new Item());
                break;
            case "listeners":
                source.listeners.add(new Listener());
                break;
            default:
                plugins.add(new PluginLoader().loadClass("Holders$Plugin")
                    .getDeclaredConstructor().newInstance());
                break;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch filled = new CountDownLatch(1), never = new CountDownLatch(1);
        Thread worker = new Thread(() -> {
            try {
                fill(args[0], Integer.parseInt(args[1]));
            } catch (Exception e) {
                e.printStackTrace();
            }
            filled.countDown();
            try {
                never.await();
            } catch (InterruptedException e) {
                filled.countDown();
            }
        }, "worker");

        worker.setDaemon(true);
        worker.start();
        filled.await();
        if (args.length > 2) {
            java.lang.management.ManagementFactory.getPlatformMXBean(
                com.sun.management.HotSpotDiagnosticMXBean.class).dumpHeap(args[2], true);
        }
        System.out.println("done");
    }
}

/* SPDX-License-Identifier: MIT */
/* java.util.logging with a handler of one's own and a fixed format. */
import java.io.*;
import java.util.logging.*;

public class Logging {
    public static void main(String[] args) throws IOException {
        Logger root = Logger.getLogger("");
        for (Handler h : root.getHandlers()) {
            root.removeHandler(h);
        }
        StringBuilder seen = new StringBuilder();
        Handler h = new Handler() {
            @Override
            public void publish(LogRecord r) {
                seen.append(r.getLoggerName()).append('/').append(r.getLevel()).append('/')
                    .append(new SimpleFormatter().formatMessage(r)).append('/')
                    .append(r.getSourceMethodName()).append('\n');
            }

            @Override
            public void flush() {
            }

            @Override
            public void close() {
            }
        };
        Logger log = Logger.getLogger("a.b.c");
        Logger parent = Logger.getLogger("a");
        parent.addHandler(h);
        parent.setLevel(Level.FINE);
        log.info("info");
        log.fine(() -> "lazy");
        log.finer("dropped");
        log.log(Level.WARNING, "with {0} and {1}", new Object[] { "x", 5 });
        log.entering("Class", "method");
        log.log(Level.SEVERE, "failed", new RuntimeException("cause"));
        parent.setFilter(r -> false);
        parent.info("filtered");
        log.setUseParentHandlers(false);
        log.info("not propagated");
        System.out.print(seen);
        System.out.println(log.getParent().getName() + " " + log.isLoggable(Level.FINE));
        System.setProperty("java.util.logging.SimpleFormatter.format", "%4$s %5$s%6$s%n");
        StreamHandler s = new StreamHandler(System.out, new SimpleFormatter());
        Logger out = Logger.getLogger("out");
        out.setUseParentHandlers(false);
        out.addHandler(s);
        out.info("formatted");
        out.log(Level.CONFIG, "too low");
        s.flush();
        System.out.println(Level.parse("800") + " " + LogManager.getLogManager().getLogger("zz"));
    }
}

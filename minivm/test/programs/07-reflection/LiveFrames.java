// vm: --add-opens java.base/java.lang=ALL-UNNAMED
// What LiveStackFrame tells of frames: locals, operands below the arguments of the call
// that runs, and monitors.
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;

public class LiveFrames {
    static final Class<?> LIVE;
    static final Method WALKER, LOCALS, STACK, MONITORS;

    static {
        try {
            LIVE = Class.forName("java.lang.LiveStackFrame");
            WALKER = method("getStackWalker");
            LOCALS = method("getLocals");
            STACK = method("getStack");
            MONITORS = method("getMonitors");
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static Method method(String name) throws NoSuchMethodException {
        Method m = LIVE.getMethod(name);
        m.setAccessible(true);
        return m;
    }

    static String text(Method what, Object frame) {
        try {
            StringBuilder b = new StringBuilder(what.getName());
            for (Object o : (Object[])what.invoke(frame))
                b.append(o == null ? " null"
                         : o instanceof String ? " \"" + o + "\""
                         : o.getClass().getName().contains("LiveStackFrame") ? " " + o
                         : " " + o.getClass().getTypeName());
            return b.toString();
        } catch (ReflectiveOperationException e) {
            return e.toString();
        }
    }

    static List<String> walk() throws Exception {
        return ((StackWalker)WALKER.invoke(null)).walk(
            frames -> frames.map(f -> f.getMethodName() + " " + text(LOCALS, f) + " "
                                      + text(STACK, f) + " " + text(MONITORS, f))
                            .collect(Collectors.toList()));
    }

    static synchronized List<String> locked(String text, Object replaced) throws Exception {
        replaced = "another";
        synchronized (text) {
            return walk();
        }
    }

    /** Two are not there yet; what lies in their places is nobody's business. */
    static List<String> early(int number, String none, long wide, float half) throws Exception {
        List<String> frames = walk();
        int later = number + (int)(wide + half) + 100;
        Object another = none;
        return later > 0 && another == null ? frames : null;
    }

    static Object operands(String left, int number, long wide) throws Exception {
        Object[] all = { left, number, wide, locked("argument", left) };
        return all[3];
    }

    int sum(int number, String left) throws Exception {
        return number + left.length() + ((List<?>)operands(left, 7, 8)).size() * 0
               + show(operands("x", number, 1L));
    }

    static int show(Object frames) {
        for (Object f : (List<?>)frames)
            System.out.println(f);
        return 1;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(early(-5, null, -7, 1.5f).get(1));
        System.out.println(new LiveFrames().sum(3, "left"));
    }
}

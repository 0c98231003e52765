// SPDX-License-Identifier: MIT
import java.lang.instrument.ClassFileTransformer;
import java.nio.ByteBuffer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All loaded classes get a new version, with one constant more each, and work on. */
public class Everything {
    static int changed;

    /** Where the constant pool ends. */
    static int poolEnd(ByteBuffer file) {
        int count = file.getShort(8) & 0xffff, at = 10;
        for (int i = 1; i < count; i++) {
            int tag = file.get(at);
            switch (tag) {
            case 1:
                at += 3 + (file.getShort(at + 1) & 0xffff);
                break;
            case 5: case 6:
                i++;
                at += 9;
                break;
            case 7: case 8: case 16: case 19: case 20:
                at += 3;
                break;
            case 15:
                at += 4;
                break;
            default:
                at += 5;
                break;
            }
        }
        return at;
    }

    static byte[] grown(byte[] bytes) {
        ByteBuffer file = ByteBuffer.wrap(bytes);
        int end = poolEnd(file);
        byte[] result = new byte[bytes.length + 5];
        System.arraycopy(bytes, 0, result, 0, end);
        result[end] = 3; /* an Integer */
        System.arraycopy(bytes, end, result, end + 5, bytes.length - end);
        ByteBuffer.wrap(result).putShort(8, (short)(file.getShort(8) + 1));
        return result;
    }

    static class Grower implements ClassFileTransformer {
        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> redefined,
                                ProtectionDomain domain, byte[] file) {
            changed++;
            return grown(file);
        }
    }

    static void work(String when) {
        Map<String, Integer> sums = new TreeMap<>();
        for (int i = 0; i < 100; i++)
            sums.merge("k" + i % 7, i, Integer::sum);
        System.out.println(when + " " + sums.entrySet().stream()
                           .map(e -> e.getKey() + "=" + e.getValue())
                           .collect(Collectors.joining(",")));
        System.out.println(String.format("%5.2f %s %x", 1.5, List.of(1, 2), 255));
        try {
            Integer.parseInt("x");
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        work("before");
        Agent.inst.addTransformer(new Grower(), true);
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> c : Agent.inst.getAllLoadedClasses())
            if (Agent.inst.isModifiableClass(c))
                all.add(c);
        for (Class<?> c : all)
            Agent.inst.retransformClasses(c);
        work("one by one");
        Agent.inst.retransformClasses(all.toArray(new Class<?>[0]));
        work("all at once");
        System.out.println(all.size() > 300 && changed >= 2 * all.size());
        int result = javax.tools.ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", args[0], "-proc:none", args[1]);
        System.out.println("compiled " + result);
    }
}

// SPDX-License-Identifier: MIT

/** Whether a class's initializer ends soon whatever it does. */
final class Bounded {
    private Bounded() { }

    /**
     * There is one, no branch and no handler of it leads backward, and it uses no classes
     * but its own and those of java.lang and java.util; it calls no method of its own.
     */
    static boolean initializer(byte[] bytes) {
        ClassMap map = new ClassMap(bytes);
        if (!map.whole)
            return false;
        try {
            return new Walk(map).run();
        } catch (IndexOutOfBoundsException e) {
            return false;
        }
    }

    private record Walk(ClassMap map) {
        boolean run() {
            for (ClassMap.Node node : map.nodes)
                if (node.what().equals("method")
                    && map.text(map.u2(node.start() + 2)).equals("<clinit>"))
                    return inside(node);
            return false;
        }

        private boolean inside(ClassMap.Node method) {
            for (ClassMap.Node node : map.nodes) {
                if (node.start() < method.start() || node.end() > method.end())
                    continue;
                if (node.what().equals("handler")
                    && map.u2(node.start() + 4) < map.u2(node.start() + 2))
                    return false;
                if (node.what().equals("instruction") && !allowed(map.u1(node.start()), node))
                    return false;
            }
            for (ClassMap.Site site : map.sites)
                if (site.at() >= method.start() && site.at() < method.end()
                    && site.kind() == ClassMap.Kind.BRANCH
                    && (site.width() == 2 ? (short) map.u2(site.at()) : map.u4(site.at())) <= 0)
                    return false;
            return true;
        }

        private boolean allowed(int opcode, ClassMap.Node node) {
            if (opcode == 168 || opcode == 169 || opcode == 201 || opcode == 186)
                return false;
            if (opcode >= 178 && opcode <= 187) {
                int at = map.constants[map.u2(node.start() + 1)];
                String owner = opcode == 187 ? map.text(map.u2(at + 1))
                    : map.text(map.u2(map.constants[map.u2(at + 1)] + 1));
                boolean library = owner.matches("java/(lang|util)/[A-Za-z]*")
                    && !owner.matches(".*/(Thread|System|Runtime|Process.*|Timer|Shutdown)");
                return library || opcode < 182 && owner.equals(own());
            }
            return true;
        }

        private String own() {
            int thisClass = map.constants[map.u2(map.poolEnd + 2)];
            return map.text(map.u2(thisClass + 1));
        }
    }
}

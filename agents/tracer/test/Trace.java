// SPDX-License-Identifier: MIT
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Trace FORMAT FILE reads a trace strictly and prints its tree, the same for all formats: a
 * line "path calls thrown nanoseconds" for each path, in the order of first calls; "-" for
 * thrown where the format does not say it.  The time is without callees'.  The first line
 * has what was counted: "calls lost".  FORMAT "times" is collapsed stacks with times, in
 * which each path counts as one call.
 */
public class Trace {
    static class Node {
        final Node parent;
        final String name;
        final Map<String, Node> children = new LinkedHashMap<>();
        long calls, thrown, total, self;

        Node(Node parent, String name) {
            this.parent = parent;
            this.name = name;
        }

        Node child(String callee) {
            return children.computeIfAbsent(callee, key -> new Node(this, key));
        }
    }

    /** A thread's calls while they are replayed. */
    static class Player {
        Node at;
        final Deque<Long> since = new ArrayDeque<>();
        long now;

        Player(Node root) {
            at = root;
        }

        void step(long time) {
            check(time >= now, "time goes back: " + time + " after " + now);
            now = time;
        }

        void enter(String name, long time) {
            step(time);
            at = at.child(name);
            at.calls++;
            since.push(time);
        }

        void leave(String name, long time, boolean thrown) {
            step(time);
            check(at.parent != null, "an end without a beginning: " + name);
            check(at.name.equals(name), "end of " + name + " in " + at.name);
            long took = time - since.pop();
            at.total += took;
            at.self += took;
            at.thrown += thrown ? 1 : 0;
            at = at.parent;
            at.self -= at.parent == null ? 0 : took;
        }

        void end() {
            check(at.parent == null, "no end of " + at.name);
        }
    }

    static void check(boolean good, String what) {
        if (!good)
            throw new IllegalStateException(what);
    }

    /** RFC 8259, objects as maps, numbers as their text. */
    static class Json {
        final String text;
        int at;

        Json(String text) {
            this.text = text;
        }

        char next() {
            while (" \n\r\t".indexOf(text.charAt(at)) >= 0)
                at++;
            return text.charAt(at);
        }

        void expect(char c) {
            check(next() == c, "'" + c + "' is missing at " + at);
            at++;
        }

        boolean more(char end) {
            if (next() == end) {
                at++;
                return false;
            }
            return true;
        }

        Object value() {
            char c = next();
            if (c == '{')
                return object();
            if (c == '[')
                return array();
            if (c == '"')
                return string();
            int start = at;
            while (at < text.length() && ",]} \n".indexOf(text.charAt(at)) < 0)
                at++;
            String word = text.substring(start, at);
            check(word.matches("true|false|null|-?(0|[1-9][0-9]*)(\\.[0-9]+)?"), word);
            return word;
        }

        Map<String, Object> object() {
            Map<String, Object> map = new LinkedHashMap<>();
            expect('{');
            for (boolean more = more('}'); more; ) {
                next();
                String key = string();
                expect(':');
                check(map.put(key, value()) == null, "twice: " + key);
                more = next() == ',';
                expect(more ? ',' : '}');
            }
            return map;
        }

        List<Object> array() {
            List<Object> list = new ArrayList<>();
            expect('[');
            for (boolean more = more(']'); more; ) {
                list.add(value());
                more = next() == ',';
                expect(more ? ',' : ']');
            }
            return list;
        }

        String string() {
            StringBuilder out = new StringBuilder();
            check(text.charAt(at++) == '"', "no string at " + at);
            while (text.charAt(at) != '"') {
                char c = text.charAt(at++);
                check(c >= ' ', "a control character");
                if (c == '\\') {
                    c = text.charAt(at++);
                    if (c == 'u') {
                        c = (char) Integer.parseInt(text.substring(at, at + 4), 16);
                        at += 4;
                    } else
                        c = "\"\\/\b\f\n\r\t".charAt("\"\\/bfnrt".indexOf(c));
                }
                out.append(c);
            }
            at++;
            return out.toString();
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    static String counted;

    static Map<String, Object> document(String text) {
        Json json = new Json(text);
        Map<String, Object> document = json.object();
        check(text.substring(json.at).isBlank(), "more than one value");
        return document;
    }

    static List<Node> chrome(String text) {
        Map<String, Object> document = document(text);
        Map<String, Object> other = object(document.get("otherData"));
        Map<Object, Player> threads = new LinkedHashMap<>();
        List<Node> roots = new ArrayList<>();
        counted = other.get("calls") + " " + other.get("lost");
        for (Object value : list(document.get("traceEvents"))) {
            Map<String, Object> event = object(value);
            Map<String, Object> args = object(event.getOrDefault("args", Map.of()));
            String name = (String) event.get("name");
            check(Long.parseLong((String) event.get("pid")) > 0, "no pid");
            if (event.get("ph").equals("M")) {
                check(name.equals("thread_name"), name);
                roots.add(new Node(null, (String) args.get("name")));
                threads.put(event.get("tid"), new Player(roots.get(roots.size() - 1)));
                continue;
            }
            String time = (String) event.get("ts");
            check(time.matches("[0-9]+\\.[0-9]{3}"), time);
            long at = Long.parseLong(time.replace(".", ""));
            Player player = threads.get(event.get("tid"));
            if (event.get("ph").equals("B"))
                player.enter(name, at);
            else {
                check(event.get("ph").equals("E"), "phase");
                player.leave(name, at, args.containsKey("exception"));
            }
        }
        threads.values().forEach(Player::end);
        return roots;
    }

    static List<Node> speedscope(String text) {
        Map<String, Object> document = document(text);
        List<Object> frames = list(object(document.get("shared")).get("frames"));
        List<Node> roots = new ArrayList<>();
        counted = ((String) document.get("name"))
            .replaceFirst("^([0-9]+) calls, ([0-9]+) lost, [0-9]+ threads$", "$1 $2");
        for (Object value : list(document.get("profiles"))) {
            Map<String, Object> profile = object(value);
            Node root = new Node(null, (String) profile.get("name"));
            Player player = new Player(root);
            roots.add(root);
            for (Object item : list(profile.get("events"))) {
                Map<String, Object> event = object(item);
                int frame = Integer.parseInt((String) event.get("frame"));
                String name = (String) object(frames.get(frame)).get("name");
                long at = Long.parseLong((String) event.get("at"));
                if (event.get("type").equals("O"))
                    player.enter(name, at);
                else
                    player.leave(name, at, false);
            }
            player.step(Long.parseLong((String) profile.get("endValue")));
            player.end();
        }
        return roots;
    }

    /** Values are calls, or nanoseconds if `time`. */
    static List<Node> collapsed(String text, boolean time) {
        Map<String, Node> roots = new LinkedHashMap<>();
        long calls = 0;
        counted = "";
        for (String line : text.split("\n")) {
            int space = line.lastIndexOf(' ');
            long value = Long.parseLong(line.substring(space + 1));
            check(value >= 0, line);
            String[] path = line.substring(0, space).split(";");
            if (path.length == 1) {
                check(path[0].matches("\\[[0-9]+ calls lost\\]"), line);
                counted = path[0].replaceAll("[^0-9]", "");
                continue;
            }
            Node node = roots.computeIfAbsent(path[0], key -> new Node(null, key));
            for (int i = 1; i < path.length; i++) {
                check(i == path.length - 1 || node.children.containsKey(path[i]), line);
                node = node.child(path[i]);
            }
            check(node.calls == 0, "twice: " + line);
            node.calls = time ? 1 : value;
            node.self = value;
            calls += value;
        }
        counted = calls + " " + (counted.isEmpty() ? "0" : counted);
        return new ArrayList<>(roots.values());
    }

    static long nanoseconds(String milliseconds) {
        check(milliseconds.matches("[0-9]+\\.[0-9]{6}"), milliseconds);
        return Long.parseLong(milliseconds.replace(".", ""));
    }

    static long sum(Node node) {
        return node.children.values().stream().mapToLong(child -> child.total).sum();
    }

    static void checkSelf(Node node) {
        check(node.parent == null || node.self == node.total - sum(node),
              "times of " + node.name);
        node.children.values().forEach(Trace::checkSelf);
    }

    static List<Node> tree(String text) {
        List<Node> roots = new ArrayList<>();
        Deque<Node> path = new ArrayDeque<>();
        String[] lines = text.split("\n");
        counted = lines[0]
            .replaceFirst("^([0-9]+) calls, ([0-9]+) lost, [0-9]+ threads, .* ms$", "$1 $2");
        for (String line : Arrays.asList(lines).subList(1, lines.length)) {
            if (line.startsWith("thread \"")) {
                String name = line.substring(8, line.lastIndexOf('"'));
                path.clear();
                path.push(new Node(null, name));
                roots.add(path.peek());
                continue;
            }
            /* The hottest methods come before the threads. */
            if (roots.isEmpty() || line.isEmpty() || line.endsWith("  method"))
                continue;
            String[] cells = line.trim().split(" +", 5);
            String[] times = { cells[2], cells[3] };
            String rest = line.substring(line.indexOf(times[1], line.indexOf(times[0])
                + times[0].length()) + times[1].length() + 2);
            int depth = (rest.length() - rest.stripLeading().length()) / 2 + 1;
            if (rest.matches(" {200}\\[[0-9]+\\] .*")) {
                depth = Integer.parseInt(rest.substring(201, rest.indexOf(']')));
                rest = rest.substring(rest.indexOf(']') + 1);
            }
            while (path.size() > depth)
                path.pop();
            check(path.size() == depth, "an indent too far: " + line);
            Node node = path.peek().child(rest.strip());
            check(node.calls == 0, "twice: " + line);
            node.calls = Long.parseLong(cells[0]);
            node.thrown = Long.parseLong(cells[1]);
            node.total = nanoseconds(times[0]);
            node.self = nanoseconds(times[1]);
            path.push(node);
        }
        roots.forEach(Trace::checkSelf);
        return roots;
    }

    static void print(Node node, String path, boolean thrown) {
        for (Node child : node.children.values()) {
            String name = path + ";" + child.name;
            System.out.println(name + " " + child.calls + " "
                               + (thrown ? Long.toString(child.thrown) : "-")
                               + " " + child.self);
            print(child, name, thrown);
        }
    }

    public static void main(String[] args) throws Exception {
        String text = Files.readString(Path.of(args[1]));
        List<Node> roots;
        switch (args[0]) {
        case "chrome": roots = chrome(text); break;
        case "speedscope": roots = speedscope(text); break;
        case "collapsed": roots = collapsed(text, false); break;
        case "times": roots = collapsed(text, true); break;
        default: roots = tree(text);
        }
        System.out.println(counted);
        for (Node root : roots)
            print(root, root.name.replace(';', ','),
                  args[0].equals("chrome") || args[0].equals("tree"));
    }
}

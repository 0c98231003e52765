/* SPDX-License-Identifier: MIT */
/* A JSON parser and printer, with errors that name their position. */
import java.util.*;

public class JsonParser {
    private final String s;
    private int at;

    JsonParser(String s) {
        this.s = s;
    }

    static Object parse(String s) {
        JsonParser p = new JsonParser(s);
        Object v = p.value();
        p.space();
        if (p.at != s.length()) {
            throw p.error("end");
        }
        return v;
    }

    IllegalArgumentException error(String wanted) {
        return new IllegalArgumentException("expected " + wanted + " at " + at + (at < s.length()
            ? ", found '" + s.charAt(at) + "'" : ", found the end"));
    }

    void space() {
        while (at < s.length() && Character.isWhitespace(s.charAt(at))) {
            at++;
        }
    }

    boolean take(String t) {
        space();
        if (s.startsWith(t, at)) {
            at += t.length();
            return true;
        }
        return false;
    }

    Object value() {
        if (take("{")) {
            Map<String, Object> m = new LinkedHashMap<>();
            if (take("}")) {
                return m;
            }
            do {
                space();
                if (!(value() instanceof String k)) {
                    throw error("key");
                }
                if (!take(":")) {
                    throw error("':'");
                }
                m.put(k, value());
            } while (take(","));
            if (!take("}")) {
                throw error("'}'");
            }
            return m;
        }
        if (take("[")) {
            List<Object> l = new ArrayList<>();
            if (take("]")) {
                return l;
            }
            do {
                l.add(value());
            } while (take(","));
            if (!take("]")) {
                throw error("']'");
            }
            return l;
        }
        if (take("\"")) {
            StringBuilder sb = new StringBuilder();
            while (at < s.length() && s.charAt(at) != '"') {
                char c = s.charAt(at++);
                if (c == '\\') {
                    c = s.charAt(at++);
                    switch (c) {
                    case 'n' -> sb.append('\n');
                    case 't' -> sb.append('\t');
                    case 'u' -> {
                        sb.append((char) Integer.parseInt(s.substring(at, at + 4), 16));
                        at += 4;
                    }
                    default -> sb.append(c);
                    }
                } else {
                    sb.append(c);
                }
            }
            if (!take("\"")) {
                throw error("'\"'");
            }
            return sb.toString();
        }
        if (take("true")) {
            return true;
        }
        if (take("false")) {
            return false;
        }
        if (take("null")) {
            return null;
        }
        int from = at;
        while (at < s.length() && "+-.eE0123456789".indexOf(s.charAt(at)) >= 0) {
            at++;
        }
        if (from == at) {
            throw error("value");
        }
        String n = s.substring(from, at);
        return n.matches("-?\\d{1,18}") ? (Object) Long.parseLong(n) : Double.parseDouble(n);
    }

    static void print(Object o, String indent, StringBuilder sb) {
        if (o instanceof Map<?, ?> m) {
            sb.append("{\n");
            m.forEach((k, v) -> {
                sb.append(indent).append("  ").append('"').append(k).append("\": ");
                print(v, indent + "  ", sb);
                sb.append('\n');
            });
            sb.append(indent).append('}');
        } else if (o instanceof List<?> l) {
            sb.append('[');
            for (Object x : l) {
                print(x, indent, sb);
                sb.append(' ');
            }
            sb.append(']');
        } else if (o instanceof String t) {
            sb.append('"').append(t.replace("\n", "\\n")).append('"');
        } else {
            sb.append(o);
        }
    }

    public static void main(String[] args) {
        String[] texts = { "{\"a\": [1, 2.5, -3e2, true, null], \"b\": {\"c\": \"x\\n\\u00e9\"}}",
            "[]", "[[[[]]]]", "12345678901234567890", "\"\"", "{", "[1,]", "{\"a\" 1}", "nul",
            "[1 2]", "\"open" };
        for (String t : texts) {
            try {
                StringBuilder sb = new StringBuilder();
                print(parse(t), "", sb);
                System.out.println(sb);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        StringBuilder big = new StringBuilder("[");
        for (int i = 0; i < 2000; i++) {
            big.append(i > 0 ? "," : "").append("{\"id\":").append(i).append(",\"tags\":[\"t")
                .append(i % 7).append("\",").append(i * 0.5).append("]}");
        }
        Object o = parse(big.append("]").toString());
        System.out.println(((List<?>) o).size() + " " + o.hashCode());
    }
}

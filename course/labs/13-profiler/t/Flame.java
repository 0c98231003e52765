/* SPDX-License-Identifier: MIT */
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * Flame FOLDED SVG: says "ok", or what is wrong with a flame graph.  The nodes of the text
 * (prefixes of its stacks, with the samples that went through them) and of the picture
 * (rects with titles; who calls whom follows from where they lie) must be the same.
 */
public class Flame {
    record Rect(String name, long count, double x, double y, double width) { }

    static final String TITLE = "^(.*) \\(([0-9]{1,9}) samples\\)$";

    public static void main(String[] args) throws Exception {
        String problem;
        try {
            Map<String, Long> wanted = nodes(Files.readAllLines(Path.of(args[0])));
            problem = compare(wanted, rects(Files.readString(Path.of(args[1]))));
        } catch (org.xml.sax.SAXException e) {
            problem = "it is no XML: " + e.getMessage();
        } catch (java.nio.charset.CharacterCodingException | NumberFormatException e) {
            problem = "it cannot be read: " + e.getMessage();
        }
        System.out.println(problem == null ? "ok" : problem);
    }

    static Map<String, Long> nodes(List<String> lines) {
        Map<String, Long> nodes = new TreeMap<>();
        for (String line : lines) {
            int blank = line.lastIndexOf(' ');
            if (blank < 0)
                continue;
            long count = Long.parseLong(line.substring(blank + 1));
            String path = "all";
            nodes.merge(path, count, Long::sum);
            for (String name : line.substring(0, blank).split(";")) {
                path += ";" + name;
                nodes.merge(path, count, Long::sum);
            }
        }
        return nodes;
    }

    static List<Rect> rects(String svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        var builder = factory.newDocumentBuilder();
        builder.setErrorHandler(null);
        NodeList all = builder.parse(new InputSource(new StringReader(svg)))
            .getElementsByTagName("rect");
        List<Rect> rects = new ArrayList<>();
        for (int i = 0; i < all.getLength(); i++) {
            Element rect = (Element) all.item(i);
            NodeList titles = rect.getElementsByTagName("title");
            if (titles.getLength() == 0)
                continue;
            String title = titles.item(0).getTextContent();
            if (!title.matches(TITLE))
                throw new NumberFormatException("a title '" + title + "'");
            rects.add(new Rect(title.replaceAll(TITLE, "$1"),
                Long.parseLong(title.replaceAll(TITLE, "$2")), number(rect, "x"),
                number(rect, "y"), number(rect, "width")));
        }
        return rects;
    }

    static double number(Element rect, String name) {
        return Double.parseDouble(rect.getAttribute(name).replaceAll("px$", ""));
    }

    static String compare(Map<String, Long> wanted, List<Rect> rects) {
        if (rects.size() != wanted.size())
            return "there are " + rects.size() + " rects with a title; the text has "
                + wanted.size() + " nodes, with 'all'";
        Rect all = rects.stream().filter(r -> r.name.equals("all")).findFirst().orElse(null);
        if (all == null || all.width <= 0)
            return "there is no rect of the title 'all (N samples)'";
        // The row of a rect: how far it is from `all`, whichever way the picture grows.
        double step = rects.stream().mapToDouble(r -> Math.abs(r.y - all.y))
            .filter(d -> d > 0.5).min().orElse(1);
        Map<Long, List<Rect>> rows = new TreeMap<>();
        for (Rect rect : rects)
            rows.computeIfAbsent(Math.round(Math.abs(rect.y - all.y) / step),
                row -> new ArrayList<>()).add(rect);
        Map<Rect, String> paths = new java.util.IdentityHashMap<>();
        for (long row = 0; rows.containsKey(row); row++) {
            List<Rect> list = rows.get(row);
            list.sort((a, b) -> Double.compare(a.x, b.x));
            for (int i = 0; i < list.size(); i++) {
                Rect rect = list.get(i);
                if (i > 0 && list.get(i - 1).x + list.get(i - 1).width > rect.x + 1)
                    return "'" + rect.name + "' lies over '" + list.get(i - 1).name + "'";
                String path = path(rect, row == 0 ? null : rows.get(row - 1), paths);
                if (path == null)
                    return "'" + rect.name + "' is not within the ends of one below it";
                paths.put(rect, path);
                Long count = wanted.get(path);
                if (count == null)
                    return "the text has no stack '" + path + "'";
                if (count != rect.count)
                    return "'" + path + "' has " + rect.count + " samples, in the text "
                        + count;
                double width = all.width * count / wanted.get("all");
                if (Math.abs(width - rect.width) > 1)
                    return "'" + path + "' is " + rect.width + " wide instead of " + width;
            }
        }
        if (paths.size() != rects.size() || paths.values().stream().distinct().count()
            != rects.size())
            return "not each node has a rect of its own";
        return null;
    }

    /** Which one of the row below holds it; the middle tells, since ends may be rounded. */
    static String path(Rect rect, List<Rect> below, Map<Rect, String> paths) {
        if (below == null)
            return rect.name;
        for (Rect parent : below)
            if (rect.x > parent.x - 1 && rect.x + rect.width < parent.x + parent.width + 1
                && rect.x + rect.width / 2 > parent.x
                && rect.x + rect.width / 2 < parent.x + parent.width)
                return paths.get(parent) + ";" + rect.name;
        return null;
    }
}

/* SPDX-License-Identifier: MIT */
/* ResourceBundle: classes, properties, parents, fallback, controls. */
import java.util.*;

public class Bundles {
    public static class Text extends ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            return new Object[][] { { "hello", "hello" }, { "only", "root" },
                                    { "list", List.of(1, 2) } };
        }
    }

    public static class Text_de extends ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            return new Object[][] { { "hello", "hallo" } };
        }
    }

    public static class Text_de_CH extends ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            return new Object[][] { { "hello", "gr\u00fcezi" }, { "ch", "yes" } };
        }
    }

    public static void main(String[] args) throws Exception {
        Locale.setDefault(Locale.US);
        for (Locale l : new Locale[] { Locale.ROOT, Locale.GERMANY, new Locale("de", "CH"),
                                       Locale.JAPAN }) {
            ResourceBundle b = ResourceBundle.getBundle("Bundles$Text", l);
            System.out.println(b.getString("hello") + " " + b.getString("only") + " "
                + b.getObject("list") + " " + b.getLocale() + " " + b.containsKey("ch") + " "
                + new TreeSet<>(b.keySet()));
        }
        try {
            ResourceBundle.getBundle("Bundles$Text").getString("none");
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
        try {
            ResourceBundle.getBundle("no.such.Bundle");
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
        PropertyResourceBundle p = new PropertyResourceBundle(new java.io.StringReader(
            "key=value\nother=\\u00e9"));
        System.out.println(p.getString("key") + p.getString("other"));
        ResourceBundle c = ResourceBundle.getBundle("made.up", new ResourceBundle.Control() {
            @Override
            public ResourceBundle newBundle(String base, Locale l, String format, ClassLoader cl,
                                            boolean reload) {
                return l.equals(Locale.ROOT) ? new Text() : null;
            }
        });
        System.out.println(c.getString("hello") + " " + (c == ResourceBundle.getBundle("made.up",
            new ResourceBundle.Control() { })));
        ResourceBundle.clearCache();
        System.out.println(ResourceBundle.getBundle("Bundles$Text", Locale.GERMAN).getBaseBundleName());
    }
}

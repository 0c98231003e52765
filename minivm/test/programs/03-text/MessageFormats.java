/* SPDX-License-Identifier: MIT */
/* MessageFormat with nested formats, quoting, parsing, and choice. */
import java.text.*;
import java.util.*;

public class MessageFormats {
    static void m(String pattern, Object... args) {
        System.out.println(new MessageFormat(pattern, Locale.US).format(args));
    }

    public static void main(String[] args) throws ParseException {
        m("{0} and {1}, {0}", "a", "b");
        m("It''s '{quoted}' {0}", 5);
        m("{0,number} {0,number,integer} {0,number,#.#} {0,number,percent}", 1234.567);
        m("{0,choice,0#no files|1#one file|1<{0,number,integer} files}", 0);
        m("{0,choice,0#no files|1#one file|1<{0,number,integer} files}", 1);
        m("{0,choice,0#no files|1#one file|1<{0,number,integer} files}", 1234);
        m("{1} {0} {2}", "x", null);
        Date d = new Date(86400000L * 365);
        MessageFormat f = new MessageFormat("{0,date,yyyy-MM-dd HH:mm:ss} {0,time,HH}",
                                            Locale.US);
        for (Format part : f.getFormats()) {
            ((DateFormat) part).setTimeZone(TimeZone.getTimeZone("UTC"));
        }
        System.out.println(f.format(new Object[] { d }));
        Object[] parsed = new MessageFormat("{0}:{1,number}", Locale.US).parse("key:42");
        System.out.println(Arrays.toString(parsed) + " " + parsed[1].getClass());
        System.out.println(new MessageFormat("{0,number,#.##}", Locale.US).toPattern());
        for (String bad : new String[] { "{0", "{x}", "{0,number,#.#.#}", "{0,nothing}" }) {
            try {
                new MessageFormat(bad);
                System.out.println("accepted " + bad);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(MessageFormat.format("{0} {1}", 1, "two"));
    }
}

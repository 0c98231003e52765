/* SPDX-License-Identifier: MIT */

/* StringBuilder, split, substring, hashing: what text programs do all day. */
public class StringBuilding {
    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 6_000;
        long hash = 0;
        for (int r = 0; r < rounds; r++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < 40; i++) {
                line.append("item").append(i * r).append(i % 2 == 0 ? ',' : ';');
            }
            String text = line.toString().replace(';', ',');
            int from = 0, comma;
            while ((comma = text.indexOf(',', from)) >= 0) {
                hash = hash * 31 + text.substring(from, comma).hashCode();
                from = comma + 1;
            }
            line.setLength(0);
            for (int i = text.length() - 1; i >= 0; i -= 3) {
                line.append(text.charAt(i));
            }
            hash += line.toString().toUpperCase().hashCode();
        }
        System.out.println(hash);
    }
}

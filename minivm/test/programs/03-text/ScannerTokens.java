/* SPDX-License-Identifier: MIT */
// stdin: 12 word 3.5 true\nrest of line\n0x1F 99999999999999999999 7\nlast,one;two
/* Scanner over standard input and strings; StringTokenizer; StreamTokenizer. */
import java.io.*;
import java.math.BigInteger;
import java.util.*;

public class ScannerTokens {
    public static void main(String[] args) throws IOException {
        Scanner in = new Scanner(System.in).useLocale(Locale.ROOT);
        System.out.println(in.nextInt() + " " + in.next() + " " + in.nextDouble() + " "
                           + in.nextBoolean() + "|" + in.nextLine() + "|" + in.nextLine());
        System.out.println(in.hasNextInt() + " " + in.next("0x.*"));
        BigInteger big = in.nextBigInteger();
        System.out.println(big + " " + in.hasNextLong() + " " + in.nextLong());
        in.useDelimiter("[,;\\s]+");
        while (in.hasNext()) {
            System.out.println(in.next());
        }
        try {
            in.next();
        } catch (NoSuchElementException e) {
            System.out.println("no more");
        }
        try {
            new Scanner("abc").nextInt();
        } catch (InputMismatchException e) {
            System.out.println(e.getMessage());
        }
        Scanner find = new Scanner("key=val; other=thing");
        System.out.println(find.findInLine("(\\w+)=(\\w+)") + find.match().group(2));
        StringTokenizer st = new StringTokenizer("a+b-c", "+-", true);
        System.out.print(st.countTokens() + ":");
        while (st.hasMoreTokens()) {
            System.out.print(" " + st.nextToken());
        }
        System.out.println();
        StreamTokenizer tok = new StreamTokenizer(new StringReader(
            "x = 3.14 + \"str\" // comment\n /* c */ y"));
        tok.slashSlashComments(true);
        tok.slashStarComments(true);
        while (tok.nextToken() != StreamTokenizer.TT_EOF) {
            System.out.print(tok.ttype + ":" + (tok.ttype == StreamTokenizer.TT_NUMBER
                ? "" + tok.nval : tok.sval) + " ");
        }
        System.out.println();
    }
}

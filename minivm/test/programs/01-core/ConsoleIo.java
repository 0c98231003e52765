/* SPDX-License-Identifier: MIT */
// args: one "two words" '' three
// stdin: first line\n17 4\nlast
/* Arguments, standard input, print methods, standard error. */
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class ConsoleIo {
    public static void main(String[] args) throws IOException {
        System.out.println(args.length);
        for (String a : args) {
            System.out.println("[" + a + "]");
        }
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println(in.readLine());
        String[] numbers = in.readLine().split(" ");
        System.out.println(Integer.parseInt(numbers[0]) * Integer.parseInt(numbers[1]));
        System.out.println(in.readLine());
        System.out.println(in.readLine());
        System.out.print('c');
        System.out.print(1L);
        System.out.print(1.5f);
        System.out.print(new char[] { 'x', 'y' });
        System.out.print((Object) null);
        System.out.println();
        System.out.write(65);
        System.out.write('\n');
        System.out.append("appended").append('\n');
        System.out.printf("%d %s%n", 5, "five");
        System.err.println("to standard error");
        System.out.flush();
        System.out.println(System.out.checkError());
    }
}

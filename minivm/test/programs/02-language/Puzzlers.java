/* SPDX-License-Identifier: MIT */
/* Small programs in one: an evaluator, n queens, life, permutations, primes. */
import java.util.*;

public class Puzzlers {
    static class Parser {
        final String s;
        int at;

        Parser(String s) {
            this.s = s;
        }

        double sum() {
            double v = product();
            while (at < s.length() && (s.charAt(at) == '+' || s.charAt(at) == '-')) {
                v = s.charAt(at++) == '+' ? v + product() : v - product();
            }
            return v;
        }

        double product() {
            double v = atom();
            while (at < s.length() && (s.charAt(at) == '*' || s.charAt(at) == '/')) {
                v = s.charAt(at++) == '*' ? v * atom() : v / atom();
            }
            return v;
        }

        double atom() {
            if (s.charAt(at) == '(') {
                at++;
                double v = sum();
                at++;
                return v;
            }
            if (s.charAt(at) == '-') {
                at++;
                return -atom();
            }
            int from = at;
            while (at < s.length() && (Character.isDigit(s.charAt(at))
                                       || s.charAt(at) == '.')) {
                at++;
            }
            return Double.parseDouble(s.substring(from, at));
        }
    }

    static int queens(int n, int row, int columns, int left, int right) {
        if (row == n) {
            return 1;
        }
        int count = 0;
        for (int free = ~(columns | left | right) & ((1 << n) - 1); free != 0;) {
            int bit = free & -free;
            free ^= bit;
            count += queens(n, row + 1, columns | bit, (left | bit) << 1,
                            (right | bit) >> 1);
        }
        return count;
    }

    static boolean[][] life(boolean[][] board) {
        int h = board.length, w = board[0].length;
        boolean[][] next = new boolean[h][w];
        for (int y = 0; y < h; y++) {
            for (int x = 0; x < w; x++) {
                int n = 0;
                for (int dy = -1; dy <= 1; dy++) {
                    for (int dx = -1; dx <= 1; dx++) {
                        if ((dx | dy) != 0 && board[(y + dy + h) % h][(x + dx + w) % w]) {
                            n++;
                        }
                    }
                }
                next[y][x] = n == 3 || n == 2 && board[y][x];
            }
        }
        return next;
    }

    static void permute(String head, String rest, List<String> out) {
        if (rest.isEmpty()) {
            out.add(head);
        }
        for (int i = 0; i < rest.length(); i++) {
            permute(head + rest.charAt(i), rest.substring(0, i) + rest.substring(i + 1),
                    out);
        }
    }

    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1)
            : ackermann(m - 1, ackermann(m, n - 1));
    }

    static void hanoi(int n, int from, int to, int[] moves) {
        if (n > 0) {
            hanoi(n - 1, from, 6 - from - to, moves);
            moves[0]++;
            moves[1] = moves[1] * 31 + from * 3 + to;
            hanoi(n - 1, 6 - from - to, to, moves);
        }
    }

    public static void main(String[] args) {
        System.out.println(new Parser("1+2*(3-4.5)/-0.25").sum());
        for (int n = 4; n <= 8; n++) {
            System.out.println(queens(n, 0, 0, 0, 0));
        }
        boolean[][] board = new boolean[10][12];
        for (int[] p : new int[][] { { 1, 0 }, { 2, 1 }, { 0, 2 }, { 1, 2 }, { 2, 2 } }) {
            board[p[1]][p[0]] = true;
        }
        for (int i = 0; i < 25; i++) {
            board = life(board);
        }
        for (boolean[] row : board) {
            StringBuilder sb = new StringBuilder();
            for (boolean cell : row) {
                sb.append(cell ? '#' : '.');
            }
            System.out.println(sb);
        }
        List<String> all = new ArrayList<>();
        permute("", "abcde", all);
        System.out.println(all.size() + " " + all.get(77) + " " + all.hashCode());
        System.out.println(ackermann(2, 9) + " " + ackermann(3, 4));
        int[] moves = new int[2];
        hanoi(12, 1, 3, moves);
        System.out.println(moves[0] + " " + moves[1]);
        BitSet composite = new BitSet();
        int primes = 0;
        for (int i = 2; i < 5000; i++) {
            if (!composite.get(i)) {
                primes++;
                for (int j = i * i; j < 5000; j += i) {
                    composite.set(j);
                }
            }
        }
        System.out.println(primes);
        Map<Character, Integer> roman = Map.of('I', 1, 'V', 5, 'X', 10, 'L', 50, 'C', 100,
                                               'D', 500, 'M', 1000);
        int value = 0, before = 0;
        for (char c : new StringBuilder("MCMXCIV").reverse().toString().toCharArray()) {
            int v = roman.get(c);
            value += v < before ? -v : v;
            before = v;
        }
        System.out.println(value);
    }
}

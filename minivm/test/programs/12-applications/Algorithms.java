/* SPDX-License-Identifier: MIT */
/* Graphs, strings and dynamic programming: well-known algorithms checked. */
import java.util.*;
import java.util.stream.*;

public class Algorithms {
    record Edge(int to, int cost) {
    }

    static int[] dijkstra(List<List<Edge>> g, int from) {
        int[] dist = new int[g.size()];
        Arrays.fill(dist, Integer.MAX_VALUE);
        dist[from] = 0;
        PriorityQueue<int[]> q = new PriorityQueue<>((a, b) -> Integer.compare(a[1], b[1]));
        q.add(new int[] { from, 0 });
        while (!q.isEmpty()) {
            int[] top = q.poll();
            if (top[1] > dist[top[0]]) {
                continue;
            }
            for (Edge e : g.get(top[0])) {
                int d = top[1] + e.cost();
                if (d < dist[e.to()]) {
                    dist[e.to()] = d;
                    q.add(new int[] { e.to(), d });
                }
            }
        }
        return dist;
    }

    static int levenshtein(String a, String b) {
        int[] row = IntStream.rangeClosed(0, b.length()).toArray();
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0]++;
            for (int j = 1; j <= b.length(); j++) {
                int next = Math.min(Math.min(row[j], row[j - 1]) + 1,
                    diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1));
                diagonal = row[j];
                row[j] = next;
            }
        }
        return row[b.length()];
    }

    static List<Integer> kmp(String text, String p) {
        int[] fail = new int[p.length()];
        for (int i = 1, k = 0; i < p.length(); i++) {
            while (k > 0 && p.charAt(i) != p.charAt(k)) {
                k = fail[k - 1];
            }
            fail[i] = p.charAt(i) == p.charAt(k) ? ++k : k;
        }
        List<Integer> hits = new ArrayList<>();
        for (int i = 0, k = 0; i < text.length(); i++) {
            while (k > 0 && text.charAt(i) != p.charAt(k)) {
                k = fail[k - 1];
            }
            if (text.charAt(i) == p.charAt(k) && ++k == p.length()) {
                hits.add(i - k + 1);
                k = fail[k - 1];
            }
        }
        return hits;
    }

    static int find(int[] parent, int x) {
        while (parent[x] != x) {
            x = parent[x] = parent[parent[x]];
        }
        return x;
    }

    static long determinant(long[][] m) {
        if (m.length == 1) {
            return m[0][0];
        }
        long d = 0;
        for (int k = 0; k < m.length; k++) {
            long[][] minor = new long[m.length - 1][m.length - 1];
            for (int i = 1; i < m.length; i++) {
                for (int j = 0, c = 0; j < m.length; j++) {
                    if (j != k) {
                        minor[i - 1][c++] = m[i][j];
                    }
                }
            }
            d += (k % 2 == 0 ? 1 : -1) * m[0][k] * determinant(minor);
        }
        return d;
    }

    static boolean sudoku(int[] b, int at) {
        while (at < 81 && b[at] != 0) {
            at++;
        }
        if (at == 81) {
            return true;
        }
        int used = 0;
        for (int i = 0; i < 9; i++) {
            used |= 1 << b[at / 9 * 9 + i] | 1 << b[i * 9 + at % 9]
                | 1 << b[(at / 27 * 3 + i / 3) * 9 + at % 9 / 3 * 3 + i % 3];
        }
        for (int d = 1; d <= 9; d++) {
            if ((used >> d & 1) == 0) {
                b[at] = d;
                if (sudoku(b, at + 1)) {
                    return true;
                }
            }
        }
        b[at] = 0;
        return false;
    }

    public static void main(String[] args) {
        Random r = new Random(6);
        List<List<Edge>> g = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            List<Edge> e = new ArrayList<>();
            for (int k = 0; k < 5; k++) {
                e.add(new Edge(r.nextInt(500), 1 + r.nextInt(50)));
            }
            g.add(e);
        }
        System.out.println(Arrays.hashCode(dijkstra(g, 0)));
        System.out.println(levenshtein("kitten sitting on the mat", "sitting kitten in the hat"));
        System.out.println(kmp("abababcababab", "abab"));
        int[] parent = IntStream.range(0, 1000).toArray();
        int joins = 0;
        while (joins < 900) {
            int a = find(parent, r.nextInt(1000)), b = find(parent, r.nextInt(1000));
            if (a != b) {
                parent[a] = b;
                joins++;
            }
        }
        System.out.println(IntStream.range(0, 1000).filter(i -> find(parent, i) == i).count());
        long[][] m = new long[6][6];
        for (long[] row : m) {
            Arrays.setAll(row, i -> r.nextInt(19) - 9);
        }
        System.out.println(determinant(m));
        int[] board = ("530070000600195000098000060800060003400803001700020006"
            + "060000280000419005000080079").chars().map(c -> c - '0').toArray();
        System.out.println(sudoku(board, 0) + " " + Arrays.stream(board).mapToObj(String::valueOf)
            .collect(Collectors.joining()));
        int[] coins = { 1, 5, 10, 25, 50 };
        long[] ways = new long[1001];
        ways[0] = 1;
        for (int c : coins) {
            for (int i = c; i <= 1000; i++) {
                ways[i] += ways[i - c];
            }
        }
        System.out.println(ways[1000]);
        String text = "abracadabra".repeat(20);
        TreeMap<String, Integer> suffixes = new TreeMap<>();
        for (int i = 0; i < text.length(); i++) {
            suffixes.put(text.substring(i), i);
        }
        System.out.println(suffixes.firstEntry().getValue() + " " + suffixes.lastEntry().getValue()
            + " " + new ArrayList<>(suffixes.values()).hashCode());
        Map<Integer, Integer> memo = new HashMap<>();
        int best = 0, arg = 0;
        for (int i = 1; i < 20000; i++) {
            long n = i;
            int len = 0;
            while (n >= i && n != 1) {
                n = n % 2 == 0 ? n / 2 : 3 * n + 1;
                len++;
            }
            len += n == 1 ? 0 : memo.get((int) n);
            memo.put(i, len);
            if (len > best) {
                best = len;
                arg = i;
            }
        }
        System.out.println(arg + " " + best);
    }
}

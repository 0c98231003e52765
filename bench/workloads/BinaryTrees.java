/* SPDX-License-Identifier: MIT */

/* Short-lived trees beside a long-lived one: allocation and collection. */
public class BinaryTrees {
    static final class Node {
        final Node left, right;

        Node(Node left, Node right) {
            this.left = left;
            this.right = right;
        }

        int check() {
            return left == null ? 1 : 1 + left.check() + right.check();
        }
    }

    static Node build(int depth) {
        return depth == 0 ? new Node(null, null)
                          : new Node(build(depth - 1), build(depth - 1));
    }

    public static void main(String[] args) {
        int max = args.length > 0 ? Integer.parseInt(args[0]) : 16;
        System.out.println("stretch " + build(max + 1).check());
        Node kept = build(max);
        for (int depth = 4; depth <= max; depth += 4) {
            int trees = 1 << (max - depth + 4);
            int sum = 0;
            for (int i = 0; i < trees; i++) {
                sum += build(depth).check();
            }
            System.out.println(trees + " of depth " + depth + ": " + sum);
        }
        System.out.println("kept " + kept.check());
    }
}

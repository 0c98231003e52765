// SPDX-License-Identifier: MIT
public class Slice {
    static int sliceInt(int a, long b) {
        return a + (int) b;
    }

    static void sliceThrow() {
        throw new IllegalStateException("thrown");
    }

    public static void main(String[] args) {
        System.out.println(sliceInt(40, 2));
        try {
            sliceThrow();
        } catch (IllegalStateException e) {
            System.out.println("caught " + e.getMessage());
        }
    }
}

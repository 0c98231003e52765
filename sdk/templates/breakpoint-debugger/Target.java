// SPDX-License-Identifier: @license@
// @copyright@
/** Variables of all types, whose values the test knows. */
public class Target {
    static int shown(int i, long big, double ratio, boolean yes, String text) {
        float half = 0.5f;
        Object nothing = null;
        char letter = 'A';
        int[] array = { 1, 2 };
        return i + array.length;        // BREAK: the test looks for this line
    }

    static void often() {
        if (counter < 0)
            System.out.println("never");
        counter++;
    }

    static int counter;

    public static void main(String[] args) {
        int result = shown(42, 1234567890123L, 2.25, true, "some text");
        for (int i = 0; i < 5; i++)
            often();
        System.out.println("result " + result + " " + counter);
    }
}

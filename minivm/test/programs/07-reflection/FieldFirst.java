/* SPDX-License-Identifier: MIT */
/* A field by reflection, before the program has used a lambda or a method handle: where
   reflection works by method handles, these have to be ready by then. */
import java.lang.reflect.*;

public class FieldFirst {
    static int number = 5;
    private String text = "text";

    public static void main(String[] args) throws Exception {
        Field number = FieldFirst.class.getDeclaredField("number");
        Field text = FieldFirst.class.getDeclaredField("text");
        Object o = new FieldFirst();

        System.out.println(number.get(null));
        number.setInt(null, 7);
        text.set(o, "other");
        System.out.println(FieldFirst.number);
        System.out.println(text.get(o));
    }
}

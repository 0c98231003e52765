/* SPDX-License-Identifier: MIT */
/* A spreadsheet: formulas, dependencies, cycles, recalculation. */
import java.util.*;
import java.util.regex.*;

public class SpreadSheet {
    private final Map<String, String> formulas = new TreeMap<>();
    private final Map<String, Double> values = new HashMap<>();
    private final Set<String> visiting = new LinkedHashSet<>();

    void set(String cell, String formula) {
        formulas.put(cell, formula);
        values.clear();
    }

    double get(String cell) {
        Double known = values.get(cell);
        if (known != null) {
            return known;
        }
        if (!visiting.add(cell)) {
            throw new IllegalStateException("cycle " + String.join("->", visiting));
        }
        try {
            String f = formulas.getOrDefault(cell, "0");
            double v = f.startsWith("=") ? eval(f.substring(1)) : Double.parseDouble(f);
            values.put(cell, v);
            return v;
        } finally {
            visiting.remove(cell);
        }
    }

    private static final Pattern SUM = Pattern.compile("SUM\\(([A-Z])(\\d+):([A-Z])(\\d+)\\)");

    private double eval(String f) {
        Matcher m = SUM.matcher(f);
        if (m.matches()) {
            double sum = 0;
            for (char c = m.group(1).charAt(0); c <= m.group(3).charAt(0); c++) {
                for (int r = Integer.parseInt(m.group(2)); r <= Integer.parseInt(m.group(4)); r++) {
                    sum += get("" + c + r);
                }
            }
            return sum;
        }
        int plus = f.lastIndexOf('+');
        if (plus > 0) {
            return eval(f.substring(0, plus)) + eval(f.substring(plus + 1));
        }
        int times = f.lastIndexOf('*');
        if (times > 0) {
            return eval(f.substring(0, times)) * eval(f.substring(times + 1));
        }
        return f.matches("[A-Z]\\d+") ? get(f) : Double.parseDouble(f);
    }

    public static void main(String[] args) {
        SpreadSheet s = new SpreadSheet();
        for (int r = 1; r <= 20; r++) {
            s.set("A" + r, "" + r * 1.5);
            s.set("B" + r, "=A" + r + "*A" + r + "+1");
        }
        s.set("C1", "=SUM(A1:B20)");
        s.set("C2", "=C1*2+B3");
        System.out.println(s.get("C1") + " " + s.get("C2"));
        s.set("A1", "=C2");
        try {
            s.get("C1");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        s.set("A1", "oops");
        try {
            s.get("C2");
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
        s.set("A1", "1e3");
        System.out.println(s.get("C2") + " " + s.formulas.size());
        String[] chain = new String[300];
        for (int i = 0; i < 300; i++) {
            s.set("D" + i, i == 0 ? "1" : "=D" + (i - 1) + "+" + i);
        }
        System.out.println(s.get("D299") + " " + chain.length);
    }
}

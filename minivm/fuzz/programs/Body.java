// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes the statements and expressions of one method.  All code compiles and ends: each
 * loop and call takes from a counter of its object ({@code fuel}), what leaves a block
 * early stands behind a condition, and variables are initialized where they are declared.
 */
class Body {
    /** Types of expressions. */
    enum Type {
        INT("int"), LONG("long"), FLOAT("float"), DOUBLE("double"), BOOLEAN("boolean"),
        CHAR("char"), BYTE("byte"), SHORT("short"), STRING("String"), INTS("int[]"),
        LONGS("long[]"), OBJECT("Object"), OBJECTS("Object[]");

        final String java;

        Type(String java) {
            this.java = java;
        }

        boolean isNumber() {
            return ordinal() <= DOUBLE.ordinal();
        }
    }

    /** A method that expressions may call. */
    record Method(String call, Type result, List<Type> parameters) { }

    private record Variable(String name, Type type, boolean isFinal) { }

    private static final String[] INTS = {
        "0", "1", "-1", "2", "7", "31", "32", "63", "127", "128", "-128", "255", "256", "32767",
        "32768", "-32769", "65535", "65536", "0x7fffffff", "0x80000000", "123456789", "'a'"
    };
    private static final String[] LONGS = {
        "0L", "1L", "-1L", "31L", "63L", "64L", "0xffffffffL", "0x80000000L", "-0x80000001L",
        "0x7fffffffffffffffL", "0x8000000000000000L", "1234567890123L"
    };
    private static final String[] FLOATS = {
        "0f", "-0f", "1f", "-1.5f", "0.1f", "1e10f", "3.4028235e38f", "1.4e-45f",
        "Float.NaN", "Float.POSITIVE_INFINITY", "Float.NEGATIVE_INFINITY", "16777217f"
    };
    private static final String[] DOUBLES = {
        "0.0", "-0.0", "1.0", "-2.5", "0.1", "1e18", "9.3e18", "-1e300", "1.7976931348623157e308",
        "4.9e-324", "Double.NaN", "Double.POSITIVE_INFINITY", "Double.NEGATIVE_INFINITY"
    };
    private static final String[] STRINGS = {
        "\"\"", "\"a\"", "\"abc\"", "\"12\"", "\"-7\"", "\"\\u00e4\\u20ac\"", "\"\\ud83d\\ude00x\"",
        "\"A,b,,c\"", "\"null\"", "\"0123456789012345678901234567890\"", "\" x \""
    };

    final Random random;
    final StringBuilder out = new StringBuilder();
    private final List<Method> methods;
    private final List<Variable> variables = new ArrayList<>();
    private final List<String> loops = new ArrayList<>();
    private final Type result;
    private final boolean isConfined;
    private int names, indent, budget;

    /** isConfined: several threads run the method at once, and share no variable. */
    Body(Random random, List<Method> methods, Type result, int indent, int budget,
         boolean isConfined) {
        this.isConfined = isConfined;
        this.random = random;
        this.methods = methods;
        this.result = result;
        this.indent = indent;
        this.budget = budget;
    }

    void parameter(String name, Type type) {
        variables.add(new Variable(name, type, false));
    }

    static Type anyType(Random random) {
        Type[] all = Type.values();

        return random.nextInt(4) == 0 ? Type.INT : all[random.nextInt(all.length)];
    }

    private int below(int n) {
        return random.nextInt(n);
    }

    private boolean rarely() {
        return below(12) == 0;
    }

    private <T> T one(List<T> list) {
        return list.get(below(list.size()));
    }

    private String one(String[] list) {
        return list[below(list.length)];
    }

    private String name(String prefix) {
        return prefix + names++;
    }

    private void line(String text) {
        out.append("    ".repeat(indent)).append(text).append('\n');
    }

    private String variable(Type type, boolean written) {
        List<String> found = new ArrayList<>();

        for (Variable v : variables)
            if (v.type == type && !(written && v.isFinal))
                found.add(v.name);
        if (type == Type.INT)
            found.add(below(2) == 0 || isConfined ? "count" : "P.total");
        if (type == Type.LONG)
            found.add("sum");
        if (type == Type.DOUBLE)
            found.add("real");
        if (type == Type.STRING)
            found.add("text");
        if (type == Type.INTS)
            found.add("ints");
        if (type == Type.OBJECT)
            found.add("any");
        return found.isEmpty() ? null : one(found);
    }

    // ---- expressions ----

    String expression(Type type, int depth) {
        String v = variable(type, false);

        if (v != null && below(3) == 0)
            return v;
        if (depth <= 0)
            return v != null && below(2) == 0 ? v : literal(type);
        if (below(8) == 0) {
            String call = call(type, depth - 1);

            if (call != null)
                return call;
        }
        if (below(14) == 0)
            return "(" + condition(depth - 1) + " ? " + expression(type, depth - 1) + " : "
                + expression(type, depth - 1) + ")";
        if (below(20) == 0 && type.isNumber())
            return switchExpression(type, depth - 1);
        return switch (type) {
        case INT -> integer(depth - 1);
        case LONG -> longInteger(depth - 1);
        case FLOAT, DOUBLE -> floating(type, depth - 1);
        case BOOLEAN -> condition(depth - 1);
        case CHAR, BYTE, SHORT -> small(type, depth - 1);
        case STRING -> string(depth - 1);
        case INTS -> ints(depth - 1);
        case LONGS -> longs(depth - 1);
        case OBJECT -> object(depth - 1);
        case OBJECTS -> objects(depth - 1);
        };
    }

    private String literal(Type type) {
        return switch (type) {
        case INT -> "(" + one(INTS) + ")";
        case LONG -> "(" + one(LONGS) + ")";
        case FLOAT -> "(" + one(FLOATS) + ")";
        case DOUBLE -> "(" + one(DOUBLES) + ")";
        case BOOLEAN -> below(2) == 0 ? "true" : "false";
        case CHAR -> "(char) " + below(70000);
        case BYTE -> "(byte) " + below(300);
        case SHORT -> "(short) " + below(70000);
        case STRING -> rarely() ? "((String) null)" : one(STRINGS);
        case INTS -> rarely() ? "((int[]) null)" : "new int[] { " + one(INTS) + ", 2, 3 }";
        case LONGS -> rarely() ? "((long[]) null)" : "new long[" + below(5) + "]";
        case OBJECT -> rarely() ? "((Object) null)" : "((Object) " + one(STRINGS) + ")";
        case OBJECTS -> rarely() ? "new String[2]" : "new Object[" + below(4) + "]";
        };
    }

    private String call(Type type, int depth) {
        List<Method> fitting = new ArrayList<>();

        for (Method m : methods)
            if (m.result == type)
                fitting.add(m);
        return fitting.isEmpty() ? null : call(one(fitting), depth);
    }

    private String call(Method m, int depth) {
        StringBuilder text = new StringBuilder(m.call).append('(');

        for (int i = 0; i < m.parameters.size(); i++)
            text.append(i == 0 ? "" : ", ").append(expression(m.parameters.get(i), depth - 1));
        return text.append(')').toString();
    }

    private String switchExpression(Type type, int depth) {
        StringBuilder text = new StringBuilder();

        if (below(2) == 0) {
            text.append("(switch (").append(expression(Type.INT, depth)).append(" & 7) { ");
            text.append("case 0, 3 -> ").append(expression(type, depth)).append("; case 5 -> ");
        } else {
            text.append("(switch (\"\" + ").append(expression(Type.STRING, depth)).append(") { ");
            text.append("case \"a\", \"null\" -> ").append(expression(type, depth));
            text.append("; case \"abc\" -> ");
        }
        return text.append(expression(type, depth)).append("; default -> ")
            .append(expression(type, depth)).append("; })").toString();
    }

    private String operator(Type type, int depth) {
        String a = expression(type, depth), b = expression(type, depth);
        boolean whole = type == Type.INT || type == Type.LONG;

        if (below(6) == 0 && type != Type.INT)
            b = expression(type == Type.LONG || type == Type.FLOAT ? Type.INT : Type.FLOAT, depth);
        switch (below(whole ? 11 : 5)) {
        case 0: return "(" + a + " + " + b + ")";
        case 1: return "(" + a + " - " + b + ")";
        case 2: return "(" + a + " * " + b + ")";
        case 3: return "(" + a + " / " + (rarely() || !whole ? b : "(" + b + " | 1)") + ")";
        case 4: return "(" + a + " % " + (rarely() || !whole ? b : "(" + b + " | 1)") + ")";
        case 5: return "(" + a + " & " + b + ")";
        case 6: return "(" + a + " | " + b + ")";
        case 7: return "(" + a + " ^ " + b + ")";
        case 8: return "(" + a + " << " + b + ")";
        case 9: return "(" + a + " >> " + b + ")";
        default: return "(" + a + " >>> " + b + ")";
        }
    }

    /** An index: nearly always one that is inside, given that arrays have a few elements. */
    private String index(String array, int depth) {
        return rarely() ? expression(Type.INT, depth)
            : "(" + expression(Type.INT, depth) + " & 0x7fffffff) % Math.max(" + array + ".length, 1)";
    }

    private String element(Type array, int depth) {
        String v = variable(array, false);

        if (v == null)
            return null;
        return v + "[" + index(v, depth) + "]";
    }

    private String change(Type type, int depth) {
        String v = variable(type, true);

        if (v == null)
            return null;
        return switch (below(4)) {
        case 0 -> "(" + v + "++)";
        case 1 -> "(--" + v + ")";
        case 2 -> "(" + v + " += " + expression(type, depth) + ")";
        default -> "(" + v + " = " + expression(type, depth) + ")";
        };
    }

    private String integer(int depth) {
        String text = null;

        switch (below(15)) {
        case 0: return "(-" + expression(Type.INT, depth) + ")";
        case 1: return "(~" + expression(Type.INT, depth) + ")";
        case 2: return "((int) " + expression(Type.LONG, depth) + ")";
        case 3: return "((int) " + expression(below(2) == 0 ? Type.FLOAT : Type.DOUBLE, depth) + ")";
        case 4: return "(" + expression(Type.CHAR, depth) + " + " + expression(Type.BYTE, depth) + ")";
        case 5: text = element(Type.INTS, depth); break;
        case 6: text = change(Type.INT, depth); break;
        case 7: return "P.length(" + expression(Type.STRING, depth) + ")";
        case 8: return expression(Type.INTS, depth) + ".length";
        case 9: return "Integer." + one(new String[] { "bitCount", "reverse", "highestOneBit",
            "numberOfLeadingZeros", "reverseBytes" }) + "(" + expression(Type.INT, depth) + ")";
        case 10: return "Math." + one(new String[] { "max", "min", "floorMod", "addExact" }) + "("
            + expression(Type.INT, depth) + ", " + expression(Type.INT, depth) + ")";
        default: break;
        }
        return text != null ? text : operator(Type.INT, depth);
    }

    private String longInteger(int depth) {
        String text = null;

        switch (below(10)) {
        case 0: return "((long) " + expression(Type.INT, depth) + ")";
        case 1: return "((long) " + expression(below(2) == 0 ? Type.FLOAT : Type.DOUBLE, depth) + ")";
        case 2: text = change(Type.LONG, depth); break;
        case 3: text = element(Type.LONGS, depth); break;
        case 4: return "Double.doubleToLongBits(" + expression(Type.DOUBLE, depth) + ")";
        case 5: return "Long." + one(new String[] { "bitCount", "reverse", "signum" }) + "("
            + expression(Type.LONG, depth) + ")";
        default: break;
        }
        return text != null ? text : operator(Type.LONG, depth);
    }

    private String floating(Type type, int depth) {
        String text = null;

        switch (below(8)) {
        case 0: return "((" + type.java + ") " + expression(Type.INT, depth) + ")";
        case 1: return "((" + type.java + ") " + expression(Type.LONG, depth) + ")";
        case 2: return "((" + type.java + ") "
            + expression(type == Type.FLOAT ? Type.DOUBLE : Type.FLOAT, depth) + ")";
        case 3: text = change(type, depth); break;
        case 4: return "((" + type.java + ") Math." + one(new String[] { "sqrt", "abs", "floor",
            "rint", "ulp", "signum" }) + "(" + expression(type, depth) + "))";
        default: break;
        }
        return text != null ? text : operator(type, depth);
    }

    private String small(Type type, int depth) {
        String v = variable(type, true);

        if (v != null && below(3) == 0)
            return "(" + v + one(new String[] { " += ", " ^= ", " >>>= ", " *= " })
                + expression(Type.INT, depth) + ")";
        return "((" + type.java + ") " + expression(below(4) == 0 ? Type.DOUBLE : Type.INT, depth) + ")";
    }

    String condition(int depth) {
        Type type;

        if (depth <= 0)
            return "(" + expression(Type.INT, 0) + " > 3)";
        switch (below(9)) {
        case 0: return "(" + condition(depth - 1) + " && " + condition(depth - 1) + ")";
        case 1: return "(" + condition(depth - 1) + " || " + condition(depth - 1) + ")";
        case 2: return "(!" + condition(depth - 1) + ")";
        case 3: return "((Object) " + expression(Type.OBJECT, depth - 1) + " instanceof "
            + one(new String[] { "String", "Integer", "int[]", "Comparable", "Shape", "Base",
                "Object[]", "Number" }) + ")";
        case 4: return "java.util.Objects.equals(" + expression(Type.OBJECT, depth - 1) + ", "
            + expression(Type.OBJECT, depth - 1) + ")";
        case 5: return "(" + expression(Type.OBJECT, depth - 1) + (below(2) == 0 ? " == " : " != ")
            + "null)";
        default:
            type = Type.values()[below(4)];
            return "(" + expression(type, depth - 1)
                + one(new String[] { " < ", " <= ", " > ", " >= ", " == ", " != " })
                + expression(type, depth - 1) + ")";
        }
    }

    private String string(int depth) {
        switch (below(9)) {
        case 0: return "P.cut(" + expression(Type.STRING, depth) + ".substring("
            + expression(Type.INT, depth) + " & 3))";
        case 1: return "P.show(" + expression(Type.OBJECT, depth) + ")";
        case 2: return "String.valueOf(" + expression(anyPrimitive(), depth) + ")";
        case 3: return "P.cut(" + expression(Type.STRING, depth) + "."
            + one(new String[] { "trim()", "toUpperCase()", "intern()", "concat(\"z\")",
                "replace('a', 'b')", "strip()", "repeat(2)" }) + ")";
        case 4: return "P.cut(String.format(\"%d|%s|%x\", " + expression(Type.LONG, depth) + ", "
            + expression(Type.STRING, depth) + ", " + expression(Type.INT, depth) + "))";
        default:
            return "P.cut(" + expression(Type.STRING, depth) + " + "
                + expression(below(2) == 0 ? Type.STRING : anyPrimitive(), depth) + " + "
                + expression(anyPrimitive(), depth) + ")";
        }
    }

    private Type anyPrimitive() {
        return Type.values()[below(8)];
    }

    private String ints(int depth) {
        return switch (below(5)) {
        case 0 -> "new int[" + (rarely() ? expression(Type.INT, depth) + " % 1000"
                                : expression(Type.INT, depth) + " & 15") + "]";
        case 1 -> expression(Type.INTS, depth) + ".clone()";
        case 2 -> "((int[]) " + (rarely() ? "(Object) " + expression(Type.OBJECT, depth)
                                 : expression(Type.INTS, depth)) + ")";
        default -> "new int[] { " + expression(Type.INT, depth) + ", "
            + expression(Type.INT, depth) + " }";
        };
    }

    private String longs(int depth) {
        return below(2) == 0 ? "new long[] { " + expression(Type.LONG, depth) + ", 9L }"
            : "new long[" + expression(Type.INT, depth) + " & 7]";
    }

    private String object(int depth) {
        return switch (below(10)) {
        case 0 -> "((Object) " + expression(anyPrimitive(), depth) + ")";
        case 1 -> "((Object) " + expression(Type.INTS, depth) + ")";
        case 2 -> "new Point(" + expression(Type.INT, depth) + ", "
            + expression(Type.STRING, depth) + ")";
        case 3 -> "new " + one(new String[] { "Base", "Middle", "Leaf" }) + "("
            + expression(Type.INT, depth) + ")";
        case 4 -> "Colour.values()[" + expression(Type.INT, depth) + (rarely() ? "" : " & 3") + "]";
        case 5 -> "((Comparable<?>) " + (rarely() ? "(Object) " + expression(Type.OBJECT, depth)
                                         : expression(Type.STRING, depth)) + ")";
        case 6 -> "new int[" + expression(Type.INT, depth) + " & 3]["
            + expression(Type.INT, depth) + " & 3]";
        case 7 -> {
            String e = element(Type.OBJECTS, depth);

            yield e != null ? e : literal(Type.OBJECT);
        }
        default -> "((Object) " + expression(Type.STRING, depth) + ")";
        };
    }

    private String objects(int depth) {
        return below(3) == 0 ? "new Object[" + expression(Type.INT, depth) + " & 3]"
            : rarely() ? "new String[] { " + expression(Type.STRING, depth) + " }"
            : "new Object[] { " + expression(Type.OBJECT, depth) + ", "
                + expression(Type.OBJECT, depth) + " }";
    }

    // ---- statements ----

    void statements(int count, int depth) {
        int known = variables.size();

        for (int i = 0; i < count && budget > 0; i++)
            statement(depth);
        while (variables.size() > known)
            variables.remove(variables.size() - 1);
    }

    private void block(String head, int depth) {
        line(head + " {");
        indent++;
        statements(1 + below(3), depth - 1);
        indent--;
    }

    private void statement(int depth) {
        budget--;
        switch (below(depth > 0 ? 24 : 9)) {
        case 0, 1, 2 -> declaration();
        case 3 -> line("log(" + expression(anyType(random), 3) + ");");
        case 4, 5, 6 -> assignment();
        case 7 -> leave();
        case 8 -> {
            if (!methods.isEmpty())
                line(call(one(methods), 2) + ";");
        }
        case 9, 10 -> {
            block("if (" + condition(2) + ")", depth);
            if (below(2) == 0)
                block("} else", depth);
            line("}");
        }
        case 11, 12 -> loop(depth);
        case 13, 14, 15 -> tryStatement(depth);
        case 16 -> switchStatement(depth);
        case 17 -> {
            block("synchronized (" + (below(3) == 0 ? "P.LOCK" : rarely() && !isConfined
                ? expression(Type.OBJECT, 1) : "this") + ")", depth);
            line("}");
        }
        case 18, 19 -> lambda(depth);
        case 20 -> resources(depth);
        case 21 -> collection();
        case 22 -> reflection();
        default -> {
            line("System.arraycopy(" + expression(Type.INTS, 1) + ", " + expression(Type.INT, 1)
                + " & 1, " + expression(below(4) == 0 ? Type.OBJECT : Type.INTS, 1) + ", "
                + expression(Type.INT, 1) + " & 1, " + expression(Type.INT, 1) + " & 3);");
        }
        }
    }

    private void declaration() {
        Type type = anyType(random);
        boolean isFinal = below(6) == 0;
        String name = name("v");

        line((isFinal ? "final " : "") + type.java + " " + name + " = " + expression(type, 3) + ";");
        variables.add(new Variable(name, type, isFinal));
    }

    private void assignment() {
        Type type = anyType(random);
        String target;

        if (below(3) == 0) {
            type = below(2) == 0 ? Type.INT : below(2) == 0 ? Type.LONG : Type.OBJECT;
            target = element(type == Type.INT ? Type.INTS
                             : type == Type.LONG ? Type.LONGS : Type.OBJECTS, 2);
        } else
            target = variable(type, true);
        if (target == null)
            return;
        if (type.isNumber() && below(2) == 0)
            line(target + one(type.ordinal() < 2
                ? new String[] { " += ", " -= ", " *= ", " &= ", " |= ", " ^= ", " <<= ", " >>>= " }
                : new String[] { " += ", " -= ", " *= ", " /= " })
                + expression(type, 3) + ";");
        else
            line(target + " = " + expression(type, 3) + ";");
    }

    private void leave() {
        String guard = "if (" + condition(2) + ") ";

        switch (below(4)) {
        case 0 -> line(guard + "throw new " + one(new String[] { "Thrown(", "IllegalStateException(",
            "UnsupportedOperationException(" }) + expression(Type.STRING, 1) + ");");
        case 1 -> line(guard + (result == null ? "return;" : "return " + expression(result, 2) + ";"));
        default -> {
            if (!loops.isEmpty())
                line(guard + (below(2) == 0 ? "break " : "continue ") + one(loops) + ";");
        }
        }
    }

    private void loop(int depth) {
        String label = name("loop"), i = name("i");
        int kind = below(4);

        switch (kind) {
        case 0 -> line(label + ": for (int " + i + " = 0; " + i + " < " + (1 + below(9))
            + " && take(); " + i + "++) {");
        case 1 -> line(label + ": while (take() && " + condition(2) + ") {");
        case 2 -> line(label + ": do {");
        default -> line(label + ": for (int " + i + " : " + expression(Type.INTS, 2) + ") {");
        }
        loops.add(label);
        indent++;
        int known = variables.size();
        if (kind == 0 || kind == 3)
            variables.add(new Variable(i, Type.INT, kind == 0));
        if (kind == 3)
            line("if (!take()) break;");
        statements(1 + below(4), depth - 1);
        while (variables.size() > known)
            variables.remove(variables.size() - 1);
        indent--;
        loops.remove(loops.size() - 1);
        line(kind == 2 ? "} while (take() && " + condition(2) + ");" : "}");
    }

    private void tryStatement(int depth) {
        String e = name("e");
        boolean catches = below(5) > 0, ends = !catches || below(2) == 0;

        block("try", depth);
        if (catches) {
            line("} catch (" + one(new String[] { "RuntimeException", "Throwable",
                "ArithmeticException | NullPointerException", "IndexOutOfBoundsException",
                "ClassCastException", "Thrown" }) + " " + e + ") {");
            indent++;
            line("caught(" + e + ");");
            statements(below(3), depth - 1);
            if (rarely())
                line("if (" + condition(1) + ") throw " + e + ";");
            indent--;
        }
        if (ends)
            block("} finally", depth);
        line("}");
    }

    private void switchStatement(int depth) {
        int kind = below(3);

        line(kind == 0 ? "switch (" + expression(Type.INT, 2) + " & 15) {"
            : kind == 1 ? "switch (String.valueOf(" + expression(Type.STRING, 2) + ")) {"
            : "switch (Colour.values()[" + expression(Type.INT, 2) + " & 3]) {");
        indent++;
        for (int i = 0; i < 3; i++) {
            line("case " + (kind == 0 ? "" + (i * (1 + 3 * below(2)) + 100 * i * below(2))
                : kind == 1 ? STRINGS[i + 1] : new String[] { "RED", "GREEN", "BLUE" }[i]) + ":");
            indent++;
            statements(1 + below(2), depth - 1);
            if (below(3) > 0)
                line("break;");
            indent--;
        }
        line("default:");
        indent++;
        statements(1, depth - 1);
        indent -= 2;
        line("}");
    }

    /** A lambda, a method reference or an anonymous class over copies of variables. */
    private void lambda(int depth) {
        String f = name("f"), a = name("c"), x = name("x");

        line("final int " + a + " = " + expression(Type.INT, 2) + ";");
        variables.add(new Variable(a, Type.INT, true));
        switch (below(3)) {
        case 0 -> line("java.util.function.IntUnaryOperator " + f + " = " + x + " -> " + x + " * "
            + a + " + count;");
        case 1 -> line("java.util.function.IntUnaryOperator " + f + " = Integer::" + one(new String[] {
            "bitCount", "reverse", "parseUnsigned" }).replace("parseUnsigned", "signum") + ";");
        default -> {
            line("java.util.function.IntUnaryOperator " + f
                + " = new java.util.function.IntUnaryOperator() {");
            line("    int kept = " + a + " ^ 5;");
            line("    public int applyAsInt(int " + x + ") {");
            line("        return kept += " + x + " - " + a + ";");
            line("    }");
            line("};");
        }
        }
        line("log(" + f + ".andThen(" + name("y") + " -> { return " + a + "; }).applyAsInt("
            + expression(Type.INT, depth) + ") + " + f + ".applyAsInt(" + a + "));");
    }

    private void resources(int depth) {
        String a = name("r"), b = name("r");

        block("try (Closing " + a + " = new Closing(this, " + expression(Type.INT, 1) + "); Closing "
            + b + " = " + (rarely() ? "null" : "new Closing(this, count)") + ")", depth);
        if (below(2) == 0) {
            line("} catch (Thrown " + name("e") + ") {");
            line("    log(\"closed by \" + e" + (names - 1) + ".getSuppressed().length);");
        }
        line("}");
    }

    private void collection() {
        String c = name("c");

        switch (below(3)) {
        case 0 -> {
            line("java.util.List<Object> " + c + " = new java.util.ArrayList<>();");
            line("for (int i = 0; i < " + below(9) + "; i++) " + c + ".add(" + expression(Type.INT, 2)
                + " + i);");
            line("log(" + c + ".get(" + expression(Type.INT, 1) + (rarely() ? "" : " & 1")
                + ") + \" \" + " + c + ".size());");
        }
        case 1 -> {
            line("java.util.Map<String, Integer> " + c + " = new java.util.TreeMap<>();");
            line("for (int i = 0; i < " + below(9) + "; i++) " + c + ".merge(\"\" + ("
                + expression(Type.INT, 2) + " % 3), i, Integer::sum);");
            line("log(" + c + ");");
        }
        default -> line("log(java.util.stream.IntStream.range(0, " + below(20) + ").map(i" + names
            + " -> i" + names + " * " + below(9) + ").filter(i" + names + " -> i" + names++
            + " % 2 == 0).boxed().map(String::valueOf).collect(java.util.stream.Collectors.joining(\"-\")));");
        }
    }

    private void reflection() {
        switch (below(4)) {
        case 0 -> line("log(P.reflect(new " + one(new String[] { "Base", "Middle", "Leaf" }) + "("
            + expression(Type.INT, 1) + "), \"" + one(new String[] { "area", "name", "twice", "boom",
                "missing" }) + "\"" + (below(3) == 0 ? ", " + expression(Type.INT, 1) : "") + "));");
        case 1 -> line("log(P.field(new Leaf(" + expression(Type.INT, 1) + "), \""
            + one(new String[] { "size", "label", "secret", "none" }) + "\", "
            + expression(Type.OBJECT, 1) + "));");
        case 2 -> line("log(P.handle(" + expression(Type.OBJECT, 2) + ", " + expression(Type.INT, 1)
            + "));");
        default -> line("log(P.proxy(" + expression(Type.INT, 1) + ", " + expression(Type.STRING, 1)
            + "));");
        }
    }
}

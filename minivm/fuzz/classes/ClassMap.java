// SPDX-License-Identifier: MIT
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Where everything is in a class file (JVMS 4): single values ("sites") that can be
 * overwritten, and parts ("nodes") that can be left out, doubled or moved. Walking ends
 * quietly where the file makes no sense; what was found until then is there.
 */
final class ClassMap {
    enum Kind {
        VERSION, COUNT, TAG, INDEX, FLAGS, LENGTH, TEXT, NUMBER, REFERENCE_KIND, OPCODE,
        LOCAL, OPERAND, BRANCH, PC, FRAME, VERIFICATION_TYPE, ELEMENT_TAG, LIMIT, OTHER
    }

    /** A value of width bytes; tag is the kind of constant that an INDEX wants. */
    record Site(Kind kind, int at, int width, int tag, Code code, int pc) { }

    /** The bytes from start to end, counted at countAt, inside attributes of lengths. */
    record Node(String what, int start, int end, int countAt, int countWidth, int weight,
                int[] lengths) { }

    /** The instructions of a Code attribute. */
    static final class Code {
        int start;
        int length;
        final List<Integer> pcs = new ArrayList<>();
    }

    static final int UTF8 = 1, INTEGER = 3, FLOAT = 4, LONG = 5, DOUBLE = 6, CLASS = 7,
        STRING = 8, FIELD = 9, METHOD = 10, INTERFACE_METHOD = 11, NAME_AND_TYPE = 12,
        METHOD_HANDLE = 15, METHOD_TYPE = 16, DYNAMIC = 17, INVOKE_DYNAMIC = 18,
        MODULE = 19, PACKAGE = 20;

    /** The length of each instruction; 0 for those of no fixed length. */
    private static final String LENGTHS =
        "1111111111111111" + "2323322222111111" + "1111111111111111" + "1111112222211111"
        + "1111111111111111" + "1111111111111111" + "1111111111111111" + "1111111111111111"
        + "1111311111111111" + "1111111113333333" + "3333333332001111" + "1133333335532311"
        + "3311043355";

    static int instructionLength(int opcode) {
        return opcode < LENGTHS.length() ? LENGTHS.charAt(opcode) - '0' : 1;
    }

    final byte[] b;
    final List<Site> sites = new ArrayList<>();
    final List<Node> nodes = new ArrayList<>();
    /** The place, or 0, and tag of each constant. */
    int[] constants = new int[0];
    int[] tags = new int[0];
    int poolEnd;
    boolean whole;
    private final List<Integer> lengths = new ArrayList<>();
    private int at;
    private Code code;

    ClassMap(byte[] bytes) {
        b = bytes;
        try {
            walkFile();
            whole = at == b.length;
        } catch (IndexOutOfBoundsException e) {
            whole = false;
        }
    }

    int u1(int i) {
        return b[i] & 255;
    }

    int u2(int i) {
        return u1(i) << 8 | u1(i + 1);
    }

    int u4(int i) {
        return u2(i) << 16 | u2(i + 2);
    }

    String text(int index) {
        int i = constants[index];
        return tags[index] == UTF8 ? new String(b, i + 3, u2(i + 1), StandardCharsets.UTF_8)
                                   : "";
    }

    private int site(Kind kind, int width, int tag) {
        int value = width == 1 ? u1(at) : width == 2 ? u2(at) : u4(at);
        sites.add(new Site(kind, at, width, tag, null, 0));
        at += width;
        return value;
    }

    private int site(Kind kind, int width) {
        return site(kind, width, 0);
    }

    private int index(int tag) {
        return site(Kind.INDEX, 2, tag);
    }

    private void node(String what, int start, int countAt, int countWidth, int weight) {
        nodes.add(new Node(what, start, at, countAt, countWidth, weight,
                           lengths.stream().mapToInt(Integer::intValue).toArray()));
    }

    private interface Row {
        void walk();
    }

    private void table(String what, int countWidth, Row row) {
        int countAt = at;
        int count = site(Kind.COUNT, countWidth);
        for (int i = 0; i < count; i++) {
            int start = at;
            row.walk();
            node(what, start, countAt, countWidth, 1);
        }
    }

    private void walkFile() {
        at = 4;
        site(Kind.VERSION, 2);
        site(Kind.VERSION, 2);
        walkPool();
        site(Kind.FLAGS, 2);
        index(CLASS);
        index(CLASS);
        table("interface", 2, () -> index(CLASS));
        table("field", 2, this::walkMember);
        table("method", 2, this::walkMember);
        table("attribute", 2, this::walkAttribute);
    }

    private void walkPool() {
        int countAt = at;
        int count = site(Kind.COUNT, 2);
        constants = new int[count];
        tags = new int[count];
        for (int i = 1; i < count; i++) {
            int start = at;
            constants[i] = at;
            int tag = tags[i] = site(Kind.TAG, 1);
            switch (tag) {
            case UTF8 -> {
                int length = u2(at);
                at += 2;
                if (length > b.length - at)
                    throw new IndexOutOfBoundsException();
                sites.add(new Site(Kind.TEXT, at, length, 0, null, 0));
                at += length;
            }
            case INTEGER, FLOAT -> site(Kind.NUMBER, 4);
            case LONG, DOUBLE -> {
                site(Kind.NUMBER, 4);
                site(Kind.NUMBER, 4);
                i++;
            }
            case CLASS, STRING, METHOD_TYPE, MODULE, PACKAGE -> index(UTF8);
            case FIELD, METHOD, INTERFACE_METHOD -> {
                index(CLASS);
                index(NAME_AND_TYPE);
            }
            case NAME_AND_TYPE -> {
                index(UTF8);
                index(UTF8);
            }
            case METHOD_HANDLE -> {
                site(Kind.REFERENCE_KIND, 1);
                index(METHOD);
            }
            case DYNAMIC, INVOKE_DYNAMIC -> {
                site(Kind.OTHER, 2);
                index(NAME_AND_TYPE);
            }
            default -> throw new IndexOutOfBoundsException();
            }
            node("constant", start, countAt, 2, tag == LONG || tag == DOUBLE ? 2 : 1);
        }
        poolEnd = at;
    }

    private void walkMember() {
        site(Kind.FLAGS, 2);
        index(UTF8);
        index(UTF8);
        table("attribute", 2, this::walkAttribute);
    }

    private void walkAttribute() {
        int name = index(UTF8);
        int lengthAt = at;
        int length = site(Kind.LENGTH, 4);
        if (length < 0 || length > b.length - at)
            throw new IndexOutOfBoundsException();
        int end = at + length;
        lengths.add(lengthAt);
        try {
            walkBody(name < tags.length && constants[name] != 0 ? text(name) : "");
        } catch (IndexOutOfBoundsException e) {
            // The rest of this attribute has no structure.
        }
        lengths.remove(lengths.size() - 1);
        for (; at < end && at + 1 < b.length; at++)
            sites.add(new Site(Kind.OTHER, at, 1, 0, null, 0));
        at = end;
    }

    private void walkBody(String name) {
        switch (name) {
        case "ConstantValue" -> index(INTEGER);
        case "Code" -> walkCode();
        case "StackMapTable" -> table("frame", 2, this::walkFrame);
        case "Exceptions", "NestMembers", "PermittedSubclasses" ->
            table("class", 2, () -> index(CLASS));
        case "InnerClasses" -> table("inner", 2, () -> {
            index(CLASS);
            index(CLASS);
            index(UTF8);
            site(Kind.FLAGS, 2);
        });
        case "EnclosingMethod" -> {
            index(CLASS);
            index(NAME_AND_TYPE);
        }
        case "NestHost" -> index(CLASS);
        case "Signature", "SourceFile" -> index(UTF8);
        case "LineNumberTable" -> table("line", 2, () -> {
            site(Kind.PC, 2);
            site(Kind.OTHER, 2);
        });
        case "LocalVariableTable", "LocalVariableTypeTable" -> table("local", 2, () -> {
            site(Kind.PC, 2);
            site(Kind.PC, 2);
            index(UTF8);
            index(UTF8);
            site(Kind.LOCAL, 2);
        });
        case "RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations" ->
            table("annotation", 2, this::walkAnnotation);
        case "RuntimeVisibleParameterAnnotations", "RuntimeInvisibleParameterAnnotations" ->
            table("parameter", 1, () -> table("annotation", 2, this::walkAnnotation));
        case "AnnotationDefault" -> walkElement();
        case "BootstrapMethods" -> table("bootstrap", 2, () -> {
            index(METHOD_HANDLE);
            table("argument", 2, () -> index(STRING));
        });
        case "MethodParameters" -> table("parameter", 1, () -> {
            index(UTF8);
            site(Kind.FLAGS, 2);
        });
        case "Record" -> table("component", 2, () -> {
            index(UTF8);
            index(UTF8);
            table("attribute", 2, this::walkAttribute);
        });
        default -> { }
        }
    }

    private void walkAnnotation() {
        index(UTF8);
        table("element", 2, () -> {
            index(UTF8);
            walkElement();
        });
    }

    private void walkElement() {
        int tag = site(Kind.ELEMENT_TAG, 1);
        switch (tag) {
        case 'e' -> {
            index(UTF8);
            index(UTF8);
        }
        case '@' -> walkAnnotation();
        case '[' -> table("value", 2, this::walkElement);
        case 's', 'c' -> index(UTF8);
        case 'D' -> index(DOUBLE);
        case 'F' -> index(FLOAT);
        case 'J' -> index(LONG);
        default -> index(INTEGER);
        }
    }

    private void walkFrame() {
        int type = site(Kind.FRAME, 1);
        if (type < 64)
            return;
        if (type < 128) {
            walkType();
            return;
        }
        site(Kind.PC, 2);
        if (type == 247) {
            walkType();
        } else if (type > 251 && type < 255) {
            for (int i = 251; i < type; i++)
                walkType();
        } else if (type == 255) {
            table("type", 2, this::walkType);
            table("type", 2, this::walkType);
        }
    }

    private void walkType() {
        int tag = site(Kind.VERIFICATION_TYPE, 1);
        if (tag == 7)
            index(CLASS);
        else if (tag == 8)
            site(Kind.PC, 2);
    }

    private void walkCode() {
        site(Kind.LIMIT, 2);
        site(Kind.LIMIT, 2);
        int lengthAt = at;
        int length = site(Kind.LENGTH, 4);
        if (length < 0 || length > b.length - at)
            throw new IndexOutOfBoundsException();
        code = new Code();
        code.start = at;
        code.length = length;
        lengths.add(lengthAt);
        while (at < code.start + length) {
            int start = at;
            code.pcs.add(at - code.start);
            walkInstruction();
            nodes.add(new Node("instruction", start, at, 0, 0, 0,
                               lengths.stream().mapToInt(Integer::intValue).toArray()));
        }
        lengths.remove(lengths.size() - 1);
        at = code.start + length;
        table("handler", 2, () -> {
            site(Kind.PC, 2);
            site(Kind.PC, 2);
            site(Kind.PC, 2);
            index(CLASS);
        });
        table("attribute", 2, this::walkAttribute);
    }

    private void branch(int width, int pc) {
        if (at + width > b.length)
            throw new IndexOutOfBoundsException();
        sites.add(new Site(Kind.BRANCH, at, width, 0, code, pc));
        at += width;
    }

    private void walkInstruction() {
        int pc = at - code.start;
        int opcode = u1(at);
        sites.add(new Site(Kind.OPCODE, at, 1, 0, code, pc));
        at++;
        switch (opcode) {
        case 16 -> site(Kind.OPERAND, 1);
        case 17 -> site(Kind.OPERAND, 2);
        case 18 -> site(Kind.OTHER, 1);
        case 19 -> index(STRING);
        case 20 -> index(LONG);
        case 21, 22, 23, 24, 25, 54, 55, 56, 57, 58, 169 -> site(Kind.LOCAL, 1);
        case 132 -> {
            site(Kind.LOCAL, 1);
            site(Kind.OPERAND, 1);
        }
        case 178, 179, 180, 181 -> index(FIELD);
        case 182, 183, 184 -> index(METHOD);
        case 185 -> {
            index(INTERFACE_METHOD);
            site(Kind.OPERAND, 1);
            site(Kind.OPERAND, 1);
        }
        case 186 -> {
            index(INVOKE_DYNAMIC);
            site(Kind.OPERAND, 1);
            site(Kind.OPERAND, 1);
        }
        case 187, 189, 192, 193 -> index(CLASS);
        case 188 -> site(Kind.OPERAND, 1);
        case 197 -> {
            index(CLASS);
            site(Kind.OPERAND, 1);
        }
        case 196 -> {
            boolean increments = site(Kind.OPCODE, 1) == 132;
            site(Kind.LOCAL, 2);
            if (increments)
                site(Kind.OPERAND, 2);
        }
        case 170 -> {
            at = code.start + (pc + 4 & -4);
            branch(4, pc);
            int low = site(Kind.OPERAND, 4);
            int high = site(Kind.OPERAND, 4);
            for (long i = low; i <= high; i++)
                branch(4, pc);
        }
        case 171 -> {
            at = code.start + (pc + 4 & -4);
            branch(4, pc);
            int count = site(Kind.OPERAND, 4);
            for (int i = 0; i < count; i++) {
                site(Kind.OPERAND, 4);
                branch(4, pc);
            }
        }
        case 200, 201 -> branch(4, pc);
        default -> {
            if (opcode >= 153 && opcode <= 168 || opcode == 198 || opcode == 199)
                branch(2, pc);
        }
        }
    }
}

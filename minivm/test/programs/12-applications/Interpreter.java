/* SPDX-License-Identifier: MIT */
/* A bytecode machine of its own, running a sieve and a quine-ish program. */
import java.util.*;

public class Interpreter {
    static String brainfuck(String code, String input) {
        int[] jump = new int[code.length()];
        Deque<Integer> open = new ArrayDeque<>();
        for (int i = 0; i < code.length(); i++) {
            if (code.charAt(i) == '[') {
                open.push(i);
            } else if (code.charAt(i) == ']') {
                jump[i] = open.pop();
                jump[jump[i]] = i;
            }
        }
        byte[] tape = new byte[3000];
        StringBuilder out = new StringBuilder();
        for (int pc = 0, p = 0, in = 0; pc < code.length(); pc++) {
            switch (code.charAt(pc)) {
            case '>' -> p++;
            case '<' -> p--;
            case '+' -> tape[p]++;
            case '-' -> tape[p]--;
            case '.' -> out.append((char) tape[p]);
            case ',' -> tape[p] = in < input.length() ? (byte) input.charAt(in++) : 0;
            case '[' -> pc = tape[p] == 0 ? jump[pc] : pc;
            case ']' -> pc = tape[p] != 0 ? jump[pc] : pc;
            default -> { }
            }
        }
        return out.toString();
    }

    enum Op { PUSH, ADD, SUB, MUL, MOD, LOAD, STORE, JZ, JMP, PRINT, LT, HALT }

    record Ins(Op op, int arg) {
    }

    static String run(List<Ins> program) {
        int[] stack = new int[64], vars = new int[16];
        int sp = 0, pc = 0, steps = 0;
        StringBuilder out = new StringBuilder();
        while (true) {
            Ins i = program.get(pc++);
            steps++;
            switch (i.op()) {
            case PUSH -> stack[sp++] = i.arg();
            case ADD -> stack[sp - 2] += stack[--sp];
            case SUB -> stack[sp - 2] -= stack[--sp];
            case MUL -> stack[sp - 2] *= stack[--sp];
            case MOD -> stack[sp - 2] %= stack[--sp];
            case LT -> {
                sp--;
                stack[sp - 1] = stack[sp - 1] < stack[sp] ? 1 : 0;
            }
            case LOAD -> stack[sp++] = vars[i.arg()];
            case STORE -> vars[i.arg()] = stack[--sp];
            case JZ -> pc = stack[--sp] == 0 ? i.arg() : pc;
            case JMP -> pc = i.arg();
            case PRINT -> out.append(stack[--sp]).append(' ');
            case HALT -> {
                return out.append("in ").append(steps).toString();
            }
            }
        }
    }

    public static void main(String[] args) {
        System.out.print(brainfuck("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++"
            + "..+++.>>.<-.<.+++.------.--------.>>+.>++.", ""));
        System.out.println(brainfuck(",[.-,]", "BCD") + brainfuck(">,[>,]<[.<]", "reverse"));
        List<Ins> primes = new ArrayList<>();
        Object[][] code = { { Op.PUSH, 2 }, { Op.STORE, 0 },
            { Op.LOAD, 0 }, { Op.PUSH, 60 }, { Op.LT, 0 }, { Op.JZ, 29 },
            { Op.PUSH, 2 }, { Op.STORE, 1 },
            { Op.LOAD, 1 }, { Op.LOAD, 1 }, { Op.MUL, 0 }, { Op.LOAD, 0 }, { Op.PUSH, 1 },
            { Op.ADD, 0 }, { Op.LT, 0 }, { Op.JZ, 25 },
            { Op.LOAD, 0 }, { Op.LOAD, 1 }, { Op.MOD, 0 }, { Op.JZ, 27 },
            { Op.LOAD, 1 }, { Op.PUSH, 1 }, { Op.ADD, 0 }, { Op.STORE, 1 }, { Op.JMP, 8 },
            { Op.LOAD, 0 }, { Op.PRINT, 0 },
            { Op.LOAD, 0 }, { Op.JMP, 30 },
            { Op.HALT, 0 },
            { Op.PUSH, 1 }, { Op.ADD, 0 }, { Op.STORE, 0 }, { Op.JMP, 2 } };
        for (Object[] c : code) {
            primes.add(new Ins((Op) c[0], (Integer) c[1]));
        }
        System.out.println(run(primes));
        String[] rows = new String[12];
        long state = 1L << 32;
        for (int i = 0; i < rows.length; i++) {
            StringBuilder sb = new StringBuilder();
            long next = 0;
            for (int b = 0; b < 64; b++) {
                sb.append((state >>> b & 1) != 0 ? '#' : ' ');
                int around = (int) (Long.rotateRight(state, b - 1) & 7);
                next |= (long) (110 >> around & 1) << b;
            }
            rows[i] = sb.toString().stripTrailing();
            state = next;
        }
        System.out.println(String.join("\n", rows));
    }
}

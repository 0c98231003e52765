// SPDX-License-Identifier: MIT
// since: 25
// stdin: three\nlines here\n\n

/* A compact source file: no class, an instance main, java.base imported, and IO. */
int total;
final Map<String, Integer> counts = new TreeMap<>();

record Word(String text, int at) {
    Word(String text) {
        this(text, text.length());
    }
}

interface Shouting {
    default String shout(String s) {
        return s.toUpperCase(Locale.ROOT) + "!";
    }
}

class Voice implements Shouting {
}

String count(String line) {
    for (String word : line.split(" "))
        counts.merge(word, 1, Integer::sum);
    total += line.length();
    return line;
}

static int twice(int n) {
    return 2 * n;
}

void main() {
    IO.print("no name given, ");
    IO.println(getClass().getName() + " " + getClass().isSynthetic());
    String line;
    while (!(line = IO.readln("> ")).isEmpty())
        IO.println(count(line));
    IO.println();
    IO.println(counts + " " + total + " " + twice(total));
    IO.println(new Word("abc") + " " + new Voice().shout("loud"));
    IO.println(java.lang.reflect.Modifier.toString(getClass().getModifiers()));
    List<String> members = new ArrayList<>();
    for (var m : getClass().getDeclaredMethods())
        if (!m.isSynthetic())
            members.add(m.getName());
    Collections.sort(members);
    IO.println(members);
    IO.println(IO.readln());
}

// SPDX-License-Identifier: MIT
// since: 25
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** The name _ for what nobody asks for: in patterns, lambdas, loops, catches, resources. */
public class UnnamedVariables {
    sealed interface Event { }
    record Key(char symbol, int time, boolean shift) implements Event { }
    record Move(int x, int y, int time) implements Event { }
    record Close(int time) implements Event { }

    static int opened;

    record Door(String name) implements AutoCloseable {
        Door {
            opened++;
        }

        public void close() {
            opened--;
            System.out.println("closed " + name);
        }
    }

    static int time(Event e) {
        return switch (e) {
            case Key(_, int t, _) -> t;
            case Move(_, _, var t) -> t;
            case Close(int t) -> t;
        };
    }

    static String kind(Event e) {
        return switch (e) {
            case Key(_, _, boolean shift) when shift -> "shifted key";
            case Key _ -> "key";
            case Move(int x, _, _) when x < 0 -> "to the left";
            case Move _, Close _ -> "other";
        };
    }

    static int parse(String text) {
        try (var _ = new Door(text); var _ = new Door(text + "2")) {
            return Integer.parseInt(text) * opened;
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    static int calls;

    static int next() {
        return ++calls;
    }

    public static void main(String[] args) {
        List<Event> events = List.of(new Key('a', 3, false), new Key('b', 5, true),
            new Move(-1, 2, 8), new Move(1, 2, 13), new Close(21));
        System.out.println(events.stream().mapToInt(UnnamedVariables::time).sum());
        System.out.println(events.stream().map(UnnamedVariables::kind).toList());
        System.out.println(parse("21") + " " + parse("x") + " " + opened);
        int count = 0;
        for (var _ : events)
            count++;
        for (int i = 0, _ = next(), _ = next(); i < 3; i++)
            count += 10;
        var _ = next();
        System.out.println(count + " " + calls);
        BiFunction<Integer, String, Integer> first = (n, _) -> n;
        BinaryOperator<String> none = (_, _) -> "neither";
        System.out.println(first.apply(4, "x") + " " + none.apply("a", "b"));
        System.out.println(new TreeMap<>(Stream.of("a", "bb", "a", "ccc", "bb")
            .collect(Collectors.toMap(s -> s, _ -> 1, Integer::sum))));
        Object o = events.get(1);
        if (o instanceof Key(var c, _, _) && o instanceof Record)
            System.out.println("symbol " + c);
        Map<String, List<Integer>> groups = new TreeMap<>();
        groups.computeIfAbsent("one", _ -> new ArrayList<>()).add(1);
        groups.computeIfAbsent("one", _ -> new ArrayList<>()).add(2);
        System.out.println(groups);
    }
}

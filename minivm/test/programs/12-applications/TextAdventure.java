/* SPDX-License-Identifier: MIT */
// stdin: look\ngo north\ntake lamp\ngo up\nfly\ninventory\ngo south\ngo south\nquit\n
/* A dialogue over standard input: commands as enums and lambdas. */
import java.util.*;
import java.util.function.*;

public class TextAdventure {
    enum Direction {
        NORTH, SOUTH, UP;

        Direction opposite() {
            return this == NORTH ? SOUTH : this == SOUTH ? NORTH : this;
        }
    }

    static class Room {
        final String name;
        final EnumMap<Direction, Room> exits = new EnumMap<>(Direction.class);
        final Set<String> things = new TreeSet<>();

        Room(String name) {
            this.name = name;
        }

        Room connect(Direction d, Room other) {
            exits.put(d, other);
            other.exits.put(d.opposite(), this);
            return this;
        }
    }

    private Room here;
    private final List<String> carried = new ArrayList<>();
    private boolean running = true;
    private final Map<String, Consumer<String>> commands = new HashMap<>();

    TextAdventure() {
        Room hall = new Room("hall"), cave = new Room("cave");
        hall.connect(Direction.NORTH, cave);
        cave.things.add("lamp");
        here = hall;
        commands.put("look", a -> System.out.println(here.name + " " + here.exits.keySet()
            + " " + here.things));
        commands.put("go", a -> {
            try {
                Room next = here.exits.get(Direction.valueOf(a.toUpperCase(Locale.ROOT)));
                if (next == null) {
                    System.out.println("a wall");
                } else {
                    here = next;
                    commands.get("look").accept("");
                }
            } catch (IllegalArgumentException e) {
                System.out.println("where is " + a + "?");
            }
        });
        commands.put("take", a -> System.out.println(here.things.remove(a) && carried.add(a)));
        commands.put("inventory", a -> System.out.println(carried));
        commands.put("quit", a -> running = false);
    }

    public static void main(String[] args) {
        TextAdventure game = new TextAdventure();
        try (Scanner in = new Scanner(System.in)) {
            while (game.running && in.hasNextLine()) {
                String[] words = in.nextLine().split(" ", 2);
                System.out.println("> " + String.join(" ", words));
                game.commands.getOrDefault(words[0], a -> System.out.println("what?"))
                    .accept(words.length > 1 ? words[1] : "");
            }
        }
        System.out.println("bye");
    }
}

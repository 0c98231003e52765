// SPDX-License-Identifier: MIT
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Changes class files and asks minivm and the JDKs' own VMs what they say of them. An
 * answer that differs, by no rule of the file "differences", is a failure; so is a crash
 * or a hang of minivm. Each kind of difference is saved once or a few times, the first
 * made as small as it gets. --help lists the options.
 */
public final class Fuzz {
    private static final int BATCH = 250;
    private static final int SAVED_OF_A_KIND = 3;
    private static final int LARGEST_SEED = 6000;

    private record Seed(String name, int world, byte[] bytes) { }

    private static final class Difference {
        final String kind;
        final List<Long> seeds = new ArrayList<>();
        long count;
        boolean broken;

        Difference(String kind) {
            this.kind = kind;
        }
    }

    /** The version of class files of the JDK that runs this, the oldest of the VMs here. */
    private final int newest = Runtime.version().feature() + 44;
    private long seconds = 60, cases = Long.MAX_VALUE, seed = 1, shard = 1, shards = 1;
    private int lanes = 1, timeout = 60;
    private boolean once;
    private Path work, keep, file, rulesFile, saved;
    private String java17, java25, minivm, jdkVersion;
    private final List<String> vmArgs = new ArrayList<>(), worlds = new ArrayList<>();
    private final List<Seed> samples = new ArrayList<>(), jars = new ArrayList<>(),
        system = new ArrayList<>();
    private Rules rules;

    private final Map<String, Difference> differences = new TreeMap<>();
    private final Map<String, Long> kinds = new TreeMap<>();
    private long judged, accepted, sameMessages, refused, next, excused, ordered;
    private long deadline;

    private void options(String[] args) {
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--once")) {
                once = true;
                continue;
            }
            if (i + 1 == args.length)
                throw new IllegalArgumentException(args[i] + " wants a value");
            String value = args[++i];
            switch (args[i - 1]) {
            case "--seconds" -> seconds = Long.parseLong(value);
            case "--cases" -> cases = Long.parseLong(value);
            case "--seed" -> seed = Long.parseLong(value);
            case "--shard" -> {
                shard = Long.parseLong(value.substring(0, value.indexOf('/')));
                shards = Long.parseLong(value.substring(value.indexOf('/') + 1));
            }
            case "--work" -> work = Path.of(value).toAbsolutePath();
            case "--keep" -> keep = Path.of(value).toAbsolutePath();
            case "--file" -> file = Path.of(value);
            case "--saved" -> saved = Path.of(value);
            case "--rules" -> rulesFile = Path.of(value);
            case "--java17" -> java17 = value;
            case "--java25" -> java25 = value.isEmpty() ? null : value;
            case "--minivm" -> minivm = value;
            case "--vm-arg" -> vmArgs.add(value);
            case "--world" -> worlds.add(value);
            case "--lanes" -> lanes = Integer.parseInt(value);
            case "--timeout" -> timeout = Integer.parseInt(value);
            default -> throw new IllegalArgumentException("no option " + args[i - 1]);
            }
        }
    }

    private void readSeeds() throws IOException {
        for (int i = 0; i < worlds.size(); i++) {
            Path path = Path.of(worlds.get(i));
            if (Files.isDirectory(path))
                readDirectory(path, i, samples);
            else
                readJar(path, i);
        }
        readImage();
    }

    /** Whether it is a class file of a size and version that each VM here takes. */
    private boolean fits(byte[] bytes) {
        return bytes.length <= LARGEST_SEED && bytes.length > 10 && bytes[0] == (byte) 0xca
            && ((bytes[6] & 255) << 8 | bytes[7] & 255) <= newest;
    }

    private static void readDirectory(Path path, int world, List<Seed> to)
        throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path p : files.sorted().toList())
                if (p.toString().endsWith(".class")) {
                    byte[] bytes = Files.readAllBytes(p);
                    to.add(new Seed(path.relativize(p).toString(), world, bytes));
                }
        }
    }

    private void readJar(Path path, int world) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            int taken = 0;
            for (Enumeration<JarEntry> e = jar.entries(); e.hasMoreElements();) {
                JarEntry entry = e.nextElement();
                if (!entry.getName().endsWith(".class") || taken >= 400
                    || entry.getName().startsWith("META-INF/"))
                    continue;
                byte[] bytes = jar.getInputStream(entry).readAllBytes();
                if (fits(bytes)) {
                    jars.add(new Seed(entry.getName(), world, bytes));
                    taken++;
                }
            }
        }
    }

    private void readImage() throws IOException {
        Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        for (String module : new String[] { "java.base", "jdk.jfr", "jdk.compiler" })
            for (String top : new String[] { "jdk", "sun", "com" }) {
                Path folder = base.resolve(module).resolve(top);
                if (!Files.exists(folder))
                    continue;
                List<Seed> all = new ArrayList<>();
                readDirectory(folder, -1, all);
                for (Seed s : all)
                    if (fits(s.bytes()))
                        system.add(s);
            }
    }

    private Seed seedOf(long number) {
        int of = Mutator.choose(number, 10);
        List<Seed> list = of < 4 || jars.isEmpty() && of < 7 ? samples
            : of < 7 ? jars : system;
        return list.get(Mutator.choose(number ^ 0x5555_5555_5555L, list.size()));
    }

    private Vm.Question question(long number) {
        Seed from = seedOf(number);
        byte[] bytes = new Mutator().mutate(number, from.bytes());
        return new Vm.Question(number, from.world(), Bounded.initializer(bytes) ? 1 : 0, bytes);
    }

    private List<String> command(String vm, List<String> args) {
        List<String> command = new ArrayList<>(List.of(vm));
        command.addAll(args);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "Judge"));
        command.addAll(worlds);
        return command;
    }

    /** The VMs of one lane. */
    private final class Judges implements AutoCloseable {
        final Vm mini, h17, h25;

        Judges(int lane) {
            File folder = work.resolve("lane" + lane).toFile();
            List<String> own = List.of("-Xmx256m", "-Xshare:auto", "-XX:TieredStopAtLevel=1",
                                       "-XX:-CreateCoredumpOnCrash", "-XX:+UseSerialGC",
                                       "-XX:+DisplayVMOutputToStderr",
                                       "-Xlog:disable", "-Xlog:all=error:stderr");
            List<String> args = new ArrayList<>(List.of("-Xmx256m"));
            args.addAll(vmArgs);
            mini = new Vm("minivm", command(minivm, args), folder, timeout);
            h17 = new Vm("hotspot17", command(java17, own), folder, timeout);
            h25 = java25 == null ? null
                : new Vm("hotspot25", command(java25, own), folder, timeout);
        }

        Vm.Answer one(Vm vm, Vm.Question q) throws IOException, InterruptedException {
            return vm == null ? null : vm.ask(List.of(q)).get(0);
        }

        @Override
        public void close() {
            mini.close();
            h17.close();
            if (h25 != null)
                h25.close();
        }
    }

    /** A message without its names and numbers, so that like ones are equal. */
    private static String shape(String message) {
        String text = message.length() > 2000 ? message.substring(0, 2000) : message;
        int cut = text.indexOf("\\nException Details");
        return (cut < 0 ? text : text.substring(0, cut))
            .replaceAll("'[^']*'", "'N'").replaceAll("\"[^\"]*\"", "\"N\"")
            .replaceAll("0x[0-9a-f]+", "N").replaceAll("[0-9]+", "N")
            .replaceAll("\\b(in|for|of|file|class|by|not found:|from|method|field)"
                + " (class |method |interface |file |record |type )*[^ ,]*[/.$(][^ ,]*", "$1 N")
            .replaceAll("[\\x00-\\x1f\\x7f-\\uffff]", "?");
    }

    /** The facts that differ, each as "key=ours <> key=theirs". */
    private static List<String> factsOf(Vm.Answer mini, Vm.Answer h17) {
        List<String> differ = new ArrayList<>();
        if (mini.facts().equals(h17.facts()) || !mini.kind().equals("OK")
            || !h17.kind().equals("OK"))
            return differ;
        String[] ours = mini.facts().split("\n"), theirs = h17.facts().split("\n");
        for (int i = 0; i < Math.max(ours.length, theirs.length); i++) {
            String a = i < ours.length ? ours[i] : "end=", b = i < theirs.length ? theirs[i]
                : "end=";
            if (!a.equals(b))
                differ.add(a + " <> " + b);
        }
        return differ;
    }

    /** What no rule allows: a fact, "" for the verdict itself, or null. */
    private String unexplained(Vm.Answer mini, Vm.Answer h17, Vm.Answer h25, long number) {
        if (mini.broken())
            return "";
        List<String> facts = factsOf(mini, h17);
        if (facts.isEmpty())
            return mini.kind().equals(h17.kind()) || excused(mini, h17, h25, null, number)
                ? null : "";
        for (String fact : facts)
            if (!excused(mini, h17, h25, fact, number))
                return fact;
        return null;
    }

    private boolean excused(Vm.Answer mini, Vm.Answer h17, Vm.Answer h25, String fact,
                            long number) {
        Rules.Rule rule = rules.find(mini, h17, h25, fact);
        if (rule == null)
            return false;
        synchronized (this) {
            rule.count++;
            if (rule.first < 0)
                rule.first = number;
        }
        return true;
    }

    /** The name and the value, if that is an exception or nothing. */
    private static String shortFact(String fact) {
        String value = fact.replaceFirst("^[^=]*=", "");
        String first = value.replaceFirst(" .*", "");
        boolean plain = first.matches("null|\\[\\]|\\[null\\]|[A-Za-z]*(Error|Exception)");
        return fact.replaceFirst("=.*", "=") + (plain ? first : "...");
    }

    private static boolean differ(Vm.Answer mini, Vm.Answer h17) {
        return mini.broken() || !mini.kind().equals(h17.kind())
            || !factsOf(mini, h17).isEmpty();
    }

    private static String kindOf(Vm.Answer mini, Vm.Answer h17, String fact) {
        if (!fact.isEmpty()) {
            String[] sides = fact.split(" <> ", 2);
            return "fact " + shortFact(sides[0]) + " / " + shortFact(sides[1]);
        }
        if (mini.broken())
            return mini.kind();
        return mini.kind() + " [" + shape(mini.message()) + "] / " + h17.kind() + " ["
            + shape(h17.message()) + "]";
    }

    private void judgeBatch(Judges judges, List<Vm.Question> batch)
        throws IOException, InterruptedException {
        List<List<Vm.Answer>> theirs = new ArrayList<>();
        List<Exception> failed = new ArrayList<>();
        Thread other = new Thread(() -> {
            try {
                theirs.add(judges.h17.ask(batch));
            } catch (IOException | InterruptedException | RuntimeException e) {
                failed.add(e);
            }
        });
        other.start();
        List<Vm.Answer> ours = judges.mini.ask(batch);
        other.join();
        if (!failed.isEmpty())
            throw new IOException(failed.get(0));
        List<Vm.Question> doubtful = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++)
            if (differ(ours.get(i), theirs.get(0).get(i))) {
                doubtful.add(batch.get(i));
                places.add(i);
            }
        List<Vm.Answer> thirds = judges.h25 == null ? null : judges.h25.ask(doubtful);
        synchronized (this) {
            for (int i = 0; i < batch.size(); i++)
                note(ours.get(i), theirs.get(0).get(i));
        }
        for (int k = 0; k < doubtful.size(); k++)
            note(judges, doubtful.get(k), ours.get(places.get(k)),
                 theirs.get(0).get(places.get(k)), thirds == null ? null : thirds.get(k));
    }

    private void note(Vm.Answer mini, Vm.Answer h17) {
        judged++;
        kinds.merge(h17.kind(), 1L, Long::sum);
        if (h17.kind().equals("OK")) {
            accepted++;
        } else {
            refused++;
            if (mini.kind().equals(h17.kind()) && mini.message().equals(h17.message()))
                sameMessages++;
        }
    }

    /**
     * Whether both refuse to link the class, and to every single method of it both say the
     * same, or what the rules allow: a VM may verify methods in any order, and reports the first that is wrong.
     */
    private boolean onlyOrder(Judges judges, Vm.Question q, Vm.Answer mini, Vm.Answer h17)
        throws IOException, InterruptedException {
        ClassMap map = new ClassMap(q.bytes());
        if (!mini.kind().startsWith("link ") || !h17.kind().startsWith("link ") || !map.whole)
            return false;
        List<Vm.Question> singles = new ArrayList<>();
        for (int kept = 0; ; kept++) {
            byte[] less = q.bytes();
            int seen = 0;
            // From the end, so that places before stay.
            for (int i = map.nodes.size() - 1; i >= 0; i--)
                if (map.nodes.get(i).what().equals("method") && seen++ != kept)
                    less = Mutator.without(less, map.nodes.get(i));
            if (kept >= seen)
                break;
            singles.add(new Vm.Question(q.seed(), q.world(), 0, less));
        }
        List<Vm.Answer> ours = judges.mini.ask(singles), theirs = judges.h17.ask(singles);
        int refusals = 0;
        for (int i = 0; i < singles.size(); i++) {
            if (!ours.get(i).kind().equals(theirs.get(i).kind())
                && !excused(ours.get(i), theirs.get(i), null, null, q.seed()))
                return false;
            if (!ours.get(i).kind().equals("OK"))
                refusals++;
        }
        return refusals > 1;
    }

    private void note(Judges judges, Vm.Question q, Vm.Answer mini, Vm.Answer h17,
                      Vm.Answer h25) throws IOException, InterruptedException {
        if (onlyOrder(judges, q, mini, h17)) {
            synchronized (this) {
                ordered++;
            }
            return;
        }
        String fact = unexplained(mini, h17, h25, q.seed());
        Difference d;
        synchronized (this) {
            if (fact == null) {
                excused++;
                return;
            }
            String kind = kindOf(mini, h17, fact);
            d = differences.computeIfAbsent(kind, Difference::new);
            d.count++;
            d.broken |= mini.broken();
            if (d.seeds.size() >= SAVED_OF_A_KIND)
                return;
            d.seeds.add(q.seed());
        }
        save(q, d.kind, text("minivm", mini) + text("HotSpot 17", h17) + text("HotSpot 25", h25)
            + fact + "\n",
            d.seeds.size() == 1 ? reduce(judges, q, d.kind) : q.bytes());
    }

    private static String text(String vm, Vm.Answer answer) {
        return answer == null ? "" : vm + ": " + answer.kind() + ": " + answer.message() + "\n";
    }

    private void save(Vm.Question q, String kind, String text, byte[] small)
        throws IOException {
        Path folder = keep.resolve("failures");
        Files.createDirectories(folder);
        Mutator again = new Mutator();
        again.mutate(q.seed(), seedOf(q.seed()).bytes());
        Files.write(folder.resolve(q.seed() + ".class"), q.bytes());
        if (small != q.bytes())
            Files.write(folder.resolve(q.seed() + "-small.class"), small);
        Files.writeString(folder.resolve(q.seed() + ".txt"),
            kind + "\n" + seedOf(q.seed()).name() + " in " + (q.world() < 0 ? "the JDK"
                : worlds.get(q.world())) + ": " + again.edits + "\n" + text,
            StandardCharsets.UTF_8);
    }

    /** The same difference from as few parts as possible. */
    private byte[] reduce(Judges judges, Vm.Question q, String kind)
        throws IOException, InterruptedException {
        byte[] best = q.bytes();
        int tries = kind.startsWith("crash") ? 150 : kind.equals("hang") ? 10 : 1500;
        for (boolean smaller = true; smaller;) {
            smaller = false;
            ClassMap map = new ClassMap(best);
            List<ClassMap.Node> nodes = new ArrayList<>(map.nodes);
            nodes.removeIf(n -> n.what().equals("constant"));
            nodes.sort((a, b) -> (b.end() - b.start()) - (a.end() - a.start()));
            for (ClassMap.Node node : nodes) {
                if (tries-- <= 0)
                    return best;
                byte[] less = Mutator.without(best, node);
                Vm.Question ask = new Vm.Question(q.seed(), q.world(), q.flags(), less);
                Vm.Answer mini = judges.one(judges.mini, ask);
                Vm.Answer h17 = judges.one(judges.h17, ask);
                String fact = differ(mini, h17) ? unexplained(mini, h17, null, q.seed()) : null;
                if (fact != null && kindOf(mini, h17, fact).equals(kind)) {
                    best = less;
                    smaller = true;
                    break;
                }
            }
        }
        return best;
    }

    private synchronized List<Long> nextBatch() {
        List<Long> numbers = new ArrayList<>();
        while (numbers.size() < BATCH && next < cases && System.nanoTime() < deadline)
            numbers.add(seed + shard - 1 + shards * next++);
        return numbers;
    }

    private void runLane(int lane) {
        try (Judges judges = new Judges(lane)) {
            for (;;) {
                List<Long> numbers = nextBatch();
                if (numbers.isEmpty())
                    return;
                List<Vm.Question> batch = new ArrayList<>();
                for (long number : numbers)
                    batch.add(question(number));
                judgeBatch(judges, batch);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Everything there is to say of one class file. */
    private int explain(Vm.Question q) throws IOException, InterruptedException {
        try (Judges judges = new Judges(0)) {
            Vm.Answer mini = judges.one(judges.mini, q), h17 = judges.one(judges.h17, q),
                h25 = judges.one(judges.h25, q);
            String fact = differ(mini, h17) && !onlyOrder(judges, q, mini, h17)
                ? unexplained(mini, h17, h25, q.seed()) : null;
            System.out.println("1..1");
            System.out.println((fact == null ? "ok" : "not ok") + " 1 - seed " + q.seed());
            for (Rules.Rule rule : rules.rules)
                if (rule.count > 0)
                    System.out.println("# by the rule '" + rule.name + "'");
            String text = text("minivm", mini) + text("HotSpot 17", h17)
                + text("HotSpot 25", h25) + String.join("\n", factsOf(mini, h17));
            for (String line : text.split("\n"))
                System.out.println("# " + line);
            return fact == null ? 0 : 1;
        }
    }

    /** The class files that showed defects before; the lines on those that do again. */
    private List<String> judgeSaved() throws IOException, InterruptedException {
        List<String> bad = new ArrayList<>();
        List<Seed> files = new ArrayList<>();
        readDirectory(saved, 0, files);
        try (Judges judges = new Judges(0)) {
            for (Seed s : files) {
                Vm.Question q = new Vm.Question(0, 0, Bounded.initializer(s.bytes()) ? 1 : 0,
                                                s.bytes());
                Vm.Answer mini = judges.one(judges.mini, q), h17 = judges.one(judges.h17, q),
                    h25 = judges.one(judges.h25, q);
                if (differ(mini, h17) && unexplained(mini, h17, h25, 0) != null)
                    bad.add(s.name() + ": " + kindOf(mini, h17, unexplained(mini, h17, h25, 0)));
            }
        }
        return bad;
    }

    private int runOnce() throws IOException, InterruptedException {
        if (file != null) {
            byte[] bytes = Files.readAllBytes(file);
            // A saved mutant has the world of its seed.
            String name = file.getFileName().toString().replaceAll("[^0-9].*", "");
            int world = name.isEmpty() ? 0 : seedOf(Long.parseLong(name)).world();
            return explain(new Vm.Question(0, world, Bounded.initializer(bytes) ? 1 : 0, bytes));
        }
        Mutator m = new Mutator();
        Seed from = seedOf(seed);
        byte[] bytes = m.mutate(seed, from.bytes());
        System.out.println("# " + from.name() + ": " + m.edits);
        Files.write(keep.resolve(seed + ".class"), bytes);
        System.out.println("# written to " + keep.resolve(seed + ".class"));
        return explain(question(seed));
    }

    private int run() throws IOException, InterruptedException {
        rules = new Rules(rulesFile);
        readSeeds();
        if (once || file != null)
            return runOnce();
        List<String> again = saved == null ? List.of() : judgeSaved();
        long start = System.nanoTime();
        deadline = start + seconds * 1_000_000_000L;
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failed = new ArrayList<>();
        for (int i = 0; i < lanes; i++) {
            int lane = i;
            Thread t = new Thread(() -> runLane(lane));
            t.setUncaughtExceptionHandler((thread, e) -> {
                synchronized (failed) {
                    failed.add(e);
                }
            });
            threads.add(t);
            t.start();
        }
        for (Thread t : threads)
            t.join();
        if (!failed.isEmpty())
            throw new IllegalStateException(failed.get(0));
        return report((System.nanoTime() - start) / 1e9, again);
    }

    private int report(double time, List<String> again) {
        long broken = 0;
        for (Difference d : differences.values())
            if (d.broken)
                broken += d.count;
        System.out.printf("%sok 1 - %d class files and no crash or hang%n",
                          broken > 0 ? "not " : "", judged);
        print(true);
        boolean others = differences.values().stream().anyMatch(d -> !d.broken);
        System.out.printf("%sok 2 - each is accepted, or refused with the same error%n",
                          others ? "not " : "");
        print(false);
        System.out.printf("%sok 3 - what once differed does not again%n",
                          again.isEmpty() ? "" : "not ");
        for (String line : again)
            System.out.println("# " + line);
        System.out.println("1..3");
        System.out.printf("# seeds %d to %d by %d from %d samples, %d of jars, %d of the JDK%n",
            seed + shard - 1, seed + shard - 1 + shards * (next - 1), shards, samples.size(),
            jars.size(), system.size());
        System.out.printf("# %.0f seconds, %.0f a second; %d accepted, %d refused, of these"
            + " %d with the same message%n", time, judged / time, accepted, refused,
            sameMessages);
        System.out.printf("# %d have several wrong methods, of which VMs report one or"
            + " another%n", ordered);
        System.out.printf("# %d differ as the file differences allows%n", excused);
        for (Rules.Rule rule : rules.rules)
            if (rule.count > 0)
                System.out.printf("#   %d %s (%d)%n", rule.count, rule.name, rule.first);
        for (Map.Entry<String, Long> e : kinds.entrySet())
            System.out.printf("#   %d %s%n", e.getValue(), e.getKey());
        return broken > 0 || others || !again.isEmpty() ? 1 : 0;
    }

    private void print(boolean broken) {
        for (Difference d : differences.values()) {
            if (d.broken != broken)
                continue;
            System.out.printf("# %d times: %s%n", d.count, d.kind);
            System.out.printf("# repeat: minivm/fuzz/run classes --once --seed %d%n",
                              d.seeds.get(0));
        }
    }

    public static void main(String[] args) throws Exception {
        Fuzz fuzz = new Fuzz();
        try {
            fuzz.options(args);
        } catch (IllegalArgumentException e) {
            System.out.println("Bail out! " + e.getMessage());
            System.exit(1);
        }
        System.exit(fuzz.run());
    }
}

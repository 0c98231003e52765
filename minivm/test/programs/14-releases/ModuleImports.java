// SPDX-License-Identifier: MIT
// since: 25
import module java.base;
import module java.logging;
import java.util.List;

/** All packages of a module by one declaration; a single import decides what is ambiguous. */
public class ModuleImports {
    static final List<String> records = Collections.synchronizedList(new ArrayList<>());

    static class Collecting extends Handler {
        @Override
        public void publish(LogRecord r) {
            records.add(r.getLevel() + " " + new SimpleFormatter().formatMessage(r));
        }

        @Override
        public void flush() {
        }

        @Override
        public void close() {
        }
    }

    static Map<Integer, List<String>> byLength(String text) {
        return Pattern.compile("\\W+").splitAsStream(text.toLowerCase(Locale.ROOT))
            .collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.toList()));
    }

    public static void main(String[] args) throws Exception {
        System.out.println(byLength("The quick brown fox jumps over the lazy dog"));
        Path file = Files.createTempFile(Path.of("."), "module", ".txt");
        Files.writeString(file, "one\ntwo\nthree\n");
        try (Stream<String> lines = Files.lines(file)) {
            System.out.println(lines.map(s -> new StringBuilder(s).reverse().toString()).toList());
        }
        Files.delete(file);
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= 25; i++)
            f = f.multiply(BigInteger.valueOf(i));
        System.out.println(f + " " + f.bitLength() + " " + new BigDecimal(f).round(new MathContext(5)));
        System.out.println(HexFormat.ofDelimiter(":").formatHex(
            MessageDigest.getInstance("SHA-256").digest("abc".getBytes(StandardCharsets.UTF_8)), 0, 6));
        Logger logger = Logger.getLogger("imports");
        logger.setUseParentHandlers(false);
        logger.addHandler(new Collecting());
        logger.setLevel(Level.FINE);
        logger.log(Level.FINE, "fine {0}", 1);
        logger.finer("not seen");
        logger.warning("warned");
        System.out.println(records);
        AtomicInteger sum = new AtomicInteger();
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            for (int i = 1; i <= 10; i++) {
                int n = i;
                pool.submit(() -> sum.addAndGet(n * n));
            }
        }
        System.out.println(sum + " " + Duration.ofMinutes(135) + " " + LocalDate.of(2024, 2, 28).plusDays(2));
        System.out.println(MethodHandles.lookup().findStatic(Math.class, "floorMod",
            MethodType.methodType(int.class, int.class, int.class)).type());
    }
}

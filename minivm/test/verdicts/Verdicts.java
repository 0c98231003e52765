// SPDX-License-Identifier: MIT
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the JVM says of each class file of a directory: one line, the file's name, then
 * "OK" or the error that defining or linking it gives. Usage: Verdicts CLASSES MUTANTS
 */
public class Verdicts {
    static class Loader extends ClassLoader {
        final Path classes;

        Loader(Path classes) {
            super(null);
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try {
                byte[] bytes = Files.readAllBytes(
                    classes.resolve(name.replace('.', '/') + ".class"));
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name);
            }
        }

        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    static String judge(Path classes, Path mutant) throws IOException {
        try {
            Class<?> c = new Loader(classes).define(Files.readAllBytes(mutant));
            c.getDeclaredFields(); // links, and so verifies
            return "OK";
        } catch (LinkageError | RuntimeException e) {
            return e.getClass().getName() + ": " + e.getMessage();
        }
    }

    public static void main(String[] args) throws IOException {
        List<Path> mutants;
        try (Stream<Path> files = Files.list(Path.of(args[1]))) {
            mutants = files.sorted().collect(Collectors.toList());
        }
        for (Path mutant : mutants) {
            System.out.println(mutant.getFileName() + " "
                + judge(Path.of(args[0]), mutant).replace("\n", "\\n"));
        }
    }
}

/* SPDX-License-Identifier: MIT */
// timeout: 400
/* javax.tools: compile a class in memory, load it, run it, report errors. */
import java.io.*;
import java.net.URI;
import java.util.*;
import javax.tools.*;

public class InMemoryCompiler {
    static class Source extends SimpleJavaFileObject {
        final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignore) {
            return text;
        }
    }

    static class Output extends SimpleJavaFileObject {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Output(String name) {
            super(URI.create("mem:///" + name + ".class"), Kind.CLASS);
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }

    public static void main(String[] args) throws Exception {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> errors = new DiagnosticCollector<>();
        Map<String, Output> classes = new TreeMap<>();
        JavaFileManager files = new ForwardingJavaFileManager<>(
                javac.getStandardFileManager(errors, Locale.ROOT, null)) {
            @Override
            public JavaFileObject getJavaFileForOutput(Location l, String name,
                                                       JavaFileObject.Kind k, FileObject sibling) {
                return classes.computeIfAbsent(name, Output::new);
            }
        };
        String text = "public class Made { interface F { int f(int x); }\n"
            + "public static String run(int n) { F f = x -> x * n; return \"made \" + f.f(7); } }";
        System.out.println(javac.getTask(null, files, errors, List.of("-proc:none"), null,
            List.of(new Source("Made", text))).call() + " " + classes.keySet());
        ClassLoader l = new ClassLoader() {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                Output o = classes.get(name);
                if (o == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] b = o.bytes.toByteArray();
                return defineClass(name, b, 0, b.length);
            }
        };
        System.out.println(l.loadClass("Made").getMethod("run", int.class).invoke(null, 6));
        System.out.println(javac.getTask(null, files, errors, List.of("-proc:none"), null,
            List.of(new Source("Bad", "class Bad { int x = \"s\"; void f() { y(); } }"))).call());
        for (var d : errors.getDiagnostics()) {
            System.out.println(d.getKind() + " " + d.getLineNumber() + ":" + d.getColumnNumber() + " "
                + d.getCode() + " " + d.getMessage(Locale.ROOT).lines().findFirst().get());
        }
    }
}

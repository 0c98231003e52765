/* SPDX-License-Identifier: MIT */
/* Child processes: output, input, exit codes, environment, redirects, kill. */
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.TimeUnit;

public class Children {
    static String run(String... cmd) throws Exception {
        Process p = new ProcessBuilder(cmd).redirectErrorStream(true).start();
        String out = new String(p.getInputStream().readAllBytes());
        return out.trim() + " -> " + p.waitFor();
    }

    public static void main(String[] args) throws Exception {
        System.out.println(run("echo", "hello", "two words"));
        System.out.println(run("sh", "-c", "echo err >&2; exit 3"));
        System.out.println(run("true") + run("false"));
        try {
            run("/no/such/program");
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        Process cat = new ProcessBuilder("cat").start();
        try (Writer w = cat.outputWriter()) {
            w.write("through cat\n".repeat(3));
        }
        System.out.println(new String(cat.getInputStream().readAllBytes()).length() + " "
            + cat.waitFor() + " " + cat.isAlive() + " " + cat.exitValue());
        ProcessBuilder env = new ProcessBuilder("sh", "-c", "echo $MY_VAR; pwd | sed 's,.*/,,'");
        env.environment().put("MY_VAR", "value with = and spaces");
        Files.createDirectory(Path.of("workdir"));
        env.directory(new File("workdir"));
        System.out.println(new String(env.start().getInputStream().readAllBytes()));
        ProcessBuilder toFile = new ProcessBuilder("sh", "-c", "cat; echo e >&2")
            .redirectInput(Files.writeString(Path.of("in"), "from file\n").toFile())
            .redirectOutput(new File("out")).redirectError(ProcessBuilder.Redirect.appendTo(
                new File("err")));
        System.out.println(toFile.start().waitFor() + " " + Files.readString(Path.of("out")).trim()
            + " " + Files.readString(Path.of("err")).trim());
        Process sleep = new ProcessBuilder("sleep", "1000").start();
        System.out.println(sleep.isAlive() + " " + sleep.waitFor(5, TimeUnit.MILLISECONDS) + " "
            + sleep.toHandle().isAlive() + " " + (sleep.pid() > 0));
        try {
            sleep.exitValue();
        } catch (IllegalThreadStateException e) {
            System.out.println(e.getMessage());
        }
        sleep.destroy();
        System.out.println(sleep.waitFor());
        Process kill = new ProcessBuilder("sleep", "1000").start();
        System.out.println(kill.destroyForcibly().waitFor() + " " + kill.onExit().get().exitValue());
        List<Process> pipe = ProcessBuilder.startPipeline(List.of(new ProcessBuilder("printf",
            "c\\nb\\na\\n"), new ProcessBuilder("sort"), new ProcessBuilder("tr", "\\n", " ")));
        System.out.println(new String(pipe.get(2).getInputStream().readAllBytes()));
        ProcessBuilder inherit = new ProcessBuilder("echo", "inherited").inheritIO();
        System.out.flush();
        inherit.start().waitFor();
        Process r = Runtime.getRuntime().exec("echo a b  c");
        System.out.println(new String(r.getInputStream().readAllBytes()).trim());
        ProcessHandle self = ProcessHandle.current();
        System.out.println(self.isAlive() + " " + self.info().command().isPresent());
        Process[] many = new Process[5];
        for (int i = 0; i < 5; i++) {
            many[i] = new ProcessBuilder("sh", "-c", "exit " + i * 10).start();
        }
        int sum = 0;
        for (Process p : many) {
            sum += p.onExit().get(30, TimeUnit.SECONDS).exitValue();
        }
        System.out.println(sum);
        StringBuilder big = new StringBuilder();
        Process yes = new ProcessBuilder("sh", "-c", "yes 0123456789 | head -c 300000").start();
        try (BufferedReader in = yes.inputReader()) {
            for (String s; (s = in.readLine()) != null;) {
                big.append(s);
            }
        }
        System.out.println(big.length() + " " + System.getenv("NO_SUCH_VARIABLE"));
    }
}

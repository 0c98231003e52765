// SPDX-License-Identifier: MIT
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;

/**
 * Runs the programs whose folders come on standard input, a line each, and writes what
 * each returned: its lines behind a blank, then a line with a dot.
 */
public class Runner {
    static String run(String folder) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] { new File(folder + "/").toURI().toURL() }, Runner.class.getClassLoader())) {
            return (String) loader.loadClass("P").getMethod("run").invoke(null);
        } catch (java.lang.reflect.InvocationTargetException e) {
            return "ends with " + e.getCause();
        } catch (LinkageError e) {
            return "cannot run: " + e;
        }
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        String folder;

        while ((folder = in.readLine()) != null) {
            run(folder).lines().forEach(line -> out.print(" " + line + "\n"));
            out.print(".\n");
            out.flush();
        }
    }
}

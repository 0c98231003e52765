// SPDX-License-Identifier: MIT
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The known differences between VMs, of the file "differences", which tells its form. */
final class Rules {
    static final class Rule {
        final String name;
        Pattern minivm;
        Pattern hotspot17;
        Pattern hotspot25;
        Pattern facts;
        long count;
        long first = -1;

        Rule(String name) {
            this.name = name;
        }

        boolean matches(Vm.Answer mini, Vm.Answer h17, Vm.Answer h25, String fact) {
            return (facts == null ? fact == null : fact != null && facts.matcher(fact).matches())
                && fits(minivm, mini) && fits(hotspot17, h17) && fits(hotspot25, h25);
        }

        private static boolean fits(Pattern pattern, Vm.Answer answer) {
            return pattern == null || answer == null
                || pattern.matcher(answer.kind() + ": " + answer.message()).matches();
        }
    }

    final List<Rule> rules = new ArrayList<>();

    Rules(Path file) throws IOException {
        Rule rule = null;
        for (String line : Files.readAllLines(file)) {
            String[] words = line.strip().split("\\s+", 2);
            if (line.isBlank() || line.startsWith("#"))
                continue;
            if (!line.startsWith(" ")) {
                rule = new Rule(line.strip());
                rules.add(rule);
                continue;
            }
            if (rule == null || words.length < 2)
                throw new IOException(file + ": cannot read '" + line + "'");
            switch (words[0]) {
            case "minivm" -> rule.minivm = Pattern.compile(words[1], Pattern.DOTALL);
            case "hotspot17" -> rule.hotspot17 = Pattern.compile(words[1], Pattern.DOTALL);
            case "hotspot25" -> rule.hotspot25 = Pattern.compile(words[1], Pattern.DOTALL);
            case "fact" -> rule.facts = Pattern.compile(words[1], Pattern.DOTALL);
            case "right", "section", "why" -> { }
            default -> throw new IOException(file + ": no such word: '" + words[0] + "'");
            }
        }
    }

    Rule find(Vm.Answer mini, Vm.Answer h17, Vm.Answer h25, String fact) {
        for (Rule rule : rules)
            if (rule.matches(mini, h17, h25, fact))
                return rule;
        return null;
    }
}

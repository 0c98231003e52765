// SPDX-License-Identifier: MIT
// since: 25
// args: one 'two words'
/** The launcher takes an instance main, an inherited one, and prefers one with arguments. */
public class InstanceMains extends InstanceMainsBase {
    final String made;

    InstanceMains() {
        made = "made by the launcher";
    }

    @Override
    protected void main(String[] args) {
        System.out.println(made + ", " + args.length + " arguments: " + String.join("|", args));
        super.main(new String[] { "passed on" });
        main();
        StackWalker.getInstance().forEach(f -> System.out.println(f.getClassName() + "." + f.getMethodName()));
    }

    void main() {
        System.out.println("without arguments");
    }
}

class InstanceMainsBase {
    static int calls;

    protected void main(String[] args) {
        calls++;
        System.out.println("inherited, call " + calls + " with " + args[0] + " in "
            + getClass().getSimpleName());
    }
}

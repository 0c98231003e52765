# SPDX-License-Identifier: MIT
# Lab 1: names and numbers of repetitions differ by seed.

inputs()
{
    new_name P; program=$r
    new_name A; keep name_one "$r"
    new_name B; keep name_two "$r"
    new_name o; keep odd "$r"
    between 2 6; keep times "$r"
    between 7 9; keep more_times "$r"
    random 100000; keep last "the end $r"
    keep program "$program"
    cat >"$program.java" <<END
public class $program {
    public static void main(String[] args) {
        System.out.println(args.length > 0 ? System.getProperty("java.vm.name") : "begin");
        System.out.println("the end $r");
    }
}
END
}

# How often a line is there.
how_often() # LINE
{
    grep -acxF -e "$1" "$box/out"
}

judge()
{
    run '' "$program"
    criterion load
    works 'the program does its work' "$last"
    criterion hello
    same 'hello world, once' 1 "$(how_often 'hello world')"
    same 'no other greeting' 'hello world' "$(lines '^hello')"
    # "vm NAME" stands before the program's lines, so the program says the name here.
    criterion goodbye
    same 'the last line' "goodbye" "$(grep -aE "^goodbye|^$last" "$box/out" | tail -n 1)"
    same 'one goodbye' 1 "$(how_often goodbye)"

    run "name=$name_one" "$program" ask
    criterion name
    same 'another name' "hello $name_one" "$(lines '^hello')"
    criterion vm
    real=$(grep -aE -B 1 -e "^$last" "$box/out" | head -n 1)
    same 'the name of the VM' "vm $real" "$(lines '^vm ')"

    run "repeat=$times" "$program"
    criterion repeat
    same "repeat=$times" "$times" "$(how_often "hello world")"
    run "repeat=$more_times,name=$name_two" "$program"
    criterion both
    same "repeat=$more_times,name=$name_two" "$more_times" "$(how_often "hello $name_two")"
    run "name=$name_two,repeat=$times" "$program"
    same "name=$name_two,repeat=$times" "$times" "$(how_often "hello $name_two")"

    run "$odd=1" "$program"
    criterion unknown
    same 'the message' "unknown option: $odd=1" "$(grep -a '^unknown option' "$box/err")"
    same 'the program does not run' '' "$(lines '^begin')"

    run_checked '' "$program"
    criterion rules
    keeps_rules 'below tiforge check' "^vm $real\$"
}

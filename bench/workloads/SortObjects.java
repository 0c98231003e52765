/* SPDX-License-Identifier: MIT */

import java.util.Arrays;
import java.util.Comparator;

/* Merge sort of records through Comparable and through a Comparator. */
public class SortObjects {
    static final class Person implements Comparable<Person> {
        final String name;
        final int age;

        Person(String name, int age) {
            this.name = name;
            this.age = age;
        }

        @Override
        public int compareTo(Person other) {
            int order = name.compareTo(other.name);
            return order != 0 ? order : Integer.compare(age, other.age);
        }
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 80_000;
        Person[] people = new Person[count];
        int seed = 7;
        for (int i = 0; i < count; i++) {
            seed = seed * 1103515245 + 12345;
            people[i] = new Person("n" + ((seed >>> 9) & 0x3fff), (seed >>> 3) & 127);
        }
        Arrays.sort(people);
        long sum = 0;
        for (int i = 0; i < count; i += 1000) {
            sum = sum * 31 + people[i].name.hashCode() + people[i].age;
        }
        Arrays.sort(people, new Comparator<Person>() {
            @Override
            public int compare(Person a, Person b) {
                return a.age - b.age;
            }
        });
        for (int i = 0; i < count; i += 1000) {
            sum = sum * 31 + people[i].name.hashCode() + people[i].age;
        }
        System.out.println(sum);
    }
}

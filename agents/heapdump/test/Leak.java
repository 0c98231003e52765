/* SPDX-License-Identifier: MIT */
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/* Leak COUNT: a map that nobody empties, with COUNT sessions of two kilobytes and more. */
public class Leak {
    static class Session {
        final byte[] content = new byte[2000];
        final String user;

        Session(String user) {
            this.user = user;
        }
    }

    static class Registry {
        final Map<String, Session> sessions = new HashMap<>();
    }

    static final Registry registry = new Registry();
    static final List<int[]> small = new ArrayList<>();

    public static void main(String[] args) {
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            registry.sessions.put("user " + i, new Session("user " + i));
        }
        small.add(new int[10]);
        System.out.println("done");
    }
}

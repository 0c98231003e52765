/* SPDX-License-Identifier: MIT */
/* RMI over 127.0.0.1: remote objects, exceptions, callbacks. */
import java.rmi.*;
import java.rmi.registry.*;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;

public class Rmi {
    public interface Calculator extends Remote {
        int add(int a, int b) throws RemoteException;

        List<String> sort(List<String> l) throws RemoteException;

        void fail() throws RemoteException;

        int call(Callback c) throws RemoteException;
    }

    public interface Callback extends Remote {
        int back(int x) throws RemoteException;
    }

    static class Server implements Calculator {
        @Override
        public int add(int a, int b) {
            return a + b;
        }

        @Override
        public List<String> sort(List<String> l) {
            return l.stream().sorted().toList();
        }

        @Override
        public void fail() {
            throw new IllegalStateException("remote failure");
        }

        @Override
        public int call(Callback c) throws RemoteException {
            return c.back(5) + c.back(6);
        }
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        Server server = new Server();
        Calculator stub = (Calculator) UnicastRemoteObject.exportObject(server, 0);
        Registry registry = null;
        for (int port = 42100; registry == null; port++) {
            try {
                registry = LocateRegistry.createRegistry(port);
                registry = LocateRegistry.getRegistry("127.0.0.1", port);
            } catch (java.rmi.server.ExportException e) {
                registry = null;
            }
        }
        registry.bind("calc", stub);
        Calculator c = (Calculator) registry.lookup("calc");
        System.out.println(c.add(2, 3) + " " + c.sort(List.of("b", "a")) + " " + (c == server));
        try {
            c.fail();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        Callback cb = x -> x * 10;
        System.out.println(c.call((Callback) UnicastRemoteObject.exportObject(cb, 0)));
        try {
            registry.lookup("none");
        } catch (NotBoundException e) {
            System.out.println(e.getMessage());
        }
        UnicastRemoteObject.unexportObject(server, true);
        try {
            c.add(1, 1);
        } catch (NoSuchObjectException e) {
            System.out.println("gone");
        }
        System.exit(0);
    }
}

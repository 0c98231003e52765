// SPDX-License-Identifier: MIT

class FieldAdded { int a, b; int v() { return 2; } }
class FieldRemoved { int a; int v() { return 2; } }
class FieldRenamed { int b; int v() { return 2; } }
class FieldRetyped { short a; int v() { return 2; } }
class FieldModifiers { int a; int v() { return 2; } }
class FieldOrder { int b, a; int v() { return 2; } }
class StaticAdded { static int a; int v() { return 2; } }
class MethodAdded { int v() { return 2; } private static void more() { } }
class MethodRemoved { int v() { return 2; } }
class MethodRetyped { int v() { return 2; } long w() { return 1; } }
class MethodPublic { public int v() { return 2; } }
class MethodStatic { int v() { return 2; } int w() { return 1; } }
class MethodSynchronized { synchronized int v() { return 2; } }
class MethodNative { int v() { return 2; } int w() { return 2; } }
class MethodFinal { final int v() { return 2; } }
class InitializerAdded { static int a = 1; int v() { return 2; } }
class SuperChanged extends Opened { int v() { return 2; } }
class InterfaceAdded implements Cloneable { int v() { return 2; } }
class InterfaceRemoved { int v() { return 2; } public void run() { } }
class InterfaceOrder implements Cloneable, Runnable {
    int v() { return 2; }
    public void run() { }
}
final class ClassFinal { int v() { return 2; } }
abstract class ClassAbstract { int v() { return 2; } }
class NestMembersChanged { int v() { return 2; } class A { } class B { } }
class NestMembersNone { int v() { return 2; } class A { } }
class Nest$HostLost { int v() { return 2; } }
record ComponentChanged(int a, Object b) { int v() { return 2; } }
record ComponentGeneric(java.util.List<Integer> a) { int v() { return 2; } }
record ComponentMarked(@Mark("two") int a) { int v() { return 2; } }
sealed class PermitsAdded permits PermitsAddedA, PermitsAddedB { int v() { return 2; } }
final class PermitsAddedA extends PermitsAdded { }
final class PermitsAddedB extends PermitsAdded { }
sealed class BecomesSealed permits BecomesSealedA { int v() { return 2; } }
final class BecomesSealedA extends BecomesSealed { }

// SPDX-License-Identifier: MIT
package tck;

/** A system class loader that class files cannot be added to. */
public class Plain extends ClassLoader {
    public Plain(ClassLoader parent) {
        super(parent);
    }
}

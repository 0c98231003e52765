/* SPDX-License-Identifier: MIT */
package tck;

/** Has the attribute PermittedSubclasses, and its member Record and NestHost. */
sealed interface Shape permits Shape.Circle {
    record Circle(int radius) implements Shape {
    }
}

/* SPDX-License-Identifier: MIT */
package tck;

/** Gets a SourceDebugExtension attribute before it is defined. */
public class Smap {
}

/* SPDX-License-Identifier: MIT */
/* Errors of linkage that name classes of a package: with dots or with slashes. */
public class PackagedErrors {
    public static void main(String[] args) {
        parts.Uses.run();
    }
}

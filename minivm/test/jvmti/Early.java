// SPDX-License-Identifier: MIT
// departs: not-potential-later the early ones can be added when it is too late (Add Capabilities)
// departs: add-too-late the early ones can be added when it is too late (Add Capabilities)
// vm: -Xshare:off
public class Early {
    public static void main(String[] args) {
        System.out.println("ok main");
    }
}

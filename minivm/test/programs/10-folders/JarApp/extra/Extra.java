/* SPDX-License-Identifier: MIT */
public class Extra {
}

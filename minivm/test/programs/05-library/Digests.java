/* SPDX-License-Identifier: MIT */
/* Message digests, MACs, key derivation, ciphers, signatures with fixed keys. */
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.security.spec.*;
import java.util.HexFormat;
import javax.crypto.*;
import javax.crypto.spec.*;

public class Digests {
    public static void main(String[] args) throws Exception {
        byte[] text = "The quick brown fox jumps over the lazy dog".repeat(50)
            .getBytes(StandardCharsets.UTF_8);
        HexFormat hex = HexFormat.of();
        for (String name : new String[] { "MD2", "MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384",
                                          "SHA-512", "SHA-512/256", "SHA3-256", "SHA3-512" }) {
            MessageDigest d = MessageDigest.getInstance(name);
            d.update(text, 0, 100);
            MessageDigest copy = (MessageDigest) d.clone();
            d.update(text, 100, text.length - 100);
            System.out.println(name + " " + hex.formatHex(d.digest()) + " "
                + hex.formatHex(copy.digest()).substring(0, 8) + " " + d.getDigestLength());
        }
        for (String name : new String[] { "HmacMD5", "HmacSHA1", "HmacSHA256", "HmacSHA512" }) {
            Mac m = Mac.getInstance(name);
            m.init(new SecretKeySpec("key".getBytes(), name));
            System.out.println(name + " " + hex.formatHex(m.doFinal(text)));
        }
        SecretKey k = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(
            new PBEKeySpec("password".toCharArray(), "salt".getBytes(), 100, 256));
        System.out.println(hex.formatHex(k.getEncoded()));
        for (String mode : new String[] { "AES/CBC/PKCS5Padding", "AES/CTR/NoPadding",
                                          "AES/GCM/NoPadding", "AES/ECB/PKCS5Padding" }) {
            SecretKeySpec key = new SecretKeySpec("0123456789abcdef".getBytes(), "AES");
            Cipher c = Cipher.getInstance(mode);
            byte[] iv = "fedcba9876543210".getBytes();
            AlgorithmParameterSpec spec = mode.contains("GCM") ? new GCMParameterSpec(128, iv)
                : mode.contains("ECB") ? null : new IvParameterSpec(iv);
            c.init(Cipher.ENCRYPT_MODE, key, spec);
            byte[] out = c.doFinal(text, 0, 75);
            System.out.println(mode + " " + hex.formatHex(out));
            c.init(Cipher.DECRYPT_MODE, key, spec);
            System.out.println(new String(c.doFinal(out)).length());
        }
        Cipher des = Cipher.getInstance("DESede/CBC/PKCS5Padding");
        des.init(Cipher.ENCRYPT_MODE, new SecretKeySpec("0123456789abcdefghijklmn".getBytes(),
            "DESede"), new IvParameterSpec(new byte[8]));
        System.out.println(hex.formatHex(des.doFinal("secret".getBytes())));
        try {
            MessageDigest.getInstance("NOPE");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage());
        }
        SecureRandom sr = new SecureRandom();
        byte[] random = new byte[32];
        sr.nextBytes(random);
        int or = 0;
        for (byte b : random) {
            or |= b;
        }
        System.out.println(or != 0);
        KeyPairGenerator g = KeyPairGenerator.getInstance("EC");
        g.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair pair = g.generateKeyPair();
        Signature s = Signature.getInstance("SHA256withECDSA");
        s.initSign(pair.getPrivate());
        s.update(text);
        byte[] sig = s.sign();
        s.initVerify(pair.getPublic());
        s.update(text);
        System.out.println(s.verify(sig));
        s.initVerify(pair.getPublic());
        s.update(text, 1, 10);
        System.out.println(s.verify(sig));
        System.out.println(MessageDigest.isEqual(text, text.clone()));
        System.out.println(Security.getProviders()[0].getName());
    }
}

// SPDX-License-Identifier: MIT
// since: 25
// until: 25
// vm: --enable-preview
import java.security.*;
import java.security.spec.*;
import java.util.*;
import javax.crypto.EncryptedPrivateKeyInfo;

/** PEMEncoder and PEMDecoder: keys there and back, encrypted, and texts that are none. */
public class PemTexts {
    static String shape(String pem) {
        List<String> lines = pem.lines().toList();
        int longest = lines.stream().mapToInt(String::length).max().orElse(0);
        return lines.getFirst() + " " + (lines.size() > 2) + " " + longest + " " + lines.getLast();
    }

    static void attempt(String what, String text) {
        try {
            DEREncodable d = PEMDecoder.of().decode(text);
            System.out.println(what + ": " + (d instanceof PEMRecord r ? "record " + r.type() : d.getClass().getSimpleName()));
        } catch (IllegalArgumentException e) {
            System.out.println(what + ": refused");
        }
    }

    public static void main(String[] args) throws Exception {
        KeyFactory rsa = KeyFactory.getInstance("RSA");
        PublicKey fixed = rsa.generatePublic(new RSAPublicKeySpec(
            new java.math.BigInteger("c0ffee".repeat(42) + "01", 16).setBit(1023), java.math.BigInteger.valueOf(65537)));
        String text = PEMEncoder.of().encodeToString(fixed);
        System.out.print(text);
        System.out.println();
        System.out.println(PEMDecoder.of().decode(text, PublicKey.class).equals(fixed));
        for (String name : new String[] { "Ed25519", "EC" }) {
            KeyPair pair = KeyPairGenerator.getInstance(name).generateKeyPair();
            String secret = PEMEncoder.of().encodeToString(pair.getPrivate());
            System.out.println(shape(secret));
            PrivateKey back = switch (PEMDecoder.of().decode(secret)) {
                case PrivateKey p -> p;
                case KeyPair both -> both.getPrivate();
                default -> throw new AssertionError();
            };
            System.out.println(Arrays.equals(back.getEncoded(), pair.getPrivate().getEncoded()));
            char[] password = "pass word".toCharArray();
            String hidden = PEMEncoder.of().withEncryption(password).encodeToString(pair.getPrivate());
            System.out.println(shape(hidden).replaceAll("true \\d+", "true"));
            System.out.println(PEMDecoder.of().decode(hidden) instanceof EncryptedPrivateKeyInfo);
            System.out.println(Arrays.equals(PEMDecoder.of().withDecryption(password).decode(hidden, PrivateKey.class)
                .getEncoded(), pair.getPrivate().getEncoded()));
            try {
                PEMDecoder.of().withDecryption("wrong".toCharArray()).decode(hidden);
            } catch (IllegalArgumentException e) {
                System.out.println("a wrong password");
            }
            Signature s = Signature.getInstance(name.equals("EC") ? "SHA256withECDSA" : name);
            s.initSign(back);
            s.update(new byte[] { 1, 2 });
            byte[] signed = s.sign();
            s.initVerify(PEMDecoder.of().decode(PEMEncoder.of().encodeToString(pair.getPublic()), PublicKey.class));
            s.update(new byte[] { 1, 2 });
            System.out.println(s.verify(signed));
        }
        attempt("unknown", "-----BEGIN SOMETHING-----\nAAEC\n-----END SOMETHING-----\n");
        attempt("no end", "-----BEGIN PUBLIC KEY-----\nAAEC\n");
        attempt("nonsense inside", "-----BEGIN PUBLIC KEY-----\nAAEC\n-----END PUBLIC KEY-----\n");
        try {
            PEMDecoder.of().decode(text, PrivateKey.class);
        } catch (ClassCastException e) {
            System.out.println("not a private key");
        }
        PEMRecord r = PEMDecoder.of().decode("leading text\n" + text, PEMRecord.class);
        System.out.println(r.type() + " " + r.content().length() + " " + new String(r.leadingData()).strip());
    }
}

// SPDX-License-Identifier: MIT
// since: 25
import java.security.*;
import java.util.HexFormat;
import javax.crypto.*;
import javax.crypto.spec.*;

/** javax.crypto.KDF: HKDF by the vectors of RFC 5869, in steps and at once; wrong input. */
public class KeyDerivation {
    static final HexFormat HEX = HexFormat.of();

    static SecretKey key(String hex) {
        return new SecretKeySpec(HEX.parseHex(hex), "Generic");
    }

    static void vector(String name, String algorithm, String ikm, String salt, String info, int length)
            throws Exception {
        KDF kdf = KDF.getInstance(algorithm);
        HKDFParameterSpec.Builder b = HKDFParameterSpec.ofExtract().addIKM(key(ikm));
        if (!salt.isEmpty())
            b.addSalt(HEX.parseHex(salt));
        byte[] prk = kdf.deriveData(b.extractOnly());
        byte[] okm = kdf.deriveData(b.thenExpand(HEX.parseHex(info), length));
        byte[] steps = kdf.deriveData(HKDFParameterSpec.expandOnly(new SecretKeySpec(prk, "Generic"),
            HEX.parseHex(info), length));
        System.out.println(name + " " + HEX.formatHex(prk));
        System.out.println("  " + HEX.formatHex(okm) + " " + MessageDigest.isEqual(okm, steps));
    }

    static void attempt(String what, java.util.concurrent.Callable<?> c) {
        try {
            System.out.println(what + ": " + c.call());
        } catch (Exception e) {
            System.out.println(what + ": " + e.getClass().getSimpleName());
        }
    }

    public static void main(String[] args) throws Exception {
        vector("1", "HKDF-SHA256", "0b".repeat(22), "000102030405060708090a0b0c",
            "f0f1f2f3f4f5f6f7f8f9", 42);
        vector("3", "HKDF-SHA256", "0b".repeat(22), "", "", 42);
        vector("longer", "HKDF-SHA512", "0102030405060708", "aabb", "00", 100);
        vector("middle", "HKDF-SHA384", "ff".repeat(48), "01", "0203", 48);
        KDF kdf = KDF.getInstance("HKDF-SHA256");
        System.out.println(kdf.getAlgorithm() + " " + kdf.getProviderName());
        HKDFParameterSpec many = HKDFParameterSpec.ofExtract().addIKM(key("01")).addIKM(new byte[] { 2, 3 })
            .addSalt(new byte[] { 4 }).addSalt(key("05")).thenExpand("context".getBytes(), 32);
        SecretKey aes = kdf.deriveKey("AES", many);
        System.out.println(aes.getAlgorithm() + " " + aes.getEncoded().length + " "
            + HEX.formatHex(aes.getEncoded()));
        Cipher c = Cipher.getInstance("AES/GCM/NoPadding");
        c.init(Cipher.ENCRYPT_MODE, aes, new GCMParameterSpec(128, new byte[12]));
        byte[] secret = c.doFinal("a secret".getBytes());
        c.init(Cipher.DECRYPT_MODE, kdf.deriveKey("AES", many), new GCMParameterSpec(128, new byte[12]));
        System.out.println(HEX.formatHex(secret) + " " + new String(c.doFinal(secret)));
        attempt("too long", () -> kdf.deriveData(HKDFParameterSpec.expandOnly(key("00".repeat(32)), null, 255 * 32 + 1)).length);
        attempt("no length", () -> HKDFParameterSpec.expandOnly(key("00".repeat(32)), null, 0));
        attempt("a short key", () -> kdf.deriveData(HKDFParameterSpec.expandOnly(key("00"), null, 8)).length);
        attempt("no such algorithm", () -> KDF.getInstance("HKDF-NONE"));
        attempt("no key material", () -> kdf.deriveData(HKDFParameterSpec.ofExtract().extractOnly()).length);
    }
}

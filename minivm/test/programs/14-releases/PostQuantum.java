// SPDX-License-Identifier: MIT
// since: 25
import java.security.*;
import java.security.spec.*;
import java.util.Arrays;
import javax.crypto.*;

/** javax.crypto.KEM with ML-KEM and X25519, and ML-DSA signatures: sizes, agreement, forgery. */
public class PostQuantum {
    static void agree(String keys, String kemName, AlgorithmParameterSpec spec) throws Exception {
        KeyPairGenerator g = KeyPairGenerator.getInstance(keys);
        if (spec != null)
            g.initialize(spec);
        KeyPair pair = g.generateKeyPair();
        KEM kem = KEM.getInstance(kemName);
        KEM.Encapsulator sender = kem.newEncapsulator(pair.getPublic());
        KEM.Encapsulated sent = sender.encapsulate();
        KEM.Decapsulator receiver = kem.newDecapsulator(pair.getPrivate());
        SecretKey got = receiver.decapsulate(sent.encapsulation());
        System.out.println(kemName + " " + pair.getPublic().getAlgorithm() + " " + sent.encapsulation().length
            + " " + sender.secretSize() + " " + receiver.encapsulationSize() + " "
            + Arrays.equals(got.getEncoded(), sent.key().getEncoded()));
        SecretKey part = receiver.decapsulate(sent.encapsulation(), 8, 24, "AES");
        System.out.println("  " + part.getAlgorithm() + " " + Arrays.equals(part.getEncoded(),
            Arrays.copyOfRange(got.getEncoded(), 8, 24)));
        byte[] broken = sent.encapsulation();
        broken[broken.length / 2] ^= 1;
        try {
            System.out.println("  " + Arrays.equals(receiver.decapsulate(broken).getEncoded(), got.getEncoded()));
        } catch (DecapsulateException e) {
            System.out.println("  refused");
        }
        try {
            receiver.decapsulate(new byte[3]);
        } catch (DecapsulateException e) {
            System.out.println("  too short");
        }
    }

    static void sign(String name) throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance(name).generateKeyPair();
        Signature s = Signature.getInstance(name);
        byte[] message = "what was said".getBytes();
        s.initSign(pair.getPrivate());
        s.update(message);
        byte[] signature = s.sign();
        s.initVerify(pair.getPublic());
        s.update(message);
        boolean good = s.verify(signature);
        message[0] = 'W';
        s.update(message);
        System.out.println(name + " " + ((NamedParameterSpec) ((java.security.AsymmetricKey) pair.getPublic()).getParams()).getName()
            + " " + signature.length + " " + good + " " + s.verify(signature) + " "
            + pair.getPublic().getEncoded().length);
        KeyFactory f = KeyFactory.getInstance("ML-DSA");
        PublicKey again = f.generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded()));
        System.out.println("  " + again.equals(pair.getPublic()) + " " + again.getFormat());
    }

    public static void main(String[] args) throws Exception {
        agree("ML-KEM", "ML-KEM", NamedParameterSpec.ML_KEM_512);
        agree("ML-KEM", "ML-KEM", null);
        agree("X25519", "DHKEM", null);
        sign("ML-DSA-44");
        try {
            KEM.getInstance("ML-KEM").newEncapsulator(KeyPairGenerator.getInstance("X25519").generateKeyPair().getPublic());
        } catch (InvalidKeyException e) {
            System.out.println("a key of another kind");
        }
    }
}

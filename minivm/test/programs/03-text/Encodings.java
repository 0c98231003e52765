/* SPDX-License-Identifier: MIT */
/* Base64, HexFormat, UUID from names, URLEncoder, CRCs, Properties text. */
import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.zip.*;

public class Encodings {
    public static void main(String[] args) throws Exception {
        byte[] data = new byte[100];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i * 37);
        }
        String b64 = Base64.getEncoder().encodeToString(data);
        System.out.println(b64);
        System.out.println(Arrays.equals(data, Base64.getDecoder().decode(b64)));
        System.out.println(Base64.getUrlEncoder().withoutPadding().encodeToString(data));
        System.out.println(Base64.getMimeEncoder().encodeToString(data).replace("\r\n", "~"));
        try {
            Base64.getDecoder().decode("a*b=");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        HexFormat hex = HexFormat.ofDelimiter(":").withUpperCase();
        System.out.println(hex.formatHex(data, 0, 10));
        System.out.println(Arrays.toString(HexFormat.of().parseHex("00ff7f")));
        System.out.println(UUID.nameUUIDFromBytes(data));
        UUID u = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
        System.out.println(u.version() + " " + u.timestamp() + " " + u.hashCode());
        System.out.println(URLEncoder.encode("a b&c=\u00e9/\u20ac", StandardCharsets.UTF_8));
        System.out.println(URLDecoder.decode("a+b%26%E2%82%AC", StandardCharsets.UTF_8));
        CRC32 crc = new CRC32();
        crc.update(data);
        Adler32 adler = new Adler32();
        adler.update(data);
        CRC32C crcc = new CRC32C();
        crcc.update(data);
        System.out.println(crc.getValue() + " " + adler.getValue() + " " + crcc.getValue());
        Properties p = new Properties();
        p.load(new StringReader("# comment\nkey=value\nlong = a \\\n   b\nuni\\u00e9=\\u20ac\n"
                                + "colon: x\nspace y z\nempty"));
        for (String k : new TreeSet<>(p.stringPropertyNames())) {
            System.out.println(k + "->" + p.getProperty(k));
        }
        StringWriter w = new StringWriter();
        Properties q = new Properties();
        q.setProperty("a key", "va\u00efue=");
        q.store(w, null);
        System.out.println(w.toString().lines().skip(1).toList());
        ByteArrayOutputStream xml = new ByteArrayOutputStream();
        q.storeToXML(xml, "comment");
        Properties r = new Properties();
        r.loadFromXML(new ByteArrayInputStream(xml.toByteArray()));
        System.out.println(r.equals(q));
        URI uri = URI.create("http://user@host:80/a/./b/../c?q=1#frag");
        System.out.println(uri.normalize() + " " + uri.getPath() + " " + uri.getFragment() + " "
            + uri.resolve("../d") + " " + URI.create("http://host/a/").relativize(
                URI.create("http://host/a/b/c")));
        try {
            new URI("http://bad host/");
        } catch (URISyntaxException e) {
            System.out.println(e.getMessage());
        }
    }
}

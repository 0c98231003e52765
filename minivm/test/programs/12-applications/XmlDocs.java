/* SPDX-License-Identifier: MIT */
/* java.xml: DOM, SAX, StAX, XPath, transformation, validation errors. */
import java.io.*;
import javax.xml.parsers.*;
import javax.xml.stream.*;
import javax.xml.transform.*;
import javax.xml.transform.dom.*;
import javax.xml.transform.stream.*;
import javax.xml.xpath.*;
import org.w3c.dom.*;
import org.xml.sax.*;
import org.xml.sax.helpers.DefaultHandler;

public class XmlDocs {
    static final String XML = "<?xml version='1.0'?><shop open='yes'><item price='5'>apple &amp; co"
        + "</item><item price='12'><![CDATA[<raw>]]></item><!-- note --><empty/></shop>";

    public static void main(String[] args) throws Exception {
        Document d = DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new InputSource(new StringReader(XML)));
        NodeList items = d.getElementsByTagName("item");
        for (int i = 0; i < items.getLength(); i++) {
            Element e = (Element) items.item(i);
            System.out.println(e.getAttribute("price") + " " + e.getTextContent());
        }
        Element added = d.createElement("item");
        added.setAttribute("price", "1");
        added.setTextContent("a < b");
        d.getDocumentElement().appendChild(added);
        XPath x = XPathFactory.newInstance().newXPath();
        System.out.println(x.evaluate("sum(//item/@price)", d) + " " + x.evaluate(
            "count(/shop/*)", d) + " " + x.evaluate("//item[@price > 10]", d));
        StringBuilder log = new StringBuilder();
        SAXParserFactory.newInstance().newSAXParser().parse(new InputSource(new StringReader(XML)),
            new DefaultHandler() {
                @Override
                public void startElement(String u, String l, String q, Attributes a) {
                    log.append('<').append(q).append(a.getLength());
                }

                @Override
                public void characters(char[] c, int from, int n) {
                    log.append(new String(c, from, n));
                }

                @Override
                public void endElement(String u, String l, String q) {
                    log.append("/>");
                }
            });
        System.out.println(log);
        XMLStreamReader r = XMLInputFactory.newInstance().createXMLStreamReader(
            new StringReader(XML));
        int events = 0;
        while (r.hasNext()) {
            events = events * 31 + r.next();
        }
        System.out.println(events);
        Transformer t = TransformerFactory.newInstance().newTransformer();
        t.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
        StringWriter w = new StringWriter();
        t.transform(new DOMSource(d), new StreamResult(w));
        System.out.println(w);
        String xsl = "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
            + "<xsl:output method='text'/><xsl:template match='/'><xsl:for-each select='//item'>"
            + "<xsl:sort select='@price' data-type='number'/><xsl:value-of select='@price'/>;"
            + "</xsl:for-each></xsl:template></xsl:stylesheet>";
        w = new StringWriter();
        TransformerFactory.newInstance().newTransformer(new StreamSource(new StringReader(xsl)))
            .transform(new StreamSource(new StringReader(XML)), new StreamResult(w));
        System.out.println(w);
        try {
            DocumentBuilder b = DocumentBuilderFactory.newInstance().newDocumentBuilder();
            b.setErrorHandler(null);
            b.parse(new ByteArrayInputStream("<a><b></a>".getBytes()));
        } catch (SAXParseException e) {
            System.out.println(e.getLineNumber() + ":" + e.getColumnNumber() + " " + e.getMessage());
        }
    }
}

/* SPDX-License-Identifier: MIT */
/* Locale lookup, display names, currencies, case rules. */
import java.util.*;

public class Locales {
    public static void main(String[] args) {
        Locale[] all = { Locale.US, Locale.GERMANY, Locale.JAPAN, new Locale("tr", "TR"),
                         Locale.forLanguageTag("zh-Hant-TW"), Locale.ROOT };
        for (Locale l : all) {
            System.out.println(l + " " + l.toLanguageTag() + " " + l.getDisplayLanguage(Locale.US)
                + " " + l.getDisplayCountry(Locale.US) + " " + l.getDisplayLanguage(Locale.GERMANY)
                + " " + l.getScript() + " " + "Ii".toUpperCase(l) + "Ii".toLowerCase(l));
        }
        System.out.println(Locale.US.getISO3Country() + Locale.US.getISO3Language());
        System.out.println(Currency.getInstance("EUR").getDefaultFractionDigits() + " "
            + Currency.getInstance(Locale.JAPAN) + " "
            + Currency.getInstance("USD").getSymbol(Locale.US));
        Locale built = new Locale.Builder().setLanguage("de").setRegion("CH")
            .setUnicodeLocaleKeyword("nu", "latn").build();
        System.out.println(built + " " + built.getUnicodeLocaleType("nu"));
        System.out.println(Locale.lookup(Locale.LanguageRange.parse("fr-CA,en;q=0.5"),
            List.of(Locale.ENGLISH, Locale.FRENCH)));
        try {
            new Locale.Builder().setLanguage("123");
        } catch (IllformedLocaleException e) {
            System.out.println(e.getMessage());
        }
        Locale.setDefault(Locale.GERMANY);
        System.out.println(String.format("%,.2f", 1234.5) + " " + Locale.getDefault());
        System.out.println(ResourceBundle.Control.getControl(
            ResourceBundle.Control.FORMAT_DEFAULT).getCandidateLocales("x", Locale.CANADA_FRENCH));
    }
}

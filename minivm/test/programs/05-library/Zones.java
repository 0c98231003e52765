/* SPDX-License-Identifier: MIT */
/* java.time zones: gaps, overlaps, rules, offsets, other calendars. */
import java.time.*;
import java.time.chrono.*;
import java.time.format.*;
import java.time.temporal.ChronoUnit;
import java.time.zone.*;
import java.util.Locale;

public class Zones {
    public static void main(String[] args) {
        ZoneId ny = ZoneId.of("America/New_York"), berlin = ZoneId.of("Europe/Berlin");
        ZonedDateTime gap = ZonedDateTime.of(2021, 3, 14, 2, 30, 0, 0, ny);
        System.out.println(gap + " " + gap.plusDays(1) + " " + gap.minusHours(1));
        ZonedDateTime overlap = ZonedDateTime.of(2021, 11, 7, 1, 30, 0, 0, ny);
        System.out.println(overlap + " " + overlap.withLaterOffsetAtOverlap() + " "
            + overlap.plusHours(1));
        System.out.println(gap.withZoneSameInstant(berlin) + " " + gap.toInstant() + " "
            + gap.withZoneSameLocal(ZoneId.of("Asia/Tokyo")));
        ZoneRules rules = berlin.getRules();
        ZoneOffsetTransition next = rules.nextTransition(Instant.parse("2021-01-01T00:00:00Z"));
        System.out.println(next + " " + rules.isDaylightSavings(gap.toInstant()) + " "
            + rules.getTransitionRules().size());
        OffsetDateTime o = OffsetDateTime.parse("2007-12-03T10:15:30+01:00");
        System.out.println(o.withOffsetSameInstant(ZoneOffset.ofHoursMinutes(-3, -30)) + " "
            + o.toEpochSecond() + " " + o.compareTo(o.withOffsetSameInstant(ZoneOffset.UTC)));
        System.out.println(DateTimeFormatter.RFC_1123_DATE_TIME.format(o) + " "
            + DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(gap) + " "
            + DateTimeFormatter.ofPattern("VV xxx z OOOO", Locale.US).format(gap));
        System.out.println(ZonedDateTime.parse("2021-06-01T12:00+02:00[Europe/Paris]")
            .toLocalTime() + " " + ZoneId.of("UTC+3") + " " + ZoneOffset.of("-08:30").getTotalSeconds());
        try {
            ZoneId.of("Mars/Olympus");
        } catch (ZoneRulesException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(ChronoUnit.HOURS.between(overlap, overlap.plusDays(1)) + " "
            + Duration.between(gap, overlap));
        LocalDate d = LocalDate.of(2021, 6, 15);
        System.out.println(JapaneseDate.from(d) + " " + ThaiBuddhistDate.from(d) + " "
            + MinguoDate.from(d) + " " + HijrahDate.from(d));
        System.out.println(JapaneseChronology.INSTANCE.eras().size() + " "
            + IsoChronology.INSTANCE.isLeapYear(2000));
        System.out.println(DateTimeFormatter.ofLocalizedDate(FormatStyle.FULL).withLocale(Locale.US)
            .format(d) + " " + DateTimeFormatter.ofLocalizedDate(FormatStyle.MEDIUM)
            .withLocale(Locale.GERMANY).format(d));
        System.out.println(java.util.Date.from(gap.toInstant()).getTime());
    }
}

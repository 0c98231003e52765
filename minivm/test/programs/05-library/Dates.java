/* SPDX-License-Identifier: MIT */
/* java.time: dates, times, periods, durations, adjusters, parsing. */
import java.time.*;
import java.time.format.*;
import java.time.temporal.*;
import java.util.Locale;

public class Dates {
    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2020, 2, 29);
        System.out.println(d.plusYears(1) + " " + d.plusMonths(12) + " " + d.minusDays(60) + " "
            + d.getDayOfWeek() + " " + d.isLeapYear() + " " + d.lengthOfMonth() + " "
            + d.withDayOfYear(100) + " " + d.toEpochDay());
        System.out.println(d.with(TemporalAdjusters.lastDayOfMonth()) + " "
            + d.with(TemporalAdjusters.next(DayOfWeek.MONDAY)) + " "
            + d.with(TemporalAdjusters.firstInMonth(DayOfWeek.FRIDAY)) + " "
            + d.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR) + " " + d.get(ChronoField.ALIGNED_WEEK_OF_YEAR));
        LocalTime t = LocalTime.of(23, 59, 59, 999_000_000);
        System.out.println(t.plusNanos(1_000_000) + " " + t.truncatedTo(ChronoUnit.MINUTES) + " "
            + t.toSecondOfDay() + " " + t.isAfter(LocalTime.NOON));
        LocalDateTime dt = d.atTime(t);
        System.out.println(dt + " " + dt.plusHours(25) + " " + dt.toLocalDate().atStartOfDay());
        Period p = Period.between(LocalDate.of(1999, 12, 31), d);
        System.out.println(p + " " + p.toTotalMonths() + " " + Period.parse("P1Y2M3W4D").negated());
        Duration du = Duration.ofSeconds(3661, 5_000_000);
        System.out.println(du + " " + du.toMinutesPart() + " " + Duration.parse("PT-1.5S") + " "
            + du.multipliedBy(1000).toDays() + " " + du.dividedBy(Duration.ofMinutes(7)));
        System.out.println(ChronoUnit.DAYS.between(LocalDate.of(2000, 1, 1), d) + " "
            + ChronoUnit.HOURS.between(dt, dt.plusDays(2).plusMinutes(59)));
        Instant i = Instant.ofEpochSecond(1_600_000_000L, 123456789);
        System.out.println(i + " " + i.plus(1, ChronoUnit.DAYS) + " " + Instant.MIN + " " + Instant.MAX
            + " " + i.truncatedTo(ChronoUnit.SECONDS).toEpochMilli());
        DateTimeFormatter f = DateTimeFormatter.ofPattern("EEEE, d MMMM uuuu HH:mm:ss.SSS a", Locale.US);
        System.out.println(dt.format(f));
        System.out.println(DateTimeFormatter.ISO_WEEK_DATE.format(d) + " "
            + DateTimeFormatter.BASIC_ISO_DATE.format(d) + " "
            + DateTimeFormatter.ISO_ORDINAL_DATE.format(d));
        System.out.println(LocalDate.parse("03/Apr/2021", DateTimeFormatter.ofPattern("dd/MMM/yyyy",
            Locale.US)) + " " + LocalTime.parse("10:15") + " " + YearMonth.parse("2021-07")
            .atEndOfMonth() + " " + Year.of(2100).isLeap() + " " + MonthDay.of(2, 29).isValidYear(2021));
        for (String bad : new String[] { "2021-02-30", "2021-2-3", "x", "2021-13-01" }) {
            try {
                LocalDate.parse(bad);
            } catch (DateTimeParseException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            LocalDate.of(2021, 2, 29);
        } catch (DateTimeException e) {
            System.out.println(e.getMessage());
        }
        try {
            d.get(ChronoField.HOUR_OF_DAY);
        } catch (UnsupportedTemporalTypeException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(DayOfWeek.MONDAY.plus(10) + " " + Month.JANUARY.minus(1).getDisplayName(
            TextStyle.SHORT, Locale.US) + " " + DayOfWeek.SUNDAY.getDisplayName(TextStyle.FULL,
            Locale.FRANCE));
        Clock c = Clock.fixed(i, ZoneOffset.UTC);
        System.out.println(LocalDateTime.now(c) + " " + Clock.tick(c, Duration.ofHours(1)).instant());
        DateTimeFormatter built = new DateTimeFormatterBuilder().appendValue(ChronoField.YEAR, 4)
            .appendLiteral('|').appendText(ChronoField.MONTH_OF_YEAR, TextStyle.FULL)
            .optionalStart().appendLiteral('@').appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .toFormatter(Locale.US);
        System.out.println(built.format(dt) + " " + built.format(d));
        System.out.println(d.datesUntil(d.plusDays(9), Period.ofDays(3)).toList());
    }
}

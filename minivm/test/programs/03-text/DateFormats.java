/* SPDX-License-Identifier: MIT */
/* SimpleDateFormat and the calendars, in UTC and in zones with summer time. */
import java.text.*;
import java.util.*;

public class DateFormats {
    public static void main(String[] args) throws ParseException {
        SimpleDateFormat f = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS EEE MMM z Z XXX",
                                                  Locale.US);
        long[] times = { 0, -1, 951782400000L, 1583020800123L, 4102444799999L, -62135769600000L };
        for (String zone : new String[] { "UTC", "America/New_York", "Asia/Kolkata",
                                          "Australia/Sydney" }) {
            f.setTimeZone(TimeZone.getTimeZone(zone));
            for (long t : times) {
                System.out.println(f.format(new Date(t)));
            }
        }
        SimpleDateFormat p = new SimpleDateFormat("dd MMM yyyy HH:mm z", Locale.US);
        System.out.println(p.parse("29 Feb 2020 12:30 EST").getTime());
        p = new SimpleDateFormat("yyyy-MM-dd", Locale.US);
        p.setTimeZone(TimeZone.getTimeZone("UTC"));
        System.out.println(p.parse("2021-13-45").getTime());
        p.setLenient(false);
        try {
            p.parse("2021-13-45");
        } catch (ParseException e) {
            System.out.println(e.getMessage());
        }
        Calendar c = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.US);
        c.setTimeInMillis(1582934400000L);
        c.add(Calendar.YEAR, 1);
        System.out.println(c.get(Calendar.DAY_OF_MONTH) + " " + c.get(Calendar.WEEK_OF_YEAR));
        c.roll(Calendar.MONTH, 11);
        System.out.println(c.getTimeInMillis() + " " + c.getActualMaximum(Calendar.DAY_OF_MONTH));
        c.set(2000, Calendar.JANUARY, 31);
        c.add(Calendar.MONTH, 1);
        System.out.println(p.format(c.getTime()));
        System.out.println(new GregorianCalendar().isLeapYear(1900));
        System.out.println(DateFormat.getDateInstance(DateFormat.LONG, Locale.US)
            .format(new Date(0)));
        System.out.println(DateFormat.getDateInstance(DateFormat.FULL, Locale.FRANCE)
            .format(new Date(0)));
        System.out.println(Arrays.toString(new DateFormatSymbols(Locale.US).getShortMonths()));
        System.out.println(TimeZone.getTimeZone("Europe/Berlin").getOffset(1593561600000L));
    }
}

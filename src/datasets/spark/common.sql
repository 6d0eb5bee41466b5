-- What the table functions of this folder share. Run it first, over views that have the names of the datasets.
-- Statements end with ";" at the end of a line. Instants do not depend on the session's time zone, but as_of without one is read in it.

-- The last instant that as_of includes: the end of the day in New York for a date, the end of year 9999 for null.
CREATE OR REPLACE TEMPORARY FUNCTION known_by(moment STRING DEFAULT NULL) RETURNS TIMESTAMP RETURN
  CASE WHEN moment IS NULL THEN TIMESTAMP '9999-12-31 23:59:59.999999Z'
    WHEN moment NOT RLIKE '^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T].*)?$' THEN raise_error(concat('as_of is a date or an instant, not ', moment))
    WHEN length(moment) = 10 THEN make_timestamp_ltz(
      year(date_add(CAST(moment AS DATE), 1)), month(date_add(CAST(moment AS DATE), 1)), day(date_add(CAST(moment AS DATE), 1)),
      0, 0, 0, 'America/New_York') - INTERVAL '0.000001' SECOND
    ELSE CAST(moment AS TIMESTAMP) END;

-- Date and time in New York of an instant.
CREATE OR REPLACE TEMPORARY FUNCTION new_york_time(moment TIMESTAMP) RETURNS TIMESTAMP_NTZ RETURN
  convert_timezone('UTC', 'America/New_York', timestampadd(MICROSECOND, unix_micros(moment), TIMESTAMP_NTZ '1970-01-01 00:00:00'));

CREATE OR REPLACE TEMPORARY FUNCTION new_york_day(moment TIMESTAMP) RETURNS DATE RETURN CAST(new_york_time(moment) AS DATE);

-- 09:30 in New York on a day.
CREATE OR REPLACE TEMPORARY FUNCTION open_of(session DATE) RETURNS TIMESTAMP RETURN
  make_timestamp_ltz(year(session), month(session), day(session), 9, 30, 0, 'America/New_York');

-- The last day whose splits and dividends prices include at as_of: its day in New York, until 09:30 the day before; the last of year 9999 for null.
CREATE OR REPLACE TEMPORARY FUNCTION known_day(moment STRING DEFAULT NULL) RETURNS DATE RETURN
  CASE WHEN moment IS NULL THEN DATE '9999-12-31'
    ELSE CAST(new_york_time(known_by(moment)) - INTERVAL '9:30' HOUR TO MINUTE AS DATE) END;

-- Rounds as DuckDB does: half away from zero, after scaling.
CREATE OR REPLACE TEMPORARY FUNCTION rounded(figure DOUBLE, decimals INT) RETURNS DOUBLE RETURN
  CASE WHEN decimals < 0 THEN round(figure / pow(10D, -decimals), 0) * pow(10D, -decimals)
    ELSE round(figure * pow(10D, decimals), 0) / pow(10D, decimals) END;

-- A computed price at the precision of the providers' prices: seven significant digits, at least two decimals.
CREATE OR REPLACE TEMPORARY FUNCTION price_digits(price DOUBLE) RETURNS DOUBLE RETURN
  CASE WHEN price = 0 THEN price ELSE rounded(price, greatest(2, 6 - CAST(floor(log10(abs(price))) AS INT))) END;

-- An adjusted close that is not scaled: as it is with up to twelve digits, else price_digits.
CREATE OR REPLACE TEMPORARY FUNCTION adjusted_digits(price DOUBLE) RETURNS DOUBLE RETURN
  CASE WHEN abs(price) < 1000000 AND price = rounded(price, 6) THEN price
    WHEN price = rounded(price, 11 - CAST(floor(log10(abs(price))) AS INT)) THEN price
    ELSE price_digits(price) END;

-- A computed volume in whole shares: half a share counts as one, also where arithmetic left it a little below.
CREATE OR REPLACE TEMPORARY FUNCTION whole_shares(volume DOUBLE) RETURNS BIGINT RETURN
  CAST(round(volume * 1.00000000000001D, 0) AS BIGINT);

-- The product of the factors; null when one is unknown, which collect_list keeps as NaN.
CREATE OR REPLACE TEMPORARY FUNCTION product_of(factors ARRAY<DOUBLE>) RETURNS DOUBLE RETURN
  nullif(aggregate(factors, 1D, (product, factor) -> product * factor), DOUBLE('NaN'));

-- The weekdays on which the New York exchanges were or will be closed, 1990 to 2030.
CREATE OR REPLACE TEMPORARY VIEW closures AS
  SELECT to_date(concat(year, day), 'yyyyMMdd') AS day
  FROM VALUES
    (1990, '0101 0219 0413 0528 0704 0903 1122 1225'),
    (1991, '0101 0218 0329 0527 0704 0902 1128 1225'),
    (1992, '0101 0217 0417 0525 0703 0907 1126 1225'),
    (1993, '0101 0215 0409 0531 0705 0906 1125 1224'),
    (1994, '0221 0401 0427 0530 0704 0905 1124 1226'),
    (1995, '0102 0220 0414 0529 0704 0904 1123 1225'),
    (1996, '0101 0219 0405 0527 0704 0902 1128 1225'),
    (1997, '0101 0217 0328 0526 0704 0901 1127 1225'),
    (1998, '0101 0119 0216 0410 0525 0703 0907 1126 1225'),
    (1999, '0101 0118 0215 0402 0531 0705 0906 1125 1224'),
    (2000, '0117 0221 0421 0529 0704 0904 1123 1225'),
    (2001, '0101 0115 0219 0413 0528 0704 0903 0911 0912 0913 0914 1122 1225'),
    (2002, '0101 0121 0218 0329 0527 0704 0902 1128 1225'),
    (2003, '0101 0120 0217 0418 0526 0704 0901 1127 1225'),
    (2004, '0101 0119 0216 0409 0531 0611 0705 0906 1125 1224'),
    (2005, '0117 0221 0325 0530 0704 0905 1124 1226'),
    (2006, '0102 0116 0220 0414 0529 0704 0904 1123 1225'),
    (2007, '0101 0102 0115 0219 0406 0528 0704 0903 1122 1225'),
    (2008, '0101 0121 0218 0321 0526 0704 0901 1127 1225'),
    (2009, '0101 0119 0216 0410 0525 0703 0907 1126 1225'),
    (2010, '0101 0118 0215 0402 0531 0705 0906 1125 1224'),
    (2011, '0117 0221 0422 0530 0704 0905 1124 1226'),
    (2012, '0102 0116 0220 0406 0528 0704 0903 1029 1030 1122 1225'),
    (2013, '0101 0121 0218 0329 0527 0704 0902 1128 1225'),
    (2014, '0101 0120 0217 0418 0526 0704 0901 1127 1225'),
    (2015, '0101 0119 0216 0403 0525 0703 0907 1126 1225'),
    (2016, '0101 0118 0215 0325 0530 0704 0905 1124 1226'),
    (2017, '0102 0116 0220 0414 0529 0704 0904 1123 1225'),
    (2018, '0101 0115 0219 0330 0528 0704 0903 1122 1205 1225'),
    (2019, '0101 0121 0218 0419 0527 0704 0902 1128 1225'),
    (2020, '0101 0120 0217 0410 0525 0703 0907 1126 1225'),
    (2021, '0101 0118 0215 0402 0531 0705 0906 1125 1224'),
    (2022, '0117 0221 0415 0530 0620 0704 0905 1124 1226'),
    (2023, '0102 0116 0220 0407 0529 0619 0704 0904 1123 1225'),
    (2024, '0101 0115 0219 0329 0527 0619 0704 0902 1128 1225'),
    (2025, '0101 0109 0120 0217 0418 0526 0619 0704 0901 1127 1225'),
    (2026, '0101 0119 0216 0403 0525 0619 0703 0907 1126 1225'),
    (2027, '0101 0118 0215 0326 0531 0618 0705 0906 1125 1224'),
    (2028, '0117 0221 0414 0529 0619 0704 0904 1123 1225'),
    (2029, '0101 0115 0219 0330 0528 0619 0704 0903 1122 1225'),
    (2030, '0101 0121 0218 0419 0527 0619 0704 0902 1128 1225')
    AS closed (year, days) LATERAL VIEW explode(split(days, ' ')) AS day;

-- For each day of 1950 to 2099 the session on or before it and the one after it; outside 1990 to 2030 every weekday counts as a session.
CREATE OR REPLACE TEMPORARY VIEW sessions AS
  WITH days AS (SELECT explode(sequence(DATE '1950-01-01', DATE '2099-12-31')) AS day),
  opened AS (
    SELECT d.day, CASE WHEN c.day IS NULL AND weekday(d.day) < 5 THEN d.day END AS session
    FROM days d LEFT JOIN (SELECT day FROM closures UNION SELECT day FROM extra_closures) c ON c.day = d.day)
  SELECT day, max(session) OVER (ORDER BY day) AS session,
    min(session) OVER (ORDER BY day DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS next_session
  FROM opened;

CACHE LAZY TABLE sessions;

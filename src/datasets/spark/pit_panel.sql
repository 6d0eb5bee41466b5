-- Every symbol in the short-volume file of each day with its adjusted close of that day, as known by as_of: the macro pit_panel.
-- It reads common.sql and corporate-actions.sql.
CREATE OR REPLACE TEMPORARY FUNCTION pit_panel(start_date DATE, end_date DATE, as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  WITH moment AS (
    SELECT known_by(as_of) AS instant, known_day(as_of) AS last_day, new_york_day(least(known_by(as_of), current_timestamp())) AS today,
      CASE WHEN as_of IS NULL THEN DATE '9999-12-31' ELSE last_session END AS settled_before,
      least(new_york_day(known_by(as_of)), newest_day) AS recent_to, as_of IS NULL AS is_present, date_sub(newest_provisional, 7) AS provisional_from
    FROM (SELECT max(session) AS last_session FROM sessions WHERE day = known_day(as_of))
      CROSS JOIN (SELECT coalesce(max(date), DATE '1900-01-01') AS newest_day FROM short_volume)
      CROSS JOIN (SELECT max(date) AS newest_provisional FROM bars_provisional)),
  settled AS (
    SELECT b.symbol, b.date, b.adj_close, b.source, b.basis_date, b.known_at > m.instant AS backfilled, false AS provisional, b.known_at AS fetched
    FROM complete_bars b CROSS JOIN moment m LEFT JOIN complete_actions c ON c.symbol = b.symbol
    WHERE b.date BETWEEN start_date AND end_date AND b.date < m.settled_before
      AND (b.basis_date <= m.last_day OR (b.basis_date < DATE '9999-12-31' AND c.dividends_from <= date_add(m.last_day, 1))
        OR (b.basis_date = DATE '9999-12-31' AND b.known_at <= m.instant))),
  provisional AS (
    SELECT p.symbol, p.date, max_by(p.adj_close, CASE WHEN p.adj_close IS NOT NULL THEN p.known_at END) AS adj_close,
      max_by(p.source, p.known_at) AS source, max_by(p.basis_date, p.known_at) AS basis_date, false AS backfilled, true AS provisional,
      max(p.known_at) AS fetched
    FROM bars_provisional p CROSS JOIN moment m
    WHERE p.date BETWEEN start_date AND end_date AND p.date >= m.provisional_from AND m.is_present
    GROUP BY p.symbol, p.date),
  priced AS (
    SELECT * FROM settled UNION ALL
    SELECT p.* FROM provisional p LEFT ANTI JOIN settled s ON s.symbol = p.symbol AND s.date = p.date),
  bases AS (
    SELECT DISTINCT p.symbol, p.basis_date, p.fetched, m.instant, m.last_day,
      CASE WHEN p.basis_date = DATE '9999-12-31' THEN p.basis_date ELSE least(p.basis_date, m.last_day) END AS low,
      CASE WHEN p.basis_date > m.last_day THEN p.basis_date ELSE least(m.last_day, m.today) END AS high
    FROM priced p CROSS JOIN moment m),
  -- The newest report of each action that was known by then, else the first one; of later actions known by the fetch of the price.
  reported AS (
    SELECT b.symbol, b.basis_date, b.fetched, b.last_day, max_by(a.price_factor, CASE WHEN a.ex_date <= b.last_day OR a.price_factor IS NOT NULL
      THEN CASE WHEN a.known_at <= CASE WHEN a.ex_date > b.last_day THEN b.fetched ELSE b.instant END
        THEN unix_micros(a.known_at) ELSE -unix_micros(a.known_at) END END) AS price_factor
    FROM bases b JOIN corporate_actions a ON a.symbol = b.symbol AND a.ex_date > b.low AND a.ex_date <= b.high
    GROUP BY b.symbol, b.basis_date, b.fetched, b.last_day, a.ex_date, a.kind),
  products AS (
    SELECT symbol, basis_date, fetched, last_day, product_of(collect_list(coalesce(price_factor, DOUBLE('NaN')))) AS factor
    FROM reported GROUP BY symbol, basis_date, fetched, last_day),
  factors AS (SELECT symbol, basis_date, fetched, CASE WHEN basis_date > last_day THEN 1 / factor ELSE factor END AS factor FROM products),
  versions AS (
    SELECT f.date, max(f.known_at) AS known_at FROM finra_files f CROSS JOIN moment m
    WHERE f.facility = 'CNMS' AND f.known_at <= m.instant GROUP BY f.date),
  -- The files of the last 30 days decide what is still trading, where there are ten.
  enough AS (
    SELECT count(DISTINCT f.date) >= 10 AS is_enough FROM finra_files f CROSS JOIN moment m
    WHERE f.facility = 'CNMS' AND f.date BETWEEN date_sub(m.recent_to, 29) AND m.recent_to AND f.known_at <= m.instant),
  trading AS (
    SELECT DISTINCT s.symbol FROM short_volume s CROSS JOIN moment m
    WHERE s.facility = 'CNMS' AND s.date BETWEEN date_sub(m.recent_to, 29) AND m.recent_to AND s.known_at <= m.instant)
  SELECT s.date, s.symbol, s.short_volume, s.short_exempt_volume, s.total_volume,
    CASE WHEN s.total_volume > 0 THEN s.short_volume / s.total_volume END AS short_volume_ratio,
    CASE WHEN f.symbol IS NULL THEN adjusted_digits(p.adj_close) ELSE price_digits(p.adj_close * f.factor) END AS adj_close,
    CASE WHEN p.adj_close IS NOT NULL AND (f.symbol IS NULL OR f.factor IS NOT NULL) THEN p.source END AS adj_close_source,
    CASE WHEN e.is_enough THEN t.symbol IS NULL END AS is_delisted,
    CASE WHEN p.adj_close IS NOT NULL AND (f.symbol IS NULL OR f.factor IS NOT NULL) THEN p.backfilled END AS backfilled,
    CASE WHEN p.adj_close IS NOT NULL AND (f.symbol IS NULL OR f.factor IS NOT NULL)
      THEN CASE WHEN p.provisional THEN 'provisional' ELSE 'settled' END END AS price_status
  FROM short_volume s
    JOIN versions v ON v.date = s.date AND v.known_at = s.known_at
    CROSS JOIN enough e
    LEFT JOIN priced p ON p.symbol = s.symbol AND p.date = s.date
    LEFT JOIN factors f ON f.symbol = p.symbol AND f.basis_date = p.basis_date AND f.fetched = p.fetched
    LEFT JOIN trading t ON t.symbol = s.symbol
  WHERE s.facility = 'CNMS' AND s.date BETWEEN start_date AND end_date;

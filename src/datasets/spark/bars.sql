-- Daily bars as known by as_of, all on the basis of as_of: the macro bars. It reads common.sql and corporate-actions.sql.
CREATE OR REPLACE TEMPORARY FUNCTION bars(as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  WITH moment AS (
    SELECT known_by(as_of) AS instant, known_day(as_of) AS last_day,
      CASE WHEN as_of IS NULL THEN DATE '9999-12-31' ELSE last_session END AS settled_before
    FROM (SELECT max(session) AS last_session FROM sessions WHERE day = known_day(as_of))),
  factors AS (SELECT * FROM adjustments(as_of))
  SELECT b.symbol, b.date,
    CASE WHEN a.symbol IS NULL THEN b.open ELSE price_digits(b.open * a.split_factor) END AS open,
    CASE WHEN a.symbol IS NULL THEN b.high ELSE price_digits(b.high * a.split_factor) END AS high,
    CASE WHEN a.symbol IS NULL THEN b.low ELSE price_digits(b.low * a.split_factor) END AS low,
    CASE WHEN a.symbol IS NULL THEN b.close ELSE price_digits(b.close * a.split_factor) END AS close,
    CASE WHEN a.symbol IS NULL OR a.split_factor = 1 THEN b.volume ELSE whole_shares(b.volume / a.split_factor) END AS volume,
    CASE WHEN a.symbol IS NULL THEN adjusted_digits(b.adj_close) ELSE price_digits(b.adj_close * a.total_factor) END AS adj_close,
    b.currency,
    CASE WHEN b.basis_date = DATE '9999-12-31' THEN b.basis_date ELSE least(b.basis_date, m.last_day) END AS basis_date,
    open_of(s.next_session) AS known_at, b.source, b.known_at AS recorded_at, b.known_at > m.instant AS backfilled
  FROM complete_bars b CROSS JOIN moment m
    LEFT JOIN factors a ON b.symbol = a.symbol AND b.basis_date < a.ex_date AND b.basis_date >= a.since
      AND b.known_at >= a.recorded_from AND b.known_at < a.recorded_before
    LEFT JOIN sessions s ON s.day = b.date
  WHERE b.date < m.settled_before
    AND (b.basis_date <= m.last_day OR a.symbol IS NOT NULL OR (b.basis_date = DATE '9999-12-31' AND b.known_at <= m.instant));

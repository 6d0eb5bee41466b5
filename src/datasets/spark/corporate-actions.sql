-- Actions, factors and complete bars, which bars, pit_panel and dividends_as_of read. Run it after common.sql.

-- Corporate actions as known by as_of: the newest report of each. An action fetched later counts, in its first report, from the open of its ex date on.
CREATE OR REPLACE TEMPORARY FUNCTION actions(as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  WITH moment AS (SELECT known_by(as_of) AS instant, known_day(as_of) AS last_day)
  SELECT c.* FROM corporate_actions c CROSS JOIN moment m WHERE c.known_at <= m.instant OR c.ex_date <= m.last_day
  QUALIFY row_number() OVER (PARTITION BY c.symbol, c.ex_date, c.kind
    ORDER BY CASE WHEN c.known_at <= m.instant OR c.ex_date > m.last_day THEN c.known_at END DESC NULLS LAST, c.known_at) = 1;

-- From which day on the splits of a symbol are complete, and its dividends.
CREATE OR REPLACE TEMPORARY VIEW complete_actions AS
  SELECT symbol, min(from_date) AS from_date, greatest(min(from_date), date_add(max(incomplete_through), 1)) AS dividends_from
  FROM action_coverage GROUP BY symbol;

-- Daily bars, each scaled by the actions that a provider listed only after bars without them had been stored.
CREATE OR REPLACE TEMPORARY VIEW complete_bars AS
  WITH late AS (
    SELECT o.symbol, o.date, n.ex_date, n.kind,
      min_by(n.price_factor, CASE WHEN n.price_factor IS NOT NULL THEN n.known_at END) AS price_factor
    FROM bars_daily o JOIN corporate_actions n ON o.symbol = n.symbol AND o.date < n.ex_date
      AND o.basis_date >= n.ex_date AND o.basis_date <= n.missing_through
    GROUP BY o.symbol, o.date, n.ex_date, n.kind),
  scale AS (
    SELECT symbol, date,
      product_of(collect_list(CASE WHEN kind = 'split' THEN coalesce(price_factor, DOUBLE('NaN')) ELSE 1D END)) AS split_factor,
      product_of(collect_list(coalesce(price_factor, DOUBLE('NaN')))) AS total_factor
    FROM late GROUP BY symbol, date)
  SELECT r.symbol, r.date,
    CASE WHEN l.symbol IS NULL OR l.split_factor = 1 THEN r.open ELSE price_digits(r.open * l.split_factor) END AS open,
    CASE WHEN l.symbol IS NULL OR l.split_factor = 1 THEN r.high ELSE price_digits(r.high * l.split_factor) END AS high,
    CASE WHEN l.symbol IS NULL OR l.split_factor = 1 THEN r.low ELSE price_digits(r.low * l.split_factor) END AS low,
    CASE WHEN l.symbol IS NULL OR l.split_factor = 1 THEN r.close ELSE price_digits(r.close * l.split_factor) END AS close,
    CASE WHEN l.symbol IS NULL OR l.split_factor = 1 THEN r.volume ELSE whole_shares(r.volume / l.split_factor) END AS volume,
    CASE WHEN l.symbol IS NULL THEN r.adj_close ELSE r.adj_close * l.total_factor END AS adj_close,
    r.currency, r.basis_date, r.known_at, r.source
  FROM bars_daily r LEFT JOIN scale l ON r.symbol = l.symbol AND r.date = l.date;

-- Factors for prices whose basis_date is in [since, ex_date), fetched in [recorded_from, recorded_before), to the basis of as_of. It has the
-- actions after as_of too, each in its newest report when the price was fetched, else its first: so it says nothing of what was known.
CREATE OR REPLACE TEMPORARY FUNCTION adjustments(as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  WITH moment AS (SELECT known_by(as_of) AS instant, known_day(as_of) AS last_day),
  reported AS (
    SELECT c.symbol, c.ex_date, c.kind, c.price_factor, m.last_day FROM corporate_actions c CROSS JOIN moment m
    WHERE c.known_at <= m.instant OR c.ex_date <= m.last_day
    QUALIFY row_number() OVER (PARTITION BY c.symbol, c.ex_date, c.kind
      ORDER BY CASE WHEN c.known_at <= m.instant THEN c.known_at END DESC NULLS LAST, c.known_at) = 1),
  daily AS (
    SELECT symbol, ex_date, last_day,
      product_of(collect_list(CASE WHEN kind = 'split' THEN coalesce(price_factor, DOUBLE('NaN')) ELSE 1D END)) AS split_factor,
      product_of(collect_list(coalesce(price_factor, DOUBLE('NaN')))) AS total_factor
    FROM reported GROUP BY symbol, ex_date, last_day),
  covered AS (
    SELECT c.symbol, CASE WHEN c.dividends_from <= date_add(m.last_day, 1) THEN 1D END AS dividends, m.last_day
    FROM complete_actions c CROSS JOIN moment m WHERE c.from_date <= date_add(m.last_day, 1)),
  ahead AS (
    SELECT c.* FROM corporate_actions c JOIN covered v ON v.symbol = c.symbol AND c.ex_date > v.last_day),
  corrections AS (
    SELECT symbol, known_at FROM ahead
    QUALIFY row_number() OVER (PARTITION BY symbol, ex_date, kind ORDER BY known_at) > 1),
  fetches AS (
    SELECT symbol, recorded_from,
      coalesce(lead(recorded_from) OVER (PARTITION BY symbol ORDER BY recorded_from), TIMESTAMP '9999-12-31 00:00:00Z') AS recorded_before
    FROM (SELECT symbol, TIMESTAMP '0001-01-01 00:00:00Z' AS recorded_from FROM covered UNION SELECT symbol, known_at FROM corrections)),
  with_fetch AS (
    SELECT f.symbol, f.recorded_from, f.recorded_before, a.ex_date, a.kind, max_by(a.price_factor, CASE WHEN a.price_factor IS NOT NULL
      THEN CASE WHEN a.known_at <= f.recorded_from THEN unix_micros(a.known_at) ELSE -unix_micros(a.known_at) END END) AS price_factor
    FROM fetches f JOIN ahead a ON a.symbol = f.symbol GROUP BY f.symbol, f.recorded_from, f.recorded_before, a.ex_date, a.kind),
  undone AS (
    SELECT symbol, recorded_from, recorded_before, since,
      product_of(collect_list(coalesce(split_factor, DOUBLE('NaN')))) AS split_factor,
      product_of(collect_list(coalesce(total_factor, DOUBLE('NaN')))) AS total_factor
    FROM (
      SELECT symbol, recorded_from, recorded_before, date_add(last_day, 1) AS since, 1D AS split_factor, dividends AS total_factor
      FROM covered JOIN fetches USING (symbol)
      UNION ALL
      SELECT symbol, recorded_from, recorded_before, ex_date,
        CASE WHEN kind = 'split' THEN coalesce(price_factor, DOUBLE('NaN')) ELSE 1D END, price_factor FROM with_fetch)
    GROUP BY symbol, recorded_from, recorded_before, since)
  SELECT symbol, ex_date, coalesce(lag(ex_date) OVER (PARTITION BY symbol ORDER BY ex_date), DATE '0001-01-01') AS since,
    product_of(collect_list(coalesce(split_factor, DOUBLE('NaN'))) OVER (PARTITION BY symbol ORDER BY ex_date DESC)) AS split_factor,
    product_of(collect_list(coalesce(total_factor, DOUBLE('NaN'))) OVER (PARTITION BY symbol ORDER BY ex_date DESC)) AS total_factor,
    TIMESTAMP '0001-01-01 00:00:00Z' AS recorded_from, TIMESTAMP '9999-12-31 00:00:00Z' AS recorded_before
  FROM daily WHERE ex_date <= least(last_day, new_york_day(current_timestamp()))
  UNION ALL
  SELECT symbol, coalesce(lead(since) OVER (PARTITION BY symbol, recorded_from ORDER BY since), DATE '9999-12-31'), since,
    1 / product_of(collect_list(coalesce(split_factor, DOUBLE('NaN'))) OVER (PARTITION BY symbol, recorded_from ORDER BY since)),
    1 / product_of(collect_list(coalesce(total_factor, DOUBLE('NaN'))) OVER (PARTITION BY symbol, recorded_from ORDER BY since)),
    recorded_from, recorded_before
  FROM undone;

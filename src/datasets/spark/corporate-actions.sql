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
    SELECT symbol, ex_date, kind, max(missing_through) AS missing_through,
      max_by(price_factor, CASE WHEN price_factor IS NOT NULL THEN known_at END) AS price_factor
    FROM corporate_actions GROUP BY symbol, ex_date, kind HAVING max(missing_through) IS NOT NULL),
  scale AS (
    SELECT o.symbol, o.date,
      product_of(collect_list(CASE WHEN n.kind = 'split' THEN coalesce(n.price_factor, DOUBLE('NaN')) ELSE 1D END)) AS split_factor,
      product_of(collect_list(coalesce(n.price_factor, DOUBLE('NaN')))) AS total_factor
    FROM bars_daily o JOIN late n ON o.symbol = n.symbol AND o.date < n.ex_date
      AND o.basis_date >= n.ex_date AND o.basis_date <= n.missing_through
    GROUP BY o.symbol, o.date)
  SELECT r.symbol, r.date,
    CASE WHEN l.symbol IS NULL OR l.split_factor = 1 THEN r.open ELSE price_digits(r.open * l.split_factor) END AS open,
    CASE WHEN l.symbol IS NULL OR l.split_factor = 1 THEN r.high ELSE price_digits(r.high * l.split_factor) END AS high,
    CASE WHEN l.symbol IS NULL OR l.split_factor = 1 THEN r.low ELSE price_digits(r.low * l.split_factor) END AS low,
    CASE WHEN l.symbol IS NULL OR l.split_factor = 1 THEN r.close ELSE price_digits(r.close * l.split_factor) END AS close,
    CASE WHEN l.symbol IS NULL OR l.split_factor = 1 THEN r.volume ELSE whole_shares(r.volume / l.split_factor) END AS volume,
    CASE WHEN l.symbol IS NULL THEN r.adj_close ELSE r.adj_close * l.total_factor END AS adj_close,
    r.currency, r.basis_date, r.known_at, r.source
  FROM bars_daily r LEFT JOIN scale l ON r.symbol = l.symbol AND r.date = l.date;

-- Factors for prices whose basis_date is in [since, ex_date), to the basis of as_of. It has the actions after as_of too, since prices that were
-- fetched later include them, so it says nothing of what was known.
CREATE OR REPLACE TEMPORARY FUNCTION adjustments(as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  WITH moment AS (SELECT known_by(as_of) AS instant, known_day(as_of) AS last_day),
  reported AS (
    SELECT c.symbol, c.ex_date, c.kind, c.price_factor, m.last_day FROM corporate_actions c CROSS JOIN moment m
    QUALIFY row_number() OVER (PARTITION BY c.symbol, c.ex_date, c.kind
      ORDER BY CASE WHEN c.known_at <= m.instant OR c.ex_date > m.last_day THEN c.known_at END DESC NULLS LAST, c.known_at) = 1),
  daily AS (
    SELECT symbol, ex_date, last_day,
      product_of(collect_list(CASE WHEN kind = 'split' THEN coalesce(price_factor, DOUBLE('NaN')) ELSE 1D END)) AS split_factor,
      product_of(collect_list(coalesce(price_factor, DOUBLE('NaN')))) AS total_factor
    FROM reported GROUP BY symbol, ex_date, last_day),
  covered AS (
    SELECT c.symbol, CASE WHEN c.dividends_from <= date_add(m.last_day, 1) THEN 1D END AS dividends, m.last_day
    FROM complete_actions c CROSS JOIN moment m WHERE c.from_date <= date_add(m.last_day, 1)),
  undone AS (
    SELECT symbol, since, product_of(collect_list(coalesce(split_factor, DOUBLE('NaN')))) AS split_factor,
      product_of(collect_list(coalesce(total_factor, DOUBLE('NaN')))) AS total_factor
    FROM (
      SELECT symbol, date_add(last_day, 1) AS since, 1D AS split_factor, dividends AS total_factor FROM covered
      UNION ALL
      SELECT symbol, ex_date, split_factor, total_factor FROM daily LEFT SEMI JOIN covered USING (symbol) WHERE ex_date > last_day)
    GROUP BY symbol, since)
  SELECT symbol, ex_date, coalesce(lag(ex_date) OVER (PARTITION BY symbol ORDER BY ex_date), DATE '0001-01-01') AS since,
    product_of(collect_list(coalesce(split_factor, DOUBLE('NaN'))) OVER (PARTITION BY symbol ORDER BY ex_date DESC)) AS split_factor,
    product_of(collect_list(coalesce(total_factor, DOUBLE('NaN'))) OVER (PARTITION BY symbol ORDER BY ex_date DESC)) AS total_factor
  FROM daily WHERE ex_date <= least(last_day, new_york_day(current_timestamp()))
  UNION ALL
  SELECT symbol, coalesce(lead(since) OVER (PARTITION BY symbol ORDER BY since), DATE '9999-12-31'), since,
    1 / product_of(collect_list(coalesce(split_factor, DOUBLE('NaN'))) OVER (PARTITION BY symbol ORDER BY since)),
    1 / product_of(collect_list(coalesce(total_factor, DOUBLE('NaN'))) OVER (PARTITION BY symbol ORDER BY since))
  FROM undone;

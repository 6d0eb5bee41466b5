-- Dividends as known by as_of, the newest revision of each, on the basis of as_of: the macro dividends_as_of.
-- It reads common.sql and corporate-actions.sql.
CREATE OR REPLACE TEMPORARY FUNCTION dividends_as_of(as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  WITH moment AS (
    SELECT known_by(as_of) AS instant, known_day(as_of) AS last_day, new_york_day(least(known_by(as_of), current_timestamp())) AS today),
  -- Each split in its newest report by as_of; a split after as_of in its newest report of all.
  then_known AS (SELECT * FROM actions(as_of)),
  now_known AS (SELECT * FROM actions()),
  stored AS (SELECT symbol, ex_date, min(known_at) AS stored_at FROM corporate_actions WHERE kind = 'split' GROUP BY symbol, ex_date),
  splits AS (
    SELECT symbol, collect_list(struct(ex_date, price_factor, stored_at)) AS splits
    FROM (
      SELECT t.symbol, t.ex_date, t.price_factor FROM then_known t CROSS JOIN moment m WHERE t.kind = 'split' AND t.ex_date <= m.last_day
      UNION ALL
      SELECT n.symbol, n.ex_date, n.price_factor FROM now_known n CROSS JOIN moment m WHERE n.kind = 'split' AND n.ex_date > m.last_day)
    JOIN stored USING (symbol, ex_date) GROUP BY symbol),
  known AS (
    SELECT d.* EXCEPT (known_at), d.known_at AS recorded_at, d.known_at > m.instant AS backfilled,
      -- A first report was public at the end of its declaration day, else at the open of its ex date, and never after its fetch.
      CASE WHEN d.revision > 1 THEN d.known_at
        WHEN d.declaration_date IS NOT NULL THEN least(d.known_at, known_by(CAST(d.declaration_date AS STRING)))
        ELSE least(d.known_at, open_of(d.ex_dividend_date)) END AS known_at,
      m.instant, m.last_day, m.today
    FROM dividend_calendar d CROSS JOIN moment m),
  newest AS (
    SELECT * FROM known WHERE known_at <= instant
    QUALIFY row_number() OVER (PARTITION BY symbol, ex_dividend_date, dividend_type, part, source ORDER BY recorded_at DESC) = 1),
  -- What was read by as_of stays: a row of another kind of provider that was read later does not replace it.
  kept AS (
    SELECT * FROM newest
    QUALIFY NOT (backfilled AND CASE WHEN basis_date IS NULL
      THEN bool_or(NOT backfilled AND basis_date IS NOT NULL) OVER (PARTITION BY symbol, ex_dividend_date, dividend_type)
      ELSE bool_or(NOT backfilled AND basis_date IS NULL) OVER (PARTITION BY symbol, ex_dividend_date, dividend_type) END)),
  preferred AS (
    SELECT * FROM kept
    QUALIFY CASE WHEN basis_date IS NULL
      THEN status <> 'cancelled' OR NOT bool_or(basis_date IS NOT NULL) OVER (PARTITION BY symbol, ex_dividend_date, dividend_type)
      ELSE NOT bool_or(basis_date IS NULL AND status <> 'cancelled') OVER (PARTITION BY symbol, ex_dividend_date, dividend_type) END),
  -- The splits that an adjusted amount includes: those after as_of, and those after its ex date.
  included AS (
    SELECT p.*, filter(s.splits, one -> one.ex_date > p.last_day AND one.ex_date <= p.basis_date) AS undone,
      filter(s.splits, one -> one.ex_date > p.ex_dividend_date AND one.ex_date <= p.basis_date) AS since
    FROM preferred p LEFT JOIN splits s ON s.symbol = p.symbol),
  factors AS (
    SELECT *, transform(undone, one -> coalesce(one.price_factor, DOUBLE('NaN'))) AS undone_factors,
      transform(since, one -> coalesce(one.price_factor, DOUBLE('NaN'))) AS since_factors,
      exists(since, one -> one.stored_at > recorded_at) AS is_stored_later
    FROM included),
  scaled AS (
    SELECT *, CASE WHEN size(undone) > 0 THEN product_of(undone_factors) ELSE 1D END AS undone_factor,
      -- Null without splits, and where one was stored only after the reading, which cannot show whether its amount includes it.
      CASE WHEN size(since) > 0 AND NOT is_stored_later THEN product_of(since_factors) END AS since_factor
    FROM factors)
  SELECT symbol, ex_dividend_date, dividend_type, part, declaration_date, record_date, payment_date,
    coalesce(amount, rounded(reported_amount / since_factor, 6 - CAST(ceil(log10(1 / since_factor)) AS INT))) AS amount,
    CASE WHEN basis_date > last_day THEN price_digits(reported_amount / undone_factor)
      ELSE reported_amount END AS reported_amount,
    CASE WHEN basis_date > last_day THEN last_day ELSE basis_date END AS basis_date,
    currency, frequency,
    CASE WHEN status = 'declared' AND coalesce(payment_date, date_add(ex_dividend_date, 180)) <= today THEN 'paid' ELSE status END AS status,
    new_york_day(known_at) AS as_of_date, revision, known_at, source, recorded, recorded_at, backfilled
  FROM scaled;

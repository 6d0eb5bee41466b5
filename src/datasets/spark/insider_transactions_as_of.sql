-- Insiders' trades that were public by as_of, without those that a later row voids; one that is counted in another adds its owners,
-- and prices and days that cannot be are null: the macro insider_transactions_as_of. It reads common.sql.
CREATE OR REPLACE TEMPORARY FUNCTION insider_transactions_as_of(as_of STRING DEFAULT NULL) RETURNS TABLE RETURN
  WITH voided AS (SELECT * FROM insider_transactions WHERE role = 'strike' AND known_at <= known_by(as_of)),
  trades AS (
    -- A day after the filing, or before the form's period because of its year, cannot be.
    SELECT t.*, CASE WHEN transaction_date <= filing_date AND NOT (coalesce(transaction_date < period_of_report, false) AND (
        add_months(transaction_date, 12 * (year(period_of_report) - year(transaction_date))) BETWEEN period_of_report AND filing_date
        OR add_months(transaction_date, 12 * (year(filing_date) - year(transaction_date))) BETWEEN period_of_report AND filing_date))
      THEN transaction_date END AS trade_day
    FROM insider_transactions t LEFT ANTI JOIN voided v ON v.row_id = t.row_id
    WHERE t.role = 'trade' AND t.known_at <= known_by(as_of)),
  doubts AS (
    SELECT row_id, coalesce(max(finding) FILTER (WHERE finding <> 'unexplained'), 'unexplained') AS finding
    FROM insider_price_checks WHERE known_at <= known_by(as_of) GROUP BY row_id HAVING NOT bool_or(finding = 'fits')),
  counted AS (
    SELECT coalesce(n.counted_in, c.counted_in) AS root, c.*
    FROM voided c LEFT JOIN voided n ON n.row_id = c.counted_in AND n.counted_in IS NOT NULL WHERE c.counted_in IS NOT NULL),
  joint AS (
    SELECT root, flatten(transform(array_sort(collect_list(struct(row_id, owners))),
        one -> from_json(one.owners, 'ARRAY<STRUCT<cik: STRING, name: STRING, relationship: STRING>>'))) AS owners,
      bool_or(is_director) AS is_director, bool_or(is_officer) AS is_officer,
      bool_or(is_ten_percent_owner) AS is_ten_percent_owner, bool_or(is_other) AS is_other,
      CASE WHEN bool_or(is_ceo) THEN true WHEN count(is_ceo) = count(*) THEN false END AS is_ceo,
      CASE WHEN bool_or(is_cfo) THEN true WHEN count(is_cfo) = count(*) THEN false END AS is_cfo,
      CASE WHEN bool_or(is_c_suite) THEN true WHEN count(is_c_suite) = count(*) THEN false END AS is_c_suite
    FROM counted GROUP BY root),
  -- The owners of all forms, those of the trade that stays first, each once.
  listed AS (
    SELECT t.*, concat(from_json(t.owners, 'ARRAY<STRUCT<cik: STRING, name: STRING, relationship: STRING>>'), j.owners) AS texts
    FROM trades t LEFT JOIN joint j ON j.root = t.row_id),
  owned AS (
    SELECT * EXCEPT (texts), filter(texts, (one, i) ->
      array_position(transform(texts, other -> coalesce(other.cik, other.name)), coalesce(one.cik, one.name)) = i + 1) AS united
    FROM listed)
  SELECT
    t.accession_number, t.line, t.reading, t.form_type, t.is_amendment, t.filing_date, t.accepted_at, t.period_of_report,
    t.date_of_original_submission, t.issuer_cik, t.issuer_name, t.issuer_symbol, t.owner_cik, t.owner_name,
    CASE WHEN j.root IS NULL THEN t.owner_count ELSE size(t.united) END AS owner_count,
    CASE WHEN j.root IS NULL THEN t.owners ELSE to_json(t.united, map('ignoreNullFields', 'false')) END AS owners, t.owner_relationship,
    t.officer_title, CASE WHEN j.root IS NULL THEN t.is_director ELSE t.is_director OR j.is_director END AS is_director,
    CASE WHEN j.root IS NULL THEN t.is_officer ELSE t.is_officer OR j.is_officer END AS is_officer,
    CASE WHEN j.root IS NULL THEN t.is_ten_percent_owner ELSE t.is_ten_percent_owner OR j.is_ten_percent_owner END AS is_ten_percent_owner,
    CASE WHEN j.root IS NULL THEN t.is_other ELSE t.is_other OR j.is_other END AS is_other,
    CASE WHEN j.root IS NULL THEN t.is_ceo ELSE t.is_ceo OR j.is_ceo END AS is_ceo,
    CASE WHEN j.root IS NULL THEN t.is_cfo ELSE t.is_cfo OR j.is_cfo END AS is_cfo,
    CASE WHEN j.root IS NULL THEN t.is_c_suite ELSE t.is_c_suite OR j.is_c_suite END AS is_c_suite, t.security_type, t.security_title,
    t.trade_day AS transaction_date, t.deemed_execution_date, t.transaction_code, t.transaction_type, t.acquired_disposed, t.shares,
    CASE WHEN coalesce(d.finding, 'unexplained') = 'unexplained' THEN t.price_per_share END AS price_per_share,
    CASE WHEN coalesce(d.finding, 'unexplained') = 'unexplained' THEN t.transaction_value END AS transaction_value, t.shares_owned_after,
    t.value_owned_after, t.purchase_pct_of_holding, t.ownership_nature, t.nature_of_ownership, t.bucket, t.is_10b5_1, t.is_early, t.is_late,
    t.is_equity_swap, t.exercise_price, t.exercise_date, t.expiration_date, t.underlying_title, t.underlying_shares, t.line_count, t.row_id,
    t.trade_key, t.line_key, t.corrects_line_key, t.group_key, t.footnotes, t.source_sha256, t.known_at, t.recorded,
    CASE WHEN t.trade_day IS NULL THEN t.transaction_date END AS filed_transaction_date, d.finding AS price_in_doubt,
    CASE WHEN d.finding <> 'unexplained' THEN t.price_per_share END AS filed_price
  FROM owned t LEFT JOIN joint j ON j.root = t.row_id LEFT JOIN doubts d ON d.row_id = t.row_id;

-- Empty views of the datasets that the functions of this folder read, for a lake in which some have no rows, and therefore no table.
-- Run it before the views of the lake's own tables, which replace these.

CREATE OR REPLACE TEMPORARY VIEW bars_daily AS SELECT one.* FROM (SELECT from_json('{}', '
  symbol STRING, date DATE, open DOUBLE, high DOUBLE, low DOUBLE, close DOUBLE, volume BIGINT, adj_close DOUBLE, currency STRING,
  basis_date DATE, known_at TIMESTAMP, source STRING, recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW bars_provisional AS SELECT one.* FROM (SELECT from_json('{}', '
  symbol STRING, date DATE, open DOUBLE, high DOUBLE, low DOUBLE, close DOUBLE, volume BIGINT, adj_close DOUBLE, currency STRING,
  basis_date DATE, known_at TIMESTAMP, source STRING, recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW corporate_actions AS SELECT one.* FROM (SELECT from_json('{}', '
  symbol STRING, ex_date DATE, kind STRING, amount DOUBLE, currency STRING, numerator DOUBLE, denominator DOUBLE, price_factor DOUBLE,
  missing_through DATE, basis_date DATE, known_at TIMESTAMP, source STRING, recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW action_coverage AS SELECT one.* FROM (SELECT from_json('{}', '
  symbol STRING, from_date DATE, incomplete_through DATE, known_at TIMESTAMP, source STRING, recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW filings AS SELECT one.* FROM (SELECT from_json('{}', '
  accession_number STRING, cik STRING, company_name STRING, form_type STRING, filing_date DATE, report_date DATE, accepted_at TIMESTAMP,
  items STRING, primary_document STRING, size BIGINT, is_xbrl BOOLEAN, known_at TIMESTAMP, indexed_at TIMESTAMP, recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW financial_facts AS SELECT one.* FROM (SELECT from_json('{}', '
  cik STRING, symbol STRING, statement STRING, line STRING, period STRING, period_start DATE, period_end DATE, period_months INT,
  fiscal_year INT, filing_fiscal_year INT, fiscal_period STRING, value DOUBLE, unit STRING, currency STRING, tag STRING, taxonomy STRING,
  accession_number STRING, form STRING, filed_date DATE, accepted_at TIMESTAMP, known_at TIMESTAMP, vintage INT, revision STRING,
  flags STRING, split_basis DATE, source STRING, recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW presented_statements AS SELECT one.* FROM (SELECT from_json('{}', '
  cik STRING, accession_number STRING, statement STRING, filed_date DATE, reading INT, tags STRING, read_at TIMESTAMP, known_at TIMESTAMP,
  recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW dividend_calendar AS SELECT one.* FROM (SELECT from_json('{}', '
  symbol STRING, ex_dividend_date DATE, dividend_type STRING, part INT, declaration_date DATE, record_date DATE, payment_date DATE,
  amount DOUBLE, reported_amount DOUBLE, basis_date DATE, currency STRING, frequency STRING, status STRING, as_of_date DATE, revision INT,
  known_at TIMESTAMP, source STRING, recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW insider_transactions AS SELECT one.* FROM (SELECT from_json('{}', '
  accession_number STRING, line INT, role STRING, reading INT, form_type STRING, is_amendment BOOLEAN, filing_date DATE,
  accepted_at TIMESTAMP, period_of_report DATE, date_of_original_submission DATE, issuer_cik STRING, issuer_name STRING,
  issuer_symbol STRING, owner_cik STRING, owner_name STRING, owner_count INT, owners STRING, owner_relationship STRING,
  officer_title STRING, is_director BOOLEAN, is_officer BOOLEAN, is_ten_percent_owner BOOLEAN, is_other BOOLEAN, is_ceo BOOLEAN,
  is_cfo BOOLEAN, is_c_suite BOOLEAN, security_type STRING, security_title STRING, transaction_date DATE, deemed_execution_date DATE,
  transaction_code STRING, transaction_type STRING, acquired_disposed STRING, shares DOUBLE, price_per_share DOUBLE,
  transaction_value DOUBLE, shares_owned_after DOUBLE, value_owned_after DOUBLE, purchase_pct_of_holding DOUBLE, ownership_nature STRING,
  nature_of_ownership STRING, bucket STRING, is_10b5_1 BOOLEAN, is_early BOOLEAN, is_late BOOLEAN, is_equity_swap BOOLEAN,
  exercise_price DOUBLE, exercise_date DATE, expiration_date DATE, underlying_title STRING, underlying_shares DOUBLE, line_count INT,
  row_id BIGINT, trade_key BIGINT, line_key BIGINT, corrects_line_key BIGINT, group_key BIGINT, counted_in BIGINT, footnotes STRING,
  source_sha256 STRING, known_at TIMESTAMP, recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW insider_price_checks AS SELECT one.* FROM (SELECT from_json('{}', '
  row_id BIGINT, finding STRING, issuer_cik STRING, filing_date DATE, symbol STRING, close_date DATE, close DOUBLE, known_at TIMESTAMP,
  recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW ownership_events AS SELECT one.* FROM (SELECT from_json('{}', '
  accession_number STRING, person INT, reading INT, form_type STRING, schedule STRING, is_amendment BOOLEAN, amendment_number INT,
  previous_accession_number STRING, is_structured BOOLEAN, filing_date DATE, accepted_at TIMESTAMP, event_date DATE, issuer_cik STRING,
  issuer_name STRING, cusips STRING, class_title STRING, holder_cik STRING, holder_name STRING, holder_keys STRING, person_cik STRING,
  person_name STRING, person_types STRING, member_of_group STRING, ownership_pct DOUBLE, shares_owned DOUBLE, sole_voting DOUBLE,
  shared_voting DOUBLE, sole_dispositive DOUBLE, shared_dispositive DOUBLE, filing_pct DOUBLE, filing_shares DOUBLE, is_exit BOOLEAN,
  is_activist BOOLEAN, activist_reason STRING, source_sha256 STRING, known_at TIMESTAMP, recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW universe_snapshots AS SELECT one.* FROM (SELECT from_json('{}', '
  listing STRING, snapshot_date DATE, symbol STRING, name STRING, cik STRING, sector STRING, industry STRING, exchange STRING,
  security_type STRING, currency STRING, basis_date DATE, close_price DOUBLE, close_price_unadjusted DOUBLE, shares_outstanding BIGINT,
  shares_source STRING, shares_as_of DATE, shares_accession STRING, market_cap DOUBLE, shares_outstanding_pit BIGINT,
  shares_pit_as_of DATE, shares_pit_known_at TIMESTAMP, shares_pit_accession STRING, market_cap_pit DOUBLE, missing STRING,
  known_at TIMESTAMP, recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW econ_observations AS SELECT one.* FROM (SELECT from_json('{}', '
  series_id STRING, date DATE, value DOUBLE, withdrawn BOOLEAN, realtime_start DATE, realtime_end DATE, units STRING, known_at TIMESTAMP,
  fetched_at TIMESTAMP, source STRING, recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW short_volume AS SELECT one.* FROM (SELECT from_json('{}', '
  date DATE, symbol STRING, short_volume DOUBLE, short_exempt_volume DOUBLE, total_volume DOUBLE, market STRING, facility STRING,
  known_at TIMESTAMP, fetched_at TIMESTAMP, source STRING, recorded BIGINT') AS one) WHERE false;

CREATE OR REPLACE TEMPORARY VIEW finra_files AS SELECT one.* FROM (SELECT from_json('{}', '
  facility STRING, date DATE, rows BIGINT, test_rows BIGINT, sha256 STRING, last_modified TIMESTAMP, known_at TIMESTAMP,
  fetched_at TIMESTAMP, source STRING, recorded BIGINT') AS one) WHERE false;

-- The days of EXTRA_CLOSURES. A view of them that is made after this and before common.sql counts.
CREATE OR REPLACE TEMPORARY VIEW extra_closures AS SELECT CAST(NULL AS DATE) AS day WHERE false;

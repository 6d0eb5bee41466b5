// Checks of insiders' prices: what the closes around a purchase or sale say about the price on the form.
import { dataset } from "../platform/lake/dataset.ts";

export const insiderPriceChecks = dataset({
  name: "insider_price_checks",
  description:
    "What the closes within five sessions of an insider's purchase or sale say about the price on the form, one row per finding. insider_transactions_as_of(as_of) leaves prices out that a finding doubts.",
  columns: {
    row_id: { type: "BIGINT", description: "The row_id of the trade in insider_transactions." },
    finding: {
      type: "VARCHAR",
      description:
        "fits (less than three times off) or unexplained; total, cents, exchanged, per_ads: the price is in doubt, and why.",
    },
    issuer_cik: { type: "VARCHAR", description: "CIK of the issuer, ten digits." },
    filing_date: { type: "DATE", description: "Filing date of the form." },
    symbol: { type: "VARCHAR", description: "The symbol whose close it is." },
    close_date: { type: "DATE", description: "The session of the close." },
    close: { type: "DOUBLE", unit: "USD per share", description: "The close as traded on that day." },
    known_at: {
      type: "TIMESTAMPTZ",
      description: "The later of the form's publication and the open after the session of the close.",
    },
  },
  key: ["row_id", "finding", "filing_date"],
  partition: { by: "year", column: "filing_date" },
  sort: ["row_id"],
  fill: "append",
  changes: { publicFrom: "known_at", computed: true },
});

/**
 * The day of a trade, null where it cannot be: after the filing date, or before the day of the form's
 * earliest trade because of its year.
 */
// Made up: of a form of 10 June 2026 for 8 June 2026, trades of 8 June 2036 and of 8 June 2025 have no day.
const inYearOf = (column: string) =>
  `(transaction_date + to_years((year(${column}) - year(transaction_date))::INTEGER))::DATE BETWEEN period_of_report AND filing_date`;
export const TRADE_DAY = `CASE WHEN transaction_date <= filing_date AND NOT (coalesce(transaction_date < period_of_report, false)
    AND (${inYearOf("period_of_report")} OR ${inYearOf("filing_date")})) THEN transaction_date END`;

/** How far a price may be off a close. */
// A price of 60 beside closes of 24 is possible, one of 72 or of 8 is in doubt.
const OFF = 3;
/** How near a corrected price must be to a close, as a factor. */
// Made up: 4,840,000 for 200,000 shares beside a close of 20 is their total: 24.20 a share.
const NEAR = 1.5;
const near = (value: string) => `(${value} < ${NEAR} * close AND close < ${NEAR} * ${value})`;
const SESSIONS = 5;
/** Calendar days that five sessions take at most. */
// From Wednesday 24 December 2025 to Friday 2 January 2026 there are five sessions, in nine days.
const SESSIONS_DAYS = 9;

/**
 * Selects the checks that the stored closes of symbols ($symbols) or of issuers ($issuers) make possible and
 * that are not stored. A close of any symbol of the company can fit. A price of a named class is explained
 * only where all symbols of the company have closes.
 */
// Made up: 400 shares of class A bought at 600,000 dollars, beside closes of class B at 400, are as filed.
export const INSIDER_PRICE_CHECKS = `WITH listed AS MATERIALIZED (SELECT symbol, cik FROM ticker_holders(NULL)),
  holders AS (
    SELECT *, count(*) OVER (PARTITION BY cik) AS symbols FROM listed
    WHERE cik = ANY($issuers) OR cik IN (SELECT cik FROM listed WHERE symbol = ANY($symbols))),
  priced AS MATERIALIZED (
    SELECT t.row_id, t.issuer_cik, t.filing_date, h.symbol, t.shares, t.price_per_share AS price, t.known_at,
      coalesce(${TRADE_DAY}, filing_date) AS day,
      regexp_matches(upper(concat_ws(' ', t.security_title, t.footnotes)), '\\bADS|DEPOSITARY') AS is_ads,
      h.symbols > 1 AND regexp_matches(upper(t.security_title), '\\b(CLASS|SERIES)\\b') AS is_class, h.symbols
    FROM insider_transactions t JOIN holders h ON h.cik = t.issuer_cik
    WHERE t.role = 'trade' AND t.security_type = 'non_derivative' AND t.transaction_code IN ('P', 'S') AND t.price_per_share > 0
      AND t.row_id NOT IN (SELECT row_id FROM insider_price_checks GROUP BY row_id HAVING bool_and(finding = 'fits'))),
  closes AS (
    SELECT p.*, b.date AS close_date, b.close, greatest(p.known_at, b.known_at) AS since
    FROM priced p JOIN bars_adjusted(NULL, 'raw') b ON b.symbol = p.symbol AND b.close > 0
      AND b.date BETWEEN p.day - ${SESSIONS_DAYS} AND p.day + ${SESSIONS_DAYS}
    QUALIFY row_number() OVER (PARTITION BY p.row_id, p.symbol, sign(b.date - p.day) ORDER BY abs(b.date - p.day)) <= ${SESSIONS}),
  judged AS (
    SELECT *, CASE WHEN price < ${OFF} * close AND close < ${OFF} * price THEN 'fits'
        WHEN is_class AND count(DISTINCT symbol) OVER (PARTITION BY row_id) < symbols THEN 'unexplained'
        WHEN shares <> round(shares) AND ${near("shares")} THEN 'exchanged'
        WHEN ${near("price / nullif(shares, 0)")} THEN 'total' WHEN ${near("price / 100")} THEN 'cents'
        WHEN ${near("shares")} THEN 'exchanged'
        WHEN is_ads AND price > close AND abs(price / close - round(price / close)) < 0.1 THEN 'per_ads'
        ELSE 'unexplained' END AS finding FROM closes),
  found AS (
    SELECT row_id, finding, issuer_cik, filing_date, min_by(symbol, since) AS symbol, min_by(close_date, since) AS close_date,
      min_by(close, since) AS close, min(since) AS known_at
    FROM judged GROUP BY row_id, finding, issuer_cik, filing_date)
  SELECT f.* FROM found f LEFT JOIN (SELECT row_id, min(since) AS fits_at FROM judged WHERE finding = 'fits' GROUP BY row_id) USING (row_id)
  WHERE (f.finding = 'fits' OR coalesce(f.known_at < fits_at, true)) AND NOT EXISTS (
    SELECT 1 FROM insider_price_checks c WHERE c.row_id = f.row_id AND c.finding = f.finding AND c.known_at <= f.known_at)`;

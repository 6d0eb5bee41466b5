// Trades of insiders (Forms 3, 4 and 5): one row per trade, regardless of how many owners report it.

import { columnsWithout, dataset, type Macro } from "../platform/lake/dataset.ts";

const figure = (description: string, unit: string) =>
  ({ type: "DOUBLE", nullable: true, unit, description }) as const;
const day = (description: string) => ({ type: "DATE", nullable: true, description }) as const;
const words = (description: string) => ({ type: "VARCHAR", nullable: true, description }) as const;
const optionalFlag = (description: string) => ({ type: "BOOLEAN", nullable: true, description }) as const;

export const insiderTransactions = dataset({
  name: "insider_transactions",
  description:
    "One row per trade line of Forms 3, 4 and 5, regardless of how many owners report it. Corrected trades stay beside their corrections; a row with role strike states from when a trade is void. insider_transactions_as_of(as_of) has the valid trades.",
  columns: {
    accession_number: {
      type: "VARCHAR",
      description: "The regulator's accession number of the filing, with dashes.",
    },
    line: {
      type: "INTEGER",
      description: "Position in the form, from 1; identifies the trade together with accession_number.",
    },
    role: {
      type: "VARCHAR",
      description:
        "trade, or strike: from its known_at on, the trade with the same row_id is void because another filing corrects or repeats it.",
    },
    reading: {
      type: "INTEGER",
      description:
        "0: from the regulator's quarterly data set; 1 and above: from the filing itself, by parser version.",
    },
    form_type: { type: "VARCHAR", description: "3, 4 or 5; with /A for an amendment." },
    is_amendment: { type: "BOOLEAN", description: "Whether it corrects an earlier filing." },
    filing_date: { type: "DATE", description: "Filing date by the regulator." },
    accepted_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "When the regulator accepted it; null for rows of data sets, which state only the day.",
    },
    period_of_report: day("Date of the earliest trade, as filed."),
    date_of_original_submission: day("For an amendment: when the corrected filing was filed."),
    issuer_cik: { type: "VARCHAR", description: "CIK of the issuer, ten digits." },
    issuer_name: { type: "VARCHAR", description: "Name of the issuer, as filed." },
    issuer_symbol: words(
      "Symbol of the issuer as the filer wrote it: free text and only a hint; the CIK identifies the issuer.",
    ),
    owner_cik: words("CIK of the first owner, ten digits; null where the filing omits it."),
    owner_name: { type: "VARCHAR", description: "Name of the first owner." },
    owner_count: { type: "INTEGER", description: "Number of owners that report the trade together." },
    owners: { type: "VARCHAR", description: "All owners as a JSON list of {cik, name, relationship}." },
    owner_relationship: {
      type: "VARCHAR",
      description: "Relationship of the first owner, such as director, officer: Chief Executive Officer.",
    },
    officer_title: words("Title of the first owner."),
    is_director: { type: "BOOLEAN", description: "Whether an owner is a director." },
    is_officer: { type: "BOOLEAN", description: "Whether an owner is an officer." },
    is_ten_percent_owner: { type: "BOOLEAN", description: "Whether an owner holds ten percent." },
    is_other: { type: "BOOLEAN", description: "Whether an owner reports for another reason." },
    is_ceo: optionalFlag("Whether an owner is chief executive officer; null where no title is stated."),
    is_cfo: optionalFlag("Whether an owner is chief financial officer; null where no title is stated."),
    is_c_suite: optionalFlag(
      "Whether an owner is a chief officer or president; null where no title is stated.",
    ),
    security_type: { type: "VARCHAR", description: "non_derivative (Table I) or derivative (Table II)." },
    security_title: words("Security, as filed."),
    transaction_date: day("Day of the trade."),
    deemed_execution_date: day("Deemed execution date, where it differs."),
    transaction_code: words("The form's code: P open-market purchase, S sale, A award, …"),
    transaction_type: {
      type: "VARCHAR",
      description: "buy, sell, award, exercise, gift, tax or other, derived from the code alone.",
    },
    acquired_disposed: words("A acquired, D disposed of."),
    shares: figure("Shares, or derivatives, traded.", "shares"),
    price_per_share: figure(
      "Price as filed; an average where one line combines several trades.",
      "USD per share",
    ),
    transaction_value: figure(
      "Shares times price, or the total as filed; null where a part is missing.",
      "USD",
    ),
    shares_owned_after: figure("Shares held after the trade.", "shares"),
    value_owned_after: figure("Value held after the trade, for securities counted by value.", "USD"),
    purchase_pct_of_holding: figure(
      "For code P: all purchases of the same holding bucket in this filing, relative to the holding before them; repeated on each of their lines.",
      "percentage points",
    ),
    ownership_nature: words("D direct, I indirect."),
    nature_of_ownership: words("Nature of indirect ownership as filed, such as By Trust."),
    bucket: {
      type: "VARCHAR",
      description: "Holding bucket: rows of one filing with the same bucket refer to the same holding.",
    },
    is_10b5_1: optionalFlag("Whether the trade is under a Rule 10b5-1 plan."),
    is_early: { type: "BOOLEAN", description: "Whether it was reported before it was due." },
    is_late: { type: "BOOLEAN", description: "Whether it was reported late." },
    is_equity_swap: optionalFlag("Whether it involves an equity swap."),
    exercise_price: figure("For a derivative: exercise price.", "USD per share"),
    exercise_date: day("For a derivative: first day on which it can be exercised."),
    expiration_date: day("For a derivative: expiration date."),
    underlying_title: words("For a derivative: title of the underlying security."),
    underlying_shares: figure("For a derivative: number of underlying shares.", "shares"),
    line_count: { type: "INTEGER", description: "Number of trades in the filing." },
    row_id: {
      type: "BIGINT",
      description:
        "Hash of accession_number, line and reading; the same for a trade and the row that voids it.",
    },
    trade_key: {
      type: "BIGINT",
      description:
        "Equal for a trade and its correction: hash of issuer, owners, day, code, security and holding bucket.",
    },
    line_key: {
      type: "BIGINT",
      description:
        "Hash of issuer, first owner, filing date, line, line count, table, nature, shares and holding after the trade.",
    },
    corrects_line_key: {
      type: "BIGINT",
      nullable: true,
      description:
        "For an amendment: the line_key of the line it repeats in the filing whose date it states.",
    },
    group_key: {
      type: "BIGINT",
      description: "Equal for one trade that a group of more than ten owners files in several parts.",
    },
    source_sha256: words("SHA-256 of the filing as received; null for rows of data sets."),
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "When it became public: its acceptance, or the end of its filing date in New York where that is unknown.",
    },
  },
  key: ["accession_number", "line", "filing_date", "role", "reading"],
  partition: { by: "year", column: "filing_date", and: "role" },
  sort: ["issuer_cik", "filing_date", "accession_number", "line"],
  fill: "append",
  changes: { publicFrom: "known_at", provider: "edgar", reading: "reading", reread: "our_reading" },
});

/**
 * The dollars of the shares traded in rows for which `counts` holds: 0 without one, null if none has a value.
 * Table II is left out: its prices are of a note, an option or a warrant, and its numbers may be dollars.
 */
// Made up: a note of 1,500,000 dollars, filed as 1,500,000 units at 1,500,000 each, would be 2.25 trillion.
export function insiderDollars(counts: string): string {
  const counted = `FILTER (WHERE security_type = 'non_derivative' AND (${counts}))`;
  return `CASE WHEN count(*) ${counted} = 0 THEN 0.0 ELSE sum(transaction_value) ${counted} END`;
}

const KNOWN = "known_at <= known_by(as_of)";

export const insiderTransactionsAsOf: Macro = {
  name: "insider_transactions_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "Insiders' trades that were public by as_of: amendments replace the lines they correct, and trades filed twice by a group of more than ten owners count once.",
  columns: columnsWithout(insiderTransactions, "role"),
  body: (metadata) => {
    const hasVoided = metadata.partitions(insiderTransactions).some((one) => one.startsWith("role=strike/"));
    const voided = `(SELECT row_id FROM insider_transactions WHERE role = 'strike' AND ${KNOWN})`;
    return `SELECT * EXCLUDE (role) FROM insider_transactions WHERE role = 'trade' AND ${KNOWN}
      ${hasVoided ? `AND row_id NOT IN ${voided}` : ""}`;
  },
};

/** Which of two filings takes precedence: the later one; on the same day, an amendment. */
// Made up: of a form and an amendment of 3 May the amendment takes precedence; a form of 4 May does over
// both.
const LATER =
  "(s.filing_date, s.is_amendment, s.known_at, s.accession_number) > (t.filing_date, t.is_amendment, t.known_at, t.accession_number)";

/** The holding before a lot according to its filing, to a thousandth of a share. */
// Made up: 100 bought and 1,100 owned after: 1,000 before. 0.1 bought and 0.3 after: 0.2, not
// 0.19999999999999998.
const HELD_BEFORE =
  "round(shares_owned_after - CASE acquired_disposed WHEN 'D' THEN -shares ELSE shares END, 3)";

/**
 * Pairs the lots of one key in an amendment (s) with those in an earlier filing (t). is_whole: the amendment
 * restates all lots (as many lots, as many shares, or some unchanged); otherwise it repeats only corrected
 * lots and the others stay. is_more: it reports further lots that follow on the earlier ones. It amends those
 * filings that share a lot with it.
 */
const PAIRS = `lots AS (
    SELECT *, ${HELD_BEFORE} AS held_before, count(*) OVER own AS lot_count, sum(shares) OVER own AS lot_shares,
      count(*) OVER (PARTITION BY accession_number, trade_key, price_per_share) AS price_count,
      first_value(${HELD_BEFORE}) OVER ordered AS opening,
      round(last_value(shares_owned_after) OVER ordered, 3) AS closing
    FROM last WHERE trade_key IN (SELECT trade_key FROM last WHERE is_amendment)
    WINDOW own AS (PARTITION BY accession_number, trade_key), ordered AS (own ORDER BY line
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)),
  pairs AS (
    SELECT t.accession_number AS earlier, s.accession_number AS later, t.trade_key, any_value(s.known_at) AS known_at,
      coalesce(bool_or(s.shares = t.shares), false) AS has_equal,
      coalesce(bool_or(s.lot_count >= t.lot_count OR s.lot_shares = t.lot_shares
        OR (s.shares = t.shares AND s.price_per_share = t.price_per_share
          AND s.shares_owned_after = t.shares_owned_after)), false) AS is_whole,
      coalesce(any_value(s.opening) = any_value(t.closing), false) AS follows
    FROM lots t JOIN lots s ON s.trade_key = t.trade_key AND s.accession_number <> t.accession_number
      AND s.is_amendment AND ${LATER} GROUP BY ALL),
  amended AS (
    SELECT *, follows AND NOT has_equal AS is_more FROM pairs
    QUALIFY has_equal OR NOT bool_or(has_equal) OVER (PARTITION BY later, trade_key))`;

/**
 * Selects the void rows (role strike) for the trades of issuers ($issuers), without those already stored. A
 * trade is voided by: a later reading of the same filing; an amendment's lot with the same issuer, owners,
 * day, code, security and bucket (see PAIRS); an amendment that repeats the whole filing and corrects day,
 * code or security of its line, or how the shares are held; the first part with ten owners, where a group of
 * more than ten files the same trades in parts.
 */
export const INSIDER_VOIDED = `WITH own AS MATERIALIZED (
    SELECT * FROM insider_transactions WHERE role = 'trade' AND issuer_cik = ANY($issuers)),
  last AS (SELECT * FROM own QUALIFY reading = max(reading) OVER (PARTITION BY accession_number)),
  ${PAIRS},
  hits AS (
    SELECT t.row_id, s.known_at FROM own t JOIN own s
      ON s.accession_number = t.accession_number AND s.reading > t.reading
    UNION ALL SELECT t.row_id, p.known_at FROM amended p JOIN lots t
      ON t.accession_number = p.earlier AND t.trade_key = p.trade_key WHERE p.is_whole AND NOT p.is_more
    UNION ALL SELECT t.row_id, p.known_at FROM amended p
      JOIN lots t ON t.accession_number = p.earlier AND t.trade_key = p.trade_key
      JOIN lots s ON s.accession_number = p.later AND s.trade_key = p.trade_key
        AND (s.shares = t.shares OR s.held_before = t.held_before
          OR (s.price_per_share = t.price_per_share AND t.price_count = 1))
      WHERE NOT p.is_whole AND NOT p.is_more
    UNION ALL SELECT t.row_id, s.known_at FROM own t JOIN last s
      ON s.corrects_line_key = t.line_key AND s.accession_number <> t.accession_number AND ${LATER}
    UNION ALL SELECT t.row_id, s.known_at FROM own t JOIN last s
      ON s.issuer_cik = t.issuer_cik AND s.owner_cik = t.owner_cik AND s.date_of_original_submission = t.filing_date
        AND (s.line, s.line_count, s.security_type) = (t.line, t.line_count, t.security_type)
        AND s.transaction_date = t.transaction_date AND s.transaction_code = t.transaction_code
        AND s.shares = t.shares AND s.price_per_share IS NOT DISTINCT FROM t.price_per_share
        AND s.accession_number <> t.accession_number AND s.is_amendment AND ${LATER}
    UNION ALL SELECT t.row_id, s.known_at FROM own t JOIN last s
      ON s.group_key = t.group_key AND s.accession_number <> t.accession_number AND s.owner_count >= 10
        AND (t.owner_count < 10 OR s.accession_number < t.accession_number)),
  voided AS (SELECT row_id, min(known_at) AS voided_at FROM hits GROUP BY row_id)
  SELECT t.* EXCLUDE (recorded) REPLACE ('strike' AS role, greatest(t.known_at, h.voided_at) AS known_at)
  FROM own t JOIN voided h ON h.row_id = t.row_id
  WHERE NOT EXISTS (SELECT 1 FROM insider_transactions x WHERE x.role = 'strike' AND x.issuer_cik = ANY($issuers)
    AND x.row_id = t.row_id AND x.known_at <= greatest(t.known_at, h.voided_at))`;

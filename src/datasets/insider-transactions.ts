// Trades of insiders (Forms 3, 4 and 5): a row a trade, however many owners report it.

import { dataset, type Macro } from "../platform/lake/dataset.ts";

const figure = (description: string, unit: string) =>
  ({ type: "DOUBLE", nullable: true, unit, description }) as const;
const day = (description: string) => ({ type: "DATE", nullable: true, description }) as const;
const words = (description: string) => ({ type: "VARCHAR", nullable: true, description }) as const;
const perhaps = (description: string) => ({ type: "BOOLEAN", nullable: true, description }) as const;

export const insiderTransactions = dataset({
  name: "insider_transactions",
  description:
    "One row per line of trade of Forms 3, 4 and 5, once however many owners report it. Corrected trades stay beside their corrections, and a row of role strike says from when one no longer counts; insider_transactions_as_of(as_of) has what counts.",
  columns: {
    accession_number: { type: "VARCHAR", description: "The regulator's number of the filing, dashed." },
    line: {
      type: "INTEGER",
      description: "Place in the form, from 1; with accession_number it names the trade.",
    },
    role: {
      type: "VARCHAR",
      description:
        "trade; or strike: from its known_at on the trade of the same row_id does not count, because another filing corrects or repeats it.",
    },
    reading: {
      type: "INTEGER",
      description:
        "0: from the regulator's quarterly data set; from 1: from the filing itself, by the so-manieth way of reading.",
    },
    form_type: { type: "VARCHAR", description: "3, 4, 5, or with /A an amendment." },
    is_amendment: { type: "BOOLEAN", description: "Whether it corrects an earlier filing." },
    filing_date: { type: "DATE", description: "The regulator's date of filing." },
    accepted_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "When the regulator accepted it; null in data sets, which tell only the day.",
    },
    period_of_report: day("Date of the earliest trade, as filed."),
    date_of_original_submission: day("Of an amendment: when what it corrects was filed."),
    issuer_cik: { type: "VARCHAR", description: "Whose shares, ten digits." },
    issuer_name: { type: "VARCHAR", description: "Its name, as filed." },
    issuer_symbol: words("Its symbol as the filer wrote it: free text, a hint; the CIK is who it is."),
    owner_cik: words("The first owner, ten digits; null where left out."),
    owner_name: { type: "VARCHAR", description: "The first owner." },
    owner_count: { type: "INTEGER", description: "Owners who report the trade together." },
    owners: { type: "VARCHAR", description: "All of them, a JSON list of {cik, name, relationship}." },
    owner_relationship: {
      type: "VARCHAR",
      description: "The first owner's, such as director, officer: Chief Executive Officer.",
    },
    officer_title: words("The first owner's title."),
    is_director: { type: "BOOLEAN", description: "Whether an owner is a director." },
    is_officer: { type: "BOOLEAN", description: "Whether an owner is an officer." },
    is_ten_percent_owner: { type: "BOOLEAN", description: "Whether an owner holds ten percent." },
    is_other: { type: "BOOLEAN", description: "Whether an owner reports for another reason." },
    is_ceo: perhaps("Whether an owner is chief executive; null where the title is not told."),
    is_cfo: perhaps("Whether an owner is chief financial officer; null where the title is not told."),
    is_c_suite: perhaps(
      "Whether an owner is a chief officer or president; null where the title is not told.",
    ),
    security_type: { type: "VARCHAR", description: "non_derivative (Table I) or derivative (Table II)." },
    security_title: words("Security, as filed."),
    transaction_date: day("Day of the trade."),
    deemed_execution_date: day("Day it counts as executed, where that differs."),
    transaction_code: words("The form's code: P open-market purchase, S sale, A award, …"),
    transaction_type: {
      type: "VARCHAR",
      description: "buy, sell, award, exercise, gift, tax or other, by the code alone.",
    },
    acquired_disposed: words("A acquired, D disposed of."),
    shares: figure("Shares, or derivatives, traded.", "shares"),
    price_per_share: figure(
      "Price as filed; an average where several trades stand in one line.",
      "USD per share",
    ),
    transaction_value: figure("Shares times price, or the total as filed; null where one is missing.", "USD"),
    shares_owned_after: figure("Held after the trade.", "shares"),
    value_owned_after: figure("Held after the trade, of securities counted by value.", "USD"),
    purchase_pct_of_holding: figure(
      "Of code P: what all purchases of the same pocket in this filing add to what was held before; the same on each of their lines.",
      "percent points",
    ),
    ownership_nature: words("D direct, I indirect."),
    nature_of_ownership: words("How indirect, as filed: By Trust."),
    bucket: {
      type: "VARCHAR",
      description: "Pocket: rows of one filing with equal bucket count the same holding.",
    },
    is_10b5_1: perhaps("Under a Rule 10b5-1 plan."),
    is_early: { type: "BOOLEAN", description: "Reported before it was due." },
    is_late: { type: "BOOLEAN", description: "Reported late." },
    is_equity_swap: perhaps("Involves an equity swap."),
    exercise_price: figure("Of a derivative: its price of exercise.", "USD per share"),
    exercise_date: day("Of a derivative: first day of exercise."),
    expiration_date: day("Of a derivative: last day."),
    underlying_title: words("Of a derivative: what it is on."),
    underlying_shares: figure("Of a derivative: how many of them.", "shares"),
    line_count: { type: "INTEGER", description: "Trades in the filing." },
    row_id: {
      type: "BIGINT",
      description: "Hash of accession_number, line and reading: the same for a trade and its strike.",
    },
    trade_key: {
      type: "BIGINT",
      description:
        "Equal for a trade and its correction: hash of issuer, owners, day, code, security, pocket.",
    },
    line_key: {
      type: "BIGINT",
      description:
        "Hash of issuer, first owner, filing date, line of so many, table, nature, shares, holding after it.",
    },
    corrects_line_key: {
      type: "BIGINT",
      nullable: true,
      description: "Of an amendment: the line_key of the line it repeats in the filing whose date it names.",
    },
    group_key: {
      type: "BIGINT",
      description: "Equal for one trade in the parts in which more than ten owners file it.",
    },
    source_sha256: words("Hash of the filing as received; null in data sets."),
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "From when anybody could read it: its acceptance; without one the end of its filing date in New York.",
    },
  },
  key: ["accession_number", "line", "filing_date", "role", "reading"],
  partition: { by: "year", column: "filing_date", and: "role" },
  sort: ["issuer_cik", "filing_date", "accession_number", "line"],
  fill: "append",
});

const KNOWN = "known_at <= known_by(as_of)";

export const insiderTransactionsAsOf: Macro = {
  name: "insider_transactions_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "Insiders' trades as anybody could have read them by as_of: corrected lines give way to their amendments, trades filed twice by a group of more than ten owners count once.",
  body: (facts) => {
    const hasVoided = facts.partitions(insiderTransactions).some((one) => one.startsWith("role=strike/"));
    const struck = `(SELECT row_id FROM insider_transactions WHERE role = 'strike' AND ${KNOWN})`;
    return `SELECT * EXCLUDE (role) FROM insider_transactions WHERE role = 'trade' AND ${KNOWN}
      ${hasVoided ? `AND row_id NOT IN ${struck}` : ""}`;
  },
};

/** Which of two filings says how it is: the later; of one day, an amendment. */
const LATER =
  "(s.filing_date, s.is_amendment, s.known_at, s.accession_number) > (t.filing_date, t.is_amendment, t.known_at, t.accession_number)";

/** What was held before a lot, by its filing, to a thousandth of a share. */
const HELD_BEFORE =
  "round(shares_owned_after - CASE acquired_disposed WHEN 'D' THEN -shares ELSE shares END, 3)";

/**
 * Lots of one key in an amendment (s) against those in an earlier filing (t). is_whole: it tells all of them again, as
 * many, as many shares, or some as they were; else it repeats what it corrects, and the other lots stay. is_more: it
 * tells others, which begin with what the earlier ones left. Of several filings it amends those that share a lot with it.
 */
const PAIRS = `lots AS (
    SELECT *, ${HELD_BEFORE} AS held_before, count(*) OVER own AS lot_count, sum(shares) OVER own AS lot_shares,
      count(*) OVER (PARTITION BY accession_number, trade_key, price_per_share) AS price_count,
      first_value(${HELD_BEFORE}) OVER told AS opening,
      round(last_value(shares_owned_after) OVER told, 3) AS closing
    FROM last WHERE trade_key IN (SELECT trade_key FROM last WHERE is_amendment)
    WINDOW own AS (PARTITION BY accession_number, trade_key), told AS (own ORDER BY line
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
 * The strikes that the trades of issuers ($issuers) give, as rows of the dataset, without those that are there. What
 * strikes a trade: a later reading of the same filing; an amendment's lot of its issuer, owners, day, code, security
 * and pocket (see PAIRS); an amendment that repeats its whole filing and corrects day, code or security of its line, or how the
 * shares are held; the first part with ten owners, where more than ten file in parts with the same trades in each.
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
  strikes AS (SELECT row_id, min(known_at) AS struck_at FROM hits GROUP BY row_id)
  SELECT t.* REPLACE ('strike' AS role, greatest(t.known_at, h.struck_at) AS known_at)
  FROM own t JOIN strikes h ON h.row_id = t.row_id
  WHERE NOT EXISTS (SELECT 1 FROM insider_transactions x WHERE x.role = 'strike' AND x.issuer_cik = ANY($issuers)
    AND x.row_id = t.row_id AND x.known_at <= greatest(t.known_at, h.struck_at))`;

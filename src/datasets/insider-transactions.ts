// Trades of insiders (Forms 3, 4 and 5): one row per trade, regardless of how many owners report it.

import { columnsWithout, dataset, type Macro } from "../platform/lake/dataset.ts";
import { insiderPriceChecks, TRADE_DAY } from "./insider-price-checks.ts";

const figure = (description: string, unit: string) =>
  ({ type: "DOUBLE", nullable: true, unit, description }) as const;
const day = (description: string) => ({ type: "DATE", nullable: true, description }) as const;
const words = (description: string) => ({ type: "VARCHAR", nullable: true, description }) as const;
const optionalFlag = (description: string) => ({ type: "BOOLEAN", nullable: true, description }) as const;

export const insiderTransactions = dataset({
  name: "insider_transactions",
  description:
    "One row per trade line of Forms 3, 4 and 5, regardless of how many owners report it. Corrected and repeated trades stay beside the others; a row with role strike states from when a trade is void. insider_transactions_as_of(as_of) has the valid trades.",
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
    counted_in: {
      type: "BIGINT",
      nullable: true,
      description:
        "For a strike of a trade that another form reports too: the row_id of the trade in which it is counted; null where the trade is corrected.",
    },
    footnotes: words("Footnotes and remarks of the filing; null for strikes and for rows of older releases."),
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
/** Rows of the issuers alone, where some are named: a filter of each scan, before anything is computed. */
const of = (
  row = "",
) => `(issuers IS NULL OR (${row}issuer_cik BETWEEN list_min(issuers) AND list_max(issuers)
    AND list_contains(issuers, ${row}issuer_cik)))`;

/** The columns about any owner of a form. */
const FLAGS = [
  ...["is_director", "is_officer", "is_ten_percent_owner", "is_other"],
  ...["is_ceo", "is_cfo", "is_c_suite"],
];
const OWNERS = `'[{"cik":"VARCHAR","name":"VARCHAR","relationship":"VARCHAR"}]'`;
/** The owners of a trade `t` and of the trades `j` that are counted in it, each once, those of `t` first. */
const ALL = `list_concat(from_json(t.owners, ${OWNERS}), j.owners)`;
const IDS = `list_transform(${ALL}, lambda one: coalesce(one.cik, one.name))`;
const UNITED = [
  ...FLAGS.map((flag) => [flag, `t.${flag} OR j.${flag}`]),
  ["owner_count", `list_unique(${IDS})::INTEGER`],
  ["owners", `to_json(list_filter(${ALL}, lambda one, i: list_position(${IDS}, ${IDS}[i]) = i))::VARCHAR`],
]
  .map(([column, sql]) => `CASE WHEN j.row_id IS NULL THEN t.${column} ELSE ${sql} END AS ${column}`)
  .join(", ");

export const insiderTransactionsOf: Macro = {
  name: "insider_transactions_of",
  kind: "table",
  parameters: ["as_of := NULL", "issuers := NULL"],
  description:
    "As insider_transactions_as_of, of the companies of a list of CIKs alone: rows of others are not read.",
  columns: {
    ...columnsWithout(insiderTransactions, "role", "counted_in"),
    filed_transaction_date: day("The day as filed, where it cannot be; transaction_date is then null."),
    price_in_doubt: words(
      "Why the price cannot be: total, cents, exchanged or per_ads stands in its place, and it is null. unexplained: it is as filed, and far from every close.",
    ),
    filed_price: figure("The price as filed, where price_in_doubt makes it null.", "USD per share"),
  },
  // Rows of a kind that the lake has none of are not joined: planning each join takes a millisecond.
  body: (metadata) => {
    const hasVoided = metadata.partitions(insiderTransactions).some((one) => one.startsWith("role=strike/"));
    const hasChecks = metadata.partitions(insiderPriceChecks).length > 0;
    const strikes = `FROM insider_transactions WHERE role = 'strike' AND ${KNOWN} AND ${of()}`;
    const whole = (flag: string) =>
      `CASE WHEN bool_or(c.${flag}) THEN true WHEN count(c.${flag}) = count(*) THEN false END AS ${flag}`;
    const joint = `(SELECT coalesce(n.counted_in, c.counted_in) AS row_id,
        flatten(list(from_json(c.owners, ${OWNERS}) ORDER BY c.row_id, c.owners)) AS owners, ${FLAGS.map(whole).join(", ")}
      FROM (SELECT * ${strikes} AND counted_in IS NOT NULL) c
        LEFT JOIN (SELECT row_id, counted_in ${strikes} AND counted_in IS NOT NULL) n ON n.row_id = c.counted_in GROUP BY 1)`;
    const doubts = `(SELECT row_id, coalesce(max(finding) FILTER (WHERE finding <> 'unexplained'), 'unexplained') AS finding
      FROM insider_price_checks WHERE ${KNOWN} AND ${of()} GROUP BY row_id HAVING NOT bool_or(finding = 'fits'))`;
    const sure = (column: string) =>
      `CASE WHEN coalesce(d.finding, 'unexplained') = 'unexplained' THEN t.${column} END AS ${column}`;
    const replaced = [
      `${TRADE_DAY} AS transaction_date`,
      ...(hasVoided ? [UNITED] : []),
      ...(hasChecks ? [sure("price_per_share"), sure("transaction_value")] : []),
    ];
    return `SELECT t.* EXCLUDE (role, counted_in) REPLACE (${replaced.join(", ")}),
        CASE WHEN ${TRADE_DAY} IS NULL THEN t.transaction_date END AS filed_transaction_date,
        ${hasChecks ? "d.finding" : "NULL::VARCHAR"} AS price_in_doubt,
        ${hasChecks ? "CASE WHEN d.finding <> 'unexplained' THEN t.price_per_share END" : "NULL::DOUBLE"} AS filed_price
      FROM insider_transactions t
        ${hasVoided ? `LEFT JOIN ${joint} j ON j.row_id = t.row_id` : ""} ${hasChecks ? `LEFT JOIN ${doubts} d ON d.row_id = t.row_id` : ""}
      WHERE t.role = 'trade' AND t.${KNOWN} AND ${of("t.")} ${hasVoided ? `AND t.row_id NOT IN (SELECT row_id ${strikes})` : ""}`;
  },
};

export const insiderTransactionsAsOf: Macro = {
  ...insiderTransactionsOf,
  name: "insider_transactions_as_of",
  parameters: ["as_of := NULL"],
  description:
    "Insiders' trades that were public by as_of. Amendments replace the lines they correct. A trade that several owners report on forms of their own counts once, with the owners of all forms known by then.",
  body: () => "FROM insider_transactions_of(as_of, NULL)",
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
    SELECT t.accession_number AS earlier, s.accession_number AS later, t.trade_key, any_value(s.known_at) AS known_at, min_by(s.row_id, s.line) AS heir,
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

/** The lines that can be of one trade: equal in all that forms say of it but the holding after it. */
const SAME = [
  ...["issuer_cik", "transaction_date", "transaction_code", "acquired_disposed"],
  ...["security_type", "shares", "price_per_share"],
];
/** A text in capitals without punctuation, with a space at both ends. */
const wordsOf = (text: string) =>
  `(' ' || trim(regexp_replace(regexp_replace(upper(${text}), '[.''’]', '', 'g'), '[^A-Z0-9]+', ' ', 'g')) || ' ')`;
/** The name of an owner as footnotes write it: without its legal form, and a person's given name first. */
// `BIRCH AL J` is found as Al J. Birch and Al Birch, `OAK FUND III LP` as Oak Fund III, L.P.
const NAME = `regexp_replace(${wordsOf("owner.name")}, ' (LLLP|LLP|LLC|LP|INC|CORP|CO|LTD|PLC|CORPORATION|COMPANY|LIMITED)( [A-Z]{2})? $', ' ')`;
const SPELLINGS = `[${NAME}, regexp_replace(${NAME}, '^ (\\S+) (.+) $', ' \\2 \\1 '), regexp_replace(${NAME}, '^ (\\S+) (\\S+) .*$', ' \\2 \\1 ')]`;
const MENTIONS = (form: string, other: string) =>
  `coalesce(list_bool_or(list_transform(${other}.names, lambda name: contains(${form}.words, name))), false)`;

/**
 * Pairs a line (row_id) with the line of another form that reports the same trade (counted_in). The forms
 * have an owner in common, are parts of one form of more than ten owners, are filed by one agent within 30
 * minutes (not two of directors or officers), or one names an owner of the other. A form that holds more may
 * then count further holdings in: a manager's 1,350,000 shares are those of its fund, and others. Which line
 * stays depends on the owners alone, so that an amendment takes the place of its original.
 */
// Made up: a fund, its partner and its manager each report the sale of 1,000 shares at 43 dollars: one sale.
// Two directors who buy 500 shares each on one day, by one agent, bought 1,000.
const TWINS = `lines AS (
    SELECT *, coalesce(owner_cik, owner_name) AS party, is_director OR is_officer AS is_insider,
      CASE WHEN owner_count < 10 THEN '1' ELSE '0' END || coalesce(owner_cik, owner_name) || ' ' || accession_number AS place,
      list_transform(from_json(owners, ${OWNERS}), lambda one: coalesce(one.cik, one.name)) AS parties,
      row_number() OVER (PARTITION BY accession_number, ${SAME} ORDER BY line) AS nth,
      row_number() OVER (PARTITION BY accession_number, ${SAME}, shares_owned_after ORDER BY line) AS nth_held
    FROM last WHERE transaction_date IS NOT NULL AND transaction_code IS NOT NULL AND shares IS NOT NULL
    WINDOW same AS (PARTITION BY ${SAME}) QUALIFY min(accession_number) OVER same <> max(accession_number) OVER same),
  mates AS MATERIALIZED (
    SELECT t.row_id, s.row_id AS counted_in, s.place, t.accession_number AS own, s.accession_number AS other,
      greatest(t.known_at, s.known_at) AS known_at, t.nth_held = s.nth_held AND t.shares_owned_after IS NOT DISTINCT FROM s.shares_owned_after AS is_equal,
      list_has_any(t.parties, s.parties) OR (s.owner_count >= 10 AND s.group_key = t.group_key)
        OR (left(t.accession_number, 10) = left(s.accession_number, 10) AND NOT (t.is_insider AND s.is_insider)
          AND abs(epoch(t.accepted_at) - epoch(s.accepted_at)) <= 1800) AS is_linked,
      t.ownership_nature = 'I' AND t.shares_owned_after > s.shares_owned_after AS is_more,
      s.ownership_nature = 'I' AND s.shares_owned_after > t.shares_owned_after AS is_less
    FROM lines t JOIN lines s ON ${SAME.map((column) => `t.${column} IS NOT DISTINCT FROM s.${column}`).join(" AND ")}
      AND t.accession_number <> s.accession_number AND s.place < t.place AND (t.nth = s.nth OR (t.nth_held = s.nth_held
        AND t.shares_owned_after IS NOT DISTINCT FROM s.shares_owned_after))
      AND NOT ((t.is_amendment OR s.is_amendment) AND (t.trade_key = s.trade_key OR t.party = s.party))
    QUALIFY is_equal OR NOT (bool_or(is_equal) OVER (PARTITION BY t.row_id, s.accession_number)
      OR bool_or(is_equal) OVER (PARTITION BY s.row_id, t.accession_number))),
  papers AS MATERIALIZED (
    SELECT accession_number, any_value(names) AS names,
      ${wordsOf("concat_ws(' ', any_value(footnotes), string_agg(DISTINCT nature_of_ownership, ' '))")} AS words
    FROM (SELECT *, flatten(list_transform(from_json(owners, ${OWNERS}), lambda owner: ${SPELLINGS})) AS names
      FROM insider_transactions WHERE role = 'trade' AND issuer_cik = ANY($issuers)
        AND accession_number IN (SELECT unnest([own, other]) FROM mates)) GROUP BY accession_number),
  twins AS MATERIALIZED (
    SELECT row_id, counted_in, place, known_at FROM mates JOIN papers p ON p.accession_number = own
      JOIN papers q ON q.accession_number = other
    WHERE (is_equal AND (is_linked OR ${MENTIONS("p", "q")} OR ${MENTIONS("q", "p")}))
      OR (is_more AND ${MENTIONS("p", "q")}) OR (is_less AND ${MENTIONS("q", "p")})),
  chain AS (SELECT * FROM twins UNION SELECT c.row_id, t.counted_in, t.place, greatest(c.known_at, t.known_at)
    FROM chain c JOIN twins t ON t.row_id = c.counted_in)`;

/**
 * Selects the void rows (role strike) for the trades of issuers ($issuers), without those already stored. A
 * trade is voided by: a later reading of the same filing; an amendment's lot with the same issuer, owners,
 * day, code, security and bucket (see PAIRS); an amendment that repeats the whole filing and corrects day,
 * code or security of its line, or how the shares are held; the form of another owner that reports the same
 * trade (see TWINS), or its correction.
 */
export const INSIDER_VOIDED = `WITH RECURSIVE own AS MATERIALIZED (
    SELECT * EXCLUDE (footnotes) FROM insider_transactions WHERE role = 'trade' AND issuer_cik = ANY($issuers)),
  last AS (SELECT * FROM own QUALIFY reading = max(reading) OVER (PARTITION BY accession_number)),
  ${PAIRS},
  ${TWINS},
  amends AS (
    SELECT t.row_id, NULL AS heir, s.known_at FROM own t JOIN own s
      ON s.accession_number = t.accession_number AND s.reading > t.reading
    UNION ALL SELECT t.row_id, p.heir, p.known_at FROM amended p JOIN lots t
      ON t.accession_number = p.earlier AND t.trade_key = p.trade_key WHERE p.is_whole AND NOT p.is_more
    UNION ALL SELECT t.row_id, s.row_id, p.known_at FROM amended p
      JOIN lots t ON t.accession_number = p.earlier AND t.trade_key = p.trade_key
      JOIN lots s ON s.accession_number = p.later AND s.trade_key = p.trade_key
        AND (s.shares = t.shares OR s.held_before = t.held_before
          OR (s.price_per_share = t.price_per_share AND t.price_count = 1))
      WHERE NOT p.is_whole AND NOT p.is_more
    UNION ALL SELECT t.row_id, s.row_id, s.known_at FROM own t JOIN last s
      ON s.corrects_line_key = t.line_key AND s.accession_number <> t.accession_number AND ${LATER}
    UNION ALL SELECT t.row_id, s.row_id, s.known_at FROM own t JOIN last s
      ON s.issuer_cik = t.issuer_cik AND s.owner_cik = t.owner_cik AND s.date_of_original_submission = t.filing_date
        AND (s.line, s.line_count, s.security_type) = (t.line, t.line_count, t.security_type)
        AND s.transaction_date = t.transaction_date AND s.transaction_code = t.transaction_code
        AND s.shares = t.shares AND s.price_per_share IS NOT DISTINCT FROM t.price_per_share
        AND s.accession_number <> t.accession_number AND s.is_amendment AND ${LATER}),
  hits AS (
    SELECT row_id, NULL AS counted_in, '' AS place, known_at FROM amends UNION ALL SELECT * FROM chain
    UNION ALL SELECT e.other, a.heir, '', greatest(a.known_at, e.known_at) FROM (
        SELECT row_id AS one, counted_in AS other, known_at FROM twins
        UNION ALL SELECT counted_in, row_id, known_at FROM twins) e
      JOIN amends a ON a.row_id = e.one AND a.heir IS NOT NULL
      WHERE NOT EXISTS (SELECT 1 FROM twins w WHERE (w.row_id = a.heir AND w.counted_in = e.other)
        OR (w.row_id = e.other AND w.counted_in = a.heir))),
  voided AS (SELECT row_id, arg_min(counted_in, place) AS root, known_at AS voided_at FROM hits GROUP BY row_id, known_at
    QUALIFY root IS NOT NULL OR row_number() OVER (PARTITION BY row_id ORDER BY known_at) = 1)
  SELECT t.* EXCLUDE (recorded) REPLACE ('strike' AS role, h.root AS counted_in, greatest(t.known_at, h.voided_at) AS known_at),
    NULL AS footnotes
  FROM own t JOIN voided h ON h.row_id = t.row_id
  WHERE NOT EXISTS (SELECT 1 FROM insider_transactions x WHERE x.role = 'strike' AND x.issuer_cik = ANY($issuers)
    AND x.row_id = t.row_id AND (x.known_at = greatest(t.known_at, h.voided_at) OR (x.known_at < greatest(t.known_at, h.voided_at)
      AND x.counted_in IS NOT DISTINCT FROM h.root)))`;

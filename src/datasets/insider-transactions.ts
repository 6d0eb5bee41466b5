// Trades of insiders (Forms 3, 4 and 5): a row a trade, however many owners report it.

import { dataset, type Macro } from "../platform/dataset.ts";

const figure = (says: string, unit: string) => ({ type: "DOUBLE", nullable: true, unit, says }) as const;
const day = (says: string) => ({ type: "DATE", nullable: true, says }) as const;
const words = (says: string) => ({ type: "VARCHAR", nullable: true, says }) as const;
const perhaps = (says: string) => ({ type: "BOOLEAN", nullable: true, says }) as const;

export const insiderTransactions = dataset({
  name: "insider_transactions",
  says: "One row per line of trade of Forms 3, 4 and 5, once however many owners report it. Corrected trades stay beside their corrections; insider_transactions_as_of(as_of) has what counts.",
  columns: {
    accession_number: { type: "VARCHAR", says: "The regulator's number of the filing, dashed." },
    line: { type: "INTEGER", says: "Place in the form, from 1; with accession_number it names the trade." },
    role: {
      type: "VARCHAR",
      says: "plain; special: of an amendment or a filing with ten owners or more; reread: read a second time. The last two may stand for other rows.",
    },
    reading: {
      type: "INTEGER",
      says: "0: from the regulator's quarterly data set; from 1: from the filing itself, by the so-manieth way of reading.",
    },
    form_type: { type: "VARCHAR", says: "3, 4, 5, or with /A an amendment." },
    is_amendment: { type: "BOOLEAN", says: "Whether it corrects an earlier filing." },
    filing_date: { type: "DATE", says: "The regulator's date of filing." },
    accepted_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      says: "When the regulator accepted it; null in data sets, which tell only the day.",
    },
    period_of_report: day("Date of the earliest trade, as filed."),
    date_of_original_submission: day("Of an amendment: when what it corrects was filed."),
    issuer_cik: { type: "VARCHAR", says: "Whose shares, ten digits." },
    issuer_name: { type: "VARCHAR", says: "Its name, as filed." },
    issuer_symbol: words("Its symbol as the filer wrote it: free text, a hint; the CIK is who it is."),
    owner_cik: words("The first owner, ten digits; null where left out."),
    owner_name: { type: "VARCHAR", says: "The first owner." },
    owner_count: { type: "INTEGER", says: "Owners who report the trade together." },
    owners: { type: "VARCHAR", says: "All of them, a JSON list of {cik, name, relationship}." },
    owner_relationship: {
      type: "VARCHAR",
      says: "The first owner's, such as director, officer: Chief Executive Officer.",
    },
    officer_title: words("The first owner's title."),
    is_director: { type: "BOOLEAN", says: "Whether an owner is a director." },
    is_officer: { type: "BOOLEAN", says: "Whether an owner is an officer." },
    is_ten_percent_owner: { type: "BOOLEAN", says: "Whether an owner holds ten percent." },
    is_other: { type: "BOOLEAN", says: "Whether an owner reports for another reason." },
    is_ceo: perhaps("Whether an owner is chief executive; null where the title is not told."),
    is_cfo: perhaps("Whether an owner is chief financial officer; null where the title is not told."),
    is_c_suite: perhaps(
      "Whether an owner is a chief officer or president; null where the title is not told.",
    ),
    security_type: { type: "VARCHAR", says: "non_derivative (Table I) or derivative (Table II)." },
    security_title: words("Security, as filed."),
    transaction_date: day("Day of the trade."),
    deemed_execution_date: day("Day it counts as executed, where that differs."),
    transaction_code: words("The form's code: P open-market purchase, S sale, A award, …"),
    transaction_type: {
      type: "VARCHAR",
      says: "buy, sell, award, exercise, gift, tax or other, by the code alone.",
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
    bucket: { type: "VARCHAR", says: "Pocket: rows of one filing with equal bucket count the same holding." },
    is_10b5_1: perhaps("Under a Rule 10b5-1 plan."),
    is_early: { type: "BOOLEAN", says: "Reported before it was due." },
    is_late: { type: "BOOLEAN", says: "Reported late." },
    is_equity_swap: perhaps("Involves an equity swap."),
    exercise_price: figure("Of a derivative: its price of exercise.", "USD per share"),
    exercise_date: day("Of a derivative: first day of exercise."),
    expiration_date: day("Of a derivative: last day."),
    underlying_title: words("Of a derivative: what it is on."),
    underlying_shares: figure("Of a derivative: how many of them.", "shares"),
    line_count: { type: "INTEGER", says: "Trades in the filing." },
    trade_key: {
      type: "BIGINT",
      says: "Equal for a trade and its correction: hash of issuer, owners, day, code, security, pocket.",
    },
    line_key: {
      type: "BIGINT",
      says: "Hash of issuer, first owner, filing date, line of so many, table, nature, shares, holding after it.",
    },
    corrects_line_key: {
      type: "BIGINT",
      nullable: true,
      says: "Of an amendment: the line_key of the line it repeats in the filing whose date it names.",
    },
    group_key: {
      type: "BIGINT",
      says: "Equal for one trade in the parts in which more than ten owners file it.",
    },
    source_sha256: words("Hash of the filing as received; null in data sets."),
    known_at: {
      type: "TIMESTAMPTZ",
      says: "From when anybody could read it: its acceptance; without one the end of its filing date in New York.",
    },
  },
  key: ["accession_number", "line", "filing_date", "role", "reading"],
  partition: { by: "year", column: "filing_date", and: "role" },
  sort: ["issuer_cik", "filing_date", "accession_number", "line"],
  fill: "append",
});

/*
 * Only amendments, large groups and second readings stand for other rows; they are few and lie in files of their own. Each
 * rule is a join on one number, with nothing but a subquery between the rows and whoever asks: so his filters and the
 * columns he leaves out come first.
 */
const SPECIAL = "r.role >= 'reread' AND r.known_at <= known_by(as_of)";

const EARLIER_READING = `EXISTS (SELECT 1 FROM insider_transactions l WHERE l.role = 'reread'
  AND l.known_at <= known_by(as_of) AND l.accession_number = r.accession_number AND l.reading > r.reading)`;

/** Leaves out rows that a special one stands for. */
function without(hasRereads: boolean, columns: string, rows: string, condition: string): string {
  // A first reading that gave way stands for nothing any more.
  const live = hasRereads ? `AND NOT ${EARLIER_READING}` : "";
  return `ANTI JOIN (SELECT ${columns} FROM insider_transactions r WHERE ${SPECIAL} AND ${rows} ${live}) s
    ON ${condition}`;
}

/** A later reading stands for an earlier one of the same filing, and for one that did not know of the earlier. */
const NOT_REREAD = `ANTI JOIN (SELECT r.accession_number, r.reading FROM insider_transactions r
    WHERE r.role = 'reread' AND r.known_at <= known_by(as_of)) s
  ON s.accession_number = t.accession_number AND s.reading * 2 + 1 > t.reading * 2 + (t.role = 'reread')::INTEGER`;

/** Of two amendments the later; of one moment, the one of the greater number. */
const place = (of: string) => `epoch_ms(${of}.known_at) * 1000000 + right(${of}.accession_number, 6)::BIGINT`;

/**
 * An amendment's line stands for every earlier line of its issuer, owners, day, code, security and pocket; one that
 * repeats a whole filing stands for its lines also where it corrects day, code or security. More than ten owners file
 * in parts, the same trades in each: the first part with ten owners counts.
 */
function plainRows(hasRereads: boolean): string {
  const corrected = (key: string) => `s.key = t.${key} AND s.filing_date >= t.filing_date`;
  return [
    "SELECT t.* EXCLUDE (role) FROM insider_transactions t",
    hasRereads ? NOT_REREAD : "",
    without(hasRereads, "r.trade_key AS key, r.filing_date", "r.is_amendment", corrected("trade_key")),
    without(hasRereads, "r.corrects_line_key AS key, r.filing_date", "r.is_amendment", corrected("line_key")),
    without(hasRereads, "r.group_key AS key", "r.owner_count >= 10", "s.key = t.group_key"),
    "WHERE t.role = 'plain' AND t.known_at <= known_by(as_of)",
  ].join("\n");
}

function specialRows(hasRereads: boolean): string {
  const later = (key: string) => `s.key = t.${key} AND s.place > ${place("t")}`;
  const placed = (key: string) => `r.${key} AS key, ${place("r")} AS place`;
  return [
    "SELECT t.* EXCLUDE (role) FROM insider_transactions t",
    hasRereads ? NOT_REREAD : "",
    without(hasRereads, placed("trade_key"), "r.is_amendment", later("trade_key")),
    without(hasRereads, placed("corrects_line_key"), "r.is_amendment", later("line_key")),
    without(
      hasRereads,
      "r.group_key AS key, r.accession_number",
      "r.owner_count >= 10",
      "s.key = t.group_key AND s.accession_number < CASE WHEN t.owner_count >= 10 THEN t.accession_number ELSE 'z' END",
    ),
    "WHERE t.role >= 'reread' AND t.known_at <= known_by(as_of)",
  ].join("\n");
}

export const insiderTransactionsAsOf: Macro = {
  name: "insider_transactions_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  says: "Insiders' trades as anybody could have read them by as_of: corrected lines give way to their amendments, trades filed twice by a group of more than ten owners count once.",
  body: (facts) => {
    const partitions = facts.partitions(insiderTransactions);
    const hasRereads = partitions.some((partition) => partition.startsWith("role=reread/"));
    if (partitions.every((partition) => partition.startsWith("role=plain/")))
      return "SELECT t.* EXCLUDE (role) FROM insider_transactions t WHERE t.known_at <= known_by(as_of)";
    return `${plainRows(hasRereads)} UNION ALL ${specialRows(hasRereads)}`;
  },
};

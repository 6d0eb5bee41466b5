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
      says: "plain, or special: of an amendment, of a filing with ten owners or more, or read a second time; these may stand for other rows.",
    },
    reading: {
      type: "INTEGER",
      says: "0: from the regulator's quarterly data set; from 1: from the filing itself, by the so-manieth way of reading.",
    },
    is_reread: { type: "BOOLEAN", says: "Whether rows of a lower reading were there before." },
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
      type: "VARCHAR",
      says: "Equal for a trade and its correction: issuer, owners, day, code, security, pocket.",
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

/** Later in time, and of one moment by number: a comparison of one expression is one that joins by hashing. */
const after = (a: string, b: string) =>
  `epoch_ms(${a}.known_at) * 1000000 + right(${a}.accession_number, 6)::BIGINT > epoch_ms(${b}.known_at) * 1000000 + right(${b}.accession_number, 6)::BIGINT`;

const same = (...columns: string[]) =>
  columns.map((column) => `s.${column} IS NOT DISTINCT FROM t.${column}`).join(" AND ");

const none = (...conditions: string[]) =>
  `AND NOT EXISTS (SELECT 1 FROM special s WHERE ${conditions.join(" AND ")})`;

/** Of a filing read twice the later reading counts, and of one reading that which knew of the one before. */
const rank = (of: string) => `${of}.reading * 2 + ${of}.is_reread::INTEGER`;
const notReread = none(
  "s.is_reread",
  "s.accession_number = t.accession_number",
  `${rank("s")} > ${rank("t")}`,
);

/** An amendment's line stands for every earlier line with the same issuer, owners, day, code, security and pocket. */
const notCorrected = none(
  "s.is_amendment",
  "s.trade_key = t.trade_key",
  "s.accession_number <> t.accession_number",
  after("s", "t"),
);

/** What a corrected day, code or security leaves equal, when the amendment repeats the whole filing. */
const notRenamed = [
  ["transaction_date", "transaction_code"],
  ["transaction_date", "security_title"],
  ["transaction_code", "security_title"],
].map((agreeing) =>
  none(
    "s.is_amendment",
    "s.date_of_original_submission = t.filing_date",
    "s.accession_number <> t.accession_number",
    same("issuer_cik", "owner_cik", "owner_name", "line", "line_count", "security_type", "bucket"),
    same("shares", "shares_owned_after", ...agreeing),
    after("s", "t"),
  ),
);

/** More than ten owners file twice, the same trades each time: the filing with most owners counts. */
const notContinued = none(
  "s.owner_count >= 10",
  "s.accession_number <> t.accession_number",
  same("issuer_cik", "filing_date", "line", "line_count", "transaction_date", "transaction_code"),
  same("security_title", "shares", "price_per_share", "shares_owned_after", "ownership_nature"),
  "s.owner_count * 1000000 - right(s.accession_number, 6)::BIGINT > t.owner_count * 1000000 - right(t.accession_number, 6)::BIGINT",
);

export const insiderTransactionsAsOf: Macro = {
  name: "insider_transactions_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  says: "Insiders' trades as anybody could have read them by as_of: corrected lines give way to their amendments, trades filed twice by a group of more than ten owners count once.",
  body: () => `WITH special AS (
      SELECT * FROM insider_transactions WHERE role = 'special' AND known_at <= known_by(as_of))
    SELECT t.* EXCLUDE (role, is_reread) FROM insider_transactions t WHERE t.known_at <= known_by(as_of)
      ${[notReread, notCorrected, ...notRenamed, notContinued].join("\n      ")}`,
};

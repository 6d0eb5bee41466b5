// Reads insiders' trades from the lake, and formats them for answers.
import { insiderPriceChecks } from "../../datasets/insider-price-checks.ts";
import { insiderDollars, insiderTransactions } from "../../datasets/insider-transactions.ts";
import { shownInstant } from "../../platform/instant-text.ts";
import { literal } from "../../platform/lake/dataset.ts";
import { type DaysRead, type Lake, NO_END } from "../../platform/lake/lake.ts";
import { indexPageUrl } from "../../providers/edgar/index.ts";
import { roundOff, type Trade } from "./figures.ts";
import { type Transaction, Transaction as TransactionFields } from "./schema.ts";

/** Which trades; every given part must hold. */
export interface TradeFilter {
  /** A stored instant: only what was public then. */
  readonly knownBy: string;
  readonly ciks?: readonly string[];
  /** First and last day of the trade. The filing date counts if the form gives no day that can be. */
  readonly from?: string;
  readonly to?: string;
  readonly filing_date?: string;
  readonly code?: string;
  readonly type?: string;
  readonly direction?: "A" | "D";
}

/** The day of a trade; the filing date where the form gives none that can be. */
const TRADED_ON = "coalesce(transaction_date, filing_date)";

/**
 * Whether a trade equals one on another form in day, code, number, price and holding, while nothing says that
 * they are one.
 */
// Made up: two directors bought 500 shares at 41 dollars on one day, and each holds 500: perhaps one trade.
const REPEATS = `(shares_owned_after IS NOT NULL AND dense_rank() OVER (PARTITION BY opens, issuer_cik, transaction_date,
    transaction_code, security_type, shares, price_per_share, shares_owned_after ORDER BY accession_number) > 1)`;

const TRADE_FIELDS = [
  ...["accession_number", "owners", "is_c_suite", "security_type", "bucket", "transaction_date"],
  ...["transaction_code", "acquired_disposed", "shares", "transaction_value", "purchase_pct_of_holding"],
]
  .map((name) => `${name}: ${name}`)
  .join(", ");

/** The counts of all matching trades. */
const FACTS = {
  total: "count(*)",
  closes_checked: "count(*) FILTER (WHERE is_checked)",
  prices: "count(filed_price)",
  far: "count(*) FILTER (WHERE price_in_doubt = 'unexplained')",
  days: "count(filed_transaction_date)",
  numbers: `count(*) FILTER (WHERE security_type = 'non_derivative' AND transaction_code = 'P'
    AND acquired_disposed = 'A' AND shares > shares_owned_after)`,
  letters: "count(*) FILTER (WHERE transaction_code || acquired_disposed IN ('PD', 'SA'))",
};
type Facts = Readonly<Record<keyof typeof FACTS, number>>;
const NO_FACTS: Facts = { total: 0, closes_checked: 0, prices: 0, far: 0, days: 0, numbers: 0, letters: 0 };
const factsSql = (over: string) =>
  Object.entries(FACTS)
    .map(([name, sql]) => `(${sql}${over})::INTEGER AS ${name}`)
    .join(", ");

/** How many trades had a close to be compared with, and what is in doubt of them. */
function doubtsOf({ closes_checked, prices, far, days, numbers, letters }: Facts) {
  const none = "null, with the filed one beside it";
  const warnings = [
    prices > 0 &&
      `price_in_doubt: ${prices} of the prices cannot be, by the closes around the day: ${none}, and in no sum.`,
    far > 0 &&
      `price_far_off: ${far} of the prices are three times or more from every close around the day: as filed.`,
    // Made up: 1,250,000 shares bought, after which 41,250 are held.
    numbers > 0 &&
      `number_in_doubt: ${numbers} of the purchases are of more shares than are held after them: as filed.`,
    letters > 0 &&
      `letter_in_doubt: ${letters} of the trades are a purchase by their code and a sale by their letter (D), or the reverse: as filed.`,
    days > 0 && `date_in_doubt: ${days} of the days cannot be: ${none}. The filing date counts.`,
  ];
  return { closes_checked, warnings: warnings.filter((warning) => warning !== false) };
}

/**
 * The days of the files to read: a trade's day is its filing date at the latest, which is that of its checks
 * too. A form that counts a trade in another may be of any day.
 */
const daysOf = ({ knownBy, from, filing_date }: TradeFilter): DaysRead => ({
  datasets: [insiderTransactions, insiderPriceChecks],
  column: "filing_date",
  ranges: [{ start: filing_date ?? from ?? null, end: filing_date ?? NO_END }],
  knownBy,
  besides: "role=strike/",
});

/**
 * The matching trades, of each window from its first day on: one query reads all that an answer says, so that
 * no commit comes in between.
 */
function shownTrades(filter: TradeFilter, opens: readonly string[] = ["0001-01-01"]) {
  const { sql, params } = where(filter);
  const checked = "row_id IN (SELECT row_id FROM insider_price_checks WHERE known_at <= known_by($as_of))";
  const windows = opens.map((day) => `(DATE ${literal(day)})`).join(", ");
  return {
    shown: `(SELECT *, ${REPEATS} AS repeats FROM (SELECT *, ${TRADED_ON} AS traded_on, ${checked} AS is_checked
      FROM insider_transactions_of($as_of, $ciks) WHERE ${sql}) JOIN (VALUES ${windows}) w(opens) ON traded_on >= opens)`,
    params,
  };
}

function where(filter: TradeFilter) {
  const { knownBy, ciks = null, ...given } = filter;
  const conditions: Record<Exclude<keyof TradeFilter, "knownBy" | "ciks">, string> = {
    from: `${TRADED_ON} >= $from::DATE`,
    to: `${TRADED_ON} <= $to::DATE`,
    filing_date: "filing_date = $filing_date::DATE",
    code: "transaction_code = $code",
    type: "transaction_type = $type",
    direction: "acquired_disposed = $direction",
  };
  const names = (Object.keys(given) as (keyof typeof given)[]).filter((name) => given[name] !== undefined);
  return {
    sql: names.map((name) => conditions[name]).join(" AND ") || "true",
    params: { as_of: knownBy, ciks, ...Object.fromEntries(names.map((name) => [name, given[name] ?? null])) },
  };
}

/** The columns of a row in an answer, in its order; `transactionOf` sets those without one of their own. */
const SOURCES: Partial<Record<keyof Transaction, string>> = {
  ticker: "NULL",
  issuer_trading_symbol: "issuer_symbol",
  joint_filers: "owners",
  filing_url: "NULL",
};
const COLUMNS = (Object.keys(TransactionFields.properties) as (keyof Transaction)[])
  .map((name) => `${SOURCES[name] ?? name} AS ${name}`)
  .join(", ");
type Row = Omit<Transaction, "joint_filers"> & { readonly joint_filers: string };

/** A row as answers show it. `tickerOf` gives the issuer's ticker. */
function transactionOf(row: Row & Facts, tickerOf: (cik: string) => string | null): Transaction {
  const { total: _total, closes_checked: _checked, prices: _prices, far: _far, days: _days, ...rest } = row;
  const { numbers: _numbers, letters: _letters, ...shown } = rest;
  const owners = JSON.parse(row.joint_filers) as { cik: string | null; name: string }[];
  return {
    ...shown,
    accepted_at: shownInstant(row.accepted_at),
    ticker: tickerOf(row.issuer_cik),
    joint_filers: owners.slice(1).map(({ name, cik }) => ({ name, cik })),
    filing_url: indexPageUrl({ accession_number: row.accession_number, cik: row.issuer_cik }),
  };
}

/** The figures of a window from its row; null where no trade is in it, whose sums are zero. */
function figuresOf<Name extends string>(
  row: (Facts & Record<string, unknown>) | null,
  names: readonly Name[],
) {
  const sum = (name: string) => {
    const value = row === null ? 0 : row[name];
    return value === null ? null : roundOff(Number(value));
  };
  const listed = JSON.parse(String(row?.trades ?? "[]")) as (Omit<Trade, "owners"> & { owners: string })[];
  return {
    trades: listed.map((one): Trade => ({ ...one, owners: JSON.parse(one.owners) })),
    dollars: Object.fromEntries(names.map((name) => [name, sum(name)])) as Record<Name, number | null>,
    would: names.flatMap((name) =>
      sum(`once_${name}`) === sum(name) ? [] : [`${name} would be ${sum(`once_${name}`)}`],
    ),
    doubts: doubtsOf(row ?? NO_FACTS),
  };
}

export function insiderTrades(lake: Lake) {
  return {
    /** A page of trades, newest filing first and by line within a filing, and what is in doubt of all. */
    async list(
      filter: TradeFilter,
      page: { readonly limit: number; readonly offset: number },
      tickersOf: (ciks: readonly string[]) => Promise<(cik: string) => string | null>,
      signal: AbortSignal,
    ): Promise<{ data: Transaction[]; total: number; doubts: ReturnType<typeof doubtsOf> }> {
      const { shown, params } = shownTrades(filter);
      const rows = await lake.query<Row & Facts>(
        `SELECT ${COLUMNS}, ${factsSql(" OVER ()")} FROM ${shown}
         ORDER BY filing_date DESC, accepted_at DESC NULLS LAST, accession_number DESC, line LIMIT $limit OFFSET $offset`,
        { ...params, ...page },
        { signal, days: daysOf(filter) },
      );
      const ofAll = `SELECT ${factsSql("")} FROM ${shown}`;
      const behind =
        rows.length === 0 && page.offset > 0
          ? await lake.query<Facts>(ofAll, params, { signal, days: daysOf(filter) })
          : [];
      const facts = rows[0] ?? behind[0] ?? NO_FACTS;
      const tickerOf = await tickersOf(rows.map((row) => row.issuer_cik));
      const data = rows.map((row) => transactionOf(row, tickerOf));
      return { data, total: facts.total, doubts: doubtsOf(facts) };
    },

    /**
     * The input of the figures, of each window from its first day on: every matching trade, and the dollars
     * of those for which each condition of `sums` holds. `would` says which sums would be what, if trades
     * that may be one counted once.
     */
    async figures<Name extends string>(
      filter: TradeFilter,
      opens: readonly string[],
      sums: Readonly<Record<Name, string>>,
      signal: AbortSignal,
    ) {
      const { shown, params } = shownTrades(filter, opens);
      const names = Object.keys(sums) as Name[];
      const columns = names.flatMap((name) => [
        `${insiderDollars(sums[name])} AS ${name}`,
        `${insiderDollars(`NOT repeats AND ${sums[name]}`)} AS once_${name}`,
      ]);
      const rows = await lake.query<Facts & Record<string, unknown>>(
        `SELECT opens, ${columns.join(", ")}, ${factsSql("")}, to_json(list({ ${TRADE_FIELDS} }))::VARCHAR AS trades FROM ${shown} GROUP BY opens`,
        params,
        { signal, days: daysOf(filter) },
      );
      return opens.map((day) => figuresOf(rows.find((row) => row.opens === day) ?? null, names));
    },
  };
}

export type InsiderTrades = ReturnType<typeof insiderTrades>;

// How the tools of agents ask the service: each call becomes one request to a route, which answers as of the
// moment that the call names.

/** The arguments of a call, checked against the tool's schema. */
export type Arguments = Readonly<Record<string, string | number | boolean | undefined>>;

/** One request to the service. */
export interface Plan {
  /** Below /api/v1. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Whether the route answers about now alone: a call with another moment is refused. */
  readonly nowOnly?: true;
  /**
   * Whether rows count from the moment they were fetched. A call about now then first has them fetched: as of
   * the moment before, a first call would have none.
   */
  readonly knownFromFetch?: true;
  /** The shape of the answer; flat rows without it. */
  readonly shape?: "statements" | "text" | "sql" | "one" | "catalogue";
  /** Whether the rows hold texts of third parties: headlines, filings. */
  readonly foreignText?: true;
  /** The columns that agents need; all without it. */
  readonly columns?: readonly string[];
}

/** A call that no route can answer. */
export class BadCall extends Error {}

/** Before every electronic filing. */
const FIRST_DAY = "1990-01-01";

const at = (text: unknown) => encodeURIComponent(String(text).trim());

/** The argument, which the chosen kind of call needs. */
function needed(args: Arguments, name: string, kind: string): string {
  const value = args[name];
  if (value === undefined || value === "") throw new BadCall(`${kind} needs ${name}.`);
  return String(value);
}

const rows = (path: string, query: Plan["query"], more: Omit<Plan, "path" | "query"> = {}): Plan => ({
  path,
  query: { ...query, format: "records" },
  ...more,
});

type Planner = (args: Arguments, day: string) => Plan;

function pricesPlan(args: Arguments, day: string): Plan {
  const tickers = needed(args, "tickers", "prices");
  const isOne = !tickers.includes(",");
  const start = args.start ?? Temporal.PlainDate.from(day).subtract({ months: 1 }).toString();
  // The route of one ticker says why it has none.
  return rows(isOne ? `price/data/${at(tickers)}` : "price/data", {
    ...(isOne ? {} : { tickers }),
    start_date: start,
    end_date: args.end ?? day,
    interval: args.interval,
    adjustment: args.adjustment,
  });
}

function statementsPlan(args: Arguments, day: string): Plan {
  const { start, end } = args;
  const isOpen = start === undefined && end === undefined;
  const span = isOpen ? { period: "5y" } : { start_date: start ?? FIRST_DAY, end_date: end ?? day };
  return {
    path: `financial/data/${at(needed(args, "ticker", "statements"))}`,
    query: {
      ...span,
      period_type: args.period_type ?? "annual",
      include_sources: true,
      vintage: args.vintage,
    },
    shape: "statements",
  };
}

const FILED = ["accession_number", "filing_date", "accepted_at"];
/** Of a trade: who, what, how much, and the filing. */
const TRADE = [
  "accession_number",
  "filing_date",
  "accepted_at",
  "transaction_date",
  "owner_name",
  "owner_relationship",
  "officer_title",
  "transaction_code",
  "acquired_disposed",
  "security_type",
  "shares",
  "price_per_share",
  "transaction_value",
  "shares_owned_after",
  "is_10b5_1",
];

const FILINGS: Readonly<Record<string, Planner>> = {
  search: (args) =>
    rows(
      "filings/search",
      {
        ticker: args.ticker,
        q: args.q,
        form_type: args.form,
        start_date: args.start,
        end_date: args.end,
        limit: 50,
      },
      { foreignText: true, columns: [...FILED, "form_type", "report_date", "items", "primary_document"] },
    ),
  events: (args) =>
    rows(
      `filings/events/${at(needed(args, "ticker", "events"))}`,
      {
        start_date: args.start,
        end_date: args.end,
        include_content: args.content ?? false,
        limit: 50,
      },
      { foreignText: true, columns: [...FILED, "item_number", "event_type", "event_title", "content"] },
    ),
  documents: (args) =>
    rows("filings/documents", {
      accession_number: needed(args, "accession", "documents"),
      ticker: args.ticker,
    }),
  text: (args) => ({
    path: "filings/exhibit",
    query: {
      accession_number: needed(args, "accession", "text"),
      filename: args.file,
      ticker: args.ticker,
      format: "text",
    },
    shape: "text",
    foreignText: true,
  }),
  news: (args) =>
    rows(
      "news",
      {
        tickers: args.ticker,
        q: args.q,
        start_date: args.start,
        end_date: args.end,
        limit: 50,
      },
      {
        foreignText: true,
        knownFromFetch: true,
        columns: ["published_at", "headline", "source", "url", "tickers", "known_at"],
      },
    ),
};

const OWNERS: Readonly<Record<string, Planner>> = {
  insiders: (args) =>
    rows(
      `insider/form4/${at(needed(args, "ticker", "insiders"))}`,
      { window_days: args.days, limit: 100 },
      { columns: TRADE },
    ),
  large_holders: (args) =>
    rows(`ownership/13dg/${at(needed(args, "ticker", "large_holders"))}`, { limit: 100 }),
  funds: (args) => rows(`etf/exposure/${at(needed(args, "ticker", "funds"))}`, { limit: 100 }),
};

const MARKET: Readonly<Record<string, Planner>> = {
  screen: (args, day) =>
    rows("universe/screen", {
      date: args.date ?? day,
      sector: args.sector,
      market_cap_min: args.market_cap_min,
      market_cap_max: args.market_cap_max,
      limit: 100,
    }),
  short_volume: (args) =>
    args.ticker === undefined
      ? rows("shortvolume/top", { date: args.date, limit: 50 })
      : rows(`shortvolume/${at(args.ticker)}`, { days: 30 }),
  short_interest: (args) =>
    rows(`shortvolume/short-interest/${at(needed(args, "ticker", "short_interest"))}`, { limit: 12 }),
  earnings: (args, day) =>
    args.ticker === undefined
      ? rows("earnings/calendar", { date: args.date ?? day }, { knownFromFetch: true })
      : rows(`earnings/surprise/${at(args.ticker)}`, { limit: 12 }, { knownFromFetch: true }),
  dividends: (args, day) =>
    args.ticker === undefined
      ? rows("dividends/calendar", { date: args.date ?? day })
      : rows(`dividends/calendar/${at(args.ticker)}`, { limit: 12 }),
  quote: (args) => ({
    path: `price/quote/${at(needed(args, "ticker", "quote"))}`,
    query: {},
    shape: "one",
    columns: ["ticker", "price", "price_time", "market_state", "previous_close", "currency", "delay_minutes"],
    nowOnly: true,
  }),
  gainers: () => rows("stocks/gainers", { count: 25 }, { nowOnly: true }),
  most_active: () => rows("stocks/most-active", { limit: 25 }, { nowOnly: true }),
};

const isListing = (sql: unknown) => /^\s*show\s+(?:all\s+)?tables\s*;?\s*$/i.test(String(sql));
/** Tables and macros are the same at every moment. */
const CATALOGUE: Plan = { path: "database/catalogue", query: {}, shape: "catalogue" };

/** The arguments with a note of those that are read. */
function noted(args: Arguments, read: Set<string>): Arguments {
  return new Proxy(args, {
    get: (target, name) => {
      read.add(String(name));
      return Reflect.get(target, name);
    },
  });
}

/** Arguments of every call, and those that the answer reads. */
const ANSWERED = ["as_of", "max_tokens", "kind", "lines", "part"];

/** Makes the request of a call. Throws BadCall for an argument that this kind of call does not use. */
// short_volume of a ticker is a list of days: a date beside it would be ignored, and is refused.
export function planOf(tool: string, args: Arguments, day: string): Plan {
  const read = new Set(ANSWERED);
  const plan = (PLANS[tool] as Planner)(noted(args, read), day);
  const unused = Object.keys(args).filter((name) => args[name] !== undefined && !read.has(name));
  if (unused.length > 0) throw new BadCall(`${args.kind ?? tool} does not take ${unused.join(", ")} here.`);
  return plan;
}

const chosen = (plans: Readonly<Record<string, Planner>>) => (args: Arguments, day: string) =>
  (plans[String(args.kind)] as Planner)(args, day);

/** The kinds of call of each tool that has some. */
export const KINDS = {
  filings: Object.keys(FILINGS),
  owners: Object.keys(OWNERS),
  market: Object.keys(MARKET),
} as const;

/** Makes the request of a call, by tool; `day` is that of its moment in New York. */
const PLANS: Readonly<Record<string, Planner>> = {
  find: (args) =>
    rows(
      "universe/registry",
      { q: needed(args, "text", "find"), limit: 20 },
      {
        knownFromFetch: true,
        columns: [
          "ticker",
          "name",
          "cik",
          "sector",
          "exchange",
          "security_type",
          "is_active",
          "former_tickers",
        ],
      },
    ),
  prices: pricesPlan,
  statements: statementsPlan,
  filings: chosen(FILINGS),
  owners: chosen(OWNERS),
  market: chosen(MARKET),
  query: (args) =>
    isListing(args.sql)
      ? CATALOGUE
      : {
          path: "sql/admin/query",
          query: { query: needed(args, "sql", "query"), limit: 500 },
          shape: "sql",
        },
  explain: (args, day) => statementsPlan({ ...args, vintage: args.vintage ?? "first" }, day),
};

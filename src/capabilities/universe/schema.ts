// Queries, bodies and answers of the universe routes: the check, the types and the documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { UNIVERSE_ROWS_DEFAULT, UNIVERSE_ROWS_MAX, UNIVERSE_TICKERS_MAX } from "../../limits.ts";
import { listFields } from "../../market/answer-fields.ts";
import {
  asOfField,
  dateField,
  flag,
  formatField,
  oneOf,
  tickerArray,
  wholeNumber,
  wordArray,
  wordList,
} from "../../market/params.ts";

const text = (description: string) => Type.Union([Type.String({ description }), Type.Null()]);
const number = (description: string) => Type.Union([Type.Number({ description }), Type.Null()]);
const whole = (description: string) => Type.Union([Type.Integer({ description }), Type.Null()]);

export const TYPES = [
  "common",
  "adr",
  "etf",
  "fund",
  "preferred",
  "warrant",
  "unit",
  "right",
  "note",
] as const;
export const EXCHANGES = ["nasdaq", "nyse", "nyse american", "nyse arca", "cboe bzx", "iex"] as const;

const words = (description: string, example: string) =>
  Type.String({ description, list: true, examples: [example] });

const paging = {
  limit: Type.Optional(
    wholeNumber("Rows of this answer.", {
      minimum: 1,
      maximum: UNIVERSE_ROWS_MAX,
      default: UNIVERSE_ROWS_DEFAULT,
    }),
  ),
  offset: Type.Optional(wholeNumber("Rows left out before them.", { minimum: 0, default: 0 })),
  as_of: Type.Optional(asOfField),
  format: Type.Optional(formatField),
};

const SECTOR = words(
  "Only these sectors, in Nasdaq's own words (Technology, Finance, Health Care, …), whatever the case; comma list, or given several times.",
  "Technology,Finance",
);
const EXCHANGE = wordList(EXCHANGES, "Only these exchanges, whatever the case.");
const least = (what: string, example: number) =>
  Type.Optional(Type.Number({ minimum: 0, description: what, examples: [example] }));

export const SORTS = [
  "market_cap",
  "market_cap_pit",
  "close_price",
  "shares_outstanding",
  "ticker",
  "name",
] as const;

export const ScreenQuery = Type.Object({
  date: dateField("The day; the newest snapshot at or before it is used.", "2026-08-31"),
  market_cap_min: least("Least market_cap, US dollars. Listings without one are left out.", 1_000_000_000),
  market_cap_max: least(
    "Greatest market_cap, US dollars. Listings without one are left out.",
    50_000_000_000,
  ),
  sector: Type.Optional(SECTOR),
  exchange: Type.Optional(EXCHANGE),
  price_min: least("Least close_price, on its own basis. Listings without one are left out.", 5),
  sort_by: Type.Optional(oneOf(SORTS, "Nulls come last either way.", "market_cap")),
  sort_order: Type.Optional(oneOf(["asc", "desc"], "Direction.", "desc")),
  ...paging,
});

export const RegistryQuery = Type.Object({
  sector: Type.Optional(SECTOR),
  exchange: Type.Optional(EXCHANGE),
  type: Type.Optional(wordList(TYPES, "Only these kinds of security.")),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "Part of a ticker, a former ticker or a name, whatever the case; also a ticker in any spelling.",
      examples: ["berkshire"],
    }),
  ),
  is_active: Type.Optional(flag("true: listed now; false: delisted. Default: both.", null)),
  ...paging,
});

export const DiscoverRequest = Type.Object({
  market_cap_min: least(
    "Only listings with at least this market value by Nasdaq's screener come in, US dollars.",
    300_000_000,
  ),
  exchanges: Type.Optional(wordArray(EXCHANGES, "Only listings of these exchanges come in.")),
  exclude_types: Type.Optional(wordArray(TYPES, "Listings of these kinds do not come in.")),
  limit: Type.Optional(
    wholeNumber("Most listings that come in, the largest first.", {
      minimum: 1,
      maximum: 100_000,
      examples: [5_000],
    }),
  ),
});

const MONTH = "^(19|20)\\d{2}-(0[1-9]|1[0-2])$";
const month = (description: string, example: string) =>
  Type.String({ pattern: MONTH, description, examples: [example] });

export const BuildRequest = Type.Object({
  start_month: Type.Optional({
    ...month("First month, YYYY-MM. Default 2016-01.", "2016-01"),
    default: "2016-01",
  }),
  end_month: Type.Optional(month("Last month. Default: the newest whose last close is settled.", "2026-08")),
  tickers: Type.Optional(tickerArray(UNIVERSE_TICKERS_MAX)),
  force: Type.Optional(
    flag("Make rows that are stored anew too; those that differ are kept as later vintages."),
  ),
});

export const JobPath = Type.Object({
  job_id: Type.String({
    minLength: 1,
    maxLength: 64,
    description: "As the POST gave it.",
    examples: ["01K4R7M2Q8ZC3V5X6B9N0D1E2F"],
  }),
});

const ListingFields = {
  ticker: Type.String({ description: "Canonical symbol." }),
  name: Type.String({ description: "Name of the security, as the exchange's list has it." }),
  cik: text("The SEC's number of who files, ten digits; null where its list has no such ticker."),
  sector: text("Nasdaq's own sector, not GICS; null where the screener says none."),
  industry: text("Nasdaq's own industry."),
  exchange: Type.String({ description: "Nasdaq, NYSE, NYSE American, NYSE Arca, Cboe BZX or IEX." }),
  security_type: Type.String({
    description: `${TYPES.join(", ")}; as its name and symbol tell.`,
  }),
};

export const RegistryRow = Type.Object({
  ...ListingFields,
  country: text("As Nasdaq's screener has it."),
  ipo_year: whole("As Nasdaq's screener has it."),
  is_etf: Type.Boolean({ description: "The exchange list's own word." }),
  is_active: Type.Boolean({ description: "Whether the exchanges list it." }),
  first_seen: Type.String({ description: "When the lists were first read with it, RFC 3339 UTC." }),
  last_seen: text("When the lists were last read with it, RFC 3339 UTC."),
  former_tickers: Type.Array(
    Type.Object({
      ticker: Type.String({ description: "Canonical symbol." }),
      last_seen: Type.String({ description: "When the lists were last read with it, RFC 3339 UTC." }),
    }),
    { description: "Tickers it had since the service first saw it." },
  ),
  continued_by: text(
    "Of a listing that was renamed, where that was learnt only later: the listing (its first ticker) it goes on as.",
  ),
  market_cap: number(
    "US dollars, as Nasdaq's screener last had it: of each class of a company the whole company's, so never to be added up. Null with as_of.",
  ),
  market_cap_at: text("When the screener was read for it, RFC 3339 UTC."),
  source: oneOf(["nasdaqlisted", "otherlisted"], "File of the exchanges' symbol directory."),
  known_at: Type.String({
    description: "Since when the row, last_seen and market_cap aside, reads so, RFC 3339 UTC.",
  }),
});
export type RegistryRow = Static<typeof RegistryRow>;

export const RegistryList = Type.Object({
  ...listFields,
  data: Type.Array(RegistryRow, { description: "By ticker." }),
});

export const ScreenRow = Type.Object({
  ...ListingFields,
  market_cap: number(
    "shares_outstanding * close_price, in currency. Shares are today's, so it is off by what was issued and bought back since (some 20 % over years); market_cap_pit is not.",
  ),
  close_price: number("Close of snapshot_date, split-adjusted to basis_date; null when that day has none."),
  shares_outstanding: number("Latest count known at the build, on the basis of basis_date."),
  snapshot_date: Type.String({ description: "Last session of the month." }),
  currency: text("ISO 4217, of prices and values."),
  basis_date: text("close_price and shares_outstanding are adjusted for the splits up to this day."),
  shares_source: text(
    "regulator: the filer's own report, all its classes together; price_provider: this class, as the price provider counts it (companies with several classes, depositary shares, filers without a count).",
  ),
  shares_as_of: text("The day that count is of."),
  shares_accession: text("The report it stands in."),
  close_price_unadjusted: number("The close as traded that day."),
  shares_outstanding_pit: number(
    "Count of the newest report anybody could read by the end of snapshot_date, restated for splits up to that day.",
  ),
  shares_pit_as_of: text("The day that count is of."),
  shares_pit_known_at: text("From when its report could be read, RFC 3339 UTC."),
  shares_pit_accession: text("The report."),
  market_cap_pit: number(
    "shares_outstanding_pit * close_price_unadjusted: what could be computed on that day. Null for companies with several listed classes and for depositary shares, which the regulator's figures do not count apart.",
  ),
  missing: text(
    "Why figures are null, by comma: no_close, no_shares, no_shares_pit, old_shares_pit, several_classes, depositary_shares, splits_unknown.",
  ),
  known_at: Type.String({ description: "When the row was built, RFC 3339 UTC." }),
});
export type ScreenRow = Static<typeof ScreenRow>;

export const ScreenAnswer = Type.Object({
  date: Type.String({ description: "As you sent it." }),
  snapshot_date: Type.String({ description: "The snapshot that is used." }),
  survivorship_bias: Type.Boolean({
    description:
      "true: the snapshot is of a day before the service first read the exchanges' lists, so it has only what was listed then or later.",
  }),
  listings_known_since: text("From when delisted listings are kept, RFC 3339 UTC."),
  snapshot_rows: Type.Integer({ description: "Rows of the whole snapshot, before any filter." }),
  ...listFields,
  data: Type.Array(ScreenRow, { description: "In the order asked." }),
});

export const DiscoverAnswer = Type.Object({
  discovered: Type.Integer({ description: "Securities in the lists, test issues aside." }),
  added: Type.Integer({ description: "Listings that came into the registry." }),
  updated: Type.Integer({
    description: "Known listings of which something changed, renamed ones among them.",
  }),
  skipped: Type.Integer({ description: "Left out: by the filters, test issues, lines that cannot be read." }),
  errors: Type.Integer({ description: "Lists that could not be read." }),
  renamed: Type.Integer({ description: "Listings that have another ticker." }),
  delisted: Type.Integer({ description: "Listings that no list has any more; they stay in the registry." }),
  test_issues: Type.Integer({ description: "Securities that only test the exchanges' systems." }),
  warnings: Type.Array(Type.String(), { description: "What could not be had, and why." }),
});

const status = oneOf(
  ["running", "succeeded", "failed", "interrupted"],
  "interrupted: the process ended; the same POST goes on where it stopped.",
);
const jobHead = {
  job_id: Type.String({ description: "Name of the build: GET …/admin/build-snapshots/{job_id}." }),
  status,
  months: Type.Integer({ description: "Months to build." }),
  tickers: Type.Integer({ description: "Listings to build them of." }),
  start_month: Type.String({ description: "First month, YYYY-MM." }),
  end_month: Type.String({ description: "Last month, YYYY-MM." }),
};

export const BuildAccepted = Type.Object(jobHead);

export const BuildStatus = Type.Object({
  ...jobHead,
  force: Type.Boolean({ description: "As asked." }),
  phase: oneOf(
    ["prices", "figures", "counts", "snapshots", "done"],
    "Daily bars, filed reports and the price provider's counts are collected first, then a month after the other is written.",
  ),
  phase_done: Type.Integer({ description: "Items of the phase that are done." }),
  phase_total: Type.Integer({ description: "Items of the phase." }),
  months_done: Type.Integer({ description: "Months that are in the store." }),
  rows_written: Type.Integer({ description: "Rows that came into the store." }),
  errors: Type.Integer({
    description:
      "Listings of which something could not be had; they get no row in this build, the next tries again.",
  }),
  error_list: Type.Array(
    Type.Object({
      ticker: Type.String({ description: "Canonical symbol." }),
      error: Type.String({ description: "What could not be had, and why." }),
    }),
    { description: "The first hundred of them." },
  ),
  warnings: Type.Array(Type.String(), { description: "What to know about the build as a whole." }),
  error: text("Why the build failed."),
  created_at: Type.String({ description: "RFC 3339 UTC." }),
  updated_at: Type.String({ description: "RFC 3339 UTC." }),
  finished_at: text("RFC 3339 UTC."),
});

// Queries, bodies and answers of the universe routes: validation, types and documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { UNIVERSE_ROWS_DEFAULT, UNIVERSE_ROWS_MAX, UNIVERSE_TICKERS_MAX } from "../../limits.ts";
import { integerOrNull, listFields, numberOrNull, textOrNull } from "../../market/answer-fields.ts";
import {
  asOfFields,
  countField,
  dateField,
  flag,
  formatField,
  oneOf,
  tickerArray,
  wholeNumber,
  wordArray,
  wordList,
} from "../../market/params.ts";

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
  limit: countField("Maximum rows.", UNIVERSE_ROWS_MAX, UNIVERSE_ROWS_DEFAULT),
  offset: Type.Optional(wholeNumber("Rows to skip.", { minimum: 0, default: 0 })),
  ...asOfFields(),
  format: formatField(),
};

const SECTOR = words(
  "Only these sectors, as Nasdaq names them (Technology, Finance, Health Care, …), case-insensitive. Separate them with commas, or repeat the parameter.",
  "Technology,Finance",
);
const EXCHANGE = wordList(EXCHANGES, "Only these exchanges, case-insensitive.");
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
  date: dateField("The day. The newest snapshot at or before it is used.", "2026-08-31"),
  market_cap_min: least("Minimum market_cap, US dollars. Listings without one are left out.", 1_000_000_000),
  market_cap_max: least("Maximum market_cap, US dollars. Listings without one are left out.", 50_000_000_000),
  sector: Type.Optional(SECTOR),
  exchange: Type.Optional(EXCHANGE),
  price_min: least("Minimum close_price, on its own basis. Listings without one are left out.", 5),
  sort_by: Type.Optional(oneOf(SORTS, "Sort key. Nulls come last in both directions.", "market_cap")),
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
        "Part of a ticker, a former ticker or a name, case-insensitive; also a ticker in any spelling.",
      examples: ["berkshire"],
    }),
  ),
  is_active: Type.Optional(flag("true: listed now; false: delisted. Default: both.", null)),
  ...paging,
});

export const DiscoverRequest = Type.Object({
  market_cap_min: least(
    "Adds only listings with at least this market value in Nasdaq's screener, US dollars.",
    300_000_000,
  ),
  exchanges: Type.Optional(
    wordArray(EXCHANGES, "Adds only listings of these exchanges; left out: of all.", { minItems: 1 }),
  ),
  exclude_types: Type.Optional(wordArray(TYPES, "Adds no listings of these kinds.")),
  limit: Type.Optional(
    wholeNumber("Maximum number of new listings, the largest first.", {
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
    flag("Computes stored rows again too. Rows that differ are stored as later vintages."),
  ),
});

export const JobPath = Type.Object({
  job_id: Type.String({
    minLength: 1,
    maxLength: 64,
    description: "As returned by the POST request.",
    examples: ["01K4R7M2Q8ZC3V5X6B9N0D1E2F"],
  }),
});

const ListingFields = {
  ticker: Type.String({ description: "Canonical symbol." }),
  name: Type.String({ description: "Name of the security, as the exchange's list has it." }),
  cik: textOrNull(
    "CIK of the filer at the SEC, ten digits; null if the SEC's list does not have the ticker.",
  ),
  sector: textOrNull("Nasdaq's own sector, not GICS; null if the screener has none."),
  industry: textOrNull("Nasdaq's own industry."),
  exchange: Type.String({ description: "Nasdaq, NYSE, NYSE American, NYSE Arca, Cboe BZX or IEX." }),
  security_type: Type.String({
    description: `${TYPES.join(", ")}; derived from name and symbol.`,
  }),
};

export const RegistryRow = Type.Object({
  ...ListingFields,
  country: textOrNull("From Nasdaq's screener."),
  ipo_year: integerOrNull("From Nasdaq's screener."),
  is_etf: Type.Boolean({ description: "As marked in the exchange's list." }),
  is_active: Type.Boolean({ description: "Whether the exchanges list it." }),
  first_seen: Type.String({ description: "When it was first seen in the lists, RFC 3339 UTC." }),
  last_seen: textOrNull("When it was last seen in the lists, RFC 3339 UTC."),
  former_tickers: Type.Array(
    Type.Object({
      ticker: Type.String({ description: "Canonical symbol." }),
      last_seen: Type.String({ description: "When it was last seen in the lists, RFC 3339 UTC." }),
    }),
    { description: "Tickers it had since the service first saw it." },
  ),
  continued_by: textOrNull(
    "For a renamed listing whose rename was detected late: the listing (its first ticker) that continues it.",
  ),
  market_cap: numberOrNull(
    "The last market value in Nasdaq's screener, US dollars. Each class of a company has the value of the whole company, so never add them up. Null with as_of and in an earlier data version.",
  ),
  market_cap_at: textOrNull("When the market value was read, RFC 3339 UTC."),
  source: oneOf(["nasdaqlisted", "otherlisted"], "File of the exchanges' symbol directory."),
  known_at: Type.String({
    description: "Since when the row has had these values (last_seen and market_cap aside), RFC 3339 UTC.",
  }),
});
export type RegistryRow = Static<typeof RegistryRow>;

export const RegistryList = Type.Object({
  ...listFields,
  warnings: Type.Array(Type.String(), {
    description: "Why the registry has no listings, and what fills it.",
  }),
  data: Type.Array(RegistryRow, { description: "By ticker." }),
});

export const ScreenRow = Type.Object({
  ...ListingFields,
  market_cap: numberOrNull(
    "shares_outstanding * close_price, in currency. It uses today's count of shares, so it is wrong by the shares issued and bought back since (some 20 % over years). market_cap_pit is not.",
  ),
  close_price: numberOrNull(
    "Close of snapshot_date, split-adjusted to basis_date; null if that day has none.",
  ),
  shares_outstanding: numberOrNull("Latest count known at the build, on the basis of basis_date."),
  snapshot_date: Type.String({ description: "Last session of the month." }),
  currency: textOrNull("ISO 4217, of prices and values."),
  basis_date: textOrNull("close_price and shares_outstanding are adjusted for the splits up to this day."),
  shares_source: textOrNull(
    "regulator: the filer's own report, all its classes together; price_provider: this class, as the price provider counts it (companies with several classes, depositary shares, filers without a count).",
  ),
  shares_as_of: textOrNull("The day of that count."),
  shares_accession: textOrNull("Accession number of the report with that count."),
  close_price_unadjusted: numberOrNull("The close as traded that day."),
  shares_outstanding_pit: numberOrNull(
    "Count in the newest report that was public by the end of snapshot_date, restated for splits up to that day.",
  ),
  shares_pit_as_of: textOrNull("The day of that count."),
  shares_pit_known_at: textOrNull("When that report became public, RFC 3339 UTC."),
  shares_pit_accession: textOrNull("Accession number of that report."),
  market_cap_pit: numberOrNull(
    "shares_outstanding_pit * close_price_unadjusted: what could be computed on that day. Null for companies with several listed classes and for depositary shares, which the regulator's figures do not count separately.",
  ),
  missing: textOrNull(
    "Why figures are null, separated by commas: no_close, no_shares, no_shares_pit, old_shares_pit, several_classes, depositary_shares, splits_unknown, shares_in_doubt.",
  ),
  known_at: Type.String({ description: "When the row was built, RFC 3339 UTC." }),
});
export type ScreenRow = Static<typeof ScreenRow>;

export const ScreenAnswer = Type.Object({
  date: Type.String({ description: "As you sent it." }),
  snapshot_date: Type.String({ description: "Date of the snapshot." }),
  survivorship_bias: Type.Boolean({
    description:
      "true: the snapshot is of a day before the service first read the exchanges' lists, so listings that were delisted earlier are missing.",
  }),
  listings_known_since: textOrNull("Since when delisted listings are kept, RFC 3339 UTC."),
  snapshot_rows: Type.Integer({ description: "Rows of the whole snapshot, before any filter." }),
  ...listFields,
  warnings: Type.Array(Type.String(), {
    description:
      "Which snapshot stands in for a date in the future; `nothing_there:` where no row of the snapshot matches.",
  }),
  data: Type.Array(ScreenRow, { description: "In the requested order." }),
});

export const DiscoverAnswer = Type.Object({
  discovered: Type.Integer({ description: "Securities in the lists, without test issues." }),
  added: Type.Integer({ description: "New listings in the registry." }),
  updated: Type.Integer({
    description: "Known listings that changed, including renamed ones.",
  }),
  skipped: Type.Integer({
    description: "Skipped: refused by the filters, test issues, and lines that cannot be read.",
  }),
  errors: Type.Integer({ description: "Lists that could not be read." }),
  renamed: Type.Integer({ description: "Listings whose ticker changed." }),
  delisted: Type.Integer({
    description: "Listings that are no longer in any list. They stay in the registry.",
  }),
  test_issues: Type.Integer({ description: "Securities that exist only to test the exchanges' systems." }),
  warnings: Type.Array(Type.String(), { description: "What could not be fetched, and why." }),
});
export type DiscoverAnswer = Static<typeof DiscoverAnswer>;

const status = oneOf(
  ["running", "succeeded", "failed", "interrupted"],
  "interrupted: the process ended. The same POST request continues where it stopped.",
);
const jobHead = {
  job_id: Type.String({ description: "Id of the build: GET …/admin/build-snapshots/{job_id}." }),
  status,
  months: Type.Integer({ description: "Months to build." }),
  tickers: Type.Integer({ description: "Number of listings in the build." }),
  start_month: Type.String({ description: "First month, YYYY-MM." }),
  end_month: Type.String({ description: "Last month, YYYY-MM." }),
};

export const BuildAccepted = Type.Object(jobHead);

export const BuildStatus = Type.Object({
  ...jobHead,
  force: Type.Boolean({ description: "As requested." }),
  phase: oneOf(
    ["prices", "figures", "counts", "snapshots", "done"],
    "First daily bars, filed reports and the price provider's counts are collected, then one month after the other is written.",
  ),
  phase_done: Type.Integer({ description: "Items of the phase that are done." }),
  phase_total: Type.Integer({ description: "Items of the phase." }),
  months_done: Type.Integer({ description: "Stored months." }),
  rows_written: Type.Integer({ description: "Stored rows." }),
  errors: Type.Integer({
    description:
      "Listings whose data could not be fetched. They get no row in this build; the next build tries again.",
  }),
  error_list: Type.Array(
    Type.Object({
      ticker: Type.String({ description: "Canonical symbol." }),
      error: Type.String({ description: "What could not be fetched, and why." }),
    }),
    { description: "The first hundred errors." },
  ),
  warnings: Type.Array(Type.String(), { description: "What to know about the build as a whole." }),
  error: textOrNull("Why the build failed."),
  created_at: Type.String({ description: "RFC 3339 UTC." }),
  updated_at: Type.String({ description: "RFC 3339 UTC." }),
  finished_at: textOrNull("RFC 3339 UTC."),
});

// The providers of the fault matrix: how each is asked for something new, what is stored of it, and how it
// reports a fault.

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Status, and the code of the problem or a key of the row's own. */
export type Outcome = readonly [status: number, description: string];
type AskedPath = string | readonly [path: string, body: unknown];

export interface Row {
  readonly name: string;
  readonly host: string;
  /** The part of `host/path?query` that gets the fault. */
  readonly match: string;
  /** Its name in /health. */
  readonly health: string;
  /** Its name in errors, where that is another. */
  readonly upstream?: string;
  /** Requested first, so that only the host of the row is needed afterwards. */
  readonly before?: readonly AskedPath[];
  /** A request for something not stored yet, another for each n. */
  ask(n: number): AskedPath;
  /** A request whose data is stored: its answer stays the same during the fault. */
  readonly stored?: { readonly ask: string; pick(body: Record<string, unknown>): unknown };
  /** Datasets that a good answer adds rows to, and a faulty one does not. */
  readonly writes?: readonly string[];
  /** Reads the outcome where it is no problem document; "well" when nothing was wrong. */
  outcome?(answer: Answered): Outcome;
  /** The outcome of all faults, and exceptions by name of the fault. */
  readonly all?: Outcome;
  readonly outcomes?: Readonly<Record<string, Outcome>>;
  /** Runs without the keys of the brokerage feed, which would otherwise be asked instead of the provider. */
  readonly keyless?: boolean;
  /** Retry-After is the provider's own pause, not the 30 seconds of all others. */
  readonly hasOwnPause?: boolean;
  /** Messages of level error that its faults cause. */
  readonly logs?: readonly string[];
  /**
   * Seconds that pass in a real one, for a provider whose pace is too slow to be waited for; else the clock
   * is real.
   */
  readonly speed?: number;
  /** Faults after which the provider counts as healthy, since it answered. */
  readonly quiet?: readonly string[];
}

const SYMBOLS = [
  ...["KRONK", "TRELB", "QUAFF", "DREK", "BLIMQ", "SNARV", "FROBZ", "NURBL"],
  ...["FADEQ", "ZUBB", "VEXOQ", "JUMBL", "OOZEL", "PLONQ", "TWERB", "GIBBL"],
];
const symbol = (n: number) => SYMBOLS[n] ?? "";
const RANGE = "start_date=2026-08-03&end_date=2026-08-14";
const data = (body: Record<string, unknown>) => body.data;

const LIMITED = [429, "upstream_rate_limited"] as const;
const REPORTED = [200, "reported"] as const;
const warned = ({ status, body }: Answered): Outcome => {
  const warnings = (body.warnings ?? [String(body.detail)]) as string[];
  return [
    status,
    warnings.some((w) => /could not be (asked|read)/.test(w)) ? "reported" : (warnings[0] ?? "well"),
  ];
};

/** A day of August that no other n asks for. */
const viewsOf = (n: number) => {
  const date = `2026-08-${String(n + 3).padStart(2, "0")}`;
  return { start_date: date, end_date: date };
};

/** Stores EDGAR's tickers and submissions, so that later requests fetch only their own document. */
const COMPANY = ["/api/v1/company/ZORP"];
const REPORT = "0009079327-26-000010";
/** Session days without a file in the store. */
const DAYS = [3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 17, 18, 19, 20, 21, 24];

export const ROWS: readonly Row[] = [
  {
    name: "price provider: bars",
    host: "query2.finance.yahoo.com",
    match: "query2.finance.yahoo.com",
    health: "yahoo",
    ask: (n) => `/api/v1/price/data/${symbol(n)}?${RANGE}`,
    stored: { ask: `/api/v1/price/data/WUZZL?${RANGE}`, pick: data },
    writes: ["bars_daily"],
    outcomes: { 403: LIMITED },
  },
  {
    name: "price provider: the session of quotes",
    host: "query1.finance.yahoo.com",
    match: "getcrumb",
    health: "yahoo-session",
    upstream: "yahoo",
    ask: (n) => `/api/v1/price/quote/${symbol(n)}`,
    outcomes: { 403: LIMITED },
    quiet: ["404", "empty"],
  },
  {
    name: "price provider: market lists",
    host: "query2.finance.yahoo.com",
    match: "/v1/finance/screener",
    health: "yahoo",
    ask: () => "/api/v1/stocks/most-active?force_refresh=true",
    outcomes: { 403: LIMITED },
  },
  {
    name: "brokerage feed: snapshots",
    host: "data.alpaca.markets",
    match: "data.alpaca.markets",
    health: "marketfeed",
    ask: (n) => `/api/v1/marketfeed/snapshot?tickers=${symbol(n)}`,
    quiet: ["403", "404"],
  },
  {
    name: "brokerage feed: intraday bars",
    host: "data.alpaca.markets",
    match: "data.alpaca.markets",
    health: "marketfeed",
    ask: (n) => `/api/v1/marketfeed/intraday?tickers=${symbol(n)}&start_date=2026-09-08&end_date=2026-09-08`,
    quiet: ["403", "404"],
  },
  {
    name: "regulator: submissions",
    host: "data.sec.gov",
    match: "data.sec.gov/submissions",
    health: "sec",
    upstream: "edgar",
    ask: (n) => `/api/v1/filings/search?ticker=${symbol(n)}`,
    stored: {
      ask: "/api/v1/filings/search?ticker=ZORP",
      // Only the accession numbers: whether the events are parsed already may change meanwhile.
      pick: (body) => (body.data as { accession_number: string }[]).map((row) => row.accession_number),
    },
    writes: ["filings"],
  },
  {
    name: "regulator: facts of statements",
    host: "data.sec.gov",
    match: "data.sec.gov/api/xbrl",
    health: "sec",
    upstream: "edgar",
    ask: () => "/api/v1/financial/data/QUIB?force_refresh=true",
    stored: { ask: "/api/v1/financial/data/ZORP", pick: (body) => body.balance_sheet },
    outcome: ({ status, body }) => [
      status,
      (body.errors as Record<string, string>).financials === undefined ? "well" : "reported",
    ],
    all: REPORTED,
  },
  {
    name: "regulator: full-text search",
    host: "efts.sec.gov",
    match: "efts.sec.gov",
    health: "sec",
    upstream: "edgar",
    before: COMPANY,
    ask: (n) => `/api/v1/filings/search?q=word${n}&cik=9079327`,
  },
  {
    name: "regulator: documents",
    host: "www.sec.gov",
    match: "www.sec.gov/Archives",
    health: "sec",
    upstream: "edgar",
    before: COMPANY,
    ask: () => "/api/v1/filings/exhibit?accession_number=0009079327-26-000006",
    stored: { ask: `/api/v1/filings/exhibit?accession_number=${REPORT}`, pick: (body) => body.text },
    outcomes: { huge: [413, "exhibit_too_large"] },
    quiet: ["huge"],
  },
  {
    name: "short volume",
    host: "cdn.finra.org",
    match: "cdn.finra.org",
    health: "shortvolume",
    before: [["/api/v1/shortvolume/admin/ingest", { date: "2026-09-04" }]],
    ask: (n) => ["/api/v1/shortvolume/admin/ingest", { date: `2026-08-${String(DAYS[n]).padStart(2, "0")}` }],
    stored: { ask: "/api/v1/shortvolume/ZORP?start_date=2026-09-04&end_date=2026-09-04", pick: data },
    writes: ["short_volume"],
    outcome({ status, body }) {
      const [skipped] = body.skipped as { reason: string }[];
      return [status, (body.failed as unknown[]).length > 0 ? "reported" : (skipped?.reason ?? "well")];
    },
    all: REPORTED,
    // The server answers 404 where a file does not exist, or not yet.
    outcomes: { 404: [200, "not_published"] },
    logs: ["a trading day has no short-volume file"],
    quiet: ["404"],
  },
  {
    name: "economic data",
    host: "api.stlouisfed.org",
    match: "api.stlouisfed.org",
    health: "econdata",
    upstream: "fred",
    ask: () => "/api/v1/econdata/proxy/sources",
    stored: { ask: "/api/v1/econdata/proxy/series?series_id=FICGDP", pick: (body) => body.seriess },
  },
  {
    name: "exchange: earnings calendar",
    host: "api.nasdaq.com",
    match: "api.nasdaq.com/api/calendar",
    health: "nasdaq",
    ask: (n) => `/api/v1/earnings/calendar?date=2026-10-${10 + n}`,
    outcome: ({ status, body }) => [
      status,
      (body.warnings as string[]).some((w) => w.includes("comes from yahoo")) ? "reported" : "well",
    ],
    all: REPORTED,
  },
  {
    name: "exchange: dividends",
    host: "api.nasdaq.com",
    match: "api.nasdaq.com/api/quote",
    health: "nasdaq",
    before: ["/api/v1/dividends/calendar/ZORP"],
    ask: () => "/api/v1/dividends/calendar/ZORP?force_refresh=true",
    stored: { ask: "/api/v1/dividends/calendar/ZORP", pick: data },
    outcomes: { 403: LIMITED },
  },
  {
    name: "exchange: symbol directory",
    host: "www.nasdaqtrader.com",
    match: "www.nasdaqtrader.com",
    health: "nasdaq-listings",
    before: [["/api/v1/universe/admin/discover", { limit: 3 }]],
    ask: () => ["/api/v1/universe/admin/discover", { limit: 3 }],
    stored: { ask: "/api/v1/universe/registry", pick: data },
    writes: ["universe_registry"],
    outcomes: { 403: LIMITED },
    logs: ["job did not succeed"],
  },
  {
    name: "exchange: screener",
    host: "api.nasdaq.com",
    match: "api.nasdaq.com/api/screener",
    health: "nasdaq-listings",
    ask: () => ["/api/v1/universe/admin/discover", { limit: 1 }],
    outcome: warned,
    all: REPORTED,
  },
  {
    name: "encyclopaedia: index members",
    host: "en.wikipedia.org",
    match: "en.wikipedia.org",
    health: "encyc",
    upstream: "wikimedia",
    stored: { ask: "/api/v1/stocks/index/nasdaq100", pick: (body) => body },
    ask: () => "/api/v1/stocks/index/sp500?force_refresh=true",
    quiet: ["404", "html"],
  },
  {
    name: "encyclopaedia: which article is a company's",
    host: "query.wikidata.org",
    match: "query.wikidata.org",
    health: "encyc",
    upstream: "wikimedia",
    before: COMPANY,
    ask: () => ["/api/v1/attention/admin/resolve/ZORP", {}],
    quiet: ["404"],
  },
  {
    name: "encyclopaedia: page views",
    host: "wikimedia.org",
    match: "wikimedia.org/api/rest_v1/metrics",
    health: "encyc",
    upstream: "wikimedia",
    before: [...COMPANY, ["/api/v1/attention/admin/resolve/ZORP", {}]],
    ask: (n) => ["/api/v1/attention/admin/collect/encyc/ZORP", viewsOf(n)],
    writes: ["page_views"],
    // The provider answers 404 where an article had no views on those days.
    outcomes: { 404: [200, "well"] },
    outcome: ({ status, body }) => [status, (body.code as string | undefined) ?? "well"],
    quiet: ["404"],
  },
  {
    name: "news archive",
    speed: 20,
    host: "api.gdeltproject.org",
    match: "api.gdeltproject.org",
    health: "newsarchive",
    upstream: "gdelt",
    before: [...COMPANY, ["/api/v1/attention/admin/resolve/ZORP", {}]],
    ask: (n) => ["/api/v1/attention/admin/collect/newsarchive/ZORP", viewsOf(n)],
    hasOwnPause: true,
    logs: ["job did not succeed"],
    quiet: ["404"],
  },
  ...(
    [
      ["newswire", "www.globenewswire.com", "globenewswire", "globenewswire"],
      ["price provider: headlines", "feeds.finance.yahoo.com", "yahoo-headlines", "yahoo"],
      ["exchange: headlines", "www.nasdaq.com", "nasdaq-news", "nasdaq"],
    ] as const
  ).map(
    ([name, host, health, provider]): Row => ({
      name,
      host,
      match: host,
      health,
      keyless: true,
      ask: () => ["/api/v1/news/admin/ingest", { providers: [provider], tickers: ["ZORP"] }],
      writes: ["news_headlines"],
      outcome({ status, body }) {
        const [result] = (body.results ?? []) as { error: string | null }[];
        return [
          status,
          result === undefined ? String(body.detail) : result.error === null ? "well" : "reported",
        ];
      },
      all: REPORTED,
      logs: ["job did not succeed"],
      quiet: ["404"],
    }),
  ),
];

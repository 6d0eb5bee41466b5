// Yahoo's v10 quoteSummary: several modules about one symbol in one request. Needs a cookie and a crumb.
import type { CompanyProfile } from "../../../market/company-profile.ts";
import type { FundProfile } from "../../../market/fund-profile.ts";
import { toYahoo } from "../../../market/spelling.ts";
import { NotFound, UpstreamRefused } from "../../../platform/errors.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import type { Credentials } from "../credentials.ts";
import { type CalendarEvents, readCalendarEvents } from "../parse/calendar-events.ts";
import { FUND_MODULES, readFund } from "../parse/fund.ts";
import { readProfile } from "../parse/profile.ts";
import { DATA_HOST } from "../policy.ts";
import { readError, type Wire } from "../wire.ts";
import { askWithSession, type SessionAnswer } from "../with-session.ts";

/** The answer; modules that Yahoo does not have for this symbol are not in the map. */
export interface SummaryRequest {
  /** Canonical. */
  readonly symbol: string;
  readonly modules: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export interface SummaryAnswer {
  /** By Yahoo's name of the module. */
  readonly modules: ReadonlyMap<string, Wire>;
  readonly received_at: Temporal.Instant;
}

const DOCUMENT = "quoteSummary";
/** Yahoo's message when it has none of the requested modules, even for a symbol it knows. */
const NO_MODULE = /^No fundamentals data found/i;
const NO_SYMBOL = /^(?:Quote not found|No data found)/i;

function summaryUrl(symbol: string, modules: readonly string[]): string {
  // `formatted=false`, since without it older answers have `{raw, fmt}` and newer ones plain numbers.
  const query = new URLSearchParams({
    modules: modules.join(","),
    formatted: "false",
    corsDomain: "finance.yahoo.com",
    lang: "en-US",
    region: "US",
  });
  return `https://${DATA_HOST}/v10/finance/quoteSummary/${encodeURIComponent(toYahoo(symbol))}?${query}`;
}

/**
 * Fetches modules of one canonical symbol in one request. An empty map means that Yahoo has none of them; it
 * may know the symbol all the same. Throws NotFound `unknown_ticker` when Yahoo does not know the symbol;
 * UpstreamFailed, UpstreamRateLimited, UpstreamTimeout or UpstreamRefused when the request, or the session it
 * needs, fails.
 */
export async function askSummary<T>(
  upstream: Upstream,
  credentials: Credentials,
  { symbol, modules, signal }: SummaryRequest,
  decode: (answer: SummaryAnswer) => T,
): Promise<T> {
  const request = { document: DOCUMENT, url: summaryUrl(symbol, modules), signal };
  return askWithSession(upstream, credentials, request, (answer) =>
    decode(readSummary(symbol, modules, answer)),
  );
}

function readSummary(
  symbol: string,
  modules: readonly string[],
  { body, answer }: SessionAnswer,
): SummaryAnswer {
  const found = new Map<string, Wire>();
  const received_at = answer.receivedAt;
  const error = readError(body);
  if (error && NO_MODULE.test(error.description)) return { modules: found, received_at };
  if (error && NO_SYMBOL.test(error.description))
    throw new NotFound("unknown_ticker", `Yahoo knows no ticker ${symbol}`, {
      ticker: symbol,
      upstream: "yahoo",
    });
  if (error) {
    const facts = { upstreamStatus: answer.status, hint: error.description };
    throw new UpstreamRefused("yahoo", `Yahoo refused the summary: ${error.description}`, facts);
  }
  const result = body.at(DOCUMENT).at("result").first();
  for (const name of modules) {
    const module = result.isMissing ? result : result.at(name);
    if (!module.isMissing) found.set(name, module);
  }
  return { modules: found, received_at };
}

const PROFILE_MODULES = [
  "assetProfile",
  "price",
  "summaryDetail",
  "defaultKeyStatistics",
  "quoteType",
] as const;

/**
 * Fetches the company behind `symbol` (canonical); null when Yahoo has no such data. Throws as `askSummary`.
 */
export async function askProfile(
  upstream: Upstream,
  credentials: Credentials,
  symbol: string,
  signal?: AbortSignal,
): Promise<CompanyProfile | null> {
  const request = { symbol, modules: PROFILE_MODULES, signal };
  return askSummary(upstream, credentials, request, ({ modules, received_at }) =>
    modules.size === 0 ? null : readProfile(symbol, modules, received_at),
  );
}

/**
 * Fetches when `symbol` (canonical) reports and pays next; null when Yahoo has no such data. Throws as
 * `askSummary`.
 */
export async function askCalendarEvents(
  upstream: Upstream,
  credentials: Credentials,
  symbol: string,
  signal?: AbortSignal,
): Promise<CalendarEvents | null> {
  const request = { symbol, modules: ["calendarEvents"], signal };
  return askSummary(upstream, credentials, request, ({ modules, received_at }) => {
    const module = modules.get("calendarEvents");
    return module === undefined ? null : readCalendarEvents(symbol, module, received_at);
  });
}

/**
 * Fetches Yahoo's data about a fund, or any other `symbol` (canonical); null when it has none. Throws as
 * `askSummary`.
 */
export async function askFund(
  upstream: Upstream,
  credentials: Credentials,
  symbol: string,
  signal?: AbortSignal,
): Promise<FundProfile | null> {
  const request = { symbol, modules: FUND_MODULES, signal };
  return askSummary(upstream, credentials, request, ({ modules, received_at }) =>
    modules.size === 0 ? null : readFund(symbol, modules, received_at),
  );
}

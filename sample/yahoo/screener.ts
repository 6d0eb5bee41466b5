// The price provider's screener: predefined lists, queries in its grammar, and the trending symbols.
import type { Market } from "../market.ts";
import { keyOf, uniform } from "../randomness.ts";
import type { Correction } from "../view.ts";
import { jsonReply, type Reply, type SampleRequest } from "../wire.ts";
import { createScreened, type Screened } from "./screened.ts";

const ROWS_MAX = 250;
/** From this row on the last page comes again and again. */
const WINDOW_ROWS = 10_000;
const ROWS_DEFAULT = 25;

interface Operand {
  readonly operator: string;
  readonly operands: readonly unknown[];
}

interface Query {
  readonly offset: number;
  readonly size: number;
  readonly sortField: string;
  readonly sortType: string;
  readonly quoteType: string;
  readonly query: Operand;
}

/** A query the grammar does not allow; what the provider says of it. */
class Refused extends Error {}

/** Only these are fields; others are refused, as upstream refuses them. */
const FIELDS = new Set([
  "region",
  "exchange",
  "sector",
  "industry",
  "intradayprice",
  "percentchange",
  "dayvolume",
  "avgdailyvol3m",
  "intradaymarketcap",
  "fiftytwowkpercentchange",
  "peratio.lasttwelvemonths",
  "pegratio_5y",
  "forward_dividend_yield",
  "beta",
  "epsgrowth.lasttwelvemonths",
  "quarterlyrevenuegrowth.quarterly",
]);

const isOperand = (value: unknown): value is Operand =>
  typeof value === "object" &&
  value !== null &&
  "operator" in value &&
  "operands" in value &&
  Array.isArray(value.operands);

const COMPARE: Readonly<Record<string, (value: number, a: number, b: number) => boolean>> = {
  GT: (value, a) => value > a,
  GTE: (value, a) => value >= a,
  LT: (value, a) => value < a,
  LTE: (value, a) => value <= a,
  BTWN: (value, a, b) => value >= a && value <= b,
};

function matches({ operator, operands }: Operand, share: Screened): boolean {
  const name = operator.toUpperCase();
  if (name === "AND" || name === "OR" || name === "MUST_NOT") {
    const parts = operands.filter(isOperand);
    if (parts.length !== operands.length || parts.length === 0) throw new Refused("operands are missing");
    // Each part is looked at, so that a wrong one is refused whatever the others say.
    const passed = parts.map((part) => matches(part, share));
    if (name === "AND") return passed.every(Boolean);
    return name === "OR" ? passed.some(Boolean) : !passed.some(Boolean);
  }
  const [field, a, b = a] = operands;
  if (typeof field !== "string" || !FIELDS.has(field)) throw new Refused(`unknown field ${String(field)}`);
  const value = share.fields[field];
  if (name === "EQ") return value !== undefined && value === a;
  const compare = COMPARE[name];
  if (!compare) throw new Refused(`unknown operator ${operator}`);
  if (typeof a !== "number" || typeof b !== "number")
    throw new Refused(`${field} is compared with no number`);
  return typeof value === "number" && compare(value, a, b);
}

/** Returns the shares that pass, in order; those without a value come last, equal ones by symbol. */
function listOf(all: readonly Screened[], asked: Query): Screened[] {
  const { sortField, sortType, quoteType } = asked;
  if (!FIELDS.has(sortField)) throw new Refused(`unknown field ${sortField}`);
  const sign = sortType.toUpperCase() === "ASC" ? 1 : -1;
  const rankOf = ({ fields }: Screened) => {
    const value = fields[sortField];
    return typeof value === "number" ? sign * value : Number.POSITIVE_INFINITY;
  };
  return all
    .filter((share) => share.fields.quoteType === quoteType.toUpperCase() && matches(asked.query, share))
    .sort((a, b) => rankOf(a) - rankOf(b) || (String(a.row.symbol) < String(b.row.symbol) ? -1 : 1));
}

const criterion = (operator: string, field: string, value: string | number): Operand => ({
  operator,
  operands: [field, value],
});

/**
 * The lists by name. Few shares are listed here, and these are calm: hence lower floors than upstream's own.
 */
const LISTS: Readonly<
  Record<string, readonly [title: string, sortField: string, sortType: string, Operand[]]>
> = {
  day_gainers: [
    "Day Gainers",
    "percentchange",
    "DESC",
    [criterion("GT", "percentchange", 0.5), criterion("GTE", "intradayprice", 1)],
  ],
  day_losers: [
    "Day Losers",
    "percentchange",
    "ASC",
    [criterion("LT", "percentchange", -0.5), criterion("GTE", "intradayprice", 1)],
  ],
  most_actives: ["Most Actives", "dayvolume", "DESC", [criterion("GT", "dayvolume", 100_000)]],
  aggressive_small_caps: [
    "Aggressive small cap stocks",
    "dayvolume",
    "DESC",
    [criterion("LT", "intradaymarketcap", 20e9), criterion("GT", "epsgrowth.lasttwelvemonths", 25)],
  ],
};

const failure = (status: number, code: string, description: string): Reply =>
  jsonReply(status, { finance: { result: null, error: { code, description } } });

const served = (result: object, cache: string): Reply =>
  jsonReply(200, { finance: { result: [result], error: null } }, cache);

/** A stretch of a list with its total. */
function stretch(list: readonly Screened[], start: number, size: number) {
  const from = start < WINDOW_ROWS ? start : WINDOW_ROWS - size;
  const quotes = list.slice(from, from + size).map(({ row }) => row);
  return { start, count: quotes.length, total: list.length, quotes, useRecords: false };
}

const wholeNumber = (value: unknown, otherwise: number): number => {
  const number = value === null || value === undefined ? otherwise : Number(value);
  if (!Number.isInteger(number) || number < 0) throw new Refused("a whole number is expected");
  return number;
};

function predefined(all: readonly Screened[], query: URLSearchParams): Reply {
  const id = (query.get("scrIds") ?? "").toLowerCase();
  const found = LISTS[id];
  if (!found) return failure(404, "Not Found", `No screener found for id ${id}`);
  const [title, sortField, sortType, criteria] = found;
  const start = wholeNumber(query.get("start"), 0);
  const size = wholeNumber(query.get("count"), ROWS_DEFAULT);
  if (size > ROWS_MAX) throw new Refused("size is too large");
  const raw: Query = {
    offset: start,
    size,
    sortField,
    sortType,
    quoteType: "EQUITY",
    query: { operator: "AND", operands: [criterion("eq", "region", "us"), ...criteria] },
  };
  return served(
    {
      id: `sample-${id}`,
      title,
      description: title,
      canonicalName: id.toUpperCase(),
      rawCriteria: JSON.stringify(raw),
      ...stretch(listOf(all, raw), start, size),
      predefinedScr: true,
      isPremium: false,
    },
    "public, max-age=60, stale-while-revalidate=30",
  );
}

function custom(all: readonly Screened[], body: string): Reply {
  let asked: Partial<Query>;
  try {
    asked = JSON.parse(body);
  } catch {
    throw new Refused("the body is no JSON");
  }
  const offset = wholeNumber(asked.offset, 0);
  const size = wholeNumber(asked.size, ROWS_DEFAULT);
  if (size > ROWS_MAX) throw new Refused("size is too large");
  if (!isOperand(asked.query)) throw new Refused("the query is missing");
  const { sortField = "percentchange", sortType = "DESC", quoteType = "EQUITY" } = asked;
  const query = { offset, size, sortField, sortType, quoteType, query: asked.query };
  return served(stretch(listOf(all, query), offset, size), "private, no-cache, no-store");
}

/** Symbols of every kind, another order each hour. */
function trending(market: Market, query: URLSearchParams): Reply {
  const hour = Math.floor(market.now() / 3600);
  const symbols = market
    .symbols()
    .slice(0, 60)
    .map((symbol) => ({ symbol, draw: uniform(keyOf(market.seed, `trending ${symbol}`), hour) }))
    .sort((a, b) => a.draw - b.draw)
    .slice(0, wholeNumber(query.get("count"), 5))
    .map(({ symbol }) => ({ symbol }));
  const times = { jobTimestamp: market.now() * 1000, startInterval: 202_102_172_100 };
  return served(
    { count: symbols.length, quotes: symbols, ...times },
    "max-age=300, stale-while-revalidate=15, stale-if-error=3600",
  );
}

export interface Screener {
  /**
   * Answers what is asked of the screener; null for other paths. `holdsCrumb`: whether the request has a
   * session.
   */
  answer(request: SampleRequest, correct: Correction, holdsCrumb: boolean): Reply | null;
}

export function createScreener(market: Market): Screener {
  const screened = createScreened(market);
  return {
    answer({ method, path, query, body }, correct, holdsCrumb) {
      try {
        if (path === "/v1/finance/screener/predefined/saved") return predefined(screened(correct), query);
        if (path === "/v1/finance/trending/US") return trending(market, query);
        if (path !== "/v1/finance/screener" || method !== "POST") return null;
        if (!holdsCrumb) return failure(401, "Unauthorized", "Invalid Crumb");
        return custom(screened(correct), body);
      } catch (refused) {
        if (!(refused instanceof Refused)) throw refused;
        return failure(400, "Bad Request", refused.message);
      }
    },
  };
}

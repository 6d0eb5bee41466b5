// The screener's download: sector, industry, country and market value of every stock of an exchange, all as
// text.

import { fromNasdaq } from "../../../market/spelling.ts";
import { UpstreamFailed, UpstreamMisread } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import { isFields } from "../../../platform/upstream/json-place.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { SCREENER_HOST } from "../listings-policy.ts";
import { numberOf, saysNothing } from "../parse/written.ts";

/** Requested one by one, since the rows do not name their exchange. */
export const SCREENED_EXCHANGES = ["nasdaq", "nyse", "amex"] as const;
export type ScreenedExchange = (typeof SCREENED_EXCHANGES)[number];

/** A stock in the screener; null means unknown. */
export interface ScreenedStock {
  /** Canonical symbol. */
  readonly symbol: string;
  readonly name: string | null;
  /** Nasdaq's own sectors (Finance, Health Care, …), not GICS. */
  readonly sector: string | null;
  readonly industry: string | null;
  readonly country: string | null;
  readonly ipo_year: number | null;
  /** US dollars. Each class of a company shows the value of the whole company, so do not add them up. */
  readonly market_cap: number | null;
  readonly last_price: number | null;
  readonly volume: number | null;
}

export interface Screened {
  readonly rows: readonly ScreenedStock[];
  /** Symbols of no known convention. */
  readonly unread: readonly string[];
}

const wrong = (what: string) =>
  new UpstreamMisread("nasdaq-listings", `Nasdaq changed the shape of its screener: ${what}`);

function text(row: Record<string, unknown>, name: string): string | null {
  const value = row[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw wrong(`${name} should be text`);
  return value.trim() || null;
}

/** As `text`; null also for the words for "unknown". Not for symbols, since NA may be one. */
function word(row: Record<string, unknown>, name: string): string | null {
  const written = text(row, name);
  return written === null || saysNothing(written) ? null : written;
}

/** "$309.35", "4514709583000.00", "46,767,645", or a plain number; null when absent. */
function figure(row: Record<string, unknown>, name: string): number | null {
  const value = row[name];
  if (value === undefined || value === null) return null;
  const number = numberOf(value);
  if (number === undefined) throw wrong(`${name} should be a number`);
  return number;
}

/** The screener writes zero for an unknown market value or price. */
const positive = (value: number | null) => (value !== null && value > 0 ? value : null);

/** Reads the rows of one answer. Throws UpstreamFailed when a row has another shape. */
export function readScreenerRows(rows: unknown): Screened {
  if (!Array.isArray(rows)) throw wrong("rows should be a list");
  const unread: string[] = [];
  const stocks = new Map<string, ScreenedStock>();
  for (const row of rows as readonly unknown[]) {
    if (!isFields(row)) throw wrong("a row should be an object");
    const written = text(row, "symbol");
    if (written === null) throw wrong("a row should have a symbol");
    const symbol = fromNasdaq(written);
    if (symbol === null) {
      unread.push(written);
      continue;
    }
    const year = figure(row, "ipoyear");
    stocks.set(symbol, {
      symbol,
      name: word(row, "name"),
      sector: word(row, "sector"),
      industry: word(row, "industry"),
      country: word(row, "country"),
      ipo_year: year !== null && Number.isInteger(year) ? year : null,
      market_cap: positive(figure(row, "marketCap")),
      last_price: positive(figure(row, "lastsale")),
      volume: figure(row, "volume"),
    });
  }
  return { rows: [...stocks.values()], unread };
}

/** The rows of a complete answer. Nasdaq refuses with HTTP 200; the envelope's own status shows it. */
export function readScreener(body: unknown): Screened {
  if (!isFields(body)) throw wrong("the answer should be an object");
  const { status, data } = body;
  const code = isFields(status) ? status.rCode : undefined;
  if (typeof code === "number" && code !== 200)
    throw new UpstreamFailed("nasdaq-listings", `Nasdaq refused its screener (rCode ${code})`);
  if (!isFields(data)) throw wrong("data should be an object");
  const screened = readScreenerRows(data.rows);
  if (screened.rows.length === 0) throw wrong("rows should not be empty");
  return screened;
}

export async function askScreener(
  upstream: Upstream,
  exchange: ScreenedExchange,
  signal?: AbortSignal,
): Promise<Screened> {
  const query = new URLSearchParams({
    tableonly: "true",
    limit: "25",
    offset: "0",
    exchange,
    download: "true",
  });
  const request = {
    url: `https://${SCREENER_HOST}/api/screener/stocks?${query}`,
    label: `${SCREENER_HOST}/api/screener/stocks (${exchange})`,
    signal,
  };
  return fetchDecoded(upstream, request, (answer) => readScreener(screenerJson(answer)));
}

function screenerJson({ bytes }: UpstreamAnswer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new UpstreamMisread("nasdaq-listings", "Nasdaq's screener sent an answer that is not JSON", {
      cause,
    });
  }
}

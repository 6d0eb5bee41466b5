// Yahoo's spark: the last daily closes of many symbols. Needs no crumb, so it works when quotes do not.

import { providerPrice } from "../../../market/float.ts";
import { toYahoo } from "../../../market/spelling.ts";
import { UpstreamRefused } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { askInBatches } from "../batches.ts";
import { dateIn } from "../parse/chart-meta.ts";
import { DATA_HOST } from "../policy.ts";
import { readError, readJson, type Wire } from "../wire.ts";

/** One close. `date` is a day of the exchange; null when the answer does not name its zone. */
export interface SparkPoint {
  readonly date: string | null;
  readonly at: Temporal.Instant;
  readonly close: number;
}

/** The last closes of one symbol, ascending, without days that have none. The newest may still change. */
export interface Spark {
  readonly symbol: string;
  readonly currency: string | null;
  readonly timezone: string | null;
  readonly closes: readonly SparkPoint[];
}

export interface SparksResult {
  readonly sparks: ReadonlyMap<string, Spark>;
  /** Symbols Yahoo left out of its answer. */
  readonly missing: readonly string[];
}

/** Batch size; longer addresses are rejected. */
const BATCH_SYMBOLS = 20;

export type SparkRange = "1d" | "5d" | "1mo" | "3mo" | "6mo" | "1y";

/** Reads lists of times and closes, which must be equally long or both absent. */
function readPoints(timestamps: Wire, closes: Wire, zone: string | null): SparkPoint[] {
  if (timestamps.isMissing && closes.isMissing) return [];
  const starts = timestamps.items().map((t) => t.instant());
  const values = closes.numbers(starts.length);
  const points = starts.flatMap((at, i): SparkPoint[] => {
    const close = values[i] ?? null;
    if (close === null || close === 0) return [];
    return [{ date: zone === null ? null : dateIn(zone, at), at, close: providerPrice(close) }];
  });
  return points.sort((a, b) => Temporal.Instant.compare(a.at, b.at));
}

/** Version 7: for each symbol a chart without most of its lists. */
function readVersion7(row: Wire): Omit<Spark, "symbol"> {
  const response = row.at("response").first();
  const meta = response.at("meta");
  const timezone = meta.at("exchangeTimezoneName").textOrNull();
  const closes = response.at("indicators").at("quote").first().at("close");
  return {
    currency: meta.at("currency").textOrNull(),
    timezone,
    closes: readPoints(response.at("timestamp"), closes, timezone),
  };
}

/** Version 8: plain lists under each symbol. */
function readVersion8(row: Wire): Omit<Spark, "symbol"> {
  return { currency: null, timezone: null, closes: readPoints(row.at("timestamp"), row.at("close"), null) };
}

function readSparks(body: Wire, status: number): Map<string, Omit<Spark, "symbol">> {
  const error = readError(body);
  // When it knows none of the symbols, Yahoo answers with an error instead of an empty list.
  if (error?.envelope === "spark" && (status === 404 || /^not found$/i.test(error.code))) return new Map();
  if (error) {
    const facts = { upstreamStatus: status, hint: error.description };
    throw new UpstreamRefused("yahoo", `Yahoo refused the last closes: ${error.description}`, facts);
  }
  const version7 = body.at("spark");
  const rows = version7.isMissing ? body.values() : version7.at("result").items();
  const read = version7.isMissing ? readVersion8 : readVersion7;
  return new Map(rows.map((row) => [row.at("symbol").text().toUpperCase(), read(row)]));
}

/**
 * Fetches the last daily closes of `symbols` (canonical, any number), all or none. Throws UpstreamFailed,
 * UpstreamRateLimited, UpstreamTimeout or UpstreamRefused when a batch fails.
 */
export async function askSparks(
  upstream: Upstream,
  symbols: readonly string[],
  range: SparkRange,
  signal?: AbortSignal,
): Promise<SparksResult> {
  const spellings = new Map(symbols.map((symbol) => [symbol, toYahoo(symbol).toUpperCase()]));
  const rows = await askInBatches([...new Set(spellings.values())], BATCH_SYMBOLS, async (batch) => {
    const query = new URLSearchParams({ symbols: batch.join(","), range, interval: "1d" });
    const url = `https://${DATA_HOST}/v7/finance/spark?${query}`;
    return fetchDecoded(upstream, { url, signal }, (answer) =>
      readSparks(readJson("spark", answer), answer.status),
    );
  });
  const sparks = new Map<string, Spark>();
  const missing: string[] = [];
  for (const [symbol, spelling] of spellings) {
    const row = rows.get(spelling);
    if (row) sparks.set(symbol, { symbol, ...row });
    else missing.push(symbol);
  }
  return { sparks, missing };
}

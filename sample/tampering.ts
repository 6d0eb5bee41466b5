// Faults inside an answer that is otherwise right: the body is taken apart, changed and written again.
import type { Dial } from "./faults.ts";
import type { Reply } from "./wire.ts";

interface ChartResult {
  meta: Record<string, unknown>;
  timestamp?: number[];
  indicators: { quote: Record<string, (number | null)[]>[]; adjclose?: { adjclose?: (number | null)[] }[] };
}

interface Body {
  chart?: { result: ChartResult[] | null };
  quoteResponse?: { result: { symbol: string }[] | null };
  spark?: { result: { symbol: string }[] | null };
}

const DAY_S = 86_400;

/** Appends the last row again at `at`, flat and with `volume` (null keeps its own, a little larger). */
function appendRow(result: ChartResult, at: number, volume: number | null): void {
  const quote = result.indicators.quote[0];
  const timestamps = result.timestamp;
  if (!quote || !timestamps) return;
  const close = quote.close?.at(-1) ?? null;
  for (const [name, column] of Object.entries(quote)) {
    const last = column.at(-1) ?? null;
    if (name === "volume") column.push(volume ?? (last === null ? null : last + 37));
    else column.push(volume === null ? last : close);
  }
  const adjusted = result.indicators.adjclose?.[0]?.adjclose;
  adjusted?.push(adjusted.at(-1) ?? null);
  timestamps.push(at);
}

function tamperChart(result: ChartResult, dial: Dial): void {
  const last = result.timestamp?.at(-1);
  if (dial.fault === "wrong_granularity") result.meta.dataGranularity = dial.granularity ?? "3mo";
  if (last === undefined) return;
  // The newest price a day beyond what was asked, as in a 1m answer of 2024-10-02 that ends on 10-03 at
  // 20:00Z.
  if (dial.fault === "stray_bar") appendRow(result, last + DAY_S, 0);
  // The settled row of a day and its live row beside it, with a slightly larger volume.
  if (dial.fault === "duplicate_day") appendRow(result, last + 3600, null);
}

/** The reply with the faults of `dials` in it; a body that is no JSON stays as it is. */
export function tamper(reply: Reply, dials: readonly Dial[]): Reply {
  if (dials.length === 0 || reply.status !== 200) return reply;
  let body: Body;
  try {
    body = JSON.parse(reply.body) as Body;
  } catch {
    return reply;
  }
  for (const dial of dials) {
    for (const result of body.chart?.result ?? []) tamperChart(result, dial);
    if (dial.fault !== "missing_symbols") continue;
    const missing = new Set(dial.symbols?.map((symbol) => symbol.toUpperCase()));
    for (const envelope of [body.quoteResponse, body.spark])
      if (envelope?.result) envelope.result = envelope.result.filter(({ symbol }) => !missing.has(symbol));
  }
  return { ...reply, body: JSON.stringify(body) };
}

// Nasdaq's surprise history of a company: actual against expected earnings of its last four quarters.

import { toNasdaq } from "../../../market/spelling.ts";
import { NotFound } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { readEnvelope } from "../envelope.ts";
import { API_HOST } from "../policy.ts";

/** One quarter, in dollars per share. */
export interface Surprise {
  /** YYYY-MM: the month in which the fiscal quarter ends. */
  readonly fiscal_quarter: string;
  readonly report_date: string | null;
  readonly eps_actual: number | null;
  readonly eps_estimate: number | null;
}

export interface Surprises {
  readonly symbol: string;
  /** Newest first, as sent. */
  readonly rows: readonly Surprise[];
  readonly received_at: Temporal.Instant;
}

const DOCUMENT = "earnings surprise";

/** The error for a symbol Nasdaq does not know. */
export function noSuchSymbol(symbol: string, words: string): NotFound {
  return new NotFound("unknown_ticker", `Nasdaq knows no ticker ${symbol}`, {
    ticker: symbol,
    upstream: "nasdaq",
    hint: words,
  });
}

/** A symbol in a URL path; null where Nasdaq's spelling of such an issue is unknown. */
export const symbolPath = (symbol: string): string | null => {
  const spelled = toNasdaq(symbol);
  return spelled === null ? null : encodeURIComponent(spelled);
};

/** Reads one answer. Pure. Leaves out rows without a quarter. */
export function readSurprises(symbol: string, answer: UpstreamAnswer): Surprises {
  const { data, refusal } = readEnvelope(DOCUMENT, answer);
  if (refusal !== null) throw noSuchSymbol(symbol, refusal);
  const table = data?.at("earningsSurpriseTable") ?? null;
  const rows = table === null || table.isMissing ? [] : table.at("rows").itemsOrNone();
  return {
    symbol,
    rows: rows.flatMap((row) => {
      const fiscal_quarter = row.at("fiscalQtrEnd").monthOrNull();
      if (fiscal_quarter === null) return [];
      return [
        {
          fiscal_quarter,
          report_date: row.at("dateReported").dateOrNull(),
          eps_actual: row.at("eps").numberOrNull(),
          eps_estimate: row.at("consensusForecast").numberOrNull(),
        },
      ];
    }),
    received_at: answer.receivedAt,
  };
}

/** Fetches one canonical symbol. Throws NotFound where Nasdaq does not know it, Upstream*. */
export async function askSurprises(
  upstream: Upstream,
  symbol: string,
  signal?: AbortSignal,
): Promise<Surprises> {
  const path = symbolPath(symbol);
  if (path === null) throw noSuchSymbol(symbol, "its spelling there is not known");
  const url = `https://${API_HOST}/api/company/${path}/earnings-surprise`;
  return fetchDecoded(upstream, { url, signal }, (answer) => readSurprises(symbol, answer));
}

// Nasdaq's dividend calendar of one ex-dividend day, all exchanges.

import { fromNasdaq } from "../../../market/spelling.ts";
import { UpstreamRefused } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { readEnvelope } from "../envelope.ts";
import { API_HOST } from "../policy.ts";

/** One payment, in dollars per share as declared. */
export interface CalendarDividend {
  /** Canonical. */
  readonly symbol: string;
  readonly name: string | null;
  readonly ex_dividend_date: string;
  readonly declaration_date: string | null;
  readonly record_date: string | null;
  readonly payment_date: string | null;
  readonly amount: number | null;
}

export interface DividendDay {
  readonly date: string;
  readonly rows: readonly CalendarDividend[];
  /** Number of rows left out: a symbol of no known convention, or another day. */
  readonly unread: number;
  readonly received_at: Temporal.Instant;
}

const DOCUMENT = "dividend calendar";

/** Reads one answer. Pure. */
export function readDividendDay(date: string, answer: UpstreamAnswer): DividendDay {
  const { data, refusal } = readEnvelope(DOCUMENT, answer);
  if (refusal !== null) throw new UpstreamRefused("nasdaq", `Nasdaq refused its ${DOCUMENT}: ${refusal}`);
  const calendar = data?.at("calendar") ?? null;
  const found = calendar === null || calendar.isMissing ? [] : calendar.at("rows").itemsOrNone();
  const rows = found.flatMap((row) => {
    const symbol = fromNasdaq(row.at("symbol").text());
    const ex_dividend_date = row.at("dividend_Ex_Date").dateOrNull();
    if (symbol === null || ex_dividend_date !== date) return [];
    return [
      {
        symbol,
        name: row.at("companyName").textOrNull(),
        ex_dividend_date,
        declaration_date: row.at("announcement_Date").dateOrNull(),
        record_date: row.at("record_Date").dateOrNull(),
        payment_date: row.at("payment_Date").dateOrNull(),
        amount: row.at("dividend_Rate").numberOrNull(),
      },
    ];
  });
  return { date, rows, unread: found.length - rows.length, received_at: answer.receivedAt };
}

/** Fetches one ex-dividend day; empty when there are no payments. Throws Upstream*. */
export async function askDividendDay(
  upstream: Upstream,
  date: string,
  signal?: AbortSignal,
): Promise<DividendDay> {
  const url = `https://${API_HOST}/api/calendar/dividends?date=${date}`;
  return fetchDecoded(upstream, { url, signal }, (answer) => readDividendDay(date, answer));
}

// The brokerage-feed routes' answers: each with its row form, ready for the server to render.
import type { Static } from "@sinclair/typebox";
import { tableOfSchema } from "../../market/row-table.ts";
import { parseTickers, type TickerRequest } from "../../market/ticker.ts";
import { Answer } from "../../platform/answer.ts";
import { InvalidFields, InvalidRequest } from "../../platform/errors.ts";
import { barsTable } from "./bars-answer.ts";
import type { IntradayAnswers } from "./intraday.ts";
import type { PanelBackfill } from "./panel-backfill.ts";
import {
  type BackfillRequest,
  type IntradayQuery,
  Snapshot,
  type SnapshotQuery,
  type TodayQuery,
} from "./schema.ts";
import type { SnapshotAnswers } from "./snapshot.ts";
import type { StatusAnswers } from "./status.ts";
import type { TodayAnswers } from "./today.ts";

export interface MarketfeedParts {
  readonly status: StatusAnswers;
  readonly intraday: IntradayAnswers;
  readonly today: TodayAnswers;
  readonly snapshot: SnapshotAnswers;
  readonly backfill: PanelBackfill;
}

const DEFAULT_INTERVAL = "5m";

function tickersOf(given: string | undefined): TickerRequest[] {
  if (given === undefined)
    throw new InvalidFields([{ type: "missing", loc: ["query", "tickers"], msg: "Field required" }]);
  const { tickers } = parseTickers(given);
  if (tickers.length > 0) return tickers;
  throw new InvalidRequest("no_tickers", "tickers names no symbol.", { hint: "Write them as AAPL,MSFT." });
}

export function marketfeedAnswers(parts: MarketfeedParts) {
  return {
    status: (signal: AbortSignal) => parts.status(signal),

    async intraday(query: Static<typeof IntradayQuery>, signal: AbortSignal) {
      const { interval = DEFAULT_INTERVAL, include_extended = false, force_refresh = false } = query;
      const { start_date, end_date } = query;
      const request = { interval, include_extended, force_refresh, start_date, end_date };
      const { body, cache } = await parts.intraday(tickersOf(query.tickers), request, signal);
      return new Answer(() => body, { cache, table: barsTable(body) });
    },

    async today(query: Static<typeof TodayQuery>, signal: AbortSignal) {
      const { interval = DEFAULT_INTERVAL, include_extended = false } = query;
      const body = await parts.today(tickersOf(query.tickers), { interval, include_extended }, signal);
      return new Answer(() => body, { table: barsTable(body) });
    },

    async snapshot({ tickers, ticker }: Static<typeof SnapshotQuery>, signal: AbortSignal) {
      if (tickers !== undefined && ticker !== undefined && tickers !== ticker)
        throw new InvalidRequest(
          "bad_request",
          "ticker and tickers name different symbols; give one of them.",
        );
      const body = await parts.snapshot(tickersOf(tickers ?? ticker), signal);
      return new Answer(() => body, {
        table: tableOfSchema("marketfeed_snapshot", Snapshot, Object.values(body.snapshots)),
      });
    },

    backfill: async (body: BackfillRequest) => (await parts.backfill.begin(body)).accepted,
    progress: (jobId: string) => parts.backfill.progress(jobId),
    latest: () => parts.backfill.latest(),
  };
}

export type MarketfeedAnswers = ReturnType<typeof marketfeedAnswers>;

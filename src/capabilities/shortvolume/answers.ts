// The answers of the short-volume routes, with their rows for the tabular formats.
import type { Static } from "@sinclair/typebox";
import { SHORT_VOLUME_LIMIT_MAX } from "../../limits.ts";
import { ifEmpty } from "../../market/absence.ts";
import { pageFacts } from "../../market/answer-fields.ts";
import { asOfInstant } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import { parseTickers } from "../../market/ticker.ts";
import { Answer } from "../../platform/answer.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { type PanelRequest, readCursor, writeCursor } from "./cursor.ts";
import type { IngestRequest, IngestRequests } from "./ingest-requests.ts";
import type { ShortInterestAnswers } from "./interest.ts";
import type { PanelReader } from "./panel.ts";
import { dayRange } from "./range.ts";
import type { Rankings } from "./ranking.ts";
import type {
  BulkQuery,
  DayQuery,
  InterestQuery,
  PanelQuery,
  SeriesQuery,
  SummaryQuery,
  TopQuery,
} from "./schema.ts";
import { ALL_FACILITIES } from "./sources.ts";
import type { shortVolumeStatus } from "./status.ts";
import type { Summaries } from "./summary.ts";
import { INTEREST_COLUMNS, TOP_COLUMNS, tabular, VOLUME_COLUMNS } from "./tabular.ts";
import type { UnreadSessions } from "./unread-sessions.ts";
import type { ShortVolumes } from "./volumes.ts";

const PANEL_DAYS_DEFAULT = 30;

export interface AnswersDeps extends Pick<Services, "clock"> {
  readonly volumes: ShortVolumes;
  readonly rankings: Rankings;
  readonly summaries: Summaries;
  readonly status: ReturnType<typeof shortVolumeStatus>;
  readonly interest: ShortInterestAnswers;
  readonly panel: PanelReader;
  readonly warningsOf: UnreadSessions;
  readonly ingests: IngestRequests;
}

export function shortVolumeAnswers(deps: AnswersDeps) {
  const { volumes, rankings, summaries, interest, panel, warningsOf, ingests, clock } = deps;

  const panelRequest = (query: Static<typeof PanelQuery>, asOfSent: string | undefined): PanelRequest => {
    const asOf = asOfInstant(query.as_of);
    const range = dayRange(query, PANEL_DAYS_DEFAULT, clock.now(), asOf);
    const symbols =
      query.symbols === undefined ? null : parseTickers(query.symbols).tickers.map((t) => t.symbol);
    if (symbols?.length === 0)
      throw new InvalidRequest("no_tickers", "symbols names no symbol.", {
        hint: "Write them as AAPL,MSFT.",
      });
    return {
      ...range,
      symbols: symbols?.sort() ?? null,
      minTotalVolume: query.min_total_volume ?? 0,
      asOf: asOf?.toString() ?? null,
      asOfSent: asOfInstant(asOfSent)?.toString() ?? null,
    };
  };

  return {
    async series(ticker: string, query: Static<typeof SeriesQuery>, signal: AbortSignal) {
      const body = await volumes.one(ticker.trim(), query, signal);
      return tabular(`short_volume_${body.symbol}`, VOLUME_COLUMNS, body, body.data, pageFacts(body));
    },

    async bulk(query: Static<typeof BulkQuery>, signal: AbortSignal) {
      const body = await volumes.many(query.tickers, query, signal);
      return tabular("short_volume", VOLUME_COLUMNS, body, Object.values(body.data).flat(), pageFacts(body));
    },

    async byDate(date: string, query: Static<typeof DayQuery>, signal: AbortSignal) {
      const body = await rankings.byDate({ ...query, date }, signal);
      return tabular(`short_volume_${date}`, VOLUME_COLUMNS, body, body.data, pageFacts(body));
    },

    async top(query: Static<typeof TopQuery>, signal: AbortSignal) {
      const body = await rankings.top(query, signal);
      return tabular(`short_volume_top_${body.date}`, TOP_COLUMNS, body, body.data, pageFacts(body));
    },

    summary: (ticker: string, query: Static<typeof SummaryQuery>, signal: AbortSignal) =>
      summaries.of(ticker.trim(), query, signal),

    status: () => deps.status(),

    async interest(ticker: string, query: Static<typeof InterestQuery>, signal: AbortSignal) {
      const body = await interest.of(ticker.trim(), query, signal);
      return tabular(`short_interest_${body.symbol}`, INTEREST_COLUMNS, body, body.data, pageFacts(body));
    },

    /** `asOfSent` is `as_of` as the client sent it. In `query` a moment in the future is replaced by now. */
    panel(query: Static<typeof PanelQuery>, asOfSent: string | undefined, signal: AbortSignal) {
      const requested = panelRequest(query, asOfSent);
      const dated = query.start_date !== undefined;
      const { range, after } =
        query.cursor === undefined
          ? { range: requested, after: null }
          : readCursor(query.cursor, requested, dated);
      const request: PanelRequest = { ...requested, start: range.start, end: range.end };
      const unread = () =>
        warningsOf({ ...request, asOf: asOfInstant(query.as_of), facility: ALL_FACILITIES });
      const page = async () => {
        const { rows, more } = await panel.page(
          request,
          after,
          query.limit ?? SHORT_VOLUME_LIMIT_MAX,
          signal,
        );
        const last = rows.at(-1);
        const warnings = await unread();
        return {
          start_date: request.start,
          end_date: request.end,
          count: rows.length,
          next_cursor: more && last ? writeCursor(request, last) : null,
          warnings:
            warnings.length > 0
              ? warnings
              : ifEmpty(rows, "nothing_there", "No line of these files matches."),
          data: rows,
        };
      };
      return new Answer(page, {
        table: async () => ({ ...(await panel.table(request, signal)), notes: { warnings: await unread() } }),
      });
    },

    async ingest(body: IngestRequest) {
      const { status, state } = await ingests.request(body);
      return new Answer(() => state, { status });
    },

    ingestState: (jobId: string) => ingests.state(jobId === "latest" ? jobId : Number(jobId)),
  };
}

export type ShortVolumeAnswers = ReturnType<typeof shortVolumeAnswers>;

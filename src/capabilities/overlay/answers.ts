// Answers of the overlay routes: movers, the scores of a ticker, topics and health.
import type { Static } from "@sinclair/typebox";
import { pageFacts } from "../../market/answer-fields.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { canonical } from "../../market/ticker.ts";
import { Answer, type PageFacts } from "../../platform/answer.ts";
import { columnsOf, tableOfObjects } from "../../platform/cells.ts";
import { NotRead } from "../../platform/errors.ts";
import type { Table } from "../../platform/table.ts";
import { FORMULA, PARTS, type Part, type Weights } from "./formula.ts";
import type { HealthAnswer, MoversAnswer, MoversRequest, ScoreAnswer } from "./schema.ts";
import type { InputState, MoverRow, OverlayStore, ScoreRow } from "./store.ts";
import type { OverlayTopics } from "./topics.ts";

const LIMIT = 50;
const DAYS = 30;

/**
 * How many days an input may lag behind the last session, so that weekends and days without filings do not
 * count as stale.
 */
const LAG_DAYS: Readonly<Record<string, number>> = {
  attention: 4,
  news: 3,
  short_volume: 5,
  insider: 7,
};

type Columns = Table["columns"];
const SCORE_COLUMNS: Columns = [
  ...columnsOf("DATE", "date"),
  ...columnsOf("VARCHAR", "symbol"),
  ...columnsOf("DOUBLE", "score", ...PARTS),
  ...columnsOf("DOUBLE", "attention_z", "news_z", "short_volume_z", "insider_bought_usd"),
  ...columnsOf("DOUBLE", "relative_volume", "return_5d_percent", "weight_present"),
  ...columnsOf("VARCHAR", "missing", "formula"),
  ...columnsOf("TIMESTAMPTZ", "known_at"),
  ...columnsOf("DATE", "attention_date", "short_volume_date"),
];
const MOVER_COLUMNS: Columns = [
  ...columnsOf("DATE", "date"),
  ...columnsOf("VARCHAR", "symbol", "name"),
  ...columnsOf("DOUBLE", "score", "previous_score", "score_change", ...PARTS, "market_cap", "weight_present"),
  ...columnsOf("VARCHAR", "missing"),
  ...columnsOf("BIGINT", "rank"),
  ...columnsOf("VARCHAR", "ticker", "topics"),
];

const answerWithTable = <T>(
  name: string,
  columns: Columns,
  body: T,
  rows: readonly object[],
  page?: PageFacts,
) =>
  new Answer(() => body, {
    ...(page ? { page } : {}),
    table: tableOfObjects(name, columns, rows),
  });

const componentsOf = (row: ScoreRow) =>
  Object.fromEntries(PARTS.map((part) => [part, row[part]])) as Record<Part, number | null>;
const missingOf = (row: ScoreRow) => (row.missing === null ? [] : (row.missing.split(",") as Part[]));

const HINT = "The overlay-scores job computes the scores of a session each evening.";

export interface AnswersDeps extends Pick<Services, "calendar" | "clock"> {
  readonly store: OverlayStore;
  readonly topics: OverlayTopics;
  readonly weights: Weights;
}

export function overlayAnswers({ store, topics, calendar, clock, weights }: AnswersDeps) {
  const isStale = ({ input, last_date }: InputState, session: string) =>
    last_date === null ||
    // A bar is stored only after the next session opens, however many closed days lie between.
    last_date <
      (input === "bars" ? calendar.previousSession(session) : addDays(session, -(LAG_DAYS[input] ?? 0)));

  return {
    async movers(query: MoversRequest, signal: AbortSignal): Promise<Answer<MoversAnswer>> {
      const { direction = "both", window_days: window = 1, limit = LIMIT } = query;
      const days = await store.days(query.date ?? null, window + 1, signal);
      const [date] = days;
      if (date === undefined || (query.date !== undefined && date !== query.date))
        throw new NotRead(`No scores are stored${query.date ? ` for ${query.date}` : ""}.`, {
          hint: HINT,
        });
      const before = days[window] ?? null;
      const rows = await store.movers(
        { date, before, direction, limit, minMarketCap: query.min_market_cap ?? null },
        signal,
      );
      const byTicker = topics.byTicker();
      const view = (row: MoverRow, i: number) => ({
        rank: i + 1,
        ticker: row.symbol,
        name: row.name,
        score: row.score,
        previous_score: row.previous_score,
        score_change: row.score_change,
        components: componentsOf(row),
        missing: missingOf(row),
        weight_present: row.weight_present,
        market_cap: row.market_cap,
        topics: [...(byTicker.get(row.symbol) ?? [])],
      });
      const total = rows[0]?.total ?? 0;
      const data = rows.map(view);
      const body = { date, previous_date: before, count: rows.length, total, data };
      const tableRows = rows.map((row, i) => ({
        ...row,
        rank: data[i]?.rank,
        ticker: data[i]?.ticker,
        topics: JSON.stringify(data[i]?.topics),
      }));
      return answerWithTable(`overlay_movers_${date}`, MOVER_COLUMNS, body, tableRows, pageFacts(body));
    },

    async score(given: string, days: number = DAYS, signal: AbortSignal): Promise<Answer<ScoreAnswer>> {
      const ticker = given.trim();
      const from = addDays(newYorkDate(clock.now()), -days);
      const rows = await store.series(canonical(ticker), from, signal);
      if (rows.length === 0)
        throw new NotRead(`No scores are stored for ${ticker} since ${from}.`, {
          ticker,
          hint: HINT,
        });
      const data = rows.map((row) => ({
        date: row.date,
        score: row.score,
        components: componentsOf(row),
        missing: missingOf(row),
        weight_present: row.weight_present,
        figures: {
          attention_z: row.attention_z,
          attention_date: row.attention_date,
          news_z: row.news_z,
          short_volume_z: row.short_volume_z,
          short_volume_date: row.short_volume_date,
          insider_bought_usd: row.insider_bought_usd,
          relative_volume: row.relative_volume,
          return_5d_percent: row.return_5d_percent,
        },
        formula: row.formula,
        known_at: row.known_at,
      }));
      const body = { ticker, count: data.length, data };
      return answerWithTable(`overlay_score_${ticker}`, SCORE_COLUMNS, body, rows);
    },

    topics: () => topics.list(),
    seed: topics.seed,

    async health(signal: AbortSignal): Promise<Static<typeof HealthAnswer>> {
      const session = calendar.lastClosedSession(clock.now());
      const run = store.lastRun();
      const stale = (await store.inputs(signal)).filter((input) => isStale(input, session));
      const isCurrent = run !== null && run.date >= calendar.previousSession(session);
      return {
        status: run === null ? "empty" : isCurrent && stale.length === 0 ? "healthy" : "degraded",
        last_run_at: run?.run_at ?? null,
        last_date: run?.date ?? null,
        tickers_scored: run?.tickers ?? 0,
        stale_inputs: stale.map(({ input, last_date }) => ({ input, last_date })),
        topics: topics.list().count,
        weights: { ...weights },
        formula: FORMULA,
      };
    },
  };
}

export type OverlayAnswers = ReturnType<typeof overlayAnswers>;

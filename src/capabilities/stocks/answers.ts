// Answers of the market-list routes: rows, with the description of the list in headers.

import { FIFTY_TWO_WEEK_LIMIT, FIFTY_TWO_WEEK_PAGES, GAINERS_DEFAULT, TRENDING_ROWS } from "../../limits.ts";
import { absent, explained, ifEmpty } from "../../market/absence.ts";
import { pageFacts, pageOf } from "../../market/answer-fields.ts";
import { parseMoment } from "../../market/moment.ts";
import type { Services } from "../../market/services.ts";
import { STOCK_COLUMNS, type StockRow, stockRow, tableOf } from "../../market/stock-row.ts";
import { Answer, type AnswerFacts } from "../../platform/answer.ts";
import type { CacheHit } from "../../platform/cache/cache.ts";
import { InvalidFields } from "../../platform/errors.ts";
import type { RowNotes } from "../../platform/table.ts";
import { type IndexLists, indexOf } from "./constituents.ts";
import type { MarketList, MarketLists } from "./lists.ts";
import type { Constituent, TrendingRow } from "./schema.ts";
import { sessionsAnswer } from "./sessions.ts";
import type { GainerHistory } from "./snapshots.ts";
import type { SourceMembers } from "./sources.ts";
import type { TrendingRequest, trendingAnswers } from "./trending.ts";

export interface StocksAnswersDeps extends Pick<Services, "clock" | "calendar"> {
  readonly lists: MarketLists;
  readonly indexes: IndexLists;
  readonly trending: ReturnType<typeof trendingAnswers>;
  readonly history: GainerHistory;
  readonly sourceName: string;
}

const CONSTITUENT_COLUMNS = [
  ["symbol", "VARCHAR"],
  ["company_name", "VARCHAR"],
  ["sector", "VARCHAR"],
  ["sub_industry", "VARCHAR"],
  ["headquarters", "VARCHAR"],
  ["date_added", "DATE"],
  ["cik", "VARCHAR"],
  ["founded", "VARCHAR"],
] as const;

const cacheOf = ({ state, storedAtMs, expiresAtMs }: Omit<CacheHit<unknown>, "value">) => ({
  state,
  storedAtMs,
  expiresAtMs,
});

/** The headers that describe a list. Header values must be ASCII. */
function headersOf(as_of: string, source: string, total: number): Record<string, string> {
  return { "x-as-of": as_of, "x-source": source, "x-total-count": String(total) };
}

const ranked = (list: MarketList, limit: number | undefined): StockRow[] =>
  list.rows.slice(0, limit).map((row, i) => stockRow(i + 1, row));

/**
 * Returns warnings about rows that a list lacks: those of the `available` ones beyond the request's limit,
 * and those that reading the list left out.
 */
function notesOfList(rows: readonly unknown[], available: number, warnings: readonly string[]): RowNotes {
  const cut = `${rows.length} of ${available} rows are here: the request's limit leaves out the others.`;
  const said = [...warnings, ...(rows.length < available ? [cut] : [])];
  return { warnings: explained(rows, said, "No share of the list is known to belong to it.") };
}

function listAnswer(
  name: string,
  rows: readonly StockRow[],
  { total, warnings }: MarketList,
  available: number,
  facts: AnswerFacts,
): Answer<StockRow[]> {
  return new Answer(() => [...rows], {
    ...facts,
    table: tableOf(name, STOCK_COLUMNS, rows),
    page: { total, next: null },
    notes: notesOfList(rows, available, warnings),
  });
}

function indexAnswer(index: string, cached: CacheHit<SourceMembers>): Answer<Constituent[]> {
  const { constituents, classification, source, received_at } = cached.value;
  return new Answer(() => [...constituents], {
    cache: cacheOf(cached),
    derivedFrom: { value: cached.value, variant: index },
    etag: true,
    notes: {
      warnings:
        cached.state === "STALE"
          ? [absent("outage", `The source does not answer; these are the members as read at ${received_at}.`)]
          : [],
    },
    headers: {
      ...headersOf(received_at, source, constituents.length),
      ...(classification ? { "x-classification": classification } : {}),
    },
    table: tableOf(index, CONSTITUENT_COLUMNS, constituents),
  });
}

export function stocksAnswers(deps: StocksAnswersDeps) {
  const { lists, indexes, trending, history, sourceName, clock, calendar } = deps;
  const cachedList = (name: string, cached: CacheHit<MarketList>, limit: number | undefined) => {
    const { as_of, total, rows } = cached.value;
    const facts = { cache: cacheOf(cached), headers: headersOf(as_of, sourceName, total) };
    return listAnswer(name, ranked(cached.value, limit), cached.value, rows.length, facts);
  };
  return {
    sessions: (start: string, end: string, asOf: string | undefined) =>
      sessionsAnswer(calendar, start, end, asOf),

    async index(given: string, force: boolean, signal: AbortSignal): Promise<Answer<Constituent[]>> {
      const index = indexOf(given);
      const cached = await indexes.members(index, force, signal);
      return indexAnswer(index, cached);
    },

    async mostActive(limit: number | undefined, force: boolean, signal: AbortSignal) {
      const cached = await lists.mostActive(force, signal);
      return cachedList("most_active", cached, limit);
    },

    async fiftyTwoWeekGainers(
      query: { readonly limit?: number; readonly max_pages?: number },
      force: boolean,
      signal: AbortSignal,
    ) {
      const { limit = FIFTY_TWO_WEEK_LIMIT, max_pages = FIFTY_TWO_WEEK_PAGES } = query;
      const cached = await lists.fiftyTwoWeekGainers(max_pages, force, signal);
      return cachedList("52_week_gainers", cached, limit);
    },

    async trending(
      query: Partial<TrendingRequest>,
      force: boolean,
      signal: AbortSignal,
    ): Promise<Answer<TrendingRow[]>> {
      const found = await trending({ ...query, n: query.n ?? TRENDING_ROWS }, force, signal);
      const rows = found.rows.map((row, i) => ({ ...stockRow(i + 1, row), sources: [...row.sources] }));
      const flat = rows.map((row) => ({ ...row, sources: row.sources.join(",") }));
      return new Answer(() => rows, {
        cache: found.cache,
        headers: headersOf(found.as_of, sourceName, found.total),
        page: { total: found.total, next: null },
        notes: notesOfList(rows, found.total, found.warnings),
        table: tableOf("trending", [...STOCK_COLUMNS, ["sources", "VARCHAR"]], flat),
      });
    },

    async gainers(count: number | undefined, signal: AbortSignal) {
      const list = await lists.dayGainers(count ?? GAINERS_DEFAULT, signal);
      const headers = { ...headersOf(list.as_of, sourceName, list.total), "cache-control": "no-store" };
      const asked = count ?? GAINERS_DEFAULT;
      // The limit is what the source was asked for: beyond it the source has the rows, not this service.
      const available = list.total > asked ? list.total : list.rows.length;
      return listAnswer("gainers", ranked(list, asked), list, available, { headers });
    },

    async snapshot(given: string | undefined) {
      const parsed = given === undefined ? { ok: true as const, at: clock.now() } : parseMoment(given);
      if (!parsed.ok)
        throw new InvalidFields([
          { type: "value_error", loc: ["query", "at"], msg: `Value error, ${parsed.detail}` },
        ]);
      const { snapshot_at, slot, market_date, rows } = await history.at(parsed.at);
      const requested_at = parsed.at.toString();
      const body = {
        snapshot_at,
        slot,
        market_date,
        requested_at,
        count: rows.length,
        data: [...rows],
      };
      return new Answer(() => body, { table: tableOf("gainers_snapshot", STOCK_COLUMNS, rows) });
    },

    async snapshotsOf(given: string | undefined) {
      const { date, taken, missing } = await history.ofDay(given);
      const count = taken.length;
      const body = { date, ...pageOf(count, count, { limit: Math.max(1, count), offset: 0 }) };
      const lacking = `Of ${missing.length} due times there is no snapshot, and none can be taken later: missing lists them.`;
      const warnings =
        missing.length > 0
          ? [absent("not_read", lacking)]
          : ifEmpty(taken, "nothing_there", `No snapshot of ${date} was due yet.`);
      return new Answer(() => ({ ...body, data: [...taken], warnings, missing: [...missing] }), {
        page: pageFacts(body),
        table: tableOf(
          "gainers_snapshots",
          [
            ["snapshot_at", "TIMESTAMPTZ"],
            ["slot", "TIMESTAMPTZ"],
            ["count", "BIGINT"],
          ],
          taken,
        ),
      });
    },
  };
}

export type StocksAnswers = ReturnType<typeof stocksAnswers>;

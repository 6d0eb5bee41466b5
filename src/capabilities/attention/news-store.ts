// Archived news in the lake, and which spans of it were collected.
import { and, desc, eq, gte, lte, max } from "drizzle-orm";
import { newsArchiveArticles, newsArchiveVolume } from "../../datasets/index.ts";
import { endOfDay, startOfDay } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { instantText } from "../../platform/instant-text.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import type { Days, SourceNews } from "./sources.ts";
import { news_archive_fetches } from "./tables.ts";

export interface ShownArticle {
  readonly title: string;
  readonly url: string;
  readonly domain: string | null;
  readonly language: string | null;
  readonly source_country: string | null;
  readonly seen_at: string;
}

/** The archive's batches come out each quarter of an hour. */
const BATCH_MS = 15 * 60_000;

/** Days of New York as a span of time; the end is outside. */
export const spanOf = ({ start, end }: Days) => ({
  from: startOfDay(start),
  to: startOfDay(addDays(end, 1)),
});

/** Whether a day of New York is over. */
export const isOver = (day: string, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(endOfDay(day), now) < 0;

export function newsStore({ lake, sqlite }: { readonly lake: Lake; readonly sqlite: Store }) {
  return {
    /** Stores articles; gives how many were new. */
    async saveArticles(
      symbol: string,
      query: string,
      found: readonly SourceNews[],
      fetchedAtMs: number,
    ): Promise<number> {
      if (found.length === 0) return 0;
      const fetched_at = instantText(fetchedAtMs);
      const rows = found.map(({ seen_at, ...article }) => {
        const seenMs = seen_at.epochMilliseconds;
        const known_at = instantText(Math.min(seenMs + BATCH_MS, fetchedAtMs));
        const facts = { symbol, query, known_at, fetched_at, source: "gdelt" };
        return { ...article, ...facts, seen_at: instantText(seenMs) };
      });
      const once = new Map(rows.map((row) => [`${row.url} ${row.seen_at}`, row]));
      const [appended] = await lake.append([batchOf(newsArchiveArticles, [...once.values()])]);
      return appended?.written ?? 0;
    },

    /** Stores days of volume that are new or other than stored; gives how many. */
    async saveVolume(
      symbol: string,
      query: string,
      days: readonly { readonly date: string; readonly value: number }[],
      fetchedAtMs: number,
    ): Promise<number> {
      const held = await lake.query<{ date: string; value: number }>(
        "SELECT date, value FROM news_archive_volume_as_of(NULL) WHERE symbol = $symbol",
        { symbol },
      );
      const stored = new Map(held.map(({ date, value }) => [date, value]));
      const fetched_at = instantText(fetchedAtMs);
      const rows = days.flatMap(({ date, value }) => {
        const former = stored.get(date);
        if (former === value) return [];
        const overMs = Temporal.PlainDate.from(date)
          .add({ days: 1 })
          .toZonedDateTime("UTC").epochMilliseconds;
        const known_at =
          former === undefined ? instantText(Math.min(overMs + BATCH_MS, fetchedAtMs)) : fetched_at;
        return [{ symbol, date, value, query, known_at, fetched_at, source: "gdelt" }];
      });
      if (rows.length > 0) await lake.append([batchOf(newsArchiveVolume, rows)]);
      return rows.length;
    },

    /** Remembers that the news of a span were collected whole, or as far as is ever read of one. */
    markCollected(row: Omit<typeof news_archive_fetches.$inferInsert, "id">): void {
      sqlite.use((db) => db.insert(news_archive_fetches).values(row).run());
    },

    /** Days of a span whose news nobody collected, the first of them; null when all were. */
    firstMissing(symbol: string, { start, end }: Days): string | null {
      const spans = sqlite.use((db) =>
        db
          .select()
          .from(news_archive_fetches)
          .where(
            and(
              eq(news_archive_fetches.symbol, symbol),
              lte(news_archive_fetches.start_date, end),
              gte(news_archive_fetches.end_date, start),
            ),
          )
          .orderBy(news_archive_fetches.start_date)
          .all(),
      );
      let next = start;
      for (const span of spans) {
        if (span.start_date > next) break;
        if (span.end_date >= next) next = addDays(span.end_date, 1);
      }
      return next > end ? null : next;
    },

    /** Whether some fetch of these days met more than is read of one. */
    isTruncated(symbol: string, { start, end }: Days): boolean {
      return (
        sqlite.use((db) =>
          db
            .select({ id: news_archive_fetches.id })
            .from(news_archive_fetches)
            .where(
              and(
                eq(news_archive_fetches.symbol, symbol),
                eq(news_archive_fetches.truncated, true),
                lte(news_archive_fetches.start_date, end),
                gte(news_archive_fetches.end_date, start),
              ),
            )
            .limit(1)
            .get(),
        ) !== undefined
      );
    },

    /** By symbol: the last day that was collected, and when that was. */
    lastCollected(): ReadonlyMap<string, { readonly end: string; readonly at: string }> {
      const rows = sqlite.use((db) =>
        db
          .select({
            symbol: news_archive_fetches.symbol,
            end: max(news_archive_fetches.end_date),
            at: max(news_archive_fetches.fetched_at),
          })
          .from(news_archive_fetches)
          .groupBy(news_archive_fetches.symbol)
          .orderBy(desc(max(news_archive_fetches.fetched_at)))
          .all(),
      );
      return new Map(
        rows.flatMap(({ symbol, end, at }) => (end && at ? [[symbol, { end, at }] as const] : [])),
      );
    },

    /** Articles seen on New York's days, by moment, as known by `asOf`. */
    async articles(
      symbol: string,
      days: Days,
      asOf: string | null,
      signal?: AbortSignal,
    ): Promise<readonly ShownArticle[]> {
      const { from, to } = spanOf(days);
      return lake.query<ShownArticle>(
        `SELECT title, url, domain, language, source_country, seen_at FROM news_archive_articles
          WHERE symbol = $symbol AND seen_at >= $from::TIMESTAMPTZ AND seen_at < $to::TIMESTAMPTZ
          AND known_at <= known_by($as_of) ORDER BY seen_at, url`,
        { symbol, from: from.toString(), to: to.toString(), as_of: asOf },
        signal ? { signal } : {},
      );
    },

    /** Volume by day of UTC, as known by `asOf`. */
    async volume(symbol: string, { start, end }: Days, asOf: string | null, signal?: AbortSignal) {
      return lake.query<{ date: string; value: number }>(
        `SELECT date, value FROM news_archive_volume_as_of($as_of)
          WHERE symbol = $symbol AND date BETWEEN $start::DATE AND $end::DATE ORDER BY date`,
        { symbol, start, end, as_of: asOf },
        signal ? { signal } : {},
      );
    },
  };
}

export type NewsStore = ReturnType<typeof newsStore>;

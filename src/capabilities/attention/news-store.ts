// Archived news in the lake: articles and volume, as known at an instant.

import type { Static } from "@sinclair/typebox";
import { newsArchiveArticles, newsArchiveVolume } from "../../datasets/index.ts";
import { endOfDay, startOfDay } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import { batchOf } from "../../platform/lake/lake.ts";
import type { ArticleRow } from "./schema.ts";
import type { Days, SourceNews } from "./sources.ts";

export type ShownArticle = Readonly<Static<typeof ArticleRow>>;

/** The archive publishes a batch every quarter of an hour. */
// An article that the archive saw at 17:00 is known from 17:15 on.
const BATCH_MS = 15 * 60_000;

/** New York days as a span of instants; the end is exclusive. */
export const spanOf = ({ start, end }: Days) => ({
  from: startOfDay(start),
  to: startOfDay(addDays(end, 1)),
});

/** Whether a New York day is over. */
export const isOver = (day: string, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(endOfDay(day), now) < 0;

export function newsStore({ lake }: Pick<Services, "lake">) {
  return {
    /** Stores articles. Returns how many were new. */
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
        return {
          ...article,
          symbol,
          query,
          seen_at: instantText(seenMs),
          known_at,
          fetched_at,
          source: "gdelt",
        };
      });
      const unique = new Map(rows.map((row) => [`${row.url} ${row.seen_at}`, row]));
      const [appended] = await lake.append([batchOf(newsArchiveArticles, [...unique.values()])]);
      return appended?.written ?? 0;
    },

    /** Stores days of volume that are new or differ from the stored ones. Returns how many. */
    async saveVolume(
      symbol: string,
      query: string,
      days: readonly { readonly date: string; readonly value: number }[],
      fetchedAtMs: number,
    ): Promise<number> {
      const known = await lake.query<{ date: string; value: number }>(
        "SELECT date, value FROM news_archive_volume_as_of(NULL) WHERE symbol = $symbol",
        { symbol },
      );
      const stored = new Map(known.map(({ date, value }) => [date, value]));
      const fetched_at = instantText(fetchedAtMs);
      const rows = days.flatMap(({ date, value }) => {
        const previous = stored.get(date);
        if (previous === value) return [];
        const dayEndMs = Temporal.PlainDate.from(date)
          .add({ days: 1 })
          .toZonedDateTime("UTC").epochMilliseconds;
        const known_at =
          previous === undefined ? instantText(Math.min(dayEndMs + BATCH_MS, fetchedAtMs)) : fetched_at;
        return [{ symbol, date, value, query, known_at, fetched_at, source: "gdelt" }];
      });
      if (rows.length > 0) await lake.append([batchOf(newsArchiveVolume, rows)]);
      return rows.length;
    },

    /** Articles seen on New York days, oldest first, as known at `asOf` (null: now). */
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

    /** Volume by UTC day, as known at `asOf` (null: now). */
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

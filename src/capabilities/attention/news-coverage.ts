// Which spans of archived news were collected, in the operational database.
import { and, desc, eq, gte, lte, max } from "drizzle-orm";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import type { Days } from "./sources.ts";
import { news_archive_fetches } from "./tables.ts";

/** Fetches of a symbol that overlap the span. */
const overlapping = (symbol: string, { start, end }: Days) =>
  and(
    eq(news_archive_fetches.symbol, symbol),
    lte(news_archive_fetches.start_date, end),
    gte(news_archive_fetches.end_date, start),
  );

export function newsCoverage({ sqlite }: Pick<Services, "sqlite">) {
  return {
    /**
     * Records that the news of a span were collected completely, or up to the most that is read of one span.
     */
    markCollected(row: Omit<typeof news_archive_fetches.$inferInsert, "id">): void {
      sqlite.use((db) => db.insert(news_archive_fetches).values(row).run());
    },

    /** The first day of the span whose news were not collected; null when all were. */
    firstMissing(symbol: string, span: Days): string | null {
      const fetches = sqlite.use((db) =>
        db
          .select()
          .from(news_archive_fetches)
          .where(overlapping(symbol, span))
          .orderBy(news_archive_fetches.start_date)
          .all(),
      );
      let next = span.start;
      for (const { start_date, end_date } of fetches) {
        if (start_date > next) break;
        if (end_date >= next) next = addDays(end_date, 1);
      }
      return next > span.end ? null : next;
    },

    /** Whether a fetch of these days found more articles than are read of one span. */
    isTruncated(symbol: string, span: Days): boolean {
      const truncated = sqlite.use((db) =>
        db
          .select({ id: news_archive_fetches.id })
          .from(news_archive_fetches)
          .where(and(overlapping(symbol, span), eq(news_archive_fetches.truncated, true)))
          .limit(1)
          .get(),
      );
      return truncated !== undefined;
    },

    /** By symbol: the last collected day, and when it was collected. */
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
  };
}

export type NewsCoverage = ReturnType<typeof newsCoverage>;

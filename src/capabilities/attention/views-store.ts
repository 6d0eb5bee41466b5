// Storage of page views: counts in the lake, fetches in the operational database.
import { and, desc, eq, gte, lte, max } from "drizzle-orm";
import { pageViews } from "../../datasets/index.ts";
import type { Services } from "../../market/services.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { batchOf } from "../../platform/lake/lake.ts";
import type { Days } from "./sources.ts";
import { page_view_fetches } from "./tables.ts";
import { type FetchedViews, newViews, type StoredViews } from "./view-days.ts";

/** A stored day, as known at some instant. */
export interface StoredDay extends StoredViews {
  readonly date: string;
}

export interface ViewsStoreDeps extends Pick<Services, "lake" | "sqlite"> {
  readonly project: string;
}

export function viewsStore({ lake, sqlite, project }: ViewsStoreDeps) {
  const storedDays = (article: string, asOf: string | null, span: Days | null, signal?: AbortSignal) =>
    lake.query<StoredDay>(
      `SELECT date, views, is_reported FROM page_views_as_of($as_of) WHERE article = $article
        AND ($start::DATE IS NULL OR date BETWEEN $start::DATE AND $end::DATE) ORDER BY date`,
      { article, as_of: asOf, start: span?.start ?? null, end: span?.end ?? null },
      signal ? { signal } : {},
    );

  return {
    /** Stored days of a span, as known at `asOf` (a date or an instant; null: now). */
    read: (article: string, span: Days, asOf: string | null, signal?: AbortSignal) =>
      storedDays(article, asOf, span, signal),

    /** Stores the days that are new, then records the fetch of the span. Returns the number of new rows. */
    async save(article: string, fetched: FetchedViews): Promise<number> {
      const stored = new Map((await storedDays(article, null, null)).map(({ date, ...row }) => [date, row]));
      const fetched_at = instantText(fetched.fetchedAtMs);
      const rows = newViews(fetched, stored).map((row) => ({
        project,
        article,
        ...row,
        fetched_at,
        source: "wikimedia",
      }));
      if (rows.length > 0) await lake.append([batchOf(pageViews, rows)]);
      const { span, projectLast } = fetched;
      const outcome = { project_last_date: projectLast, fetched_at };
      sqlite.use((db) =>
        db
          .insert(page_view_fetches)
          .values({ article, start_date: span.start, end_date: span.end, ...outcome })
          .onConflictDoUpdate({
            target: [page_view_fetches.article, page_view_fetches.start_date, page_view_fetches.end_date],
            set: outcome,
          })
          .run(),
      );
      return rows.length;
    },

    /** The newest fetch that covers the whole span; null when there is none. */
    fetchOf(article: string, { start, end }: Days) {
      const row = sqlite.use((db) =>
        db
          .select()
          .from(page_view_fetches)
          .where(
            and(
              eq(page_view_fetches.article, article),
              lte(page_view_fetches.start_date, start),
              gte(page_view_fetches.end_date, end),
            ),
          )
          .orderBy(desc(page_view_fetches.fetched_at))
          .limit(1)
          .get(),
      );
      return row ? { projectLast: row.project_last_date, fetchedAtMs: instantMs(row.fetched_at) } : null;
    },

    /** When the article's views were last fetched, epoch milliseconds; null: never. */
    lastFetchMs(article: string): number | null {
      const row = sqlite.use((db) =>
        db
          .select({ at: max(page_view_fetches.fetched_at) })
          .from(page_view_fetches)
          .where(eq(page_view_fetches.article, article))
          .get(),
      );
      return row?.at ? instantMs(row.at) : null;
    },

    /** The last day for which the encyclopedia is known to have published views; null when unknown. */
    projectLast(): string | null {
      return (
        sqlite.use((db) =>
          db
            .select({ date: max(page_view_fetches.project_last_date) })
            .from(page_view_fetches)
            .get(),
        )?.date ?? null
      );
    },
  };
}

export type ViewsStore = ReturnType<typeof viewsStore>;

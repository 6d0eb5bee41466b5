// Page views in the lake, and which of them were asked for.
import { and, desc, eq, gte, lte, max } from "drizzle-orm";
import { pageViews } from "../../datasets/index.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import type { Days } from "./sources.ts";
import { page_view_fetches } from "./tables.ts";
import { type FetchedViews, newViews, type StoredViews } from "./view-days.ts";

/** A day in store, as known by a moment. */
export interface HeldDay extends StoredViews {
  readonly date: string;
}

export interface ViewsStoreDeps {
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly project: string;
}

export function viewsStore({ lake, sqlite, project }: ViewsStoreDeps) {
  const held = (article: string, asOf: string | null, span: Days | null, signal?: AbortSignal) =>
    lake.query<HeldDay>(
      `SELECT date, views, is_reported FROM page_views_as_of($as_of) WHERE article = $article
        AND ($start::DATE IS NULL OR date BETWEEN $start::DATE AND $end::DATE) ORDER BY date`,
      { article, as_of: asOf, start: span?.start ?? null, end: span?.end ?? null },
      signal ? { signal } : {},
    );

  return {
    /** Days in store between two, as known by `asOf` (a date or an instant; null: now). */
    read: (article: string, span: Days, asOf: string | null, signal?: AbortSignal) =>
      held(article, asOf, span, signal),

    /** Stores what is news of a fetch, then remembers that the span was asked for. */
    async save(article: string, fetched: FetchedViews): Promise<number> {
      const stored = new Map((await held(article, null, null)).map(({ date, ...row }) => [date, row]));
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
      const facts = { project_last_date: projectLast, fetched_at };
      sqlite.use((db) =>
        db
          .insert(page_view_fetches)
          .values({ article, start_date: span.start, end_date: span.end, ...facts })
          .onConflictDoUpdate({
            target: [page_view_fetches.article, page_view_fetches.start_date, page_view_fetches.end_date],
            set: facts,
          })
          .run(),
      );
      return rows.length;
    },

    /** The newest fetch of the whole span; null when there was none. */
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

    /** When the article's views were last fetched, milliseconds; null when they never were. */
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

    /** The last day the whole encyclopedia was seen to have views of; null when that was never learnt. */
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

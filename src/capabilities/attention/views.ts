// Page views of an article: collected where the store cannot answer, and what is known of each day.
import { ATTENTION_PENDING_CACHE_S, PAGE_VIEW_DAYS } from "../../limits.ts";
import { addDays, earlierDay, laterDay } from "../../market/date.ts";
import { type CacheDeps, createCache } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import type { Days, Encyclopedia } from "./sources.ts";
import type { ViewsStore } from "./views-store.ts";

/** `counted`: upstream has a number. `zero`: it leaves the day out, and it had none. `pending`: not published yet. `unknown`: else. */
export type DayState = "counted" | "zero" | "pending" | "unknown";

export interface ShownDay {
  readonly date: string;
  readonly views: number | null;
  readonly state: DayState;
}

export interface ViewsDeps {
  readonly encyclopedia: Encyclopedia;
  readonly store: ViewsStore;
  readonly clock: Clock;
  readonly cacheDeps: CacheDeps;
}

/** How far back the end of the project's views is looked for. */
const END_DAYS = 10;

export function articleViews({ encyclopedia, store, clock, cacheDeps }: ViewsDeps) {
  const flights = singleFlight<{ rows: number; span: Days }>();
  const ends = createCache<string | null>(
    { name: "page_views_end", ttlS: ATTENTION_PENDING_CACHE_S, durable: false, entriesMax: 4 },
    cacheDeps,
  );
  const yesterday = () => addDays(clock.now().toString().slice(0, 10), -1);
  const projectLast = async (force: boolean, signal: AbortSignal) => {
    const end = yesterday();
    const load = (s: AbortSignal) => encyclopedia.lastViewsDay({ start: addDays(end, -END_DAYS), end }, s);
    return (await ends.get(end, load, { force, signal })).value;
  };

  /** The part of a span there can be views of; null when there is none. */
  const within = ({ start, end }: Days): Days | null => {
    const from = laterDay(start, encyclopedia.viewsFrom);
    const to = earlierDay(end, yesterday());
    return from > to ? null : { start: from, end: to };
  };

  const collect = async (title: string, asked: Days, force: boolean, signal: AbortSignal) => {
    const span = within(asked);
    if (!span) return null;
    const key = `${title} ${span.start} ${span.end}`;
    return flights.run(key, signal, async (shared) => {
      // Before the article's own: a day that ends between the two questions is then not taken for one without views.
      const last = await projectLast(force, shared);
      const { days, received_at } = await encyclopedia.pageViews(title, span, shared);
      const fetchedAtMs = received_at.epochMilliseconds;
      const rows = await store.save(title, { span, days, projectLast: last, fetchedAtMs });
      return { rows, span };
    });
  };

  return {
    /** Fetches a span and stores what is new; null when there can be no views in it. */
    collect,

    /**
     * Sees to it that the store can answer for a span: fetched, unless a former fetch says all there will be. A longer
     * past comes with it, so that a day without views can be told from one before the first.
     */
    async ensure(title: string, asked: Days, force: boolean, signal: AbortSignal): Promise<void> {
      const span = within(asked);
      if (!span) return;
      const former = force ? null : store.fetchOf(title, span);
      if (former?.projectLast != null && former.projectLast > span.end) return;
      const start = earlierDay(span.start, addDays(span.end, -PAGE_VIEW_DAYS));
      await collect(title, { start, end: span.end }, force, signal);
    },

    /** Each day of a span, as known by `asOf` (a date or an instant; null: now). */
    async days(title: string, span: Days, asOf: string | null, signal?: AbortSignal): Promise<ShownDay[]> {
      const rows = new Map((await store.read(title, span, asOf, signal)).map((row) => [row.date, row]));
      // Where the end was never learnt, counts are out two days after a day has ended at the latest.
      const last = store.projectLast() ?? addDays(yesterday(), -1);
      const shown: ShownDay[] = [];
      for (let date = span.start; date <= span.end; date = addDays(date, 1)) {
        const row = rows.get(date);
        // The project's last day itself: this article's count may still be on its way.
        const isOwed = asOf === null && date >= last;
        if (row) shown.push({ date, views: row.views, state: row.is_reported ? "counted" : "zero" });
        else shown.push({ date, views: null, state: isOwed ? "pending" : "unknown" });
      }
      return shown;
    },
  };
}

export type ArticleViews = ReturnType<typeof articleViews>;

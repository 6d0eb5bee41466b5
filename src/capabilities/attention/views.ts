// Page views of an article: collects missing days and describes what is known of each day.

import type { Static } from "@sinclair/typebox";
import { ATTENTION_PENDING_CACHE_S, PAGE_VIEW_DAYS } from "../../limits.ts";
import { addDays, earlierDay, laterDay } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { createCache } from "../../platform/cache/cache.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import type { ViewDay } from "./schema.ts";
import type { Days, Encyclopedia } from "./sources.ts";
import type { ViewsStore } from "./views-store.ts";

/**
 * `counted`: the provider has a count. `zero`: the provider leaves the day out because it had no views.
 * `pending`: not published yet. `unknown`: otherwise.
 */
export type DayState = "counted" | "zero" | "pending" | "unknown";

export type ShownDay = Readonly<Static<typeof ViewDay>>;

export interface ViewsDeps extends Pick<Services, "clock" | "cacheDeps"> {
  readonly encyclopedia: Encyclopedia;
  readonly store: ViewsStore;
}

/** How many days back the project's last published day is searched. */
const END_DAYS = 10;

export function articleViews({ encyclopedia, store, clock, cacheDeps }: ViewsDeps) {
  const flights = singleFlight<{ rows: number; span: Days }>();
  const ends = createCache<string | null>(
    { name: "page_views_end", ttlS: ATTENTION_PENDING_CACHE_S, durable: false, entriesMax: 4 },
    cacheDeps,
  );
  const yesterday = () => addDays(clock.now().toString().slice(0, 10), -1);
  /** The last day with published views. */
  const projectLast = async (force: boolean, signal: AbortSignal) => {
    const end = yesterday();
    const load = (s: AbortSignal) => encyclopedia.lastViewsDay({ start: addDays(end, -END_DAYS), end }, s);
    return (await ends.get(end, load, { force, signal })).value;
  };

  /** The part of a span that can have views; null when there is none. */
  const within = ({ start, end }: Days): Days | null => {
    const from = laterDay(start, encyclopedia.viewsFrom);
    const to = earlierDay(end, yesterday());
    return from > to ? null : { start: from, end: to };
  };

  const collect = async (title: string, requested: Days, force: boolean, signal: AbortSignal) => {
    const span = within(requested);
    if (!span) return null;
    const key = `${title} ${span.start} ${span.end}`;
    return flights.run(key, signal, async (shared) => {
      // Read before the article's views, so that a day published in between is not mistaken for one without
      // views.
      const last = await projectLast(force, shared);
      const { days, received_at } = await encyclopedia.pageViews(title, span, shared);
      const fetchedAtMs = received_at.epochMilliseconds;
      const rows = await store.save(title, { span, days, projectLast: last, fetchedAtMs });
      return { rows, span };
    });
  };

  return {
    /** Fetches a span and stores what is new; null when the span can have no views. */
    collect,

    /**
     * Fetches a span, unless an earlier fetch already covers it after its counts were final. Fetches a longer
     * past with it, to distinguish a day without views from one before the article's first view.
     */
    async ensure(title: string, requested: Days, force: boolean, signal: AbortSignal): Promise<void> {
      const span = within(requested);
      if (!span) return;
      const previous = force ? null : store.fetchOf(title, span);
      if (previous?.projectLast != null && previous.projectLast > span.end) return;
      const start = earlierDay(span.start, addDays(span.end, -PAGE_VIEW_DAYS));
      await collect(title, { start, end: span.end }, force, signal);
    },

    /** Every day of a span, as known at `asOf` (a date or an instant; null: now). */
    async days(title: string, span: Days, asOf: string | null, signal?: AbortSignal): Promise<ShownDay[]> {
      const rows = new Map((await store.read(title, span, asOf, signal)).map((row) => [row.date, row]));
      // Without a known last day: counts are published at the latest two days after a day ends.
      const last = asOf === null ? (store.projectLast() ?? addDays(yesterday(), -1)) : null;
      const shown: ShownDay[] = [];
      for (let date = span.start; date <= span.end; date = addDays(date, 1)) {
        const row = rows.get(date);
        // On the project's last day this article's count may not be published yet.
        const isPending = last !== null && date >= last;
        if (row) shown.push({ date, views: row.views, state: row.is_reported ? "counted" : "zero" });
        else shown.push({ date, views: null, state: isPending ? "pending" : "unknown" });
      }
      return shown;
    },
  };
}

export type ArticleViews = ReturnType<typeof articleViews>;

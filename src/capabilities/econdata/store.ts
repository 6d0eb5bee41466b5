// Observations for good: what is news of an answer goes to the lake, and spans stored whole are answered from there.
import { and, desc, eq, gte, lte, sql } from "drizzle-orm";
import { econObservations } from "../../datasets/index.ts";
import { instantText } from "../../platform/instant-text.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { econ_fetches } from "./tables.ts";
import {
  type Fetch,
  knownAtMs,
  newsOfToday,
  newsOfVintages,
  type Span,
  type VintageRow,
  vintageKey,
} from "./vintages.ts";

/** An answer that may be stored: levels, and a real-time period that reaches the present. */
export interface StorableFetch extends Fetch {
  readonly seriesId: string;
  /** First day of the real-time period; null when the answer is about the present alone. */
  readonly vintagesFrom: string | null;
}

/** What the lake holds of a span. */
export interface StoredObservations {
  /** The moment whose state it is: that of the fetch, or an earlier one that was asked for. */
  readonly atMs: number;
  readonly observations: readonly { readonly date: string; readonly value: number | null }[];
}

type HeldRow = { date: string; value: number | null };
type StoredRow = HeldRow & { realtime_start: string; withdrawn: boolean };

const NEWEST_OF_EACH_VINTAGE = `SELECT date, realtime_start, value, withdrawn FROM econ_observations
  WHERE series_id = $series
  QUALIFY row_number() OVER (PARTITION BY date, realtime_start ORDER BY fetched_at DESC) = 1`;

export function observationStore({ lake, sqlite }: { readonly lake: Lake; readonly sqlite: Store }) {
  const held = async (series: string) =>
    new Map(
      (
        await lake.query<HeldRow>(
          "SELECT date, value FROM observations_as_of(NULL) WHERE series_id = $series",
          { series },
        )
      ).map(({ date, value }) => [date, value] as const),
    );

  const news = async (fetch: StorableFetch): Promise<VintageRow[]> => {
    const series = fetch.seriesId;
    if (fetch.vintagesFrom === null) return newsOfToday(await held(series), fetch);
    // A part of the vintages could put an old value above what was seen since: all of them, or none.
    if (!fetch.complete) return [];
    const rows = await lake.query<StoredRow>(NEWEST_OF_EACH_VINTAGE, { series });
    const stored = new Map(
      rows.map((r) => [vintageKey(r.date, r.realtime_start), r.withdrawn ? undefined : r.value] as const),
    );
    return newsOfVintages(stored, await held(series), fetch);
  };

  /** Remembers that the span is in store as a whole; once the rows are. */
  const markWhole = ({ seriesId, span, vintagesFrom, fetchedAtMs }: StorableFetch): void => {
    const fromMs = vintagesFrom === null ? fetchedAtMs : knownAtMs(vintagesFrom, fetchedAtMs);
    sqlite.use((db) =>
      db
        .insert(econ_fetches)
        .values({
          series_id: seriesId,
          observation_start: span.start,
          observation_end: span.end,
          known_from: instantText(fromMs),
          fetched_at: instantText(fetchedAtMs),
        })
        .onConflictDoNothing()
        .run(),
    );
  };

  /** The fetch that tells most of a moment: the newest for the present, for the past one whose vintages reach it. */
  const fetchFor = (series: string, span: Span, atMs: number) => {
    const at = instantText(atMs);
    return sqlite.use((db) =>
      db
        .select()
        .from(econ_fetches)
        .where(
          and(
            eq(econ_fetches.series_id, series),
            lte(econ_fetches.observation_start, span.start),
            gte(econ_fetches.observation_end, span.end),
            lte(econ_fetches.known_from, at),
          ),
        )
        .orderBy(desc(sql`min(${econ_fetches.fetched_at}, ${at})`))
        .limit(1)
        .get(),
    );
  };

  return {
    /** Stores what is news. Throws when lake or database refuse; then nothing of it counts as stored. */
    async save(fetch: StorableFetch): Promise<number> {
      const fetched_at = instantText(fetch.fetchedAtMs);
      const rows = (await news(fetch)).map((row) => ({
        ...row,
        series_id: fetch.seriesId,
        units: "lin",
        fetched_at,
        source: "fred",
      }));
      if (rows.length > 0) await lake.append([batchOf(econObservations, rows)]);
      if (fetch.complete) markWhole(fetch);
      return rows.length;
    },

    /** The span as known at a moment, or at the last fetch before it; null when it is not in store as a whole. */
    async find(
      series: string,
      span: Span,
      atMs: number,
      signal: AbortSignal,
    ): Promise<StoredObservations | null> {
      const fetch = fetchFor(series, span, atMs);
      if (!fetch) return null;
      const moment = instantText(Math.min(atMs, Temporal.Instant.from(fetch.fetched_at).epochMilliseconds));
      const observations = await lake.query<HeldRow>(
        `SELECT date, value FROM observations_as_of(CAST($moment AS TIMESTAMPTZ))
         WHERE series_id = $series AND date BETWEEN CAST($start AS DATE) AND CAST($end AS DATE) ORDER BY date`,
        { series, moment, start: span.start, end: span.end },
        { signal },
      );
      return { atMs: Temporal.Instant.from(moment).epochMilliseconds, observations };
    },
  };
}

export type ObservationStore = ReturnType<typeof observationStore>;

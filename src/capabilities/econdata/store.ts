// Permanent storage of observations: changes go to the lake, and completely stored spans are answered from
// there.
import { and, desc, eq, gte, lte, sql } from "drizzle-orm";
import { econObservations } from "../../datasets/index.ts";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import { batchOf } from "../../platform/lake/lake.ts";
import { econ_fetches } from "./tables.ts";
import {
  changesOfToday,
  changesOfVintages,
  type Fetch,
  knownAtMs,
  type Span,
  type VintageRow,
  vintageKey,
} from "./vintages.ts";

/** An answer that may be stored: levels, and a real-time period that reaches the present. */
export interface StorableFetch extends Fetch {
  readonly seriesId: string;
  /** First day of the real-time period; null when the answer covers only the present. */
  readonly vintagesFrom: string | null;
}

/** The stored observations of a span. */
export interface StoredObservations {
  /** The time as of which these are: that of the fetch, or an earlier requested time. Epoch milliseconds. */
  readonly atMs: number;
  readonly observations: readonly { readonly date: string; readonly value: number | null }[];
}

type ObservationRow = { date: string; value: number | null };
type StoredRow = ObservationRow & { realtime_start: string; withdrawn: boolean };

const NEWEST_OF_EACH_VINTAGE = `SELECT date, realtime_start, value, withdrawn FROM econ_observations
  WHERE series_id = $series
  QUALIFY row_number() OVER (PARTITION BY date, realtime_start ORDER BY fetched_at DESC) = 1`;

export function observationStore({ lake, sqlite }: Pick<Services, "lake" | "sqlite">) {
  /** The current values of a series by day. */
  const currentValues = async (series: string) =>
    new Map(
      (
        await lake.query<ObservationRow>(
          "SELECT date, value FROM observations_as_of(NULL) WHERE series_id = $series",
          { series },
        )
      ).map(({ date, value }) => [date, value] as const),
    );

  const changesOf = async (fetch: StorableFetch): Promise<VintageRow[]> => {
    const series = fetch.seriesId;
    if (fetch.vintagesFrom === null) return changesOfToday(await currentValues(series), fetch);
    // An incomplete set of vintages could place an old value after a newer one, so all are stored or none.
    if (!fetch.complete) return [];
    const rows = await lake.query<StoredRow>(NEWEST_OF_EACH_VINTAGE, { series });
    const stored = new Map(
      rows.map((r) => [vintageKey(r.date, r.realtime_start), r.withdrawn ? undefined : r.value] as const),
    );
    return changesOfVintages(stored, await currentValues(series), fetch);
  };

  /** Records that the span is completely stored; called after its rows are stored. */
  const markComplete = ({ seriesId, span, vintagesFrom, fetchedAtMs }: StorableFetch): void => {
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

  /**
   * The best fetch for a time: the newest for the present, for the past one whose vintages reach back to it.
   */
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
    /** Stores what changed. Throws when the lake or the database fails; then nothing counts as stored. */
    async save(fetch: StorableFetch): Promise<number> {
      const fetched_at = instantText(fetch.fetchedAtMs);
      const rows = (await changesOf(fetch)).map((row) => ({
        ...row,
        series_id: fetch.seriesId,
        units: "lin",
        fetched_at,
        source: "fred",
      }));
      if (rows.length > 0) await lake.append([batchOf(econObservations, rows)]);
      if (fetch.complete) markComplete(fetch);
      return rows.length;
    },

    /** The span as known at `atMs`, or at the last fetch before it; null when it is not completely stored. */
    async find(
      series: string,
      span: Span,
      atMs: number,
      signal: AbortSignal,
    ): Promise<StoredObservations | null> {
      const fetch = fetchFor(series, span, atMs);
      if (!fetch) return null;
      const moment = instantText(Math.min(atMs, Temporal.Instant.from(fetch.fetched_at).epochMilliseconds));
      const observations = await lake.query<ObservationRow>(
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

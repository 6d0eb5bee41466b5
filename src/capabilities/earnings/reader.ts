// Refreshes what is stored through the caches of readings; a failed reading becomes a warning.

import { absenceOf, absent, explained, ifEmpty } from "../../market/absence.ts";
import type { Cache, CacheHit } from "../../platform/cache/cache.ts";
import { AsofError } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { isReplaying } from "../../platform/reading.ts";
import type { Reading } from "./collect.ts";

/** The outcome of a refresh, for the answer and its X-Cache. */
export interface Refreshed {
  readonly warnings: readonly string[];
  readonly error: AsofError | null;
  readonly entry: CacheHit<Reading> | null;
  /** Whether this answer required a request to a provider. */
  readonly wasAsked: boolean;
}

export const NOT_ASKED: Refreshed = { warnings: [], error: null, entry: null, wasAsked: false };

/** The warning of every answer with as_of. */
export const PAST_WARNING =
  "as_of limits the answer to what this service had read by then; nothing is fetched.";

export const asOfText = (asOf: Temporal.Instant | null): string | null =>
  asOf === null ? null : instantText(asOf.epochMilliseconds);

/** Reads `key` unless a good reading is cached. A provider's failure is returned in `error`, not thrown. */
export async function refresh(
  cache: Pick<Cache<Reading>, "get">,
  key: string,
  load: (signal: AbortSignal) => Promise<Reading>,
  force: boolean,
  signal: AbortSignal,
): Promise<Refreshed> {
  if (isReplaying()) return NOT_ASKED;
  let wasAsked = false;
  const notedLoad = (shared: AbortSignal) => {
    wasAsked = true;
    return load(shared);
  };
  try {
    const entry = await cache.get(key, notedLoad, { force, signal });
    return { warnings: entry.value.warnings, error: null, entry, wasAsked: entry.state === "MISS" };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AsofError)) throw error;
    return { warnings: [], error, entry: null, wasAsked };
  }
}

/** The warning for a failed refresh when stored data is served. */
export const oldWarning = (error: AsofError) =>
  absent(absenceOf(error), `What is stored is served, because a new reading failed: ${error.message}`);

/**
 * The warnings of a list, with why it is empty: under as_of this service may not have asked by then, and
 * later readings do not count; else the providers have no such report.
 */
export const explainedReports = (
  rows: readonly unknown[],
  warnings: readonly string[],
  asOf: Temporal.Instant | null,
): string[] =>
  asOf === null
    ? explained(rows, warnings, "The providers have no such report, or none is on this page.")
    : [
        ...warnings,
        PAST_WARNING,
        ...ifEmpty(
          rows,
          "not_read",
          "This service had read no such report by then, or none is on this page.",
        ),
      ];

/** X-Cache facts of an answer built from several readings: HIT when no provider was asked for it. */
export function cacheOf(all: readonly Refreshed[], nowMs: number) {
  const entries = all.flatMap(({ entry }) => entry ?? []);
  const state = all.some(({ wasAsked }) => wasAsked) ? ("MISS" as const) : ("HIT" as const);
  return {
    state,
    storedAtMs: Math.min(nowMs, ...entries.map((entry) => entry.storedAtMs)),
    expiresAtMs: entries.length === 0 ? nowMs : Math.min(...entries.map((entry) => entry.expiresAtMs)),
  };
}

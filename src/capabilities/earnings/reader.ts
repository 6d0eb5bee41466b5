// Sees to it that what is stored is fresh: through the memories of readings, and what could not be read as a warning.

import type { CacheHit, Memory } from "../../platform/cache/cache.ts";
import { AsofError, NotFound } from "../../platform/errors.ts";
import type { Reading } from "./collect.ts";

/** What a refresh came to, for the answer and its X-Cache. */
export interface Refreshed {
  readonly warnings: readonly string[];
  readonly fault: AsofError | null;
  readonly entry: CacheHit<Reading> | null;
  /** Whether a provider was asked for this answer. */
  readonly wasAsked: boolean;
}

export const NOT_ASKED: Refreshed = { warnings: [], fault: null, entry: null, wasAsked: false };

/** Never throws for a provider's failure: `fault` has it. */
export async function refresh(
  memory: Memory<Reading>,
  key: string,
  load: (signal: AbortSignal) => Promise<Reading>,
  force: boolean,
  signal: AbortSignal,
): Promise<Refreshed> {
  let wasAsked = false;
  const asking = (shared: AbortSignal) => {
    wasAsked = true;
    return load(shared);
  };
  try {
    const entry = await memory.get(key, asking, { force, signal });
    return { warnings: entry.value.warnings, fault: null, entry, wasAsked: entry.state === "MISS" };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AsofError)) throw error;
    return { warnings: [], fault: error, entry: null, wasAsked };
  }
}

/** The same error, its ticker as the client wrote it. */
export function retold(error: unknown, ticker: string, symbol: string): unknown {
  if (!(error instanceof NotFound)) return error;
  return new NotFound(error.code, error.message.replace(symbol, ticker), { ...error.facts, ticker });
}

/** What to say of a failure where something is stored all the same. */
export const oldWarning = (error: AsofError) =>
  `What is stored is served, since it could not be read again: ${error.message}`;

/** X-Cache of an answer made of several readings: HIT when none was made for it. */
export function cacheOf(all: readonly Refreshed[], nowMs: number) {
  const entries = all.flatMap(({ entry }) => entry ?? []);
  const state = all.some(({ wasAsked }) => wasAsked) ? ("MISS" as const) : ("HIT" as const);
  return {
    state,
    storedAtMs: Math.min(nowMs, ...entries.map((entry) => entry.storedAtMs)),
    expiresAtMs: entries.length === 0 ? nowMs : Math.min(...entries.map((entry) => entry.expiresAtMs)),
  };
}

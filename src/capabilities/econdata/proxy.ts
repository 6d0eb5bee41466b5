// One request to the proxy: from the cache, else from the provider within its quota, else from what is kept for good.
import { ECONDATA_CACHE_S } from "../../limits.ts";
import { Answer, type AnswerFacts } from "../../platform/answer.ts";
import { type Cache, type CacheDeps, type CacheHit, createCache } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, Busy, InvalidRequest, isOutage, NotConfigured } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { endpointFinder } from "./endpoint.ts";
import { ECON_ZONE, type EconMeter } from "./meter.ts";
import { type Asked, askedOf, type Levels } from "./parameters.ts";
import type { Metadata, ProxyAnswer, ProxyQuery } from "./schema.ts";
import type { EconLog, EconSource, SourceAnswer } from "./sources.ts";
import type { ObservationStore } from "./store.ts";
import { storedBody } from "./stored-body.ts";

type Body = Readonly<Record<string, unknown>>;

/** The provider's refusal of a request, as it is remembered for a moment. */
interface Refusal {
  readonly message: string;
  readonly errorCode: number | null;
  readonly hint: string | null;
}

/** Expired answers are kept for the days on which the provider cannot be asked: as long as there is room. */
const STALE_S = 10 * 365 * 86_400;
/** Answers in memory; ten times as many stay in the database. */
const ANSWERS_MAX = 300;
/** Room for the largest answer the provider sends; parsed, it takes several times as much. */
const ANSWERS_BYTES_MAX = 32_000_000;
/** How long a refusal is believed, so that a client's mistake in a loop does not use up the day's calls. */
const REFUSAL_S = 60;
const REFUSALS_MAX = 1_000;

export interface ProxyDeps {
  readonly source: EconSource;
  readonly meter: EconMeter;
  readonly store: ObservationStore;
  readonly clock: Clock;
  readonly log: EconLog;
  readonly cacheDeps: CacheDeps;
}

/** Who asks, as far as the answer depends on it. */
export interface Caller {
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** Throws Forbidden unless it is the admin. */
  requireAdmin(): void;
}

interface Found {
  readonly body: Body;
  readonly source: Metadata["source"];
  readonly cache: NonNullable<AnswerFacts["cache"]>;
}

const SOURCES: Record<CacheHit<Body>["state"], Metadata["source"]> = {
  HIT: "cache",
  MISS: "upstream",
  STALE: "stale_cache",
};

const isLimit = (error: unknown): error is Busy =>
  error instanceof Busy && error.code === "daily_limit_reached";
/** We are not to ask, whoever wishes it: what is at hand is served even when a fresh answer was demanded. */
const mayNotAsk = (error: unknown): boolean => isLimit(error) || error instanceof NotConfigured;

function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof InvalidRequest) || error.facts.upstream === undefined) return null;
  const { upstreamErrorCode = null, hint = null } = error.facts;
  return { message: error.message, errorCode: upstreamErrorCode, hint };
}

const asError = ({ message, errorCode, hint }: Refusal): InvalidRequest =>
  new InvalidRequest("bad_request", message, {
    upstream: "fred",
    upstreamErrorCode: errorCode ?? undefined,
    hint: hint ?? undefined,
  });

const foundIn = ({ value, state, storedAtMs, expiresAtMs }: CacheHit<Body>): Found => ({
  body: value,
  source: SOURCES[state],
  cache: { state, storedAtMs, expiresAtMs },
});

/** Refusals of the last minute, by the request they were for. */
function refusalMemory(cacheDeps: CacheDeps) {
  const memory = createCache<Refusal>(
    { name: "econdata-refusals", ttlS: REFUSAL_S, entriesMax: REFUSALS_MAX, durable: false },
    // Not among the memories that are shown: looking for a refusal each time is no miss.
    { store: cacheDeps.store, clock: cacheDeps.clock, log: cacheDeps.log },
  );
  const none = new Error("no refusal");
  return {
    check: async (key: string): Promise<void> => {
      const refusal = await memory
        .get(key, () => Promise.reject(none))
        .catch((error: unknown) => {
          if (error === none) return null;
          throw error;
        });
      if (refusal) throw asError(refusal.value);
    },
    keep: async (key: string, error: unknown): Promise<void> => {
      const refusal = refusalOf(error);
      if (refusal) await memory.get(key, () => Promise.resolve(refusal), { force: true });
    },
  };
}

/** Stores what may be stored; an answer does not wait for a lake that cannot be written. */
async function keepForGood({ store, log }: ProxyDeps, levels: Levels, answer: SourceAnswer): Promise<void> {
  const { body, observations, receivedAtMs } = answer;
  if (levels.stores === null || observations === null) return;
  const { realtime_start, realtime_end, count, offset } = body;
  const isPresent = levels.stores === "present";
  try {
    await store.save({
      seriesId: levels.seriesId,
      vintagesFrom: isPresent ? null : String(realtime_start),
      observations,
      span: levels.span,
      complete: count === observations.length && (offset ?? 0) === 0,
      // Of a period without end the provider says 9999-12-31: its own day is then ours of Chicago.
      today: isPresent ? String(realtime_end) : chicagoDay(receivedAtMs),
      fetchedAtMs: receivedAtMs,
    });
  } catch (error) {
    log.warn("observations could not be stored", { series: levels.seriesId, error });
  }
}

/**
 * The provider keeps vintages of observations, titles, units and what belongs to what; some fields of a description it
 * overwrites, whatever period is asked for. Lists of days and observations have none of them.
 */
function notesOf({ endpoint, atMs }: Asked): string[] {
  if (atMs === null || endpoint.realTime !== "period" || endpoint.name === "series/observations") return [];
  return [
    "Asked as the provider's real-time period of as_of. Fields it keeps no vintages of (last_updated, observation_start, observation_end, popularity, series_count, notes) may be those of today.",
  ];
}

const chicagoDay = (ms: number): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ECON_ZONE).toPlainDate().toString();

/** From what is kept for good; null when the store does not hold all of what was asked. */
async function fromStore(deps: ProxyDeps, asked: Asked, signal: AbortSignal): Promise<Found | null> {
  const { levels, atMs } = asked;
  const nowMs = deps.clock.nowMs();
  if (!levels?.page) return null;
  const stored = await deps.store.find(levels.seriesId, levels.span, atMs ?? nowMs, signal);
  if (!stored) return null;
  return {
    body: storedBody(stored, levels, levels.page, chicagoDay(stored.atMs)),
    source: "stored",
    cache: { state: "STALE", storedAtMs: stored.atMs, expiresAtMs: stored.atMs },
  };
}

/** Whether the store may speak for the provider: it cannot be asked, or does not know the past that we do. */
const storeMaySpeak = (error: unknown, asked: Asked, force: boolean): boolean =>
  mayNotAsk(error) || (!force && isOutage(error)) || (asked.atMs !== null && refusalOf(error) !== null);

function answerer(deps: ProxyDeps, memory: Cache<Body>, refusals: ReturnType<typeof refusalMemory>) {
  const { source } = deps;
  return async (
    asked: Asked,
    how: { readonly force: boolean; readonly overQuota: boolean; readonly signal: AbortSignal },
  ): Promise<Found> => {
    const { endpoint, params, key, levels } = asked;
    const { force, overQuota, signal } = how;
    const load = async (shared: AbortSignal): Promise<Body> => {
      const answer = await source.ask(endpoint.name, params, { overQuota, signal: shared });
      if (levels) await keepForGood(deps, levels, answer);
      return answer.body;
    };
    const find = async (): Promise<Found> => {
      if (!force) await refusals.check(key);
      try {
        return foundIn(await memory.get(key, load, { force, signal }));
      } catch (error) {
        await refusals.keep(key, error);
        // A request of somebody who may not go over the limit was shared: this one asks for itself.
        if (overQuota && isLimit(error)) return foundIn(await memory.get(key, load, { force: true, signal }));
        if (force && mayNotAsk(error))
          return foundIn(await memory.get(key, () => Promise.reject(error), { signal }));
        throw error;
      }
    };
    try {
      return await find();
    } catch (error) {
      if (!storeMaySpeak(error, asked, force)) throw error;
      const stored = await fromStore(deps, asked, signal).catch((other: unknown) => {
        if (other instanceof AsofError) return null;
        throw other;
      });
      if (stored) return stored;
      throw error;
    }
  };
}

/** The proxy: `path` is the rest of the path, as it stood in the URL. */
export function econProxy(deps: ProxyDeps) {
  const { source, meter, clock, cacheDeps } = deps;
  const endpointAt = endpointFinder(source.endpoints);
  const memory = createCache<Body>(
    {
      name: "econdata",
      ttlS: ECONDATA_CACHE_S,
      staleS: STALE_S,
      entriesMax: ANSWERS_MAX,
      bytesMax: ANSWERS_BYTES_MAX,
    },
    cacheDeps,
  );
  const answer = answerer(deps, memory, refusalMemory(cacheDeps));
  return {
    async get(path: string, query: ProxyQuery, caller: Caller): Promise<Answer<ProxyAnswer>> {
      const endpoint = endpointAt(path);
      const overQuota = query.bypass_limit_check ?? false;
      if (overQuota) caller.requireAdmin();
      const nowMs = clock.nowMs();
      const asked = askedOf(endpoint, query, { today: chicagoDay(nowMs), ms: nowMs });
      const force = query.force_refresh ?? false;
      const found = await answer(asked, { force, overQuota, signal: caller.signal });
      const { used, limit } = meter.state();
      const _metadata: Metadata = {
        endpoint: endpoint.name,
        series_id: query.series_id ?? null,
        source: found.source,
        cached_at: instantText(found.cache.storedAtMs),
        expires_at: found.source === "stored" ? null : instantText(found.cache.expiresAtMs),
        used_today: used,
        remaining_today: Math.max(0, limit - used),
        as_of: asked.asOf,
        warnings: notesOf(asked),
        request_id: caller.requestId,
      };
      return new Answer<ProxyAnswer>(() => ({ ...found.body, _metadata }), { cache: found.cache });
    },
  };
}

// Answers one proxy request: from the cache, else from the provider within its quota, else from stored
// observations.
import { ECONDATA_CACHE_S } from "../../limits.ts";
import { absent } from "../../market/absence.ts";
import type { Services } from "../../market/services.ts";
import { Answer, type AnswerFacts } from "../../platform/answer.ts";
import { type Cache, type CacheHit, createCache } from "../../platform/cache/cache.ts";
import {
  AsofError,
  Busy,
  InvalidFields,
  InvalidRequest,
  isOutage,
  NotConfigured,
  NotFound,
} from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Log } from "../../platform/log.ts";
import type { Table } from "../../platform/table.ts";
import { knownThen } from "./known-then.ts";
import { ECON_ZONE, type EconMeter } from "./meter.ts";
import { type Levels, type ProviderRequest, providerRequest } from "./parameters.ts";
import { econPage, econRows, econTable } from "./row-table.ts";
import type { Metadata, ProxyAnswer, ProxyQuery } from "./schema.ts";
import type { EconSource, SourceAnswer, SourceEndpoint } from "./sources.ts";
import type { ObservationStore } from "./store.ts";
import { storedBody } from "./stored-body.ts";

/** Letters, underscores and single slashes, so a path cannot contain escapes, dots, a scheme or a host. */
const PLAIN_PATH = /^[a-z]+(?:[_/][a-z]+)*$/;

/**
 * Creates the function that finds the endpoint named by the rest of a path, as it is in the URL. Clients
 * generated from the API document escape the slash of a path parameter. No endpoint needs another escape, so
 * any other escaped path is refused, whatever it would decode to. Throws NotFound `unsupported_endpoint`.
 */
export function endpointFinder(endpoints: readonly SourceEndpoint[]) {
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  return (path: string): SourceEndpoint => {
    const plain = path.replaceAll(/%2f/gi, "/");
    const name = plain.endsWith("/") ? plain.slice(0, -1) : plain;
    const found = PLAIN_PATH.test(name) ? byName.get(name) : undefined;
    if (found) return found;
    throw new NotFound("unsupported_endpoint", "The proxy does not support this endpoint.", {
      hint: "GET /api/v1/econdata/stats/usage lists the supported endpoints, such as series/observations.",
    });
  };
}

type Body = Readonly<Record<string, unknown>>;

/** The provider's refusal of a request, cached briefly. */
interface Refusal {
  readonly message: string;
  readonly errorCode: number | null;
  readonly hint: string | null;
}

/** Expired answers stay as long as there is room, to be served when the provider cannot be asked. */
// Without a call left today, last year's answer is served and marked STALE.
const STALE_S = 10 * 365 * 86_400;
/** Answers in memory; ten times as many are kept in the database. */
const ANSWERS_MAX = 300;
/** Room for the provider's largest answer; parsed, it takes several times as much memory. */
const ANSWERS_BYTES_MAX = 32_000_000;
/** How long a refusal is cached, so that a client repeating a mistake does not use up the day's calls. */
// A misspelt series requested a hundred times in a minute uses one of the day's 1,000 calls.
const REFUSAL_S = 60;
const REFUSALS_MAX = 1_000;

export interface ProxyDeps extends Pick<Services, "clock" | "cacheDeps"> {
  readonly source: EconSource;
  readonly meter: EconMeter;
  readonly store: ObservationStore;
  readonly log: Pick<Log, "warn">;
}

/** The client of a request. */
export interface Caller {
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** Throws Forbidden unless the client is the admin. */
  requireAdmin(): void;
}

interface ProxyResult {
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
/** Whether the provider must not be asked at all: then a cached answer is served even with force_refresh. */
const mayNotAsk = (error: unknown): boolean => isLimit(error) || error instanceof NotConfigured;

function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof InvalidRequest) || error.facts.upstream === undefined) return null;
  const { upstreamErrorCode = null, hint = null } = error.facts;
  return { message: error.message, errorCode: upstreamErrorCode, hint };
}

const errorOf = ({ message, errorCode, hint }: Refusal): InvalidRequest =>
  new InvalidRequest("bad_request", message, {
    upstream: "fred",
    upstreamErrorCode: errorCode ?? undefined,
    hint: hint ?? undefined,
  });

const resultOf = ({ value, state, storedAtMs, expiresAtMs }: CacheHit<Body>): ProxyResult => ({
  body: value,
  source: SOURCES[state],
  cache: { state, storedAtMs, expiresAtMs },
});

/** Caches the refusals of the last minute by request key. */
function refusalCache({ cacheDeps }: Pick<Services, "cacheDeps">) {
  const cache = createCache<Refusal>(
    { name: "econdata-refusals", ttlS: REFUSAL_S, entriesMax: REFUSALS_MAX, durable: false },
    // Left out of the cache statistics, where checking for a refusal before each request would count as a
    // miss.
    { store: cacheDeps.store, clock: cacheDeps.clock, log: cacheDeps.log },
  );
  const none = new Error("no refusal");
  return {
    /** Throws the cached refusal of a request. */
    check: async (key: string): Promise<void> => {
      const refusal = await cache
        .get(key, () => Promise.reject(none))
        .catch((error: unknown) => {
          if (error === none) return null;
          throw error;
        });
      if (refusal) throw errorOf(refusal.value);
    },
    /** Caches an error that is a refusal. */
    store: async (key: string, error: unknown): Promise<void> => {
      const refusal = refusalOf(error);
      if (refusal) await cache.get(key, () => Promise.resolve(refusal), { force: true });
    },
  };
}

/**
 * Stores the observations of an answer if they may be stored. A lake that cannot be written does not fail the
 * answer.
 */
async function storeObservations(
  { store, log }: ProxyDeps,
  levels: Levels,
  answer: SourceAnswer,
): Promise<void> {
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
      // An open-ended period has realtime_end 9999-12-31; the provider's day is then today in Chicago.
      today: isPresent ? String(realtime_end) : chicagoDay(receivedAtMs),
      fetchedAtMs: receivedAtMs,
    });
  } catch (error) {
    log.warn("observations could not be stored", { series: levels.seriesId, error });
  }
}

const hiddenWarnings = (fields: readonly string[]): string[] =>
  fields.length === 0
    ? []
    : [
        `not_known_then: ${fields.join(", ")}: null where the provider has only today's value, which may be later than as_of.`,
      ];

const emptyWarnings = (body: Body): string[] =>
  econRows(body) === 0 ? [absent("nothing_there", "The provider has no row that matches.")] : [];

const chicagoDay = (ms: number): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ECON_ZONE).toPlainDate().toString();

/** Answers from stored observations; null when the store does not hold the whole span. */
async function fromStore(
  deps: ProxyDeps,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<ProxyResult | null> {
  const { levels, atMs } = request;
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

/**
 * Whether stored observations may replace the provider's answer: it cannot be asked, or it refuses a past
 * that we have stored.
 */
const mayUseStore = (error: unknown, request: ProviderRequest, force: boolean): boolean =>
  mayNotAsk(error) || (!force && isOutage(error)) || (request.atMs !== null && refusalOf(error) !== null);

function requestAnswerer(deps: ProxyDeps, cache: Cache<Body>, refusals: ReturnType<typeof refusalCache>) {
  const { source } = deps;
  return async (
    request: ProviderRequest,
    options: { readonly force: boolean; readonly overQuota: boolean; readonly signal: AbortSignal },
  ): Promise<ProxyResult> => {
    const { endpoint, params, key, levels } = request;
    const { force, overQuota, signal } = options;
    const load = async (shared: AbortSignal): Promise<Body> => {
      const answer = await source.ask(endpoint.name, params, { overQuota, signal: shared });
      if (levels) await storeObservations(deps, levels, answer);
      return answer.body;
    };
    const find = async (): Promise<ProxyResult> => {
      if (!force) await refusals.check(key);
      try {
        return resultOf(await cache.get(key, load, { force, signal }));
      } catch (error) {
        await refusals.store(key, error);
        // The load was shared with a request that must respect the limit, so this one asks again on its own.
        if (overQuota && isLimit(error)) return resultOf(await cache.get(key, load, { force: true, signal }));
        if (force && mayNotAsk(error))
          return resultOf(await cache.get(key, () => Promise.reject(error), { signal }));
        throw error;
      }
    };
    try {
      return await find();
    } catch (error) {
      if (!mayUseStore(error, request, force)) throw error;
      const stored = await fromStore(deps, request, signal).catch((other: unknown) => {
        if (other instanceof AsofError) return null;
        throw other;
      });
      if (stored) return stored;
      throw error;
    }
  };
}

/** The rows of an answer. Throws InvalidFields for an endpoint that answers without a list. */
function tableOf(body: Body, endpoint: string, seriesId: string | undefined): Table {
  const table = econTable(body, seriesId);
  if (table) return table;
  throw new InvalidFields([
    {
      type: "literal_error",
      loc: ["query", "format"],
      msg: `Input should be 'json': ${endpoint} does not answer with a table`,
      ctx: { expected: "'json'" },
    },
  ]);
}

/** The proxy. `path` is the rest of the path as it is in the URL. */
export function econProxy(deps: ProxyDeps) {
  const { source, meter, clock, cacheDeps } = deps;
  const endpointAt = endpointFinder(source.endpoints);
  const cache = createCache<Body>(
    {
      name: "econdata",
      ttlS: ECONDATA_CACHE_S,
      staleS: STALE_S,
      entriesMax: ANSWERS_MAX,
      bytesMax: ANSWERS_BYTES_MAX,
    },
    cacheDeps,
  );
  const answer = requestAnswerer(deps, cache, refusalCache(deps));
  return {
    async get(path: string, query: ProxyQuery, caller: Caller): Promise<Answer<ProxyAnswer>> {
      const endpoint = endpointAt(path);
      const overQuota = query.bypass_limit_check ?? false;
      if (overQuota) caller.requireAdmin();
      const nowMs = clock.nowMs();
      const request = providerRequest(endpoint, query, { today: chicagoDay(nowMs), ms: nowMs });
      const force = query.force_refresh ?? false;
      const found = await answer(request, { force, overQuota, signal: caller.signal });
      const { body, fields } =
        request.atMs === null ? { body: found.body, fields: [] } : knownThen(found.body, request.atMs);
      const { used, limit } = meter.state();
      const _metadata: Metadata = {
        endpoint: endpoint.name,
        series_id: query.series_id ?? null,
        source: found.source,
        cached_at: instantText(found.cache.storedAtMs),
        expires_at: found.source === "stored" ? null : instantText(found.cache.expiresAtMs),
        used_today: used,
        remaining_today: Math.max(0, limit - used),
        as_of: request.asOf,
        warnings: [...hiddenWarnings(fields), ...emptyWarnings(body)],
        request_id: caller.requestId,
      };
      const page = econPage(body);
      return new Answer<ProxyAnswer>(() => ({ ...body, _metadata }), {
        cache: found.cache,
        table: async () => ({
          ...tableOf(body, endpoint.name, query.series_id),
          notes: { warnings: _metadata.warnings },
        }),
        ...(page ? { page } : {}),
      });
    },
  };
}

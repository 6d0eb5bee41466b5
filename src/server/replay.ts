// `data_version` of a request: checks that its route can answer from an earlier version, and finds that
// version.

import { LRUCache } from "lru-cache";
import { newYorkDate } from "../market/calendar.ts";
import { generationOf, isDataVersion } from "../market/data-version.ts";
import { parseAsOf } from "../market/known-at.ts";
import { takesDataVersion } from "../market/params.ts";
import { InvalidRequest } from "../platform/errors.ts";
import type { Commits } from "../platform/lake/lake.ts";
import { Reading, type Replay } from "../platform/reading.ts";
import { warnOfDamage } from "./damage-warnings.ts";
import { type RequestContext, requestContextOf } from "./request-context.ts";
import type { RouteEntry } from "./route-table.ts";

/** The functions of the store with which the edge answers from its versions. */
export interface VersionStore {
  generation(): Promise<number>;
  oldestVersion(): number;
  commits(request: { only: readonly number[] }): Promise<Commits>;
  /** The line of history of a version, by default the newest; null where this store does not have it. */
  lineOf(version?: number): string | null;
  isRowless(generation: number): boolean;
  /** The generation that a name stands for; null when there is no such name. */
  generationOf(name: string): number | null;
}

const FIELD = "data_version";

const API = "/api/v1/";
/** The fields in which requests name their moment. */
const MOMENTS = ["as_of", "as_of_date"];

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a query that may have the field or a moment; none otherwise. */
const fieldsOfQuery = (query: string): Fields =>
  /data_version|as_of|%/.test(query) ? Object.fromEntries(new URLSearchParams(query)) : {};

/** Returns the fields of a JSON body; none where the body is not an object, which the route refuses later. */
function fieldsOfBody(body: Uint8Array | null): Fields {
  if (body === null) return {};
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // A name in JSON may be written with escapes.
  if (![FIELD, "as_of", "\\u"].some((part) => bytes.includes(part))) return {};
  try {
    return Object(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return {};
  }
}

/** Whether a flag of a query or a body is set. */
const isYes = (given: unknown): boolean => /^(?:true|1|yes|on)$/i.test(String(given ?? "").trim());

/** `data_version` where a request gives one that its route has not declared as something else. */
function versionGiven(
  route: RouteEntry,
  query: Fields,
  body: Fields,
): { text: string; fields: Fields } | null {
  const { query: ofQuery, body: ofBody } = route.schemas;
  for (const [fields, schema] of [
    [query, ofQuery],
    [body, ofBody],
  ] as const) {
    const given = fields[FIELD];
    if (given === undefined || given === null) continue;
    if (takesDataVersion(schema)) {
      // The route refuses a value of another kind; the text of nested lists would take a call for each level.
      if (typeof given !== "string" && typeof given !== "number") continue;
      // Elsewhere an empty value counts as left out. Here it would give the newest rows in place of those of
      // a version.
      if (fields === query && String(given).trim() === "")
        throw new InvalidRequest("bad_request", "data_version is empty.", {
          hint: "Give the number or the name of a version, or leave it out for the newest rows.",
        });
      if (isYes(fields.force_refresh))
        throw new InvalidRequest(
          "bad_request",
          "data_version and force_refresh contradict each other: a provider says what is true now.",
          { hint: "Give one of them." },
        );
      return { text: String(given), fields };
    }
    if (schema?.properties?.[FIELD] !== undefined) continue;
    if (fields === query && takesDataVersion(ofBody))
      throw new InvalidRequest(
        "bad_request",
        "data_version is in the query, and this route takes it in the body.",
        {
          hint: "Write it into the body, beside the other fields.",
        },
      );
    throw new InvalidRequest("not_replayable", "This route cannot answer from an earlier data version.", {
      hint: "Leave out data_version.",
    });
  }
  return null;
}

/** Versions whose time is cached: it never changes. */
const CACHED_MAX = 10_000;
const times = new WeakMap<VersionStore, LRUCache<number, Temporal.Instant>>();

/** The time of a version's commit; null where it was not noted. */
async function recordedAt(store: VersionStore, version: number): Promise<Temporal.Instant | null> {
  const known = times.get(store) ?? new LRUCache<number, Temporal.Instant>({ max: CACHED_MAX });
  times.set(store, known);
  const cached = known.get(version);
  if (cached) return cached;
  const [commit] = (await store.commits({ only: [version] })).commits;
  if (!commit?.recorded_at) return null;
  const at = Temporal.Instant.from(commit.recorded_at);
  known.set(version, at);
  return at;
}

/**
 * The moment that a request names as known by, and its text; null without one. The route refuses a text of
 * another form.
 */
function momentOf(
  fields: Fields,
  names: readonly string[] = MOMENTS,
): { readonly text: string; readonly at: Temporal.Instant } | null {
  for (const name of names) {
    const text = fields[name];
    const parsed = typeof text === "string" ? parseAsOf(text) : null;
    if (parsed?.ok) return { text: String(text), at: parsed.at };
  }
  return null;
}

/**
 * Returns the moment that counts as now in a version: the time of its commit, and after it the moment of the
 * request, so that no answer moves with the clock. That moment is past, unless it is the end of the commit's
 * own day: such a request is made on that day. Null where neither is known.
 */
// A version of 3 June 10:00 asked for as of 5 June: the end of that day is now; as of 1 May: 3 June 10:00 is.
export function versionNow(
  recordedAt: Temporal.Instant | null,
  moment: { readonly text: string; readonly at: Temporal.Instant } | null,
): Temporal.Instant | null {
  if (moment === null) return recordedAt;
  if (recordedAt !== null && Temporal.Instant.compare(moment.at, recordedAt) <= 0) return recordedAt;
  const isOwnDay = recordedAt !== null && moment.text === newYorkDate(recordedAt);
  return isOwnDay ? moment.at : moment.at.add({ milliseconds: 1 });
}

/**
 * The version that a text names, and what counts as now in it. `fields` may have the moment of the request.
 */
export async function replayAt(text: string, fields: Fields, store: VersionStore): Promise<Replay> {
  const newest = await store.generation();
  const version = generationOf(text, { ...store, oldest: store.oldestVersion(), newest });
  const now = versionNow(await recordedAt(store, version), momentOf(fields));
  if (now === null)
    throw new InvalidRequest(
      "not_replayable",
      `The time of the data version ${version} was not noted, so that it has no moment that counts as now.`,
      { hint: "Give as_of." },
    );
  return { version, now };
}

/**
 * A reading of the version and as of the moment that a request asks for. The route refuses a text of another
 * form.
 */
async function readingOf(
  route: RouteEntry,
  query: string,
  body: Uint8Array | null,
  store: VersionStore,
): Promise<Reading> {
  const [ofQuery, ofBody] = [fieldsOfQuery(query), fieldsOfBody(body)];
  const given = versionGiven(route, ofQuery, ofBody);
  const isVersion = given !== null && isDataVersion(given.text);
  const replay = isVersion ? await replayAt(given.text, given.fields, store) : null;
  // A route that has no such field answers about now.
  const namesIn = (schema: RouteEntry["schemas"]["query"]) =>
    MOMENTS.filter((name) => schema?.properties?.[name] !== undefined);
  const moment =
    momentOf(ofQuery, namesIn(route.schemas.query)) ?? momentOf(ofBody, namesIn(route.schemas.body));
  return new Reading(replay, moment?.at);
}

/** Answers a request of the API under a reading of its own, and notes the version it was answered from. */
export async function answerFromVersion(
  request: Request,
  route: RouteEntry,
  store: VersionStore | undefined,
  answer: () => Promise<Response>,
): Promise<Response> {
  const context = requestContextOf(request);
  const { path, body } = context;
  if (!store || !path.startsWith(API)) return answer();
  const mark = request.url.indexOf("?");
  const query = mark < 0 ? "" : request.url.slice(mark + 1);
  const hasFields = query !== "" || body !== null;
  const reading = hasFields ? await readingOf(route, query, body, store) : new Reading();
  const answered = await reading.run(answer).finally(() => {
    context.dataVersion = reading.version(store.isRowless);
    // A part of the answer may have caught the error, or made another of it.
    reading.refuseDamaged();
  });
  return warnOfDamage(answered, [...reading.damage.values()]);
}

/**
 * Names the version that an answer was read from, unless its rows have named theirs, and the line of history
 * that it is of: without a version, the line of the newest.
 */
export function setVersionHeaders(
  { status, headers }: Response,
  { dataVersion, path }: RequestContext,
  store: VersionStore | undefined,
): void {
  if (dataVersion !== null && status < 500 && !headers.has("x-data-version"))
    headers.set("x-data-version", String(dataVersion));
  const version = headers.get("x-data-version");
  const line = path.startsWith(API) && store?.lineOf(version === null ? undefined : Number(version));
  if (line) headers.set("x-store", line);
}

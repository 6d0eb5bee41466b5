// Which recording answers a request: the same one first, else the nearest one at the same path.
import { type BodyFacts, decodedPathOf, type Recording } from "./recordings.ts";

/** A request with the original host. */
export interface Ask {
  readonly method: string;
  readonly url: URL;
}

/** Credentials and cache-busters: never compared. */
const VOLATILE = new Set(["crumb", "_", "ts", "apikey", "api_key", "token"]);
/** They change the look of an answer, hardly its content: compared after the time it covers. */
const COSMETIC = new Set([
  "lang",
  "region",
  "corsdomain",
  "useyfid",
  "merge",
  "padtimeseries",
  "events",
  "includeprepost",
  "includeadjustedclose",
  "indicators",
  "guccounter",
]);
const WINDOW = new Set(["period1", "period2", "range"]);
/** Asked and left out mean the same. */
const DEFAULTS: Readonly<Record<string, string>> = { formatted: "false" };
/** Lists of what is wanted: a recording that has more of it is nearer, whatever else it has. */
const WANTED = ["symbols", "modules"];
/** Two names of one thing. */
const ALIASES: Readonly<Record<string, string>> = { "60m": "1h" };

type Params = ReadonlyMap<string, string>;

function paramsOf(url: URL): Params {
  const params = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    const key = name.toLowerCase();
    if (VOLATILE.has(key) || DEFAULTS[key] === value) continue;
    params.set(key, key === "interval" ? (ALIASES[value] ?? value) : value);
  }
  return params;
}

const sameParams = (a: Params, b: Params) =>
  a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);

function members(list: string): Set<string> {
  return new Set(list.split(/[,|;]/).map((item) => item.trim().toUpperCase()));
}

/** 0 for equal values, 1 for values with nothing in common; lists are compared as sets. */
function difference(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return 1;
  const [left, right] = [members(a), members(b)];
  return 1 - left.intersection(right).size / left.union(right).size;
}

/**
 * Hosts that differ in a number alone (query1, query2) are one; so, failing that, are those of one domain.
 */
const withoutNumber = (host: string) => host.replace(/^([a-z]+)\d+\./, "$1.");
const domainOf = (host: string) => host.split(".").slice(-2).join(".");

/**
 * Recordings of the method and path at the asked host, its numbered siblings, or else any host of its domain.
 */
export function candidatesFor(ask: Ask, all: readonly Recording[]): Recording[] {
  const path = decodedPathOf(ask.url);
  const here = all.filter((r) => r.method === ask.method && r.decodedPath === path);
  const siblings = here.filter((r) => withoutNumber(r.url.hostname) === withoutNumber(ask.url.hostname));
  const found =
    siblings.length > 0
      ? siblings
      : here.filter((r) => domainOf(r.url.hostname) === domainOf(ask.url.hostname));
  const symbols = ask.url.searchParams.get("symbols");
  if (symbols === null) return found;
  // Quotes of other companies answer nothing.
  const wanted = members(symbols);
  return found.filter((r) => !wanted.isDisjointFrom(members(r.url.searchParams.get("symbols") ?? "")));
}

/** How far a recording is from the request, most weighty part first; smaller is nearer. */
type Distance = readonly number[];

function compare(a: Distance, b: Distance): number {
  for (let i = 0; i < a.length; i++) {
    const [left = 0, right = 0] = [a[i], b[i]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function sum(names: Iterable<string>, part: (name: string) => number): number {
  let total = 0;
  for (const name of names) total += part(name);
  return total;
}

function epoch(params: Params, name: string): number | null {
  const text = params.get(name);
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : null;
}

/** The time a recording covers: its bars, else its own period1 and period2. */
function spanOf(params: Params, facts: BodyFacts): readonly [number, number] | null {
  if (facts.span) return facts.span;
  const [from, to] = [epoch(params, "period1"), epoch(params, "period2")];
  return from === null || to === null ? null : [from, to];
}

/** [overlap negated, gap] in seconds between the asked window and the recorded one. */
function windowDistance(asked: Params, recorded: Params, facts: BodyFacts): [number, number] {
  const from = epoch(asked, "period1");
  if (from === null) return [0, difference(asked.get("range"), recorded.get("range"))];
  const to = epoch(asked, "period2") ?? Number.MAX_SAFE_INTEGER;
  const span = spanOf(recorded, facts);
  if (!span) return [0, Number.POSITIVE_INFINITY];
  // The last bar covers at least its own second.
  const overlap = Math.min(to, span[1] + 1) - Math.max(from, span[0]);
  if (overlap > 0) return [-overlap, 0];
  const withoutBars = facts.interval !== null && facts.span === null;
  return [0, withoutBars ? Number.POSITIVE_INFINITY : -overlap];
}

function distance(ask: Params, askHost: string, recording: Recording, facts: BodyFacts): Distance {
  const recorded = new Map(paramsOf(recording.url));
  if (!recorded.has("interval") && facts.interval !== null) recorded.set("interval", facts.interval);
  const names = new Set([...ask.keys(), ...recorded.keys()]);
  const apart = (name: string) => difference(ask.get(name), recorded.get(name));
  const weighty = [...names].filter(
    (n) => !COSMETIC.has(n) && !WINDOW.has(n) && n !== "symbols" && n !== "interval",
  );
  const covered = (name: string) =>
    members(ask.get(name) ?? "").intersection(members(recorded.get(name) ?? "")).size;
  return [
    sameParams(ask, paramsOf(recording.url)) ? 0 : 1,
    -sum(
      WANTED.filter((name) => ask.has(name)),
      covered,
    ),
    ask.has("interval") ? apart("interval") : 0,
    sum(weighty, apart),
    recording.status >= 200 && recording.status < 300 ? 0 : 1,
    ...windowDistance(ask, recorded, facts),
    sum(
      [...names].filter((n) => COSMETIC.has(n)),
      apart,
    ),
    members(recorded.get("symbols") ?? "").size,
    -(recording.recordedAtMs ?? Number.NEGATIVE_INFINITY),
    recording.url.hostname === askHost ? 0 : 1,
    -recording.order,
  ];
}

/** The recording that answers `ask`, or null. Bodies are looked into only where several could. */
export async function nearest(
  ask: Ask,
  all: readonly Recording[],
  bodyFacts: (recording: Recording) => Promise<BodyFacts>,
): Promise<Recording | null> {
  const candidates = candidatesFor(ask, all);
  const [only] = candidates;
  if (candidates.length < 2) return only ?? null;
  const params = paramsOf(ask.url);
  const looks = params.has("period1") || params.has("interval");
  let best: { recording: Recording; distance: Distance } | null = null;
  for (const recording of candidates) {
    const facts = looks ? await bodyFacts(recording) : { span: null, interval: null };
    const measured = distance(params, ask.url.hostname, recording, facts);
    if (!best || compare(measured, best.distance) < 0) best = { recording, distance: measured };
  }
  return best?.recording ?? null;
}

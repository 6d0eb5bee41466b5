// The provider of economic data in the sample market: fictional series, FRED's own limits and errors.
import { LRUCache } from "lru-cache";
import type { Market } from "../market.ts";
import type { Reply, SampleRequest, SampleUpstream } from "../wire.ts";
import type { SampleSeries } from "./catalogue.ts";
import { LISTINGS, neededSeries, type Visit } from "./listings.ts";
import { observationsOf, vintageDatesOf } from "./observations.ts";
import { FIRST_DAY, LAST_DAY, realTimeOf } from "./real-time.ts";
import { Refusal, refuse, replyOf } from "./reply.ts";
import { type Period, periodsOf } from "./vintages.ts";

const HOST = "api.stlouisfed.org";
const PER_MINUTE = 120;
/** A well-formed key that is not registered. */
export const UNREGISTERED_KEY = "f".repeat(32);
/** Series whose periods are kept ready: some thousand rows each. */
const SERIES_KEPT = 16;

function checkKey(query: URLSearchParams): void {
  const key = query.get("api_key") ?? refuse("Variable api_key is not set.");
  if (!/^[a-z0-9]{32}$/.test(key))
    refuse("The value for variable api_key is not a 32 character alpha-numeric lower-case string.");
  if (key === UNREGISTERED_KEY) refuse("The value for variable api_key is not registered.");
}

function bodyOf(name: string, visit: Visit): Readonly<Record<string, unknown>> {
  const { query, time } = visit;
  if (name === "series/observations") {
    const series = neededSeries(query);
    return observationsOf(series, visit.periods(series), query, time);
  }
  if (name === "series/vintagedates") return vintageDatesOf(visit.periods(neededSeries(query)), query, time);
  const listing = LISTINGS[name];
  if (!listing) throw new Refusal("Not Found.  The requested resource does not exist.", 404);
  return listing(visit);
}

export function createFred(market: Market): SampleUpstream {
  const kept = new LRUCache<string, readonly Period[]>({ max: SERIES_KEPT });
  let minute = { at: 0, used: 0 };

  /** Counts a request of the running minute; FRED gives the rest in a header. */
  const countRequest = (): number => {
    const at = Math.floor(market.now() / 60);
    minute = minute.at === at ? { at, used: minute.used + 1 } : { at, used: 1 };
    return Math.max(0, PER_MINUTE - minute.used);
  };

  const today = () =>
    Temporal.Instant.fromEpochMilliseconds(market.now() * 1000)
      .toZonedDateTimeISO("America/Chicago")
      .toPlainDate()
      .toString();

  const periods = (series: SampleSeries, day: string): readonly Period[] => {
    const key = `${series.id} ${day}`;
    const known = kept.get(key);
    if (known) return known;
    const made = periodsOf(series, market.seed, day);
    kept.set(key, made);
    return made;
  };

  return {
    answer(request: SampleRequest): Reply | null {
      const { host, path, query } = request;
      if (host !== HOST) return null;
      const left = countRequest();
      const isJson = query.get("file_type") === "json";
      try {
        checkKey(query);
        const name = path.replace(/^\/fred\//, "").replace(/\/$/, "");
        const day = today();
        const from: Readonly<Record<string, string>> = {
          "series/vintagedates": FIRST_DAY,
          "release/dates": FIRST_DAY,
          "releases/dates": `${day.slice(0, 4)}-01-01`,
        };
        const preset = from[name] === undefined ? undefined : { start: from[name], end: LAST_DAY };
        const time = realTimeOf(query, day, preset);
        const visit = { query, time, today: day, periods: (s: SampleSeries) => periods(s, day) };
        return replyOf(200, bodyOf(name, visit), isJson, left);
      } catch (fault) {
        if (!(fault instanceof Refusal)) throw fault;
        const { status, description } = fault;
        return replyOf(status, { error_code: status, error_message: description }, isJson, left);
      }
    },
  };
}

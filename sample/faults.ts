// The dials: faults a test or a curious person sets on the sample upstream, and which of them strike a
// request.
import type { Bar } from "./prices.ts";
import type { Reply, SampleRequest } from "./wire.ts";
import { textReply } from "./wire.ts";

/** Faults in place of the answer, on the wire or in what it says. */
const INSTEAD = [
  "rate_limited",
  "status",
  "html",
  "empty",
  "wrong_shape",
  "invalid_crumb",
  "reset",
  "truncated",
  "stall",
  "huge",
] as const;
/** Faults inside an answer that is otherwise right. */
const INSIDE = ["wrong_granularity", "missing_symbols", "stray_bar", "duplicate_day"] as const;
/**
 * Changes of the market itself, until the dial is taken away: `null_row` is "filled later" by clearing the
 * dials.
 */
const STANDING = ["null_row", "revised", "eu_consent"] as const;
/** `latency` only waits; `expire_crumbs` happens once, when it is set. */
const OTHERS = ["latency", "expire_crumbs"] as const;
export const FAULTS = [...OTHERS, ...INSTEAD, ...INSIDE, ...STANDING] as const;
export type Fault = (typeof FAULTS)[number];

/** One dial, as POST /_dials takes it. Prices and volume of `revised` are as printed on the day. */
export interface Dial extends Partial<Bar> {
  readonly fault: Fault;
  /** Part of `host/path?query`; without it every request is struck. */
  readonly match?: string;
  /**
   * Requests it strikes, then it is spent; without it, all. Bun's fetch asks again by itself when a kept
   * connection is reset, so that one `reset` may go unnoticed: leave `times` out there.
   */
  readonly times?: number;
  /** Matching requests it lets pass first. */
  readonly skip?: number;
  /** Milliseconds of real time before the fault happens: the latency itself, or the wait before the reset. */
  readonly afterMs?: number;
  /** `status`: 500, 502, 503, 999, 403, …; `body` is sent with it. */
  readonly status?: number;
  readonly body?: string;
  /** `rate_limited`: Retry-After in seconds; without it the header is missing, as upstream does it. */
  readonly retryAfterS?: number;
  /** How Retry-After is written: a number, or an HTTP date. */
  readonly retryAfterAs?: "seconds" | "date";
  /** `truncated` and `stall`: bytes of the body sent first; `huge`: size of the body. */
  readonly bytes?: number;
  /** `null_row`, `revised`. */
  readonly symbol?: string;
  readonly date?: string;
  /** `missing_symbols`: those left out of quotes and sparks. */
  readonly symbols?: readonly string[];
  /** `wrong_granularity`: what `dataGranularity` says instead. */
  readonly granularity?: string;
}

/** The faults of one request. */
export interface Strike {
  readonly waitMs: number;
  readonly instead: Dial | null;
  readonly inside: readonly Dial[];
}

export interface Dials {
  /** Adds dials to those that are set. TypeError naming what is wrong with one; then none is added. */
  set(list: readonly Dial[]): void;
  clear(): void;
  /** Those that are set, `times` counted down. */
  list(): Dial[];
  strike(request: SampleRequest): Strike;
  correct(symbol: string, date: string): Partial<Bar> | null | undefined;
  europe(): boolean;
}

const NUMBERS = [
  "times",
  "skip",
  "afterMs",
  "status",
  "retryAfterS",
  "bytes",
  "open",
  "high",
  "low",
  "close",
  "volume",
];
const TEXTS = ["match", "body", "symbol", "date", "granularity", "retryAfterAs"];
const BAR = ["open", "high", "low", "close", "volume"] as const;

/** Checks a list as it came in JSON. TypeError with one sentence. */
export function readDials(json: unknown): Dial[] {
  if (!Array.isArray(json)) throw new TypeError("dials are a JSON list of {fault, match?, times?, …}");
  return json.map((item: unknown, i) => {
    const description = (what: string) => new TypeError(`dial ${i}: ${what}`);
    if (item === null || typeof item !== "object") throw description("is no object");
    const dial = item as Record<string, unknown>;
    if (!FAULTS.some((fault) => fault === dial.fault))
      throw description(`fault is ${JSON.stringify(dial.fault)}; it must be one of ${FAULTS.join(", ")}`);
    for (const name of NUMBERS)
      if (dial[name] !== undefined && !(typeof dial[name] === "number" && dial[name] >= 0))
        throw description(`${name} must be a number of 0 or more`);
    for (const name of TEXTS)
      if (dial[name] !== undefined && typeof dial[name] !== "string")
        throw description(`${name} must be text`);
    if (
      dial.status !== undefined &&
      !(Number.isInteger(dial.status) && Number(dial.status) >= 200 && Number(dial.status) <= 999)
    )
      throw description("status must be a whole number from 200 to 999");
    if ((dial.fault === "null_row" || dial.fault === "revised") && !(dial.symbol && dial.date))
      throw description(`${dial.fault} needs symbol and date`);
    if (dial.fault === "revised" && !BAR.some((name) => dial[name] !== undefined))
      throw description(`revised needs one of ${BAR.join(", ")}`);
    if (dial.fault === "missing_symbols" && !Array.isArray(dial.symbols))
      throw description("missing_symbols needs symbols");
    return dial as unknown as Dial;
  });
}

const isOneOf = (list: readonly Fault[], fault: Fault) => list.includes(fault);

function correction(dials: readonly Dial[], symbol: string, date: string): Partial<Bar> | null | undefined {
  const dial = dials.findLast(
    (d) => isOneOf(["null_row", "revised"], d.fault) && d.symbol?.toUpperCase() === symbol && d.date === date,
  );
  if (!dial) return undefined;
  if (dial.fault === "null_row") return null;
  return Object.fromEntries(BAR.flatMap((name) => (dial[name] === undefined ? [] : [[name, dial[name]]])));
}

/** No dials yet. `onExpireCrumbs` is what that dial does. */
export function createDials(onExpireCrumbs: () => void): Dials {
  let held: { dial: Dial; skip: number; left: number }[] = [];
  const strikes = (entry: (typeof held)[number], text: string): boolean => {
    if (entry.left <= 0 || !text.includes(entry.dial.match ?? "")) return false;
    if (entry.skip > 0) {
      entry.skip--;
      return false;
    }
    entry.left--;
    return true;
  };
  return {
    set(list) {
      for (const dial of readDials(list)) {
        if (dial.fault === "expire_crumbs") onExpireCrumbs();
        else held.push({ dial, skip: dial.skip ?? 0, left: dial.times ?? Number.POSITIVE_INFINITY });
      }
    },
    clear() {
      held = [];
    },
    list: () => held.map(({ dial, left }) => (dial.times === undefined ? dial : { ...dial, times: left })),
    strike({ host, path, query }) {
      const text = `${host}${path}${query.size > 0 ? `?${query}` : ""}`;
      let waitMs = 0;
      let instead: Dial | null = null;
      const inside: Dial[] = [];
      for (const entry of held) {
        const { fault, afterMs } = entry.dial;
        const kind = isOneOf(INSTEAD, fault) ? "instead" : isOneOf(INSIDE, fault) ? "inside" : fault;
        if (kind !== "instead" && kind !== "inside" && kind !== "latency") continue;
        // Only the first dial that replaces the answer is spent on a request.
        if ((kind === "instead" && instead) || !strikes(entry, text)) continue;
        waitMs += afterMs ?? 0;
        if (kind === "instead") instead = entry.dial;
        else if (kind === "inside") inside.push(entry.dial);
      }
      held = held.filter((entry) => entry.left > 0);
      return { waitMs, instead, inside };
    },
    correct: (symbol, date) =>
      correction(
        held.map(({ dial }) => dial),
        symbol,
        date,
      ),
    europe: () => held.some(({ dial }) => dial.fault === "eu_consent"),
  };
}

const OUTAGE_PAGE =
  "<!DOCTYPE html><html><head><title>Yahoo</title></head><body>Will be right back...</body></html>";

function retryAfter(dial: Dial, nowMs: number): Record<string, string> {
  if (dial.retryAfterS === undefined) return {};
  const date = new Date(nowMs + dial.retryAfterS * 1000).toUTCString();
  return { "retry-after": dial.retryAfterAs === "date" ? date : String(dial.retryAfterS) };
}

/**
 * The reply of a fault that replaces the answer; null for those of the connection (reset, truncated, stall,
 * huge).
 */
export function faultyReply(dial: Dial, nowMs: number): Reply | null {
  switch (dial.fault) {
    case "rate_limited":
      return textReply(429, dial.body ?? "Too Many Requests\r\n", retryAfter(dial, nowMs));
    case "status": {
      const status = dial.status ?? 500;
      const refusal = "Unable to process request at this time -- error 999";
      return textReply(
        status,
        dial.body ?? (status === 999 ? refusal : OUTAGE_PAGE),
        retryAfter(dial, nowMs),
      );
    }
    case "html":
      return textReply(200, dial.body ?? OUTAGE_PAGE);
    case "empty":
      return textReply(200, "", { "content-type": "application/json;charset=utf-8" });
    case "wrong_shape":
      return textReply(
        200,
        dial.body ??
          '{"chart":{"result":[{"meta":"moved","series":{}}],"error":null},"quoteResponse":{"results":{}},"spark":{"results":{}}}',
        {
          "content-type": "application/json;charset=utf-8",
        },
      );
    case "invalid_crumb":
      return textReply(
        401,
        '{"finance":{"result":null,"error":{"code":"Unauthorized","description":"Invalid Crumb"}}}',
        { "content-type": "application/json;charset=utf-8" },
      );
    default:
      return null;
  }
}

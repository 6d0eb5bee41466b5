// Cursors: where the next page of a panel begins. Opaque to clients, and validated when they come back.
import { createHash } from "node:crypto";
import { isDate } from "../../market/date.ts";
import { InvalidFields } from "../../platform/errors.ts";
import type { DayRange } from "./range.ts";

/** A request for a panel, without its page. */
export interface PanelRequest extends DayRange {
  /** Canonical and sorted; null: all. */
  readonly symbols: readonly string[] | null;
  readonly minTotalVolume: number;
  /** RFC 3339; null: everything known. */
  readonly asOf: string | null;
  /**
   * The moment the client sent, the same on every page. A moment in the future is replaced by now in `asOf`,
   * which moves on.
   */
  readonly asOfSent: string | null;
}

/** The last row of a page. The next page begins after it. */
export interface PanelPlace {
  readonly date: string;
  readonly symbol: string;
}

/** Version of the cursor's format. */
const VERSION = 1;

/** A hash of the filters. The place of a cursor is only valid with the same filters. */
function filterHash({ symbols, minTotalVolume, asOfSent }: PanelRequest): string {
  const text = JSON.stringify([symbols, minTotalVolume, asOfSent]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}

/** The cursor includes the range, because "30 days back" may move on between two pages. */
export function writeCursor(request: PanelRequest, { date, symbol }: PanelPlace): string {
  return Buffer.from(
    JSON.stringify([VERSION, request.start, request.end, date, symbol, filterHash(request)]),
  ).toString("base64url");
}

const refuse = (why: string) =>
  new InvalidFields([{ type: "value_error", loc: ["query", "cursor"], msg: `Value error, ${why}` }]);

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}

/**
 * The range and place of a cursor. Throws InvalidFields for a text that `writeCursor` did not write, and if
 * the request has other filters or other dates than the request the cursor came from. `dated`: the request
 * gives its dates.
 */
export function readCursor(
  text: string,
  request: PanelRequest,
  dated: boolean,
): { range: DayRange; after: PanelPlace } {
  const parsed = parse(text);
  const texts: unknown[] = Array.isArray(parsed) && parsed[0] === VERSION ? parsed.slice(1) : [];
  const [start, end, date, symbol, hash] = texts.map((each) => (typeof each === "string" ? each : ""));
  const isValid =
    start && end && date && symbol && [start, end, date].every(isDate) && start <= date && date <= end;
  if (!isValid) throw refuse("cursor was not issued by this route");
  if (hash !== filterHash(request))
    throw refuse("cursor belongs to a request with other symbols, min_total_volume or as_of");
  if (dated && (start !== request.start || end !== request.end))
    throw refuse(`cursor belongs to the range ${start} to ${end}`);
  return { range: { start, end }, after: { date, symbol } };
}

// Where the next page of a panel begins: opaque to clients, checked when it comes back.
import { createHash } from "node:crypto";
import { isDate } from "../../market/date.ts";
import { InvalidFields } from "../../platform/errors.ts";
import type { DayRange } from "./range.ts";

/** What a panel was asked for, beside the page. */
export interface PanelAsk extends DayRange {
  /** Canonical, in order; null: all. */
  readonly symbols: readonly string[] | null;
  readonly minTotalVolume: number;
  /** RFC 3339; null: everything known. */
  readonly asOf: string | null;
  /** The moment the client named, the same on every page: for one that lies ahead `asOf` is now, later at each page. */
  readonly asOfNamed: string | null;
}

/** The last row that was given; the next page begins after it. */
export interface PanelPlace {
  readonly date: string;
  readonly symbol: string;
}

const FORM = 1;

/** What a cursor is bound to: with other filters its place would mean other rows. */
function markOf({ symbols, minTotalVolume, asOfNamed }: PanelAsk): string {
  const text = JSON.stringify([symbols, minTotalVolume, asOfNamed]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}

/** The range stands in it, since "30 days back" moves on between two pages. */
export function writeCursor(ask: PanelAsk, { date, symbol }: PanelPlace): string {
  return Buffer.from(JSON.stringify([FORM, ask.start, ask.end, date, symbol, markOf(ask)])).toString(
    "base64url",
  );
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
 * Range and place of a cursor. Throws InvalidFields for what `writeCursor` never wrote, and where the request has
 * other filters or other dates than the one it came from (`dated`: the request names its dates).
 */
export function readCursor(
  text: string,
  ask: PanelAsk,
  dated: boolean,
): { range: DayRange; after: PanelPlace } {
  const parsed = parse(text);
  const texts: unknown[] = Array.isArray(parsed) && parsed[0] === FORM ? parsed.slice(1) : [];
  const [start, end, date, symbol, mark] = texts.map((each) => (typeof each === "string" ? each : ""));
  const isOurs =
    start && end && date && symbol && [start, end, date].every(isDate) && start <= date && date <= end;
  if (!isOurs) throw refuse("cursor is none that this route gave");
  if (mark !== markOf(ask))
    throw refuse("cursor belongs to a request with other symbols, min_total_volume or as_of");
  if (dated && (start !== ask.start || end !== ask.end))
    throw refuse(`cursor belongs to the range ${start} to ${end}`);
  return { range: { start, end }, after: { date, symbol } };
}

// Plans a backfill of the panel: its days, its symbols' runs, and the symbols it cannot fill.
import { earlierDay, laterDay } from "../../market/date.ts";
import { canonical, isTicker } from "../../market/ticker.ts";
import { InvalidRequest, NotRead } from "../../platform/errors.ts";
import type { BackfillRequest } from "./schema.ts";
import type { PanelRun, PanelSymbols } from "./sources.ts";

export interface PanelPlan {
  readonly start: string;
  readonly end: string;
  readonly runs: readonly PanelRun[];
  /** Symbols that cannot be filled, and why. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Symbols of a plan, refused ones included. */
export const symbolCount = ({ runs, refused }: PanelPlan): number =>
  new Set(runs.map(({ symbol }) => symbol)).size + refused.size;

/**
 * The days to fill. Throws NotFound `no_data` without short-volume files, InvalidRequest
 * `invalid_date_range`.
 */
async function daysOf(request: BackfillRequest, symbols: PanelSymbols, historyFrom: string) {
  const range = await symbols.range();
  if (range === null)
    throw new NotRead("No short-volume file is stored, so there is no panel to fill.", {
      hint: "POST /api/v1/shortvolume/admin/ingest stores them.",
    });
  const { start_date, end_date } = request;
  const start = laterDay(start_date ?? range.first, historyFrom);
  const end = earlierDay(end_date ?? range.last, range.last);
  if (start_date !== undefined && end_date !== undefined && end_date < start_date)
    throw new InvalidRequest(
      "invalid_date_range",
      `end_date ${end_date} is earlier than start_date ${start_date}.`,
    );
  if (end < start)
    throw new InvalidRequest(
      "invalid_date_range",
      `There is no panel between ${start} and ${end}: the feed begins on ${historyFrom}, the stored short-volume files run from ${range.first} to ${range.last}.`,
    );
  return { start, end };
}

/** Plans a backfill. Throws NotFound `no_data`, InvalidRequest `invalid_date_range`. */
export async function panelPlan(
  request: BackfillRequest,
  symbols: PanelSymbols,
  historyFrom: string,
): Promise<PanelPlan> {
  const { start, end } = await daysOf(request, symbols, historyFrom);
  if (request.symbols === undefined || request.symbols.length === 0)
    return { start, end, runs: await symbols.runs(start, end, null), refused: new Map() };
  const refused = new Map<string, string>();
  const requested = new Set<string>();
  for (const text of request.symbols)
    if (isTicker(text.trim())) requested.add(canonical(text));
    else refused.set(text, "This is not a symbol.");
  const known = await symbols.known([...requested]);
  for (const symbol of requested)
    if (!known.has(symbol)) refused.set(symbol, "No stored short-volume file has it.");
  const listed = [...requested].filter((symbol) => known.has(symbol));
  const runs = listed.length === 0 ? [] : await symbols.runs(start, end, listed);
  return { start, end, runs, refused };
}

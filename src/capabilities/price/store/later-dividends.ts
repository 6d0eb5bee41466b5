// Adjusted closes of a span in the past include dividends after it, whose size the provider's answer can only
// estimate. The stored factors of these dividends are exact.
import type { Lake } from "../../../platform/lake/lake.ts";
import type { Fetched } from "../fetched.ts";
import { type KnownAction, mergeKnown } from "./late-actions.ts";

interface StoredAction extends KnownAction, Record<string, unknown> {
  readonly symbol: string;
}

/** A dividend below this part of the price goes unnoticed where adjusted closes are compared. */
const DIVIDEND_RATIO = 1e-3;

const scaled = <T extends { readonly adj_close: number | null }>(bars: readonly T[], factor: number): T[] =>
  bars.map((bar) => (bar.adj_close === null ? bar : { ...bar, adj_close: bar.adj_close * factor }));

/** The product of the known factors after a day, up to the basis; null when one of them is unknown. */
function knownPart(known: Iterable<KnownAction>, after: string, basis: string): number | null {
  let part = 1;
  for (const { kind, ex_date, price_factor } of known) {
    if (kind === "split" || ex_date <= after || ex_date > basis) continue;
    if (price_factor === null) return null;
    part *= price_factor;
  }
  return part;
}

/**
 * The fetch with the stored factors in place of the estimate. Where every action is said to be stored and the
 * two do not fit, its adjusted closes include dividends that are not listed.
 */
function measured(fetched: Fetched, stored: readonly StoredAction[]): Fetched {
  const { answer, actionsFrom, settled, compared } = fetched;
  const { laterDividends: later, basis_date } = answer;
  if (later === undefined || actionsFrom === null) return fetched;
  const part = knownPart(mergeKnown(stored, fetched.actions).values(), later.after, basis_date);
  if (part === null) return fetched;
  if (Math.abs(later.part / part - 1) > later.slack + DIVIDEND_RATIO)
    return { ...fetched, answer: { ...answer, hasUnlistedDividends: true } };
  const factor = part / later.part;
  return {
    ...fetched,
    settled: scaled(settled, factor),
    ...(compared ? { compared: scaled(compared, factor) } : {}),
  };
}

/** The batch with later dividends measured by what is stored. */
export async function withLaterDividends(lake: Lake, batch: readonly Fetched[]): Promise<readonly Fetched[]> {
  const open = batch.filter(({ answer }) => answer.laterDividends !== undefined);
  if (open.length === 0) return batch;
  const rows = await lake.query<StoredAction>(
    `SELECT symbol, kind, ex_date, price_factor, missing_through FROM actions(NULL)
     WHERE symbol = ANY($symbols) AND kind <> 'split'`,
    { symbols: open.map(({ symbol }) => symbol) },
  );
  const bySymbol = Map.groupBy(rows, ({ symbol }) => symbol);
  return batch.map((fetched) => measured(fetched, bySymbol.get(fetched.symbol) ?? []));
}

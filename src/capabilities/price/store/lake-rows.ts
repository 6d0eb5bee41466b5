// The rows a batch of fetches adds to the lake: bars, actions not stored yet, and later values that differ.

import type { barsDaily } from "../../../datasets/bars-daily.ts";
import type { corporateActions } from "../../../datasets/corporate-actions.ts";
import type { Ohlcv, ProviderBar } from "../../../market/bar.ts";
import type { CorporateAction } from "../../../market/bar-history.ts";
import type { Calendar } from "../../../market/calendar.ts";
import type { RowOf } from "../../../platform/lake/dataset.ts";
import type { Lake } from "../../../platform/lake/lake.ts";
import type { Fetched } from "../fetched.ts";
import { factorsFromStored, openDividend } from "./stored-closes.ts";

type BarRow = RowOf<typeof barsDaily>;
type ActionRow = RowOf<typeof corporateActions>;

/** Values this close are the same value: providers round, and rescaling by a split rounds again. */
const SAME_RATIO = 1e-6;
/** Adjusted closes are computed by providers with rounded dividends. */
const SAME_ADJUSTED_RATIO = 1e-3;

const isSame = (a: number | null, b: number | null, ratio: number) =>
  a === b || (a !== null && b !== null && Math.abs(a - b) <= ratio * Math.max(Math.abs(a), Math.abs(b)));

type Figures = Ohlcv & Pick<ProviderBar, "adj_close">;

const isSameBar = (a: Figures, b: Figures) =>
  isSame(a.open, b.open, SAME_RATIO) &&
  isSame(a.high, b.high, SAME_RATIO) &&
  isSame(a.low, b.low, SAME_RATIO) &&
  isSame(a.close, b.close, SAME_RATIO) &&
  isSame(a.volume, b.volume, SAME_RATIO) &&
  isSame(a.adj_close, b.adj_close, SAME_ADJUSTED_RATIO);

/** A bar as a row of the lake. */
export function barRow(fetched: Fetched, bar: ProviderBar): BarRow {
  return {
    symbol: fetched.symbol,
    date: bar.date,
    open: bar.open,
    high: bar.high,
    low: bar.low,
    close: bar.close,
    volume: bar.volume,
    adj_close: bar.adj_close,
    currency: fetched.answer.meta.currency,
    basis_date: fetched.answer.basis_date,
    known_at: fetched.answer.received_at.toString(),
    source: fetched.source,
  };
}

const actionRow = (fetched: Fetched, action: CorporateAction, missing_through: string | null): ActionRow => ({
  symbol: fetched.symbol,
  ex_date: action.ex_date,
  kind: action.kind,
  amount: action.amount,
  currency: action.currency,
  numerator: action.numerator,
  denominator: action.denominator,
  // A payment of the whole price or more leaves nothing to scale by: earlier adjusted prices are unknown, not
  // zero.
  price_factor: action.price_factor !== null && action.price_factor > 0 ? action.price_factor : null,
  missing_through,
  basis_date: fetched.answer.basis_date,
  known_at: fetched.answer.received_at.toString(),
  source: fetched.source,
});

/**
 * Actions of the batch that are not stored, or stored with another price factor, or that stored bars turn out
 * to be without. A dividend whose answer did not hold the close before its ex date has its factor computed
 * from the stored close.
 */
export async function newActions(
  lake: Lake,
  batch: readonly Fetched[],
  calendar: Calendar,
): Promise<ActionRow[]> {
  const symbols = batch.filter((f) => f.actions.length > 0).map((f) => f.symbol);
  if (symbols.length === 0) return [];
  const known = await lake.query<ActionRow>(
    "SELECT symbol, ex_date, kind, price_factor, missing_through FROM actions(NULL) WHERE symbol = ANY($symbols)",
    { symbols },
  );
  const byKey = new Map(known.map((a) => [`${a.symbol} ${a.kind} ${a.ex_date}`, a]));
  const storedOf = (fetched: Fetched, action: CorporateAction) =>
    byKey.get(`${fetched.symbol} ${action.kind} ${action.ex_date}`);
  const open = batch.flatMap((fetched) =>
    fetched.actions.flatMap((action) => {
      const isStored = (storedOf(fetched, action)?.price_factor ?? null) !== null;
      return isStored ? [] : (openDividend(fetched, action, calendar) ?? []);
    }),
  );
  const factors = await factorsFromStored(lake, open, known);
  const lateOf = ({ late = [] }: Fetched, { kind, ex_date }: CorporateAction) =>
    late.find((one) => one.kind === kind && one.ex_date === ex_date)?.missing_through ?? null;
  return batch.flatMap((fetched) =>
    fetched.actions
      .map((action) => ({ ...action, price_factor: action.price_factor ?? factors.get(action) ?? null }))
      .filter((action) => {
        const before = storedOf(fetched, action);
        if (!before || lateOf(fetched, action) !== null) return true;
        return action.price_factor !== null && !isSame(before.price_factor, action.price_factor, SAME_RATIO);
      })
      .map((action) => {
        const missing = lateOf(fetched, action) ?? storedOf(fetched, action)?.missing_through ?? null;
        return actionRow(fetched, action, missing);
      }),
  );
}

/**
 * Settled bars that differ, on today's basis, from the stored bar and from the last value of the same
 * provider, stored or revision: providers that disagree have one revision, not one with each fetch.
 */
export async function newRevisions(lake: Lake, batch: readonly Fetched[]): Promise<BarRow[]> {
  const rows = batch.flatMap((f) => f.settled.map((bar) => barRow(f, bar)));
  const dates = rows.map((r) => r.date).sort();
  const params = {
    symbols: batch.map((f) => f.symbol),
    start: dates[0] ?? null,
    end: dates.at(-1) ?? null,
  };
  const where = "symbol = ANY($symbols) AND date BETWEEN CAST($start AS DATE) AND CAST($end AS DATE)";
  const stored = await lake.query<BarRow>(`SELECT * FROM bars_now() WHERE ${where}`, params);
  const earlier = await lake.query<BarRow>(
    `SELECT * FROM bar_revisions(NULL) WHERE ${where} ORDER BY known_at`,
    params,
  );
  const key = (r: BarRow) => `${r.symbol} ${r.date}`;
  const sourceKey = (r: BarRow) => `${key(r)} ${r.source}`;
  const lastOfSource = new Map([...stored, ...earlier].map((r) => [sourceKey(r), r]));
  const first = new Map(stored.map((r) => [key(r), r]));
  return rows.filter((row) => {
    const original = first.get(key(row));
    if (original === undefined || isSameBar(original, row)) return false;
    const last = lastOfSource.get(sourceKey(row));
    return last === undefined || !isSameBar(last, row);
  });
}

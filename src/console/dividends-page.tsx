// A company's dividends, latest ex date first.
import type { Dividend, MarketDividend } from "../capabilities/dividends/schema.ts";
import { underClock } from "./answer.ts";
import { lastWholeDay } from "./as-of.ts";
import { asFiled, number } from "./cells.tsx";
import { minute } from "./format.ts";
import { clockOf } from "./links.ts";
import { type ListColumn, ListTable, Panel } from "./panel-parts.tsx";

const ROWS_MAX = 1_000;

/** The columns after the amount, of a company's dividends and of the market's. */
export const RECORD: readonly ListColumn<Pick<Dividend, keyof Dividend & keyof MarketDividend>>[] = [
  { name: "status", isExtra: true, cell: ({ status }) => status },
  { name: "kind", isExtra: true, cell: ({ dividend_type }) => dividend_type },
  { name: "declared", isExtra: true, cell: ({ declaration_date }) => declaration_date },
  { name: "record", isExtra: true, cell: ({ record_date }) => record_date },
  { name: "paid", isExtra: true, cell: ({ payment_date }) => payment_date },
  { name: "known from", isExtra: true, cell: ({ known_at }) => minute(known_at) },
  {
    name: "source",
    isExtra: true,
    title: "backfilled: fetched after the shown moment, and its provider may have changed it in the meantime",
    cell: ({ source, backfilled }) => (backfilled ? `${source}, backfilled` : source),
  },
];

const COLUMNS: readonly ListColumn<Dividend>[] = [
  { name: "ex date", cell: ({ ex_dividend_date }) => ex_dividend_date },
  {
    name: "amount",
    isFigure: true,
    title: "Per share, as paid",
    cell: ({ amount }) => asFiled(amount),
  },
  {
    name: "adjusted",
    isFigure: true,
    title: "Per share on the share basis of the shown moment",
    cell: ({ adjusted_amount }) => number(adjusted_amount, 6),
  },
  { name: "currency", isExtra: true, cell: ({ currency }) => currency },
  ...RECORD,
];

export function DividendsPage({ ticker }: { ticker: string }) {
  const { as_of } = clockOf();
  // The route answers with whole days.
  const day = lastWholeDay(as_of);
  const path = underClock(`/dividends/calendar/${encodeURIComponent(ticker)}`, {
    as_of: null,
    as_of_date: day,
    limit: ROWS_MAX,
  });
  return (
    <Panel id="dividends" title="Dividends">
      {day === as_of ? null : (
        <p class="quiet">Known at the end of {day}: dividends are known by whole days.</p>
      )}
      <ListTable label="Dividends" path={path} columns={COLUMNS} empty="No dividend was known." />
    </Panel>
  );
}

// The dividends of the market in a span of ex-dividend days.
import type { MarketDividend as Dividend } from "../capabilities/dividends/schema.ts";
import { underClock } from "./answer.ts";
import { daysAfter, lastWholeDay } from "./as-of.ts";
import { type AskedField, AskedForm, useAsked } from "./asked-form.tsx";
import { asFiled, tickerCell } from "./cells.tsx";
import { RECORD } from "./dividends-page.tsx";
import { clockOf } from "./links.ts";
import { type ListColumn, ListTable, Panel } from "./panel-parts.tsx";

const PAGE_ROWS = 1_000;
const DAYS_SHOWN = 7;
/** The service answers for at most this many days at once. */
const DAYS_MAX = 31;

const COLUMNS: readonly ListColumn<Dividend>[] = [
  { name: "ticker", cell: ({ ticker }) => tickerCell(ticker) },
  { name: "ex date", cell: ({ ex_dividend_date }) => ex_dividend_date },
  { name: "amount", isFigure: true, title: "Per share, as paid", cell: ({ amount }) => asFiled(amount) },
  {
    name: "currency",
    isExtra: true,
    cell: ({ currency }) => currency ?? "not named",
  },
  ...RECORD,
];

export function DividendCalendarPage({ day }: { day: string }) {
  const fields: readonly AskedField[] = [
    { name: "from_date", label: "Ex date from", usual: day, last: "9999-12-31" },
    { name: "to_date", label: "To", usual: daysAfter(day, DAYS_SHOWN), last: "9999-12-31" },
  ];
  const asked = useAsked(fields);
  const { as_of } = clockOf();
  // The route answers with whole days.
  const known = lastWholeDay(as_of);
  const path = underClock("/dividends/calendar", {
    ...asked.value,
    as_of: null,
    as_of_date: known,
    limit: PAGE_ROWS,
  });
  return (
    <Panel id="dividend-calendar" title="Dividends by ex date">
      <p class="quiet">
        At most {DAYS_MAX} days at once. The provider's list of a day names neither currency nor kind: its
        payments count as cash.
      </p>
      {known === as_of ? null : (
        <p class="quiet">Known at the end of {known}: dividends are known by whole days.</p>
      )}
      <AskedForm fields={fields} asked={asked} />
      <ListTable
        label="Dividends"
        path={path}
        columns={COLUMNS}
        empty="No dividend that was known then goes ex on these days."
      />
    </Panel>
  );
}

// The market's earnings reports of a span of days.
import type { Report } from "../capabilities/earnings/schema.ts";
import { underClock } from "./answer.ts";
import { daysAfter } from "./as-of.ts";
import { type AskedField, AskedForm, useAsked } from "./asked-form.tsx";
import { number, tickerCell } from "./cells.tsx";
import { minute } from "./format.ts";
import { type ListColumn, ListTable, Panel } from "./panel-parts.tsx";

const PAGE_ROWS = 1_000;
const DAYS_SHOWN = 7;
/** The service answers for at most this many days at once. */
const DAYS_MAX = 31;

const TIMES: Readonly<Record<string, string>> = { bmo: "before the open", amc: "after the close" };

const COLUMNS: readonly ListColumn<Report>[] = [
  { name: "ticker", cell: ({ ticker }) => tickerCell(ticker) },
  { name: "name", isProse: true, isExtra: true, cell: ({ name }) => name },
  {
    name: "day",
    isProse: true,
    cell: ({ report_date, report_date_end }) =>
      report_date_end === null ? report_date : `${report_date} to ${report_date_end}`,
  },
  { name: "time", isProse: true, isExtra: true, cell: ({ report_time }) => TIMES[report_time] ?? null },
  { name: "quarter to", isExtra: true, cell: ({ fiscal_quarter_end }) => fiscal_quarter_end },
  {
    name: "EPS estimate",
    isFigure: true,
    title: "Earnings per share as analysts expect them",
    cell: ({ eps_estimate }) => number(eps_estimate),
  },
  { name: "EPS", isFigure: true, cell: ({ eps_actual }) => number(eps_actual) },
  {
    name: "confirmed",
    isExtra: true,
    cell: ({ is_confirmed }) => (is_confirmed === null ? null : is_confirmed ? "yes" : "no"),
  },
  { name: "known from", isProse: true, isExtra: true, cell: ({ known_at }) => minute(known_at) },
  { name: "source", isExtra: true, cell: ({ source }) => source },
];

export function EarningsPage({ day }: { day: string }) {
  const fields: readonly AskedField[] = [
    { name: "from_date", label: "From", usual: day, last: "9999-12-31" },
    { name: "to_date", label: "To", usual: daysAfter(day, DAYS_SHOWN), last: "9999-12-31" },
  ];
  const asked = useAsked(fields);
  return (
    <Panel id="earnings" title="Earnings reports">
      <p class="quiet">
        At most {DAYS_MAX} days at once. Dates ahead are estimates until a company confirms them.
      </p>
      <AskedForm fields={fields} asked={asked} />
      <ListTable
        label="Earnings reports"
        path={underClock("/earnings/calendar", { ...asked.value, limit: PAGE_ROWS })}
        columns={COLUMNS}
        empty="No report of these days is known."
      />
    </Panel>
  );
}

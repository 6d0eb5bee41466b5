// The listings of a date with what they were worth then.
import type { ScreenRow as Listing } from "../capabilities/universe/schema.ts";
import { underClock } from "./answer.ts";
import { type AskedField, AskedForm, useAsked } from "./asked-form.tsx";
import { number, tickerCell, whole } from "./cells.tsx";
import { minute } from "./format.ts";
import { type ListColumn, ListTable, Panel } from "./panel-parts.tsx";

const PAGE_ROWS = 500;
const POSITIVE = "[0-9]{0,15}";

const COLUMNS: readonly ListColumn<Listing>[] = [
  { name: "ticker", cell: ({ ticker }) => tickerCell(ticker) },
  { name: "name", isProse: true, isExtra: true, cell: ({ name }) => name },
  {
    name: "market value",
    isFigure: true,
    title: "Close × shares outstanding, in the listing's currency",
    cell: ({ market_cap }) => whole(market_cap),
  },
  {
    name: "currency",
    isExtra: true,
    title: "Of the market value and the close",
    cell: ({ currency }) => currency,
  },
  { name: "close", isFigure: true, isExtra: true, cell: ({ close_price }) => number(close_price) },
  { name: "basis", isExtra: true, title: "The price basis", cell: ({ basis_date }) => basis_date },
  {
    name: "shares",
    isFigure: true,
    isExtra: true,
    cell: ({ shares_outstanding }) => whole(shares_outstanding),
  },
  { name: "sector", isProse: true, isExtra: true, cell: ({ sector }) => sector },
  { name: "listed on", isExtra: true, cell: ({ exchange }) => exchange },
  { name: "snapshot", isExtra: true, cell: ({ snapshot_date }) => snapshot_date },
  { name: "absent", isProse: true, isExtra: true, cell: ({ missing }) => missing },
  { name: "known from", isProse: true, isExtra: true, cell: ({ known_at }) => minute(known_at) },
];

export function UniversePage({ day }: { day: string }) {
  const fields: readonly AskedField[] = [
    { name: "date", label: "Date", usual: day, last: day },
    { name: "market_cap_min", label: "Market value from", usual: "", pattern: POSITIVE, placeholder: "any" },
    { name: "price_min", label: "Close from", usual: "", pattern: POSITIVE, placeholder: "any" },
    {
      name: "sort_by",
      label: "Sorted by",
      usual: "market_cap",
      words: [
        ["market_cap", "market value"],
        ["close_price", "close"],
        ["shares_outstanding", "shares"],
        ["ticker", "ticker"],
        ["name", "name"],
      ],
    },
  ];
  const asked = useAsked(fields);
  const { sort_by = "" } = asked.value;
  const sort_order = sort_by === "ticker" || sort_by === "name" ? "asc" : "desc";
  return (
    <Panel id="universe" title="Listings of a date">
      <p class="quiet">
        The newest monthly snapshot up to the date is shown, so listings that are gone today are among its
        rows.
      </p>
      <AskedForm fields={fields} asked={asked} />
      <ListTable
        label="Listings"
        path={underClock("/universe/screen", { ...asked.value, sort_order, limit: PAGE_ROWS })}
        columns={COLUMNS}
        empty="No listing of this date fits."
      />
    </Panel>
  );
}

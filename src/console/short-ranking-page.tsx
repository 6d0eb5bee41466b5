// The symbols of a session by short volume.
import type { TopAnswer } from "../capabilities/shortvolume/schema.ts";
import { underClock } from "./answer.ts";
import { type AskedField, AskedForm, useAsked } from "./asked-form.tsx";
import { number, percent, tickerCell, whole } from "./cells.tsx";
import { type ListColumn, ListTable, Panel } from "./panel-parts.tsx";

type Ranked = TopAnswer["data"][number];

const PAGE_ROWS = 200;

const COLUMNS: readonly ListColumn<Ranked>[] = [
  { name: "symbol", cell: ({ symbol }) => tickerCell(symbol) },
  { name: "date", isExtra: true, cell: ({ date }) => date },
  {
    name: "short ratio",
    isFigure: true,
    title: "Short volume of the off-exchange volume; not short interest",
    cell: ({ short_volume_ratio }) => percent(short_volume_ratio === null ? null : 100 * short_volume_ratio),
  },
  { name: "short volume", isFigure: true, isExtra: true, cell: ({ short_volume }) => whole(short_volume) },
  {
    name: "total volume",
    isFigure: true,
    isExtra: true,
    title: "Off-exchange volume in regular hours, not the market's",
    cell: ({ total_volume }) => whole(total_volume),
  },
  { name: "close", isFigure: true, isExtra: true, cell: ({ close }) => number(close) },
  { name: "change", isFigure: true, cell: ({ change_percent }) => percent(change_percent) },
];

export function ShortRankingPage() {
  const fields: readonly AskedField[] = [
    {
      name: "date",
      label: "Session",
      usual: "",
      pattern: "\\d{4}-\\d{2}-\\d{2}",
      placeholder: "newest stored",
    },
    { name: "min_total_volume", label: "Total volume from", usual: "100000", pattern: "[0-9]{0,15}" },
    {
      name: "sort_by",
      label: "Sorted by",
      usual: "short_volume_ratio",
      words: [
        ["short_volume_ratio", "short ratio"],
        ["short_volume", "short volume"],
        ["total_volume", "total volume"],
        ["symbol", "symbol"],
      ],
    },
  ];
  const asked = useAsked(fields);
  const sort_order = asked.value.sort_by === "symbol" ? "asc" : "desc";
  return (
    <Panel id="short-ranking" title="Short volume of a session">
      <AskedForm fields={fields} asked={asked} />
      <ListTable
        label="Short volume"
        path={underClock("/shortvolume/top", { ...asked.value, sort_order, limit: PAGE_ROWS })}
        columns={COLUMNS}
        empty="No file of this session is stored."
      />
    </Panel>
  );
}

// Schedules 13D and 13G about a company.
import type { HolderEvent as Holder } from "../capabilities/ownership/schema.ts";
import { underClock } from "./answer.ts";
import { asFiled, filedCell, percent } from "./cells.tsx";
import { type ListColumn, ListTable, Panel } from "./panel-parts.tsx";

const PAGE_ROWS = 500;

/** Describes a filing's intention; for a filing that is not read it says so. */
function intentionOf(row: Holder): string | null {
  if (row.enrichment_status === "pending") return "not read yet";
  if (row.enrichment_status === "failed")
    return `cannot be read: ${row.enrichment_error ?? "no reason stated"}`;
  const parts = [
    row.is_exit ? "exit" : null,
    row.is_activist === null ? null : row.is_activist ? "activist" : "passive",
  ];
  return parts.filter((part) => part !== null).join(", ") || null;
}

const columnsFor = (ticker: string): readonly ListColumn<Holder>[] => [
  { name: "known from", isExtra: true, cell: (row) => filedCell(row, ticker) },
  { name: "holder", cell: ({ holder_name }) => holder_name },
  { name: "of the class", isFigure: true, cell: ({ ownership_pct }) => percent(ownership_pct) },
  { name: "shares", isFigure: true, cell: ({ shares_owned }) => asFiled(shares_owned) },
  { name: "form", isExtra: true, cell: ({ form_type }) => form_type },
  { name: "event", isExtra: true, cell: ({ event_date }) => event_date },
  { name: "intention", isExtra: true, cell: intentionOf },
  {
    name: "by its words",
    isExtra: true,
    title: "The sentence of Item 4 that decided",
    cell: ({ activist_reason }) => activist_reason,
  },
];

export function HoldersPage({ ticker, moment }: { ticker: string; moment: string }) {
  const path = underClock(`/ownership/13dg/${encodeURIComponent(ticker)}`, {
    as_of: moment,
    limit: PAGE_ROWS,
  });
  return (
    <Panel id="holders" title="Holders of more than five percent">
      <p class="quiet">
        One row for each Schedule 13D or 13G, newest first. Holders of less than five percent file none.
      </p>
      <ListTable
        label="Schedules 13D and 13G"
        path={path}
        columns={columnsFor(ticker)}
        empty="No Schedule 13D or 13G was public in the ten years before."
      />
    </Panel>
  );
}

// A table of any number of rows: only the rows in sight are in the page, and columns keep their width while it scrolls.
import { useSignal } from "@preact/signals";
import type { ComponentChild } from "preact";
import { useMemo } from "preact/hooks";

export interface DataColumn {
  readonly name: string;
  /** Figures stand on the right. */
  readonly isFigure?: boolean;
  /** Shown when the pointer rests on the name. */
  readonly title?: string;
}

/** A cell as text, or as something that is shown for a text. */
export type DataCell =
  | string
  | number
  | boolean
  | null
  | { readonly text: string; readonly shown: ComponentChild };

const ROW_PX = 28;
const SPARE_ROWS = 12;
const WIDTH_MAX_CH = 48;
const WIDTH_MIN_CH = 6;
/** Rows in sight at most: those of a tall screen. */
const SIGHT_ROWS = 80;

/** The text of a cell; null has none. */
export const cellText = (cell: DataCell): string =>
  cell === null ? "" : typeof cell === "object" ? cell.text : String(cell);

/** Widths in characters, from the longest text of each column. */
function widthsOf(columns: readonly DataColumn[], rows: readonly (readonly DataCell[])[]): number[] {
  const widths = columns.map(({ name }) => Math.max(WIDTH_MIN_CH, name.length + 2));
  for (const row of rows)
    for (const [i, cell] of row.entries()) {
      const length = cellText(cell).length + 2;
      if (length > (widths[i] ?? 0)) widths[i] = Math.min(length, WIDTH_MAX_CH);
    }
  return widths;
}

function Cell({ cell, isFigure }: { cell: DataCell; isFigure: boolean }) {
  const kind = isFigure ? "figure" : undefined;
  if (cell === null)
    return (
      <td class={kind}>
        <span class="quiet">null</span>
      </td>
    );
  const text = cellText(cell);
  return (
    <td class={kind} title={text.length > WIDTH_MAX_CH - 2 ? text : undefined}>
      {typeof cell === "object" ? cell.shown : text}
    </td>
  );
}

function Head({ columns }: { columns: readonly DataColumn[] }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ name, isFigure, title }, i) => (
          <th key={`${i} ${name}`} scope="col" class={isFigure ? "figure" : undefined} title={title}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** `label` names the table for those who cannot see it. */
export function DataTable({
  label,
  columns,
  rows,
}: {
  label: string;
  columns: readonly DataColumn[];
  rows: readonly (readonly DataCell[])[];
}) {
  const first = useSignal(0);
  const widths = useMemo(() => widthsOf(columns, rows), [columns, rows]);
  const start = Math.max(0, Math.min(first.value, rows.length - 1) - SPARE_ROWS);
  const end = Math.min(rows.length, first.value + SIGHT_ROWS + SPARE_ROWS);
  const space = (count: number) =>
    count > 0 ? (
      <tr class="space" style={{ height: `${count * ROW_PX}px` }}>
        <td colSpan={columns.length} />
      </tr>
    ) : null;
  return (
    <section
      class="rows"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the keyboard scroll it
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        first.value = Math.floor(currentTarget.scrollTop / ROW_PX);
      }}
    >
      <table
        aria-rowcount={rows.length + 1}
        style={{ width: `${widths.reduce((sum, each) => sum + each, 0)}ch` }}
      >
        <colgroup>
          {columns.map(({ name }, i) => (
            <col key={`${i} ${name}`} style={{ width: `${widths[i]}ch` }} />
          ))}
        </colgroup>
        <Head columns={columns} />
        <tbody>
          {space(start)}
          {rows.slice(start, end).map((row, i) => (
            <tr key={start + i} aria-rowindex={start + i + 2}>
              {columns.map(({ name, isFigure = false }, at) => (
                <Cell key={`${at} ${name}`} cell={row[at] ?? null} isFigure={isFigure} />
              ))}
            </tr>
          ))}
          {space(rows.length - end)}
        </tbody>
      </table>
    </section>
  );
}

// A table of any number of rows: only the rows in sight are in the page, and columns keep their width while it scrolls.
import { signal, useSignal } from "@preact/signals";
import type { ComponentChild } from "preact";
import { useMemo } from "preact/hooks";

export interface DataColumn {
  readonly name: string;
  /** Figures stand on the right. */
  readonly isFigure?: boolean;
  /** Shown when the pointer rests on the name. */
  readonly title?: string;
  /** On a phone it stands on a second line of the row, with its name. */
  readonly isExtra?: boolean;
}

/** A cell as text, or as something that is shown for a text. */
export type DataCell =
  | string
  | number
  | boolean
  | null
  | { readonly text: string; readonly shown: ComponentChild };

const ROW_PX = 28;
/** The extra text of a row on a phone: the height of a line, the space around it, and the width of a character. */
const EXTRA_LINE_PX = 19;
const EXTRA_SPACE_PX = 6;
const EXTRA_CHAR_PX = 7;
/** The width of a character in the first line of a row. */
const FIRST_CHAR_PX = 9;
/** The width of a row that its extra text does not have. */
const EXTRA_EDGE_PX = 56;
/** Lines of extra text at most: a longer text is cut. */
const EXTRA_LINES_MAX = 8;
const SPARE_ROWS = 12;
const WIDTH_MAX_CH = 48;
const WIDTH_MIN_CH = 6;
/** A text column of at most this width, such as one of dates, is as wide as its texts on a phone. */
const SHORT_CH = 14;
/** Rows in sight at most: those of a tall screen. */
const SIGHT_ROWS = 80;

/** The text of a cell; null has none. */
export const cellText = (cell: DataCell): string =>
  cell === null ? "" : typeof cell === "object" ? cell.text : String(cell);

/** Widths in characters, from the longest text of each column. */
function widthsOf(columns: readonly DataColumn[], rows: readonly (readonly DataCell[])[]): number[] {
  const widths = columns.map(({ name }) => Math.max(WIDTH_MIN_CH, name.length + 3));
  for (const row of rows)
    for (const [i, cell] of row.entries()) {
      const length = cellText(cell).length + 3;
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
    <td class={kind} title={text.length > WIDTH_MAX_CH - 3 ? text : undefined}>
      {typeof cell === "object" ? cell.shown : text}
    </td>
  );
}

const PHONE = window.matchMedia("(max-width: 40rem)");
const isPhone = signal(PHONE.matches);
PHONE.addEventListener("change", ({ matches }) => {
  isPhone.value = matches;
});

type Placed = DataColumn & { readonly at: number };

interface Layout {
  readonly columns: readonly Placed[];
  /** Those on the second line of a row. */
  readonly extra: readonly Placed[];
  /** Of each column; undefined shares what the others leave. */
  readonly widths: readonly (string | undefined)[];
  readonly width: string;
  /** The height of the extra text of a row, which is the same for all; 0 without extra columns. */
  readonly extraPx: number;
  readonly rowPx: number;
}

/** The text of an extra cell after the name of its column. */
const extraText = ({ name, at }: Placed, row: readonly DataCell[]): string =>
  `${name} ${cellText(row[at] ?? null) || "–"}`;

/** The height that the longest extra text of a table needs. */
function extraHeight(extra: readonly Placed[], rows: readonly (readonly DataCell[])[]): number {
  const perLine = Math.max(20, Math.floor((window.innerWidth - EXTRA_EDGE_PX) / EXTRA_CHAR_PX));
  let longest = 0;
  for (const row of rows)
    longest = Math.max(
      longest,
      extra.reduce((sum, each) => sum + extraText(each, row).length + 3, 0),
    );
  const lines = Math.min(EXTRA_LINES_MAX, Math.max(1, Math.ceil(longest / perLine)));
  return lines * EXTRA_LINE_PX + EXTRA_SPACE_PX;
}

/** The widths of the columns on a phone; where short texts do not fit beside the figures, they share what is left. */
function phoneWidths(columns: readonly Placed[], lengths: readonly number[]): (string | undefined)[] {
  const lengthOf = ({ at }: Placed) => lengths[at] ?? 0;
  const isShort = (column: Placed) => lengthOf(column) <= SHORT_CH;
  const needed = columns.reduce(
    (sum, column) => sum + (column.isFigure || isShort(column) ? lengthOf(column) : SHORT_CH),
    0,
  );
  const fits = needed * FIRST_CHAR_PX <= window.innerWidth - EXTRA_EDGE_PX;
  return columns.map((column) =>
    column.isFigure || (fits && isShort(column)) ? `${lengthOf(column)}ch` : undefined,
  );
}

/** How the columns are laid out: on a phone with extra columns figures and short texts keep their width, and longer texts share the rest. */
function useLayout(all: readonly DataColumn[], rows: readonly (readonly DataCell[])[]): Layout {
  const lengths = useMemo(() => widthsOf(all, rows), [all, rows]);
  const placed = all.map((column, at) => ({ ...column, at }));
  const extra = isPhone.value ? placed.filter(({ isExtra }) => isExtra) : [];
  const extraPx = useMemo(
    () => (extra.length === 0 ? 0 : extraHeight(extra, rows)),
    [all, rows, extra.length],
  );
  if (extra.length === 0)
    return {
      columns: placed,
      extra,
      widths: lengths.map((length) => `${length}ch`),
      width: `${lengths.reduce((sum, each) => sum + each, 0)}ch`,
      extraPx,
      rowPx: ROW_PX,
    };
  const columns = placed.filter(({ isExtra }) => !isExtra);
  return {
    columns,
    extra,
    widths: phoneWidths(columns, lengths),
    width: "100%",
    extraPx,
    rowPx: ROW_PX + extraPx,
  };
}

/** The cells of the extra columns, each after the name of its column. */
function ExtraLine({
  columns,
  row,
  px,
}: {
  columns: readonly Placed[];
  row: readonly DataCell[];
  px: number;
}) {
  return (
    <div style={{ height: `${px - EXTRA_SPACE_PX}px` }}>
      {columns.map((column, i) => {
        const { name, at } = column;
        const cell = row[at] ?? null;
        return (
          <span key={`${at} ${name}`}>
            {i > 0 ? " · " : ""}
            {cell !== null && typeof cell === "object" ? (
              <>
                {name} {cell.shown}
              </>
            ) : (
              extraText(column, row)
            )}
          </span>
        );
      })}
    </div>
  );
}

function Row({ row, index, layout }: { row: readonly DataCell[]; index: number; layout: Layout }) {
  const { columns, extra, extraPx } = layout;
  return (
    <>
      <tr class={extra.length > 0 ? "first" : undefined} aria-rowindex={index + 2}>
        {columns.map(({ name, isFigure = false, at }) => (
          <Cell key={`${at} ${name}`} cell={row[at] ?? null} isFigure={isFigure} />
        ))}
      </tr>
      {extra.length > 0 ? (
        <tr class="second">
          <td colSpan={columns.length} style={{ height: `${extraPx}px` }}>
            <ExtraLine columns={extra} row={row} px={extraPx} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

function Head({ columns, widths }: Layout) {
  return (
    <>
      <colgroup>
        {columns.map(({ name, at }, i) => (
          <col key={`${at} ${name}`} style={{ width: widths[i] }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ name, isFigure, title, at }) => (
            <th key={`${at} ${name}`} scope="col" class={isFigure ? "figure" : undefined} title={title}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
    </>
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
  const layout = useLayout(columns, rows);
  const { rowPx } = layout;
  const start = Math.max(0, Math.min(first.value, rows.length - 1) - SPARE_ROWS);
  const end = Math.min(rows.length, first.value + SIGHT_ROWS + SPARE_ROWS);
  const space = (count: number) =>
    count > 0 ? (
      <tr class="space" style={{ height: `${count * rowPx}px` }}>
        <td colSpan={layout.columns.length} />
      </tr>
    ) : null;
  return (
    <section
      class="rows"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the keyboard scroll it
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        first.value = Math.floor(currentTarget.scrollTop / rowPx);
      }}
    >
      <table aria-rowcount={rows.length + 1} style={{ width: layout.width }}>
        <Head {...layout} />
        <tbody>
          {space(start)}
          {rows.slice(start, end).map((row, i) => (
            <Row key={start + i} row={row} index={start + i} layout={layout} />
          ))}
          {space(rows.length - end)}
        </tbody>
      </table>
    </section>
  );
}

// A table of any number of rows: only the rows in sight are in the page, columns keep their width, and each
// can be sorted by.
import { signal, useSignal } from "@preact/signals";
import type { ComponentChild } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useRowsInSight } from "./rows-in-sight.ts";
import { type SortedTable, type SortValue, sortedTable, unsorted } from "./sorting.ts";

export interface DataColumn {
  readonly name: string;
  /** Figures stand on the right. */
  readonly isFigure?: boolean;
  /** Shown when the pointer rests on the name. */
  readonly title?: string;
  /** A text that goes on in further lines where it is long, instead of being cut. */
  readonly isProse?: boolean;
  /** On a phone it stands on a second line of the row, with its name. */
  readonly isExtra?: boolean;
}

/** A cell as text, or as something that is shown for a text, with what it is sorted by: null is unknown. */
export type DataCell =
  | string
  | number
  | boolean
  | null
  | {
      readonly text: string;
      readonly shown?: ComponentChild;
      readonly by?: number | string | null;
    };

type Cells = readonly DataCell[];

const ROW_PX = 28;
/** The usual height of a row with a second line, before it is measured. */
const TWO_LINES_PX = 66;
/** The width of a character in the first line of a row. */
const CHAR_PX = 9;
/** The width of a row that its text does not have. */
const EDGE_PX = 56;
const WIDTH_MAX_CH = 48;
const PROSE_MAX_CH = 32;
/** Prose goes on in further lines before a table scrolls sideways; no column of it is narrower than this. */
const PROSE_MIN_CH = 12;
/** The width of a character in a table, of the page at most, and what stands beside a table there. */
const TABLE_CHAR_PX = 8.4;
const PAGE_MAX_PX = 1_600;
const BESIDE_PX = 80;
/** The space around a word of prose, whose letters are narrower than the widest ones. */
const WORD_SPARE_CH = 1.2;
const WIDTH_MIN_CH = 6;
/** The longest word of prose that is not broken: an accession number. */
const PROSE_WORD_CH = 20;
/** The room for the space around a cell, and in a heading for the sign of the order. */
const SPARE_CH = 1.6;
const SIGN_CH = 2;
/** A text column of at most this width, such as one of dates, is as wide as its texts on a phone. */
const SHORT_CH = 14;

/** The text of a cell; null has none. */
export const cellText = (cell: DataCell): string =>
  cell === null ? "" : typeof cell === "object" ? cell.text : String(cell);

/** The texts of a cell without a value. */
const UNKNOWN: ReadonlySet<string> = new Set(["", "–"]);

const shownOf = (cell: DataCell): ComponentChild =>
  cell !== null && typeof cell === "object" ? (cell.shown ?? cell.text) : cellText(cell);

function sortValue(cell: DataCell | undefined): SortValue {
  if (cell === null || cell === undefined) return undefined;
  if (typeof cell !== "object") return cell;
  return cell.by === undefined ? cell.text : (cell.by ?? undefined);
}

/** How much wider than a figure a capital letter is. */
const CAPITAL_CH = 0.2;

/** The width of a text; in a table a figure is as wide as any small letter. */
const widthOf = (text: string): number => text.length + CAPITAL_CH * text.replace(/[^A-Z]/g, "").length;

const longestWord = (text: string): number => Math.max(...text.split(" ").map(({ length }) => length));

/** How much wider bold letters are. */
const BOLD = 1.07;

/** The width of a heading that goes on in a second line. */
const narrowHeading = (name: string): number => Math.max(WIDTH_MIN_CH, BOLD * longestWord(name) + SPARE_CH);

/** The width of a heading in one line. */
const wideHeading = (name: string): number => Math.max(WIDTH_MIN_CH, name.length + SPARE_CH + SIGN_CH);

/** Widths in characters, from the longest text of each column. */
function widthsOf(
  columns: readonly DataColumn[],
  rows: readonly Cells[],
  heading: (name: string) => number,
  proseMost: number,
): number[] {
  const widths = columns.map(({ name }) => heading(name));
  for (const row of rows)
    for (const [i, cell] of row.entries()) {
      const length = widthOf(cellText(cell)) + SPARE_CH;
      const most = columns[i]?.isProse ? proseMost : WIDTH_MAX_CH;
      if (length > (widths[i] ?? 0)) widths[i] = Math.min(length, most);
    }
  return widths;
}

/**
 * Widths for a room. Where all together are too wide, headings go on in a second line, and each column of
 * prose is as wide as its longest word; what is then left goes to the prose with the most lines.
 */
function fitted(columns: readonly DataColumn[], rows: readonly Cells[], room: number): readonly number[] {
  const widths = widthsOf(columns, rows, wideHeading, PROSE_MAX_CH);
  if (widths.reduce((sum, each) => sum + each, 0) <= room) return widths;
  const narrow = widthsOf(columns, rows, narrowHeading, PROSE_MAX_CH);
  const texts = columns.map(({ isProse }, i) => (isProse ? rows.map((row) => cellText(row[i] ?? null)) : []));
  const most = (i: number, of: (text: string) => number) =>
    texts[i]?.reduce((longest, text) => Math.max(longest, of(text)), 0) ?? 0;
  const next = narrow.map((width, i) => {
    const least = Math.max(PROSE_MIN_CH, Math.min(PROSE_WORD_CH, most(i, longestWord)) + WORD_SPARE_CH);
    return columns[i]?.isProse ? Math.min(width, least) : width;
  });
  // One that scrolls sideways in any case keeps its lines few.
  if (next.reduce((sum, each) => sum + each, 0) > room) return widths;
  const lengths = columns.map((_, i) => most(i, ({ length }) => length));
  for (let left = Math.floor(room - next.reduce((sum, each) => sum + each, 0)); left > 0; left--) {
    const lines = next.map((width, i) => (width < (narrow[i] ?? 0) ? (lengths[i] ?? 0) / width : 0));
    const tallest = lines.indexOf(Math.max(...lines));
    if ((lines[tallest] ?? 0) === 0) break;
    next[tallest] = (next[tallest] ?? 0) + 1;
  }
  return next;
}

/** Characters of a table for which the page has room. */
const roomCh = (): number => (Math.min(window.innerWidth, PAGE_MAX_PX) - BESIDE_PX) / TABLE_CHAR_PX;

function Cell({
  cell,
  column: { isFigure = false, isProse = false },
}: {
  cell: DataCell;
  column: DataColumn;
}) {
  const kind = isFigure ? "figure" : isProse ? "prose" : undefined;
  if (cell === null)
    return (
      <td class={kind}>
        <span class="quiet">null</span>
      </td>
    );
  const text = cellText(cell);
  return (
    <td class={kind} title={!isProse && widthOf(text) > WIDTH_MAX_CH - SPARE_CH ? text : undefined}>
      {shownOf(cell)}
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
}

/**
 * The widths of the columns on a phone; where short texts do not fit beside the figures, they share what is
 * left.
 */
function phoneWidths(columns: readonly Placed[], lengths: readonly number[]): (string | undefined)[] {
  const lengthOf = ({ at }: Placed) => lengths[at] ?? 0;
  const isShort = (column: Placed) => lengthOf(column) <= SHORT_CH;
  const needed = columns.reduce(
    (sum, column) => sum + (column.isFigure || isShort(column) ? lengthOf(column) : SHORT_CH),
    0,
  );
  const fits = needed * CHAR_PX <= window.innerWidth - EDGE_PX;
  return columns.map((column) =>
    column.isFigure || (fits && isShort(column)) ? `${lengthOf(column)}ch` : undefined,
  );
}

/**
 * How the columns are laid out: on a phone with extra columns figures and short texts keep their width, and
 * longer texts share the rest.
 */
function useLayout(all: readonly DataColumn[], rows: readonly Cells[]): Layout {
  const placed = all.map((column, at) => ({ ...column, at }));
  const extra = isPhone.value ? placed.filter(({ isExtra }) => isExtra) : [];
  const isTwoLines = extra.length > 0;
  const lengths = useMemo(
    () => (isTwoLines ? widthsOf(all, rows, narrowHeading, WIDTH_MAX_CH) : fitted(all, rows, roomCh())),
    [all, rows, isTwoLines],
  );
  if (!isTwoLines)
    return {
      columns: placed,
      extra,
      widths: lengths.map((length) => `${length}ch`),
      width: `${lengths.reduce((sum, each) => sum + each, 0)}ch`,
    };
  const columns = placed.filter(({ isExtra }) => !isExtra);
  return { columns, extra, widths: phoneWidths(columns, lengths), width: "100%" };
}

function Row({ row, index, layout }: { row: Cells; index: number; layout: Layout }) {
  const { columns } = layout;
  // A field without a value would only fill the line.
  const extra = layout.extra.filter(({ at }) => !UNKNOWN.has(cellText(row[at] ?? null)));
  return (
    <>
      <tr class={extra.length > 0 ? "first" : undefined} aria-rowindex={index + 2}>
        {columns.map((column) => (
          <Cell key={`${column.at} ${column.name}`} cell={row[column.at] ?? null} column={column} />
        ))}
      </tr>
      {extra.length > 0 ? (
        <tr class="second">
          <td colSpan={columns.length}>
            {extra.map(({ name, at }, i) => (
              <span key={`${at} ${name}`}>
                {i > 0 ? " · " : ""}
                {name} {shownOf(row[at] ?? null)}
              </span>
            ))}
          </td>
        </tr>
      ) : null}
    </>
  );
}

const ORDERS = { asc: "ascending", desc: "descending" } as const;
const SIGNS = { asc: "▲", desc: "▼" } as const;

function Head({ layout: { columns, widths }, table }: { layout: Layout; table: SortedTable<Cells> }) {
  return (
    <>
      <colgroup>
        {columns.map(({ name, at }, i) => (
          <col key={`${at} ${name}`} style={{ width: widths[i] }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ name, isFigure, title, at }) => {
            const column = table.getColumn(String(at));
            const order = column?.getIsSorted() || undefined;
            return (
              <th
                key={`${at} ${name}`}
                scope="col"
                class={isFigure ? "figure" : undefined}
                title={title}
                aria-sort={order && ORDERS[order]}
              >
                <button type="button" onClick={() => column?.toggleSorting()}>
                  {name}
                  {order ? <span aria-hidden="true"> {SIGNS[order]}</span> : null}
                </button>
              </th>
            );
          })}
        </tr>
      </thead>
    </>
  );
}

/** On a phone the columns of the second line have no heading: the order is chosen from a list. */
function OrderChoice({ columns, table }: { columns: readonly DataColumn[]; table: SortedTable<Cells> }) {
  const [order] = table.atoms.sorting.get();
  return (
    <label class="order">
      Order{" "}
      <select
        value={order === undefined ? "" : `${order.id} ${order.desc ? "desc" : "asc"}`}
        onChange={({ currentTarget }) => {
          const [id = "", direction] = currentTarget.value.split(" ");
          table.setSorting(id === "" ? [] : [{ id, desc: direction === "desc" }]);
        }}
      >
        <option value="">as listed</option>
        {columns.flatMap(({ name }, at) =>
          (["asc", "desc"] as const).map((direction) => (
            <option key={`${at} ${direction}`} value={`${at} ${direction}`}>
              {name} {SIGNS[direction]}
            </option>
          )),
        )}
      </select>
    </label>
  );
}

const Space = ({ px, width }: { px: number; width: number }) =>
  px > 0 ? (
    <tbody>
      <tr class="space" style={{ height: `${px}px` }}>
        <td colSpan={width} />
      </tr>
    </tbody>
  ) : null;

/** `label` names the table for those who cannot see it. */
export function DataTable({
  label,
  columns,
  rows,
  isPart = false,
}: {
  label: string;
  columns: readonly DataColumn[];
  rows: readonly Cells[];
  /** Whether the service has more rows than these. */
  isPart?: boolean;
}) {
  const box = useRef<HTMLElement>(null);
  const sorting = useSignal(unsorted()).value;
  const table = useMemo(
    () => sortedTable(rows, columns.length, (row, at) => sortValue(row[at]), sorting),
    [rows, columns.length],
  );
  const layout = useLayout(columns, rows);
  const isTwoLines = layout.extra.length > 0;
  // The height of a row with a long text is read, not known.
  const isMeasured = isTwoLines || columns.some(({ isProse }) => isProse);
  const sorted = table.getRowModel().rows;
  const { items, above, below, measure } = useRowsInSight(
    box,
    sorted.length,
    isTwoLines ? TWO_LINES_PX : ROW_PX,
  );
  const width = layout.columns.length;
  const order = sorting.get();
  // Another order begins at its first row.
  useLayoutEffect(() => box.current?.scrollTo(0, 0), [order]);
  return (
    <>
      {isTwoLines && rows.length > 1 ? <OrderChoice columns={columns} table={table} /> : null}
      {isPart && order.length > 0 ? (
        <p class="quiet">Only the rows that are read are in this order; the service has more.</p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the keyboard scroll it */}
      <section class={isTwoLines ? "rows two-lines" : "rows"} aria-label={label} ref={box} tabIndex={0}>
        <table aria-rowcount={rows.length + 1} style={{ width: layout.width }}>
          <Head layout={layout} table={table} />
          <Space px={above} width={width} />
          {items.map(({ index }) => (
            <tbody key={index} data-index={index} ref={isMeasured ? measure : null}>
              <Row row={sorted[index]?.original ?? []} index={index} layout={layout} />
            </tbody>
          ))}
          <Space px={below} width={width} />
        </table>
      </section>
    </>
  );
}

// Reads the tables of an article's HTML as rectangles of text: spans filled in, footnote marks and hidden
// keys left out.
import { Parser } from "htmlparser2";

export interface PageTable {
  /** The id of the element; null without one. */
  readonly id: string | null;
  /** Cells of each row, header rows included; a cell with a span is repeated in each of its places. */
  readonly rows: readonly (readonly string[])[];
  /** Number of rows at the top that have only header cells. */
  readonly headerRows: number;
}

/** Most places one cell may span, so that a page cannot make us fill a million. */
// A cell of `rowspan="5000000"` fills 1,000 rows.
const SPAN_MAX = 1_000;

interface Cell {
  text: string;
  readonly across: number;
  readonly down: number;
  readonly header: boolean;
}

interface OpenTable {
  readonly id: string | null;
  readonly rows: Cell[][];
  cell: Cell | null;
}

const FOOTNOTE = /\[\s*(?:\d{1,3}|[a-z]{1,2}|note \d{1,3}|nb \d{1,3}|citation needed)\s*\]/gi;

/** Collapses white space, including no-break spaces, and removes footnote marks written as text. */
const tidy = (text: string): string =>
  text
    .replace(FOOTNOTE, "")
    .replace(/[\s\u00a0]+/g, " ")
    .trim();

const spanOf = (value: string | undefined): number => {
  const span = Number(value ?? 1);
  return Number.isInteger(span) && span >= 1 ? Math.min(span, SPAN_MAX) : 1;
};

/** Elements that a reader does not see as text: code, styles, footnote marks, and sort keys. */
function isSilent(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (name === "style" || name === "script") return true;
  if (name === "sup" && /\b(?:reference|noprint)\b/.test(attributes.class ?? "")) return true;
  return /display\s*:\s*none/i.test(attributes.style ?? "");
}

/** Expands the spans of cells into a rectangle. */
function rectangle(rows: readonly (readonly Cell[])[]): string[][] {
  const grid: string[][] = rows.map(() => []);
  rows.forEach((cells, y) => {
    let x = 0;
    for (const cell of cells) {
      while (grid[y]?.[x] !== undefined) x++;
      for (let dy = 0; dy < cell.down && y + dy < rows.length; dy++)
        for (let dx = 0; dx < cell.across; dx++) {
          const row = grid[y + dy];
          if (row) row[x + dx] = tidy(cell.text);
        }
      x += cell.across;
    }
  });
  return grid.map((row) => Array.from(row, (text) => text ?? ""));
}

function finished({ id, rows }: OpenTable): PageTable {
  const body = rows.findIndex((cells) => cells.length > 0 && cells.some((cell) => !cell.header));
  return { id, rows: rectangle(rows), headerRows: body < 0 ? rows.length : body };
}

/** Void elements never close, so they must not start a skipped part. */
const VOID = new Set(["br", "img", "hr", "input", "link", "meta", "wbr", "col"]);

/** All tables of the page in the order of their ends; a table within a cell is a separate one. */
export function readTables(html: string): PageTable[] {
  const done: PageTable[] = [];
  const open: OpenTable[] = [];
  let silent = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (silent > 0 || (isSilent(name, attributes) && !VOID.has(name))) {
          if (!VOID.has(name)) silent++;
          return;
        }
        const table = open.at(-1);
        if (name === "table") open.push({ id: attributes.id ?? null, rows: [], cell: null });
        else if (name === "tr") table?.rows.push([]);
        else if ((name === "td" || name === "th") && table) {
          const across = spanOf(attributes.colspan);
          const down = spanOf(attributes.rowspan);
          table.cell = { text: "", across, down, header: name === "th" };
          table.rows.at(-1)?.push(table.cell);
        } else if (name === "br" && table?.cell) table.cell.text += " ";
      },
      ontext(text) {
        const cell = silent > 0 ? null : open.at(-1)?.cell;
        if (cell) cell.text += text;
      },
      onclosetag(name) {
        if (silent > 0) {
          if (!VOID.has(name)) silent--;
          return;
        }
        const table = open.at(-1);
        if (!table) return;
        if (name === "td" || name === "th") table.cell = null;
        if (name !== "table") return;
        open.pop();
        done.push(finished(table));
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return done;
}

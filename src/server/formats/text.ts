// Rows as text: csv, ndjson, and records, a JSON array of rows. A number has one text in all of them, that of
// JSON: 410, never 410.0, and 1e-7.
import { cellOf, dateText, textMapper } from "../../platform/cells.ts";
import { type Batch, isValid, type Table, type Vector } from "../../platform/table.ts";

/** How a format writes its rows. */
interface Style {
  /** The text of a string, a day or an instant. */
  readonly text: (text: string) => string;
  /** Writes the texts of a dictionary. */
  readonly written: ReturnType<typeof textMapper>;
  /** The text of a cell without a value. */
  readonly none: string;
  readonly before: (columns: Table["columns"]) => string;
  readonly after: string;
  readonly rowStart: string;
  readonly rowEnd: string;
  /** Stands before each row but the first. */
  readonly between: string;
  /** Stands before the cell of a column. */
  readonly lead: (name: string, at: number) => string;
}

/** Puts an apostrophe before text that a spreadsheet would run as a formula; numbers stay unchanged. */
// "=1+1" becomes "'=1+1"; the number -1 stays -1.
const csvText = (text: string) => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const CSV: Style = {
  text: csvText,
  written: textMapper(csvText),
  none: "",
  before: (columns) => `${columns.map(({ name }) => csvText(name)).join(",")}\r\n`,
  after: "",
  rowStart: "",
  rowEnd: "\r\n",
  between: "",
  lead: (_, at) => (at === 0 ? "" : ","),
};

const jsonText = (text: string) => JSON.stringify(text);

const NDJSON: Style = {
  text: jsonText,
  written: textMapper(jsonText),
  none: "null",
  before: () => "",
  after: "",
  rowStart: "{",
  rowEnd: "}\n",
  between: "",
  lead: (name, at) => `${at === 0 ? "" : ","}${JSON.stringify(name)}:`,
};

const RECORDS: Style = { ...NDJSON, before: () => "[", after: "]\n", rowEnd: "}", between: ",\n" };

const STYLES = { csv: CSV, ndjson: NDJSON, records: RECORDS } as const;
export type TextFormat = keyof typeof STYLES;

/** Rows written before others have their turn: some 250 KB. */
const TURN_ROWS = 2_048;

/** The digits behind the whole number: of 5 hundredths ".05", of 50 ".5". */
const HUNDREDTHS = Array.from({ length: 100 }, (_, of) => String(of / 100).slice(1));
const HUNDREDTHS_MAX = 1e9;

/** Returns JSON's text of a number. Whole cents, as most prices are, take a quarter of the engine's time. */
export function numberText(value: number): string {
  const hundredths = Math.round(value * 100);
  const isPlain = hundredths >= 0 && hundredths < HUNDREDTHS_MAX && hundredths / 100 === value;
  if (!isPlain) return String(value);
  const whole = Math.trunc(hundredths / 100);
  return `${whole}${HUNDREDTHS[hundredths - whole * 100]}`;
}

/** Returns the text of each cell of a column. */
function cellTexts(vector: Vector, { text, written, none }: Style): (row: number) => string {
  const { valid } = vector;
  if (vector.type === "DOUBLE") {
    const { values } = vector;
    return (row) => (isValid(valid, row) ? numberText(values[row] ?? 0) : none);
  }
  if (vector.type === "VARCHAR") {
    const texts = written(vector.texts);
    const { values } = vector;
    return (row) => (isValid(valid, row) ? (texts[values[row] ?? 0] ?? none) : none);
  }
  if (vector.type === "DATE") {
    const { values } = vector;
    const [known, quote] = [new Map<number, string>(), text];
    return (row) => {
      if (!isValid(valid, row)) return none;
      const days = values[row] ?? 0;
      const found = known.get(days) ?? quote(dateText(days));
      known.set(days, found);
      return found;
    };
  }
  return (row) => {
    const cell = cellOf(vector, row);
    return cell === null ? none : typeof cell === "string" ? text(cell) : String(cell);
  };
}

/** The texts of a batch, some rows in each. */
function* batchTexts(
  { rows, vectors }: Batch,
  columns: Table["columns"],
  style: Style,
  isFirst: boolean,
): Generator<string> {
  const { rowStart, rowEnd, between, lead } = style;
  const leads = columns.map(({ name }, at) => `${at === 0 ? rowStart : ""}${lead(name, at)}`);
  const cells = vectors.map((vector) => cellTexts(vector, style));
  const width = cells.length;
  for (let from = 0; from < rows; from += TURN_ROWS) {
    let text = "";
    for (let row = from; row < Math.min(rows, from + TURN_ROWS); row++) {
      if (between !== "" && !(isFirst && row === 0)) text += between;
      for (let at = 0; at < width; at++)
        text += (leads[at] as string) + (cells[at] as (row: number) => string)(row);
      text += rowEnd;
    }
    yield text;
  }
}

/** The table as text. */
export async function* textChunks(table: Table, format: TextFormat): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const style = STYLES[format];
  const encoder = new TextEncoder();
  let [text, isFirst] = [style.before(table.columns), true];
  for await (const batch of table.batches()) {
    for (const more of batchTexts(batch, table.columns, style, isFirst)) {
      yield encoder.encode(text + more);
      text = "";
    }
    isFirst &&= batch.rows === 0;
  }
  yield encoder.encode(text + style.after);
}

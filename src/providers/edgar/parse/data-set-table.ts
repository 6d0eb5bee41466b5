// A table of a quarterly data set: tab-separated lines, indexed by the accession number at their start. Pure.
import { shapeChanged } from "../wire.ts";
import { boundedText } from "./bounded-text.ts";

/** Returns a row's cell by the name of its column; "" when the column is missing or the cell is empty. */
export type Cells = (column: string) => string;

const KEY = "ACCESSION_NUMBER";
const [TAB, NEWLINE] = [0x09, 0x0a];
/** Length of "0001094891-00-000193". */
const KEY_BYTES = 20;

/** Keeps the bytes as fetched: decoded, the tables of a quarter would take several times the memory. */
export class DataSetTable {
  readonly #bytes: Buffer;
  readonly #columns: ReadonlyMap<string, number>;
  /** Starts of the lines of each filing. */
  readonly #lines = new Map<string, number[]>();

  /**
   * Indexes the rows of `filings`, or of all. Throws UpstreamFailed when the table is missing or has another
   * shape.
   */
  constructor(name: string, bytes: Uint8Array | null, filings?: ReadonlySet<string>) {
    const document = "an insiders' data set";
    if (!bytes) throw shapeChanged(document, name, "a table of it");
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const header = this.#line(0)
      .replace(/^\uFEFF/, "")
      .split("\t")
      .map((column) => column.trim().toUpperCase());
    if (header[0] !== KEY) throw shapeChanged(document, `${name}'s first column`, KEY);
    this.#columns = new Map(header.map((column, i) => [column, i]));
    for (let at = this.#next(0); at < this.#bytes.length; at = this.#next(at)) {
      if (this.#bytes[at + KEY_BYTES] !== TAB) continue;
      const key = this.#bytes.toString("latin1", at, at + KEY_BYTES);
      if (filings && !filings.has(key)) continue;
      const lines = this.#lines.get(key);
      if (lines) lines.push(at);
      else this.#lines.set(key, [at]);
    }
  }

  get accessions(): IterableIterator<string> {
    return this.#lines.keys();
  }

  /** Returns the rows of a filing, in the order of the table or of the numbers in the column `orderedBy`. */
  rows(accession: string, orderedBy?: string): Cells[] {
    const rows = (this.#lines.get(accession) ?? []).map((at) => this.#cells(this.#line(at)));
    if (orderedBy === undefined) return rows;
    return rows.toSorted((a, b) => Number(a(orderedBy)) - Number(b(orderedBy)));
  }

  #cells(line: string): Cells {
    const cells = line.split("\t");
    return (column) => {
      const at = this.#columns.get(column);
      return at === undefined ? "" : boundedText(cells[at]?.trim() ?? "");
    };
  }

  #line(at: number): string {
    const end = this.#bytes.indexOf(NEWLINE, at);
    return this.#bytes.toString("utf8", at, end < 0 ? this.#bytes.length : end).replace(/\r$/, "");
  }

  #next(at: number): number {
    const end = this.#bytes.indexOf(NEWLINE, at);
    return end < 0 ? this.#bytes.length : end + 1;
  }
}

// Reads rows out of arrays: those of some symbols and days, in the order of symbol and day, whichever files
// they stand in.
import { yieldToEventLoop } from "../../event-loop.ts";
import { type Batch, isValid, type Vector } from "../../table.ts";
import { type Dataset, RECORDED } from "../dataset.ts";
import type { LakeFile } from "../manifest.ts";
import type { ArrayIndex } from "./layout.ts";
import { type Arrays, MadeColumn, type Piece, type Remake, readPieces, type Source } from "./piece.ts";

export interface SeriesRead {
  readonly symbols: readonly string[];
  /** Days of which rows are read. */
  readonly ranges: readonly { readonly start: string | null; readonly end: string }[];
  /** Columns of the batches, in this order. */
  readonly columns: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export interface SeriesReader {
  readonly dataset: Dataset;
  /** In the order of their first days. */
  readonly sources: readonly Source[];
  /** The generation whose rows are read; undefined for the newest. */
  readonly version: number | undefined;
  readonly remake: Remake;
}

/** Rows of one batch, unless a single symbol has more. */
const BATCH_ROWS = 16_384;
/** Rows that are looked at for one batch: of a single day a year's rows are. */
const SCANNED_ROWS = 131_072;
const DAY_MS = 86_400_000;
type DaySpan = readonly [first: number, last: number];
const ALL_DAYS: readonly DaySpan[] = [[-Infinity, Infinity]];

/** Days since 1970, ascending; a day that two ranges have is in one. */
function daySpans(ranges: SeriesRead["ranges"]): DaySpan[] {
  const day = (text: string) => Date.parse(text) / DAY_MS;
  const spans: [number, number][] = [];
  const all = ranges.map(({ start, end }): [number, number] => [
    start === null ? -Infinity : day(start),
    day(end),
  ]);
  for (const [first, last] of all.sort(([a], [b]) => a - b)) {
    const before = spans.at(-1);
    if (before && first <= before[1]) before[1] = Math.max(before[1], last);
    else if (first <= last) spans.push([first, last]);
  }
  return spans;
}

/** Where the columns of a source stand, and which of its rows count. */
interface Facts {
  readonly dayAt: number;
  /** Where the generations stand, in a file of which some rows are newer than the version. */
  readonly recordedAt: number | null;
  readonly columns: readonly number[];
  /** The days that count. */
  readonly days: readonly DaySpan[];
  /** The places of the file's texts in those of the batches, by column. */
  readonly places: readonly (Int32Array | undefined)[];
}

/** Facts about the sources; adds their texts to those of the columns. */
function factsOf(
  { dataset, version, sources }: SeriesReader,
  { ranges }: SeriesRead,
  columns: readonly string[],
  texts: readonly string[][],
): Facts[] {
  const day = dataset.series?.day ?? "";
  const known = texts.map(() => new Map<string, number>());
  const placesOf = (own: readonly string[], at: number) =>
    Int32Array.from(own, (text) => {
      const place = known[at]?.get(text) ?? (texts[at]?.push(text) ?? 0) - 1;
      known[at]?.set(text, place);
      return place;
    });
  return sources.map(({ file, arrays: { index } }) => {
    const at = (name: string) => index.columns.findIndex((column) => column.name === name);
    const [first = "", last = ""] = file.ranges[day] ?? [];
    const isWhole = ranges.some(({ start, end }) => first !== "" && (start ?? "") <= first && last <= end);
    return {
      dayAt: at(day),
      recordedAt: version !== undefined && (file.recorded?.[1] ?? 0) > version ? at(RECORDED) : null,
      columns: columns.map(at),
      days: isWhole ? ALL_DAYS : daySpans(ranges),
      places: columns.map((name, column) => index.texts[name] && placesOf(index.texts[name], column)),
    };
  });
}

/** Rows of a symbol within one source. */
interface Span {
  readonly source: number;
  readonly from: number;
  readonly to: number;
}

/** Symbols that are read at once, ascending, with where the rows of each stand. */
interface Group {
  readonly symbols: string[];
  readonly spans: Span[][];
}

function* groupsOf(
  { sources }: SeriesReader,
  { symbols, ranges }: SeriesRead,
  facts: readonly Facts[],
): Generator<Group> {
  const spanned = daySpans(ranges).reduce((days, [first, last]) => days + last - first + 1, 0);
  const empty = (): Group => ({ symbols: [], spans: [] });
  let group = empty();
  let [rows, scanned] = [0, 0];
  for (const symbol of [...new Set(symbols)].sort()) {
    const spans: Span[] = [];
    let [own, wanted] = [0, 0];
    for (const [source, { arrays }] of sources.entries()) {
      const { places, firstRows } = arrays.index;
      const place = places.get(symbol);
      if (place === undefined) continue;
      const [from, to] = [firstRows[place] ?? 0, firstRows[place + 1] ?? 0];
      spans.push({ source, from, to });
      own += to - from;
      wanted += facts[source]?.days !== ALL_DAYS ? Math.min(spanned, to - from) : to - from;
    }
    if (spans.length === 0) continue;
    if (rows + wanted > BATCH_ROWS || scanned + own > SCANNED_ROWS) {
      if (group.symbols.length > 0) yield group;
      group = empty();
      [rows, scanned] = [0, 0];
    }
    group.symbols.push(symbol);
    group.spans.push(spans);
    rows += wanted;
    scanned += own;
  }
  if (group.symbols.length > 0) yield group;
}

/** The place of the last number that is at most `value` in an ascending list. */
function placeOf(list: Uint32Array, value: number): number {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((list[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Calls `use` with each piece in which rows of a span stand, ascending. */
function eachPiece({ pieceRows }: ArrayIndex, { from, to }: Span, use: (piece: number) => void): void {
  for (let piece = placeOf(pieceRows, from); (pieceRows[piece] ?? to) < to; piece++) use(piece);
}

/** The pieces of a source in which rows of a group stand, ascending. */
function piecesOf(index: ArrayIndex, { spans }: Group, source: number): number[] {
  const wanted: number[] = [];
  for (const own of spans)
    for (const span of own)
      if (span.source === source)
        eachPiece(index, span, (piece) => {
          if (piece !== wanted.at(-1)) wanted.push(piece);
        });
  return wanted;
}

/** Calls `use` with the rows of a span of a piece that are of the days and of the version. */
function eachRun(
  piece: Piece,
  facts: Facts,
  start: number,
  end: number,
  version: number,
  use: (from: number, to: number) => void,
): void {
  const { recordedAt, dayAt } = facts;
  for (const [first, last] of facts.days) {
    const from = piece.rowFrom(dayAt, start, end, first);
    const to = piece.rowFrom(dayAt, from, end, last + 1);
    for (let row = from, open = from; row <= to; row++) {
      if (recordedAt === null) row = to;
      else if (row < to && piece.whole(recordedAt, row) <= version) continue;
      if (open < row) use(open, row);
      open = row + 1;
    }
  }
}

/** Consecutive rows of a piece that are copied. */
interface Segment {
  readonly facts: Facts;
  readonly piece: Piece;
  readonly from: number;
  readonly to: number;
}

/** The rows that count of a symbol, in the order of its files. */
function segmentsOf(
  { sources, version = 0 }: SeriesReader,
  all: readonly Facts[],
  pieces: readonly Map<number, Piece>[],
  spans: readonly Span[],
): Segment[] {
  const segments: Segment[] = [];
  for (const span of spans) {
    const { source, from: start, to: end } = span;
    const [index, facts] = [sources[source]?.arrays.index as ArrayIndex, all[source] as Facts];
    eachPiece(index, span, (number) => {
      const piece = pieces[source]?.get(number) as Piece;
      const [first, last] = [Math.max(0, start - piece.first), Math.min(piece.rows, end - piece.first)];
      eachRun(piece, facts, first, last, version, (from, to) => segments.push({ facts, piece, from, to }));
    });
  }
  return segments;
}

/** Puts rows of a batch in the order of their days. */
function reorder(columns: readonly MadeColumn[], days: Int32Array, from: number, to: number): void {
  const order = Array.from({ length: to - from }, (_, row) => from + row);
  order.sort((a, b) => (days[a] ?? 0) - (days[b] ?? 0));
  if (order.every((row, at) => row === from + at)) return;
  for (const column of columns) {
    const [cells, valid] = [column.cells.slice(), column.valid?.slice() ?? null];
    for (const [at, row] of order.entries()) {
      column.cells[from + at] = cells[row] as never;
      if (valid) column.set(from + at, isValid(valid, row));
    }
  }
}

/** Copies the rows of each symbol; gives the place of the symbol of each row. */
function copyRows(found: readonly Segment[][], columns: readonly MadeColumn[], days: Int32Array): Int32Array {
  const symbols = new Int32Array(days.length);
  let end = 0;
  for (const [symbol, segments] of found.entries()) {
    const start = end;
    for (const { facts, piece, from, to } of segments) {
      for (let at = 0; at < columns.length; at++) {
        const place = facts.columns[at] ?? -1;
        if (place >= 0) piece.copy(place, from, to, columns[at] as MadeColumn, end, facts.places[at]);
      }
      end += to - from;
    }
    symbols.fill(symbol, start, end);
    if (segments.length > 1) reorder(columns, days, start, end);
  }
  return symbols;
}

/** Reads the rows in batches, ordered by symbol and day; a symbol's rows stand in one batch. */
async function* readBatches(reader: SeriesReader, read: SeriesRead): AsyncGenerator<Batch> {
  const { by = "", day = "" } = reader.dataset.series ?? {};
  const names = [...new Set([...read.columns, day])];
  const types = reader.sources[0]?.arrays.index.columns ?? [];
  const texts: string[][] = names.map(() => []);
  const facts = factsOf(reader, read, names, texts);
  for (const group of groupsOf(reader, read, facts)) {
    read.signal?.throwIfAborted();
    const pieces = await Promise.all(
      reader.sources.map((source, at) =>
        readPieces(source, piecesOf(source.arrays.index, group, at), reader.remake),
      ),
    );
    const found = group.spans.map((spans) => segmentsOf(reader, facts, pieces, spans));
    const rows = found.reduce((sum, own) => own.reduce((count, { from, to }) => count + to - from, sum), 0);
    const columns = names.map((name, at) => {
      const type = types.find((column) => column.name === name)?.type ?? "VARCHAR";
      return new MadeColumn(type, name === by ? 0 : rows, texts[at] ?? []);
    });
    const symbols = copyRows(found, columns, columns[names.indexOf(day)]?.cells as Int32Array);
    const vectors = read.columns.map((name, at) => {
      if (name === by) return { type: "VARCHAR", values: symbols, texts: group.symbols, valid: null };
      const { type, cells: values, valid, texts } = columns[at] as MadeColumn;
      return type === "VARCHAR" ? { type, values, texts, valid } : { type, values, valid };
    }) as Vector[];
    if (rows > 0) yield { rows, vectors };
    await yieldToEventLoop();
  }
}

/** The batches of a read, the first of which is read already: a small answer is whole before it begins. */
export async function seriesBatches(
  reader: Omit<SeriesReader, "sources">,
  files: readonly LakeFile[],
  arrays: readonly Arrays[],
  read: SeriesRead,
): Promise<AsyncIterable<Batch>> {
  const firstDay = ({ file }: Source) => file.ranges[reader.dataset.series?.day ?? ""]?.[0] ?? "";
  const sources = files
    .flatMap((file, at): Source[] => (arrays[at] ? [{ file, arrays: arrays[at] }] : []))
    .sort((a, b) => (firstDay(a) < firstDay(b) ? -1 : 1));
  const batches = readBatches({ ...reader, sources }, read);
  const first = await batches.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* batches;
  })();
}

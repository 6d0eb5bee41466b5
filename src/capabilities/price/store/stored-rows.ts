// Streams the daily bars of an answer as its rows: the lake's engine joins and writes them in pieces, so that
// bars of any number of symbols never are in memory at once.
import type { DailyBar } from "../../../market/bar.ts";
import type { Columns, ColumnType } from "../../../platform/lake/dataset.ts";
import type { CopyFormat, Lake, Params, StagedTable } from "../../../platform/lake/lake.ts";
import { streamOfPieces } from "../../../platform/lake/read/piece-stream.ts";
import { barsOf, rowsByFirst } from "./columns.ts";
import type { Revision } from "./stored-bars.ts";
import { barsOfSpan, readOf, type StoredSpan } from "./stored-span.ts";

/** A bar that is not stored, as a row of an answer. */
export type AddedBar = Omit<Revision, "known_at" | "source"> & { readonly symbol: string };

/** The parts of an answer's rows beside the stored bars. */
export interface RowParts {
  /** In the order of the answer. */
  readonly symbols: readonly {
    readonly symbol: string;
    readonly adjusted_through: string | null;
    /** How many bars it has, stored or not. */
    readonly bars: number;
  }[];
  /** By ex date, on the basis of the bars. */
  readonly actions: readonly {
    readonly symbol: string;
    readonly date: string;
    readonly dividend: number | null;
    readonly capital_gain: number | null;
    readonly split_ratio: number | null;
    /** Whether a price of its bar is far off the closes around it. */
    readonly outlier: boolean;
  }[];
  /** Bars of days that have no stored one. */
  readonly provisional: readonly AddedBar[];
}

/** The rows of a JSON list that is bound to `$name`. */
const listed = (name: string, columns: string) =>
  `(SELECT unnest(from_json($${name}, '[{${columns}}]'), recursive := true))`;

const SYMBOLS = listed("listed", '"symbol":"VARCHAR","adjusted_through":"DATE","place":"INTEGER"');
const ACTIONS = listed(
  "actions",
  '"symbol":"VARCHAR","date":"DATE","dividend":"DOUBLE","capital_gain":"DOUBLE","split_ratio":"DOUBLE","outlier":"BOOLEAN"',
);
const PRICES = ["open", "high", "low", "close", "volume", "adjusted_close"];
const PROVISIONAL = listed(
  "provisional",
  ['"symbol":"VARCHAR","date":"DATE"', ...PRICES.map((name) => `"${name}":"DOUBLE"`)].join(","),
);

/** The rows in memory have their figures in one column: each column takes memory of its own for its nulls. */
const PACKED = `place, date, [${PRICES.join(", ")}]::DOUBLE[${PRICES.length}] AS figures, provisional, backfilled`;
const UNPACKED = `place, date, ${PRICES.map((name, at) => `figures[${at + 1}] AS ${name}`).join(", ")}, provisional, backfilled`;

/** How many rows are read at once, and how many are written at once. */
export interface RowSizes {
  /** Rows kept in memory while they are written: some 75 bytes each. */
  readonly stagedMax: number;
  /**
   * Rows of one piece of each format. Of Parquet two row groups, so that two threads write it. More rows take
   * more memory.
   */
  readonly pieceMax: Readonly<Record<CopyFormat, number>>;
  /** Rows of one piece of JSON, whose bars are made in this process. */
  readonly jsonMax: number;
}
const ROW_SIZES: RowSizes = {
  stagedMax: 1_500_000,
  pieceMax: { parquet: 122_880, csv: 153_600, ndjson: 61_440 },
  jsonMax: 8_000,
};

type SymbolPart = RowParts["symbols"][number];

/** Consecutive symbols with at most so many bars together, or one symbol with more. */
export function groupsOf<S extends { readonly bars: number }>(symbols: readonly S[], max: number): S[][] {
  const groups: S[][] = [[]];
  let bars = 0;
  for (const each of symbols) {
    const own = groups.at(-1) ?? [];
    if (own.length > 0 && bars + each.bars > max) {
      groups.push([each]);
      bars = each.bars;
    } else {
      own.push(each);
      bars += each.bars;
    }
  }
  return groups;
}

/** The stored and provisional bars of the listed symbols, by the places of these in the answer. */
const placedSql = (from: string) =>
  `SELECT s.place, b.date, b.open, b.high, b.low, b.close, b.volume, b.adjusted_close, b.provisional, b.backfilled
   FROM (SELECT symbol, date, open, high, low, close, volume::DOUBLE AS volume, adj_close AS adjusted_close,
       false AS provisional, backfilled ${from}
     UNION ALL BY NAME SELECT *, true AS provisional, false AS backfilled FROM ${PROVISIONAL}) b
   JOIN ${SYMBOLS} s ON b.symbol = s.symbol`;

/** The rows of an answer, from bars with their places. */
const rowsSql = (placed: string, format: CopyFormat) =>
  // Shares are whole. As text a DOUBLE would have a fraction.
  `SELECT s.symbol, b.date, b.open, b.high, b.low, b.close,
     b.volume::${format === "parquet" ? "DOUBLE" : "BIGINT"} AS volume, b.adjusted_close, a.dividend, a.split_ratio,
     b.provisional, b.backfilled, s.adjusted_through, a.capital_gain, coalesce(a.outlier, false) AS outlier
   FROM ${placed} b JOIN ${SYMBOLS} s ON b.place = s.place
   LEFT JOIN ${ACTIONS} a ON s.symbol = a.symbol AND b.date = a.date
   ORDER BY b.place, b.date`;

const typed = (type: ColumnType, ...names: readonly string[]): Columns =>
  Object.fromEntries(names.map((name) => [name, { type, nullable: true, description: name }]));

/** The columns of these rows, as the engine finds them when it plans the query. */
const ROW_COLUMNS: Columns = {
  ...typed("VARCHAR", "symbol"),
  ...typed("DATE", "date"),
  ...typed("DOUBLE", "open", "high", "low", "close"),
  ...typed("BIGINT", "volume"),
  ...typed("DOUBLE", "adjusted_close", "dividend", "split_ratio"),
  ...typed("BOOLEAN", "provisional", "backfilled"),
  ...typed("DATE", "adjusted_through"),
  ...typed("DOUBLE", "capital_gain"),
  ...typed("BOOLEAN", "outlier"),
};

const own = <T extends { readonly symbol: string }>(rows: readonly T[], symbols: readonly SymbolPart[]) => {
  const wanted = new Set(symbols.map(({ symbol }) => symbol));
  return rows.filter(({ symbol }) => wanted.has(symbol));
};

export function storedRows(lake: Lake, sizes = ROW_SIZES) {
  return {
    /** Whether a symbol has a bar in the span on one of the days. */
    async daysAmong(
      span: StoredSpan,
      days: readonly string[],
    ): Promise<(symbol: string, day: string) => boolean> {
      if (days.length === 0 || span.symbols.length === 0) return () => false;
      const rows = await lake.query<{ symbol: string; date: string }>(
        `SELECT symbol, date ${barsOfSpan(span)} AND date = ANY(CAST($days AS DATE[]))`,
        { days },
        readOf(span),
      );
      const found = new Set(rows.map(({ symbol, date }) => `${symbol} ${date}`));
      return (symbol, day) => found.has(`${symbol} ${day}`);
    },

    /** Streams the rows of an answer: symbol by symbol in the order of `parts`, oldest first. */
    streamRows: (span: StoredSpan, parts: RowParts, format: CopyFormat) =>
      streamRows(lake, sizes, span, parts, format),

    /** Reads the bars of an answer while they are sent: a list for each symbol of `parts`, oldest first. */
    readSeries: (span: StoredSpan, parts: RowParts) => readSeries(lake, sizes, span, parts),
  };
}

/** A symbol of the answer with its place in it. */
interface Placed extends SymbolPart {
  readonly place: number;
}

/** The rows that are read at once, and those of one piece. */
interface PlanSizes extends Pick<RowSizes, "stagedMax"> {
  readonly pieceMax: number;
}

/**
 * The symbols that are read at once, and of them those that are written at once. Where there are several
 * pieces, the first symbol with bars is read alone: the answer begins before the rest is read.
 */
export function planOf<S extends { readonly bars: number }>(
  symbols: readonly S[],
  { stagedMax, pieceMax }: PlanSizes,
) {
  const bars = symbols.reduce((sum, each) => sum + each.bars, 0);
  if (bars <= pieceMax) return [[[...symbols]]];
  const rest = symbols.findIndex((each) => each.bars > 0) + 1;
  const passes = groupsOf(symbols.slice(rest), stagedMax);
  return [[symbols.slice(0, rest)], ...passes.map((pass) => groupsOf(pass, pieceMax))];
}

/** A query for the bars of some symbols, by their places. */
function placedQuery(span: StoredSpan, parts: RowParts, symbols: readonly Placed[]) {
  const bars = barsOfSpan({ ...span, symbols: symbols.map(({ symbol }) => symbol) });
  const provisional = JSON.stringify(own(parts.provisional, symbols));
  return { sql: placedSql(bars), params: { listed: JSON.stringify(symbols), provisional } };
}

/**
 * Keeps the bars of one pass in memory at a time. Those of an answer are read in one version, as its request
 * is.
 */
function stagedPasses(
  lake: Lake,
  span: StoredSpan,
  queryOf: (passAt: number) => { sql: string; params: Params },
) {
  let staged: { readonly passAt: number; readonly rows: StagedTable } | undefined;
  const drop = async () => {
    await staged?.rows.drop();
    staged = undefined;
  };
  return {
    drop,
    async tableOf(passAt: number): Promise<string> {
      if (staged?.passAt === passAt) return staged.rows.table;
      await drop();
      const { sql, params } = queryOf(passAt);
      staged = {
        passAt,
        rows: await lake.stage(`SELECT ${PACKED} FROM (${sql})`, params, { ...readOf(span), heavy: true }),
      };
      return staged.rows.table;
    },
  };
}

/**
 * The pieces of an answer. What needs more than one is read into memory first, at most `stagedMax` rows at
 * once: the files are sorted by symbol, but a request names its symbols in any order, and each piece would
 * read most of them again.
 */
function piecesOf(lake: Lake, sizes: PlanSizes, span: StoredSpan, parts: RowParts) {
  const places = parts.symbols.map((each, place) => ({ ...each, place }));
  const passes = planOf(places, sizes);
  const pieces = passes.flatMap((pass, passAt) =>
    pass.map((symbols) => ({ symbols, passAt, isAlone: pass.length === 1 })),
  );
  const staged = stagedPasses(lake, span, (passAt) => placedQuery(span, parts, passes[passAt]?.flat() ?? []));
  return {
    pieces,
    drop: staged.drop,
    /** Gives a query for the bars of a piece, by their places. */
    async placed({ symbols, passAt, isAlone }: (typeof pieces)[number]): Promise<{
      sql: string;
      params: Params;
    }> {
      if (isAlone) {
        const { sql, params } = placedQuery(span, parts, symbols);
        return { sql: `(${sql})`, params };
      }
      const table = await staged.tableOf(passAt);
      const [first = 0, last = 0] = [symbols[0]?.place, symbols.at(-1)?.place];
      return {
        sql: `(SELECT ${UNPACKED} FROM ${table} WHERE place BETWEEN ${first} AND ${last})`,
        params: {},
      };
    },
  };
}

/** Streams the rows in pieces. */
async function streamRows(
  lake: Lake,
  sizes: RowSizes,
  span: StoredSpan,
  parts: RowParts,
  format: CopyFormat,
): Promise<ReadableStream<Uint8Array>> {
  const pieceMax = sizes.pieceMax[format];
  const { pieces, placed, drop } = piecesOf(lake, { ...sizes, pieceMax }, span, parts);
  const write = async (at: number) => {
    const piece = pieces[at];
    if (piece === undefined) throw new Error(`an answer of ${pieces.length} pieces has no piece ${at}`);
    const { sql, params } = await placed(piece);
    const own = { listed: JSON.stringify(piece.symbols), actions: JSON.stringify(actionsOf(parts, piece)) };
    return lake.copyOut(rowsSql(sql, format), { ...params, ...own }, format, {
      ...readOf(span),
      rowsOnly: at > 0,
      columns: ROW_COLUMNS,
    });
  };
  return streamOfPieces(format, { count: pieces.length, write, finish: drop });
}

const actionsOf = (parts: RowParts, { symbols }: { readonly symbols: readonly SymbolPart[] }) =>
  own(parts.actions, symbols);

const BAR_COLUMNS = "date, open, high, low, close, volume, adjusted_close, provisional, backfilled";

/** Writes payments, split ratios and outliers onto the bars of their days. */
function marked(bars: DailyBar[], actions: RowParts["actions"]): DailyBar[] {
  const byDate = new Map(actions.map((action) => [action.date, action]));
  for (const bar of bars) {
    const action = byDate.get(bar.date);
    if (action && action.dividend !== null) bar.dividend = action.dividend;
    if (action && action.capital_gain !== null) bar.capital_gain = action.capital_gain;
    if (action && action.split_ratio !== null) bar.split_ratio = action.split_ratio;
    if (action?.outlier) bar.outlier = true;
  }
  return bars;
}

/** Reads the bars symbol by symbol in the order of `parts`, some thousand rows at a time. */
async function* readSeries(
  lake: Lake,
  sizes: RowSizes,
  span: StoredSpan,
  parts: RowParts,
): AsyncGenerator<readonly DailyBar[]> {
  const read = { ...sizes, pieceMax: sizes.jsonMax };
  const { pieces, placed, drop } = piecesOf(lake, read, span, parts);
  try {
    for (const piece of pieces) {
      const { sql, params } = await placed(piece);
      const found = await lake.columns(
        `SELECT place, ${BAR_COLUMNS} FROM ${sql} ORDER BY place, date`,
        params,
        readOf(span),
      );
      const rows = rowsByFirst<number>(found);
      const actions = Map.groupBy(actionsOf(parts, piece), ({ symbol }) => symbol);
      for (const { place, symbol } of piece.symbols)
        yield marked(barsOf(found, rows.get(place)), actions.get(symbol) ?? []);
    }
  } finally {
    await drop();
  }
}

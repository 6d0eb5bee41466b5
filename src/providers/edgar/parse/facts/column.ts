// The numbers of a file where they belong: in a filing's column of one period, each as a tag has it, and as a
// line's figure.
import type { Past } from "./history.ts";
import { COMPARED_LINES, type ComparedLine, type LineSpec } from "./line.ts";
import type { FiscalLabel, Period } from "./period.ts";
import type { FormTier } from "./vintage.ts";

/** A sum of rounded figures may differ from its total by this many rounding units. */
// Made up, in millions: five parts of 10.4 are filed as 10 each, and their total as 52.
export const SUM_SLACK_UNITS = 2;

export interface Filing {
  readonly index: number;
  readonly accession: string;
  readonly form: string;
  /** The latest filing date among its rows, so that no figure is known too early. */
  filed: string;
  filedDay: number;
  readonly tier: FormTier;
  /** ISO 4217. Empty when it is unclear; none of the filing's figures is read then. */
  currency: string;
  /** The unit to which its amounts of money are rounded. */
  rounding: number;
  /** The fiscal year it says it is about; null when its rows name none, or two. */
  fiscalYear: number | null | undefined;
  /** The part of it, as "Q3"; null when its rows name two. */
  fiscalPeriod: string | null | undefined;
  /** Its columns by the index of their period. */
  readonly columns: (Column | undefined)[];
}

/** The number of one tag in a column. */
export interface Cell {
  readonly tag: Tag;
  readonly column: Column;
  /** NaN when the filing has a value that cannot be read. */
  value: number;
  unit: string;
  /** The filing also gives a different number for the same tag and period. */
  conflicting: boolean;
}

/** A tag and its numbers in one file. */
export class Tag {
  /** At most one for each column, in the order of the file. */
  readonly cells: Cell[] = [];
  /** The cells by the index of their column. */
  readonly #byColumn: (Cell | undefined)[] = [];

  /** @param id the name, after the taxonomy and a colon unless that is us-gaap */
  constructor(
    readonly id: string,
    readonly taxonomy: string,
    readonly name: string,
  ) {}

  in(column: Column): Cell | undefined {
    return this.#byColumn[column.index];
  }

  /** Adds the first number of a column. */
  add(cell: Cell): void {
    this.#byColumn[cell.column.index] = cell;
    this.cells.push(cell);
  }
}

/**
 * The power of ten by which a figure is off; 0 when it fits earlier figures, null when nothing can be
 * compared.
 */
export type Deviation = number | null;

/** A figure that was chosen for a line. */
export class Chosen {
  deviation: Deviation = null;
  /** The number as filed, or with the opposite sign where the sums of the statement show that one. */
  value: number;
  isReversed = false;
  /** Negative where the line is positive by its definition, and no sum of the statement says why. */
  isSignUnproven = false;
  /** A result with which the sums of the statement close only when its sign is reversed. */
  isContradicted = false;
  constructor(
    readonly spec: LineSpec,
    readonly cell: Cell,
    /** The figures of earlier reports for the line and period. */
    readonly past: Past,
  ) {
    this.value = cell.value;
  }

  reverse(): void {
    this.isReversed = true;
    this.value = -this.cell.value;
  }

  get filing(): Filing {
    return this.cell.column.filing;
  }

  get period(): Period {
    return this.cell.column.period;
  }
}

type Compared = Record<ComparedLine, Chosen | undefined>;
const NONE = Object.fromEntries(COMPARED_LINES.map((line) => [line, undefined])) as Compared;

/** The figures of one filing for one period. */
export class Column {
  /** The figures of the lines that are compared with each other. */
  readonly figures: Compared = { ...NONE };
  /** True once a line has a figure of it. */
  hasFigures = false;
  /** The last line for which one of its cells was chosen; lines are chosen one after the other. */
  lastLine: LineSpec | null = null;
  /** The fiscal year and quarter by what is known with its filing; null until that is read. */
  label: FiscalLabel | null = null;

  /** @param tags every tag of the file */
  constructor(
    readonly index: number,
    readonly filing: Filing,
    readonly period: Period,
    readonly tags: ReadonlyMap<string, Tag>,
  ) {}

  /** The value of a tag; undefined when the column has none. */
  readonly get = (tag: string): number | undefined => this.tags.get(tag)?.in(this)?.value;
}

/** The chosen figures of one filing in the order of the lines, and the columns that have any. */
export interface Report {
  readonly filing: Filing;
  readonly figures: Chosen[];
  readonly columns: Column[];
}

// The numbers of a file where they belong: in a filing's column of one period, each as a tag has it, and as a line's figure.
import type { Past } from "./facts-history.ts";
import type { LineSpec } from "./facts-line.ts";
import type { Period } from "./facts-period.ts";
import type { StatementLine } from "./facts-records.ts";
import type { FormTier } from "./facts-vintage.ts";

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
  readonly tag: string;
  readonly column: Column;
  /** NaN when the filing has a value that cannot be read. */
  value: number;
  unit: string;
  /** The filing also gives a different number for the same tag and period. */
  conflicting: boolean;
}

/** The power of ten by which a figure is off; 0 when it fits earlier figures, null when nothing can be compared. */
export type Deviation = number | null;

/** A figure that was chosen for a line. */
export interface Chosen {
  readonly spec: LineSpec;
  readonly filing: Filing;
  readonly period: Period;
  /** What earlier reports have for the line and period. */
  readonly past: Past;
  readonly tag: string;
  readonly value: number;
  readonly unit: string;
  readonly conflicting: boolean;
  /** A payment that is filed as a negative number and that the sums of the statement show to be one: `value` is positive. */
  readonly isReversed: boolean;
  deviation: Deviation;
}

/** What one filing says about one period. */
export class Column {
  readonly cells = new Map<string, Cell>();
  readonly figures = new Map<StatementLine, Chosen>();
  /** The last line for which one of its cells was chosen; lines are chosen one after the other. */
  lastLine: LineSpec | null = null;
  constructor(
    readonly filing: Filing,
    readonly period: Period,
  ) {}

  /** The value of a tag; undefined when the column has none. */
  readonly get = (tag: string): number | undefined => this.cells.get(tag)?.value;

  /** The figure of a line. */
  readonly of = (line: StatementLine): Chosen | undefined => this.figures.get(line);
}

/** The chosen figures of one filing in the order of the lines, and the columns that have any. */
export interface Report {
  readonly filing: Filing;
  readonly figures: Chosen[];
  readonly columns: Column[];
}

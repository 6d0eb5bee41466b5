// Scales the share counts and per-share figures of rows to one split basis. A figure whose factor is not
// certain is null, and a warning says why.
import { priceDigits } from "../../../market/float.ts";
import { shareRatio } from "../../../market/share-split.ts";
import type { FigureWarning, FinancialFact, StatementLine } from "../../../providers/edgar/index.ts";
import { type BasisWitnesses, basisWitnesses } from "./basis-witnesses.ts";
import { type BasedFigure, figureBases } from "./figure-basis.ts";
import type { FigureSource, Operand, Row } from "./records.ts";
import type { SplitHistory } from "./share-splits.ts";

type Factor = { readonly factor: number; readonly basis: string } | { readonly why: string };

/** A figure of a row that depends on splits. */
interface ShareFigure<Source = FigureSource> {
  readonly line: StatementLine;
  readonly value: number;
  readonly source: Source;
  readonly basis: string;
}

/** A row with its figures adjusted, and the reasons for those that could not be. */
interface AdjustedRow<L extends StatementLine> {
  readonly row: Row<L>;
  readonly reasons: ReadonlySet<string>;
}

export interface Adjusting {
  /** The facts that were known at `as_of`. */
  readonly facts: readonly FinancialFact[];
  readonly history: SplitHistory | { readonly why: string };
  /** The filer whose shares the symbol's prices are of. */
  readonly cik: string | null;
}

/** The figures of a row that depend on splits. */
export function shareFigures<L extends StatementLine>({ items, sources }: Row<L>): ShareFigure[] {
  return Object.entries<FigureSource | undefined>(sources).flatMap(([name, source]) => {
    const line = name as L;
    const [value, basis] = [items[line], source?.split_basis ?? null];
    return source && value !== null && basis !== null ? [{ line, value, source, basis }] : [];
  });
}

/** The number of new shares for one share of the figure, or why it is not certain. */
function factorOf(
  { source, basis }: ShareFigure<BasedFigure>,
  { symbol, splits, from, to }: SplitHistory,
  witnesses: BasisWitnesses,
  isOwn: boolean,
  basisOfFigure: ReturnType<typeof figureBases>,
): Factor {
  if (!isOwn)
    return { why: "the report is of a predecessor, whose shares may not have been exchanged one for one." };
  if (basis < from) return { why: `splits of ${symbol} before ${from} are not known.` };
  if (basis > to) return { why: `splits of ${symbol} after ${to} are not known.` };
  const found = basisOfFigure(source, basis, splits);
  if ("doubt" in found)
    return { why: `it is not known whether the split of ${found.doubt} is included in the figures.` };
  const factor = shareRatio(splits, found.basis, to);
  if (factor === null) return { why: `the ratio of a split of ${symbol} after ${basis} is not known.` };
  if (witnesses.contradict(source.accession_number, basis))
    return {
      why: `the share counts that several reports give for one period contradict the known splits of ${symbol}.`,
    };
  return { factor, basis: found.basis };
}

const scaled = ({ value, source }: ShareFigure, factor: number): number => {
  if (factor === 1) return value;
  return source.unit === "shares" ? Math.round(value * factor) : priceDigits(value / factor);
};

function adjustedRow<L extends StatementLine>(
  row: Row<L>,
  factorOfFigure: (figure: ShareFigure) => Factor,
  to: string | null,
): AdjustedRow<L> {
  const figures = shareFigures(row);
  if (figures.length === 0) return { row, reasons: new Set() };
  const items: Record<string, number | null> = { ...row.items };
  const sources: Record<string, FigureSource | undefined> = { ...row.sources };
  const reasons = new Set<string>();
  for (const figure of figures) {
    const found = factorOfFigure(figure);
    if ("why" in found) {
      reasons.add(found.why);
      items[figure.line] = null;
      delete sources[figure.line];
    } else {
      items[figure.line] = scaled(figure, found.factor);
      sources[figure.line] = {
        ...figure.source,
        split_basis: found.basis,
        split_factor: found.factor,
      };
    }
  }
  const hasAny = figures.some(({ line }) => items[line] !== null);
  const adjusted = { ...row, split_basis: hasAny ? to : null, items, sources } as Row<L>;
  return { row: adjusted, reasons };
}

/** A warning for each reason, with the ends of the periods that it is about. */
function warningsOf(rows: readonly AdjustedRow<StatementLine>[]): FigureWarning[] {
  const byReason = new Map<string, Row[]>();
  for (const { row, reasons } of rows)
    for (const reason of reasons) byReason.getOrInsertComputed(reason, () => []).push(row);
  return [...byReason].map(([reason, of]) => {
    const ends = [...new Set(of.map(({ period_end_date }) => period_end_date))].sort();
    const reports = [...new Set(of.map(({ accession_number }) => accession_number))];
    return {
      code: "not_adjusted",
      line: null,
      period_end: ends.length === 1 ? (ends[0] ?? null) : null,
      accession_number: reports.length === 1 ? (reports[0] ?? null) : null,
      detail: `Share counts and figures per share of the ${ends.length === 1 ? "period" : "periods"} to ${ends.join(", ")} cannot be adjusted and are null where this holds: ${reason}`,
    };
  });
}

const lowerFirst = (sentence: string) => sentence.replace(/^The /, "the ");

/**
 * Makes the scaler of a company's rows. Call it with the rows of every statement, then ask for its warnings.
 */
export function adjuster({ facts, history, cik }: Adjusting) {
  const isKnown = !("why" in history);
  const witnesses = isKnown ? basisWitnesses(facts, history) : null;
  const basisOfFigure = figureBases(facts);
  const filers = new Map(facts.map((fact) => [fact.accession_number, fact.cik]));
  const factor = (figure: ShareFigure<BasedFigure>): Factor => {
    if ("why" in history || witnesses === null)
      return { why: lowerFirst("why" in history ? history.why : "") };
    const isOwn = filers.get(figure.source.accession_number) === cik;
    return factorOf(figure, history, witnesses, isOwn, basisOfFigure);
  };
  const done: AdjustedRow<StatementLine>[] = [];
  return {
    rows<L extends StatementLine>(rows: readonly Row<L>[]): Row<L>[] {
      const adjusted = rows.map((row) => adjustedRow(row, factor, isKnown ? history.to : null));
      done.push(...(adjusted as unknown as AdjustedRow<StatementLine>[]));
      return adjusted.map(({ row }) => row);
    },
    warnings: () => warningsOf(done),
    /** Why figures per share of several reports may not be added; null where all are on one basis. */
    whyNotAdded(line: StatementLine, operands: readonly Operand[]): string | null {
      const factors = operands.map(({ split_basis, ...source }) =>
        factor({ line, value: source.value, source, basis: split_basis ?? "" }),
      );
      for (const found of factors) if ("why" in found) return found.why;
      const distinct = new Set(factors.map((found) => "factor" in found && found.factor));
      return distinct.size === 1 ? null : "shares were split between its quarters.";
    },
  };
}

// Figures per share of trailing twelve months: the sum of four reported quarters whose shares are on one
// basis, else null with the reason.
import type { FigureWarning, IncomeLine } from "../../../providers/edgar/index.ts";
import type { Operand, Row } from "./records.ts";

/** The code of a warning about figures per share of trailing twelve months that are null. */
export const NOT_PER_SHARE = "trailing_per_share";
const PER_SHARE = ["eps_basic", "eps_diluted"] as const;
const TOO_FEW =
  "not every one of the four quarters has a reported figure per share, or one was restated and another was not.";

/** Why figures per share may not be added; null where they may. */
export type WhyNotAdded = (line: IncomeLine, operands: readonly Operand[]) => string | null;

const isSummed = ({ period_type, basis }: Row<IncomeLine>): boolean =>
  period_type === "ttm" && basis === "derived";

/** The oldest basis of figures per share that are sums; undefined without such a figure. */
export const oldestSummed = (rows: readonly Row<IncomeLine>[]): string | undefined =>
  rows
    .filter(isSummed)
    .flatMap(({ sources }) => PER_SHARE.flatMap((line) => sources[line]?.operands ?? []))
    .flatMap(({ split_basis }) => split_basis ?? [])
    .sort()[0];

/** The rows without sums per share of several bases, and a warning for each row that has no such sum. */
export function withTrailingShares(rows: readonly Row<IncomeLine>[], whyNotAdded: WhyNotAdded) {
  const warnings: FigureWarning[] = [];
  const checked = rows.map((row) => {
    if (!isSummed(row)) return row;
    const reasons = PER_SHARE.flatMap((line) => {
      const operands = row.sources[line]?.operands;
      const why = operands ? whyNotAdded(line, operands) : TOO_FEW;
      return why === null ? [] : [{ line, why }];
    });
    if (reasons.length === 0) return row;
    const { period_end_date: period_end, accession_number } = row;
    const names = reasons.map(({ line }) => line.replaceAll("_", " ")).join(" and ");
    const detail = `Of the twelve months to ${period_end} ${names} cannot be added up and are null: ${reasons[0]?.why}`;
    warnings.push({ code: NOT_PER_SHARE, line: null, period_end, accession_number, detail });
    const [items, sources] = [{ ...row.items }, { ...row.sources }];
    for (const { line } of reasons) {
      items[line] = null;
      delete sources[line];
    }
    return {
      ...row,
      items,
      sources,
      split_basis: reasons.length === PER_SHARE.length ? null : row.split_basis,
    };
  });
  return { rows: checked, warnings };
}

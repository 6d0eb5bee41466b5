// A company's own label of a quarter, from the quarter's last month and the end of the fiscal year.

/** Fiscal years of 52 or 53 weeks may end in the first days of the next month. */
// A year that ends on 1 February counts as ending in January, one that ends on 8 February as ending in
// February.
const SPILL_DAYS = 7;

/**
 * The label such as `2027Q2`, for a quarter that ends in July 2026 when the fiscal year ends in January: the
 * year is the calendar year in which the fiscal year ends. Null when the year end is unknown or the quarter
 * does not divide such a year into fourths.
 */
export function fiscalLabel(quarterEnd: string, fiscalYearEnd: string | null): string | null {
  const [, month = "", day = ""] = /^(\d{2})-(\d{2})$/.exec(fiscalYearEnd ?? "") ?? [];
  if (month === "") return null;
  const endMonth = Number(day) <= SPILL_DAYS ? ((Number(month) + 10) % 12) + 1 : Number(month);
  const [year = 0, ownMonth = 0] = quarterEnd.split("-").map(Number);
  const monthsLeft = (endMonth - ownMonth + 12) % 12;
  if (monthsLeft % 3 !== 0) return null;
  return `${year + (ownMonth + monthsLeft > 12 ? 1 : 0)}Q${4 - monthsLeft / 3}`;
}

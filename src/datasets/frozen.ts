// The rows of each dataset that the world knew at a moment, for queries under a frozen clock.
import { type Dataset, literal, quoted, RECORDED, storedColumns } from "../platform/lake/dataset.ts";
import { actionCoverage } from "./action-coverage.ts";
import { barsDaily, FINAL_BASIS } from "./bars-daily.ts";
import { barsDailyRevisions } from "./bars-daily-revisions.ts";
import { barsIntraday } from "./bars-intraday.ts";
import { corporateActions } from "./corporate-actions.ts";
import { dividendCalendar } from "./dividend-calendar.ts";

/**
 * Datasets whose stored rows say more than was known: prices and amounts are adjusted for later splits, and
 * known before they were fetched. Their rows come from the macro that shows them as of a moment; columns that
 * it does not have are null.
 */
// Made up: a close of 25 stored after a 4:1 split is 100 under a clock before the split.
const BY_MACRO: ReadonlyMap<string, { readonly macro: string; readonly without: readonly string[] }> =
  new Map([
    [barsDaily.name, { macro: "bars", without: [] }],
    [barsIntraday.name, { macro: "intraday_bars", without: [] }],
    [barsDailyRevisions.name, { macro: "bar_revisions", without: [] }],
    [corporateActions.name, { macro: "scaled_actions", without: ["missing_through"] }],
    [dividendCalendar.name, { macro: "dividends_as_of", without: [] }],
  ]);

function throughMacro(
  dataset: Dataset,
  { macro, without }: { readonly macro: string; readonly without: readonly string[] },
  at: string,
): string {
  const missing = new Set([...without, RECORDED]);
  // The macro has put every row on the basis of the moment, except those of a company that held the symbol
  // before.
  const basis = `CASE WHEN basis_date = DATE '${FINAL_BASIS}' THEN basis_date
    WHEN basis_date IS NOT NULL THEN known_day(${at}) END AS basis_date`;
  const columns = Object.entries(storedColumns(dataset)).map(([name, { type }]) => {
    if (missing.has(name)) return `NULL::${type} AS ${quoted(name)}`;
    return name === "basis_date" ? basis : quoted(name);
  });
  return `SELECT ${columns.join(", ")} FROM ${macro}(${at})`;
}

/**
 * SQL of the rows of a dataset that were known at a moment. Needs the tables and macros of the whole lake.
 */
export function knownRows(dataset: Dataset, moment: Temporal.Instant): string {
  const at = `TIMESTAMPTZ ${literal(moment.toString())}`;
  const byMacro = BY_MACRO.get(dataset.name);
  if (byMacro) return throughMacro(dataset, byMacro, at);
  // That the stored actions are complete is no figure: it lets the bars above be shown on an earlier basis,
  // too.
  if (dataset === actionCoverage)
    return `SELECT * REPLACE (least(known_at, ${at}) AS known_at) FROM ${dataset.name}`;
  return `SELECT * FROM ${quoted(dataset.name)} WHERE known_at <= ${at}`;
}

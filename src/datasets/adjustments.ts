// Corporate actions as known at a moment, and the factors that they make between two bases of prices.
import { type Dataset, type LakeMetadata, type Macro, storedColumns } from "../platform/lake/dataset.ts";
import { actionCoverage } from "./action-coverage.ts";
import { FINAL_BASIS } from "./bars-daily.ts";
import { corporateActions } from "./corporate-actions.ts";
import { FACTORS, product } from "./late-actions.ts";
import { ADJUSTMENTS } from "./macro-columns.ts";

/**
 * The report of each action to use: the newest known by as_of. An action that was reported only later counts
 * in its first report from the open of its ex date on, since the market knew it then.
 */
// Made up: a split of 4 August first reported on 6 August counts under an `as_of` of 5 August, in that first
// report.
const reports = (moment: string) => `SELECT * FROM corporate_actions
    WHERE known_at <= known_by(${moment}) OR ex_date <= known_day(${moment})
    QUALIFY row_number() OVER (PARTITION BY symbol, ex_date, kind
      ORDER BY CASE WHEN known_at <= known_by(${moment}) THEN known_at END DESC NULLS LAST, known_at) = 1`;

export const actions: Macro = {
  name: "actions",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "Corporate actions as known by as_of: the newest report of each (symbol, ex_date, kind). An action fetched after as_of is known from 09:30 of its ex date on.",
  columns: storedColumns(corporateActions),
  body: () => reports("as_of"),
};

/**
 * The order of the reports `a` of an action for prices fetched at `fetched`, the last counts: the newest
 * known by then, which is in the prices, else the first. A later correction of the factor leaves them as they
 * were fetched, so it must not undo them.
 */
// Made up: 2 of 10.00 was paid, so 0.8 is in an adjusted close of 8.00. Once the close is corrected to 10.50
// the factor is 0.81, but before the ex date the adjusted close stays 8.00 / 0.8 = 10.00.
export const reportOrder = (fetched: string) =>
  `CASE WHEN a.known_at <= ${fetched} THEN epoch_us(a.known_at) ELSE -epoch_us(a.known_at) END`;

/**
 * The product of each day's factors and all later ones, and the day before from which on it counts. One
 * window, sorted once.
 */
const FACTORS_SINCE = `coalesce(lead(ex_date) OVER later, DATE '-infinity') AS since,
      ${product("split_factor", " OVER later")} AS split_factor, ${product("total_factor", " OVER later")} AS total_factor`;
export const LATER = "WINDOW later AS (PARTITION BY symbol ORDER BY ex_date DESC)";

export const adjustments: Macro = {
  name: "adjustments",
  kind: "table",
  parameters: ["basis := NULL", "after := DATE '-infinity'", "through := DATE 'infinity'"],
  description:
    "Factors for prices whose basis_date is in [since, ex_date): to the basis of the moment `basis`, or of today without it. It says nothing of what was known then: it takes no as_of, and has the splits and dividends after the moment too, since prices that were fetched later include them. bars(as_of) applies it. For an earlier basis_date it is the product of all splits (split_factor) or of all actions (total_factor) from ex_date up to the moment. For a later one it is one divided by the product of those after the moment, for symbols whose splits since then are complete (complete_actions). It takes each in its newest report when the price was fetched, else in its first. Null when one of them is unknown, and the total_factor where dividends may be missing. Actions up to `after` and later bases than `through` are left out.",
  columns: ADJUSTMENTS,
  body: () => `WITH daily AS NOT MATERIALIZED (SELECT symbol, ex_date, ${FACTORS}
      FROM (${reports("basis")}) GROUP BY symbol, ex_date),
    covered AS NOT MATERIALIZED (
      SELECT symbol, CASE WHEN dividends_from <= known_day(basis) + 1 THEN 1.0 END AS dividends FROM complete_actions()
      WHERE known_day(basis) < through AND from_date <= known_day(basis) + 1),
    ahead AS NOT MATERIALIZED (SELECT * FROM corporate_actions SEMI JOIN covered USING (symbol)
      WHERE ex_date > known_day(basis) AND ex_date <= through),
    fetches AS NOT MATERIALIZED (SELECT symbol, recorded_from,
        coalesce(lead(recorded_from) OVER (PARTITION BY symbol ORDER BY recorded_from), 'infinity') AS recorded_before
      FROM (SELECT symbol, TIMESTAMPTZ '-infinity' AS recorded_from FROM covered
        UNION SELECT symbol, known_at FROM (SELECT symbol, known_at FROM ahead
          QUALIFY row_number() OVER (PARTITION BY symbol, ex_date, kind ORDER BY known_at) > 1))),
    undone AS (SELECT symbol, recorded_from, recorded_before, since,
        ${product("split_factor")} AS split_factor, ${product("total_factor")} AS total_factor
      FROM (SELECT symbol, recorded_from, recorded_before, known_day(basis) + 1 AS since, 1.0 AS split_factor,
          dividends AS total_factor FROM covered JOIN fetches USING (symbol)
        UNION ALL SELECT symbol, recorded_from, recorded_before, ex_date, ${FACTORS} FROM (
          SELECT a.symbol, recorded_from, recorded_before, ex_date, kind,
            arg_max(price_factor, ${reportOrder("recorded_from")}) AS price_factor
          FROM fetches f JOIN ahead a ON f.symbol = a.symbol GROUP BY ALL)
        GROUP BY ALL)
      GROUP BY ALL)
    SELECT symbol, ex_date, ${FACTORS_SINCE},
      TIMESTAMPTZ '-infinity' AS recorded_from, TIMESTAMPTZ 'infinity' AS recorded_before
    FROM daily WHERE ex_date > after AND ex_date <= least(known_day(basis), (now() AT TIME ZONE 'America/New_York')::DATE)
    ${LATER}
    UNION ALL SELECT symbol, coalesce(lead(since) OVER upward, DATE '${FINAL_BASIS}') AS ex_date, since,
      1 / ${product("split_factor", " OVER upward")} AS split_factor, 1 / ${product("total_factor", " OVER upward")} AS total_factor,
      recorded_from, recorded_before
    FROM undone WINDOW upward AS (PARTITION BY symbol, recorded_from ORDER BY since)`,
};

/**
 * The factors of `adjustments` to the basis of today. Planning this query takes a fraction of the time of any
 * moment's.
 */
export const adjustmentsNow = (metadata: LakeMetadata, dataset: Dataset) => {
  const [oldest = "-infinity"] = metadata.range(dataset, "basis_date") ?? [];
  return `(SELECT symbol, ex_date, ${FACTORS_SINCE}
    FROM (SELECT symbol, ex_date, ${FACTORS} FROM (SELECT * FROM corporate_actions
        WHERE ex_date > DATE '${oldest}' AND ex_date <= (now() AT TIME ZONE 'America/New_York')::DATE
        QUALIFY row_number() OVER (PARTITION BY symbol, ex_date, kind ORDER BY known_at DESC) = 1)
      GROUP BY symbol, ex_date)
    ${LATER})`;
};

/**
 * Whether any action is after the oldest basis of a dataset. If none is, today every factor is 1 and no join
 * is needed.
 */
export function hasLaterActions(metadata: LakeMetadata, dataset: Dataset): boolean {
  const bases = metadata.range(dataset, "basis_date");
  const exDates = metadata.range(corporateActions, "ex_date");
  return bases !== null && exDates !== null && exDates[1] > bases[0];
}

const NO_ADJUSTMENTS = `(SELECT NULL::VARCHAR AS symbol, NULL::DATE AS ex_date, NULL::DATE AS since, NULL::DOUBLE AS split_factor,
      NULL::DOUBLE AS total_factor, NULL::TIMESTAMPTZ AS recorded_from, NULL::TIMESTAMPTZ AS recorded_before WHERE false)`;

/**
 * The adjustments that rows of a dataset can need: those between its oldest and its newest basis, and of
 * earlier moments.
 */
export function adjustmentsOf(metadata: LakeMetadata, dataset: Dataset, moment = "as_of"): string {
  const [oldest, newest] = metadata.range(dataset, "basis_date") ?? [];
  if (oldest === undefined) return `adjustments(${moment})`;
  const hasCoverage = metadata.partitions(actionCoverage).length > 0;
  if (!hasCoverage && !hasLaterActions(metadata, dataset)) return NO_ADJUSTMENTS;
  return `adjustments(${moment}, after := DATE '${oldest}', through := DATE '${newest}')`;
}

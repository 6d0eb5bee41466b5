// Daily bars with the actions that a provider listed late: SQL that brings each bar to the basis that its
// basis_date states.
import type { LakeMetadata } from "../platform/lake/dataset.ts";
import { corporateActions } from "./corporate-actions.ts";

/**
 * NULL when any factor is unknown: a product without it would give a wrong price. An unknown one counts as
 * NaN, which makes the whole product NaN, and no known one does: over a window that is one pass where asking
 * for nulls beside it makes two.
 */
// Factors 0.5 and 0.98 make 0.49; 0.5 and an unknown one make null, never 0.5.
export const product = (factor: string, over = "") =>
  `nullif(product(coalesce(${factor}, 'NaN'::DOUBLE))${over}, 'NaN'::DOUBLE)`;

/** The factors of actions, of those that are splits and of all. */
export const FACTORS = `${product("CASE WHEN kind = 'split' THEN price_factor ELSE 1 END")} AS split_factor,
        ${product("price_factor")} AS total_factor`;

/** Whether any action was listed after bars without it had been stored. */
export const hasLate = (metadata: Pick<LakeMetadata, "range">) =>
  metadata.range(corporateActions, "missing_through") !== null;

/**
 * Relation of the rows of `bars_daily`, each scaled by the actions that it is without though its basis_date
 * is on or after their ex date. These scale a bar whatever the moment: without them its prices are on no
 * basis at all. The first report that says so counts, and a later correction leaves the bar as it is.
 */
export const completeBars = (metadata: Pick<LakeMetadata, "range">): string =>
  hasLate(metadata)
    ? `(SELECT r.* REPLACE (
        ${["open", "high", "low", "close"].map((price) => completed(price, "split_factor")).join(", ")},
        CASE WHEN l.symbol IS NULL OR l.split_factor = 1 THEN r.volume
          ELSE whole_shares(r.volume / l.split_factor) END AS volume,
        CASE WHEN l.symbol IS NULL THEN r.adj_close ELSE r.adj_close * l.total_factor END AS adj_close)
      FROM bars_daily r LEFT JOIN (SELECT symbol, date, ${FACTORS} FROM (
          SELECT o.symbol, o.date, n.ex_date, n.kind, arg_min(n.price_factor, n.known_at) AS price_factor
          FROM bars_daily o JOIN corporate_actions n ON o.symbol = n.symbol AND o.date < n.ex_date
            AND o.basis_date >= n.ex_date AND o.basis_date <= n.missing_through
          GROUP BY ALL) GROUP BY symbol, date) l ON r.symbol = l.symbol AND r.date = l.date)`
    : "bars_daily";

const completed = (column: string, factor: string) =>
  `CASE WHEN l.symbol IS NULL OR l.${factor} = 1 THEN r.${column} ELSE price_digits(r.${column} * l.${factor}) END AS ${column}`;

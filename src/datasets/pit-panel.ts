// The point-in-time panel: every line of the short-volume files with that day's adjusted close, one definition for
// the route, the catalogue and the command line.

import { type LakeMetadata, literal, type Macro } from "../platform/lake/dataset.ts";
import { barsDaily } from "./bars-daily.ts";
import { shortVolume } from "./short-volume.ts";

/** A symbol counts as gone when it stands in no file of so many days. */
export const DELISTED_AFTER_DAYS = 30;
/** Fewer files than this in those days tell nothing. */
export const DELISTED_FILES_MIN = 10;

/** What a panel is to hold, as SQL. The macro writes it from its parameters, a reader that knows more writes constants. */
export interface PanelSql {
  /** Trade dates, inclusive. */
  readonly start: string;
  readonly end: string;
  /** Canonical symbols; all without it. */
  readonly symbols?: readonly string[] | undefined;
  /** Only symbols after this one; so the rest of a day is read without what was given before. */
  readonly after?: string | undefined;
  /** Whether a row of `known_at` is known. */
  readonly known: string;
  /** Actions up to this day are applied. */
  readonly today: string;
  /** The oldest basis of any bar; no action up to it is read, no bar of an older one. Null without bars. */
  readonly oldestBasis: string | null;
  /** Relation of (date, known_at): the version of each day's file that counts. */
  readonly versions: string;
  /** Days whose files say what trades now, inclusive. */
  readonly recentFrom: string;
  readonly recentTo: string;
  /** Whether these files are enough to say so. */
  readonly enough: string;
  /** Relation of the symbols in these files, where one has it at hand. */
  readonly trading?: string | undefined;
  /**
   * Read the bars once and keep them beside: quicker for whole days. A condition put on the panel from outside does
   * not reach them then, so the macro, which many filter by symbol, reads them twice.
   */
  readonly readOnce: boolean;
}

/** Null as soon as one factor is unknown, as in `adjustments`. */
const PRODUCT = "CASE WHEN bool_or(price_factor IS NULL) THEN NULL ELSE product(price_factor) END";

/** SELECT of the symbols in the files of some days. */
export const tradingSelect = (from: string, to: string, condition: string) =>
  `SELECT DISTINCT symbol FROM short_volume WHERE facility = 'CNMS' AND date BETWEEN ${from} AND ${to} AND ${condition}`;

/**
 * SELECT of the panel, unordered. Bars are scaled as bars(as_of) scales them, but only for the (symbol, basis) pairs
 * that occur: the factors of the whole market would cost more than the panel.
 */
export function panelSelect(sql: PanelSql): string {
  const { known, symbols, after } = sql;
  const chosen = symbols ? ` AND symbol IN (${symbols.map(literal).join(", ")})` : "";
  const own = after === undefined ? chosen : `${chosen} AND symbol > ${literal(after)}`;
  const oldest = sql.oldestBasis === null ? undefined : `DATE ${literal(sql.oldestBasis)}`;
  const based = oldest ? ` AND basis_date >= ${oldest}` : "";
  const since = oldest ? ` AND ex_date > ${oldest}` : "";
  const during = `date BETWEEN ${sql.start} AND ${sql.end}${own}`;
  return `WITH priced AS ${sql.readOnce ? "" : "NOT "}MATERIALIZED (
      SELECT symbol, date, adj_close, source, basis_date FROM bars_daily WHERE ${during} AND ${known}${based}),
    later AS (SELECT symbol, ex_date, kind, price_factor, known_at FROM corporate_actions
      WHERE ${known}${since} AND ex_date <= ${sql.today}${own}),
    factors AS (SELECT symbol, basis_date, ${PRODUCT} AS factor FROM (
        SELECT p.symbol, p.basis_date, arg_max_null(a.price_factor, a.known_at) AS price_factor
        FROM (SELECT DISTINCT symbol, basis_date FROM priced) p
        JOIN later a ON a.symbol = p.symbol AND a.ex_date > p.basis_date
        GROUP BY p.symbol, p.basis_date, a.ex_date, a.kind)
      GROUP BY symbol, basis_date),
    trading AS (${sql.trading ? `SELECT symbol FROM ${sql.trading}` : tradingSelect(sql.recentFrom, sql.recentTo, `${known}${own}`)})
    SELECT s.date, s.symbol, s.short_volume, s.short_exempt_volume, s.total_volume,
      CASE WHEN s.total_volume > 0 THEN s.short_volume / s.total_volume END AS short_volume_ratio,
      CASE WHEN f.symbol IS NULL THEN p.adj_close ELSE p.adj_close * f.factor END AS adj_close,
      CASE WHEN p.adj_close IS NULL OR (f.symbol IS NOT NULL AND f.factor IS NULL) THEN NULL ELSE p.source END AS adj_close_source,
      CASE WHEN ${sql.enough} THEN t.symbol IS NULL END AS is_delisted
    FROM (SELECT * FROM short_volume WHERE facility = 'CNMS' AND ${during}) s
    JOIN ${sql.versions} v ON s.date = v.date AND s.known_at = v.known_at
    LEFT JOIN priced p ON p.symbol = s.symbol AND p.date = s.date
    LEFT JOIN factors f ON f.symbol = p.symbol AND f.basis_date = p.basis_date
    LEFT JOIN trading t ON t.symbol = s.symbol`;
}

/** The newest day of which any file is stored, and the oldest basis of any bar; null without. */
export const panelMetadata = (metadata: Pick<LakeMetadata, "range">) => ({
  newestDay: metadata.range(shortVolume, "date")?.[1] ?? null,
  oldestBasis: metadata.range(barsDaily, "basis_date")?.[0] ?? null,
});

/** The panel of the macro's parameters. */
function ofParameters({ newestDay, oldestBasis }: ReturnType<typeof panelMetadata>): PanelSql {
  const known = "known_at <= known_by(as_of)";
  // Without now(), so that it is a constant to the planner, which then reads the newest files alone.
  const midnight = `DATE ${literal(newestDay ?? "1900-01-01")}::TIMESTAMP AT TIME ZONE 'America/New_York'`;
  const recentTo = `(least(known_by(as_of), ${midnight}) AT TIME ZONE 'America/New_York')::DATE`;
  const recentFrom = `(${recentTo} - ${DELISTED_AFTER_DAYS - 1})`;
  const recent = `facility = 'CNMS' AND date BETWEEN ${recentFrom} AND ${recentTo} AND ${known}`;
  return {
    ...{
      start: "start_date::DATE",
      end: "end_date::DATE",
      known,
      recentFrom,
      recentTo,
      oldestBasis,
      readOnce: false,
    },
    today: "(least(known_by(as_of), now()) AT TIME ZONE 'America/New_York')::DATE",
    versions: `(SELECT date, max(known_at) AS known_at FROM finra_files WHERE facility = 'CNMS' AND ${known} GROUP BY date)`,
    enough: `(SELECT count(DISTINCT date) >= ${DELISTED_FILES_MIN} FROM finra_files WHERE ${recent})`,
  };
}

export const pitPanel: Macro = {
  name: "pit_panel",
  kind: "table",
  parameters: ["start_date", "end_date", "as_of := NULL"],
  description: `Every symbol in FINRA's short-volume file of each day from start_date to end_date, as traded that day, with its adjusted close of that day (null where no price is stored; on the basis of bars(as_of)), as known by as_of. is_delisted: in none of the files of the last ${DELISTED_AFTER_DAYS} days, renamed ones too; null where fewer than ${DELISTED_FILES_MIN} of them are stored.`,
  body: (metadata) => panelSelect(ofParameters(panelMetadata(metadata))),
};

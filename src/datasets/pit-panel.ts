// The point-in-time panel: every line of the short-volume files with the adjusted close of its day. One
// definition for the route, the catalogue and the command line.

import { addDays } from "../market/date.ts";
import { columnsOf, type LakeMetadata, literal, type TableMacro } from "../platform/lake/dataset.ts";
import { reportOrder } from "./adjustments.ts";
import { barsDaily, FINAL_BASIS } from "./bars-daily.ts";
import { barsProvisional, PROVISIONAL_DAYS } from "./bars-provisional.ts";
import { completeBars } from "./late-actions.ts";
import { BACKFILLED } from "./macro-columns.ts";
import { shortVolume } from "./short-volume.ts";

/** A symbol counts as delisted when no file of this many days contains it. */
// Made up: files up to 31 July. A symbol last seen on 2 July is listed, one last seen on 1 July is delisted.
export const DELISTED_AFTER_DAYS = 30;
/** With fewer files than this in those days, is_delisted is unknown. */
// A lake with nine files of those days cannot tell a delisting from a day without trades: null.
export const DELISTED_FILES_MIN = 10;

/**
 * The SQL parts of a panel query. The macro builds them from its parameters; a reader that knows more uses
 * constants.
 */
export interface PanelSql {
  /** Trade dates, inclusive. */
  readonly start: string;
  readonly end: string;
  /** Canonical symbols; all without it. */
  readonly symbols?: readonly string[] | undefined;
  /** Only symbols after this one, to continue within a day. */
  readonly after?: string | undefined;
  /** The `as_of` that macros take; "NULL" for the present. */
  readonly asOf: string;
  /** Condition on `known_at` of files and their lines. */
  readonly known: string;
  /** Actions up to this day are applied. */
  readonly today: string;
  /** The first day whose provisional bars count; null where none does. */
  readonly provisionalFrom: string | null;
  /**
   * The oldest basis of any bar: actions up to it and bars of an older basis are not read. Null without bars.
   */
  readonly oldestBasis: string | null;
  /** Relation of the daily bars, each on the basis that it states. */
  readonly bars: string;
  /** Relation of (date, known_at): the version to use of each day's file. */
  readonly versions: string;
  /** The days whose files decide what is still trading, inclusive. */
  readonly recentFrom: string;
  readonly recentTo: string;
  /** Condition: whether these files are enough to decide. */
  readonly enough: string;
  /** Relation of the symbols in these files, if the caller has one. */
  readonly trading?: string | undefined;
  /**
   * Read the bars once and materialize them, which is faster for whole days. A condition that a query adds to
   * the panel does not reach them then, so the macro, which is often filtered by symbol, reads them twice.
   */
  readonly readOnce: boolean;
}

/** Null when any factor is unknown, as in `adjustments`. */
const PRODUCT = "CASE WHEN bool_or(price_factor IS NULL) THEN NULL ELSE product(price_factor) END";

/** SELECT of the symbols in the files of a range of days. */
export const tradingSelect = (from: string, to: string, condition: string) =>
  `SELECT DISTINCT symbol FROM short_volume WHERE facility = 'CNMS' AND date BETWEEN ${from} AND ${to} AND ${condition}`;

/** The values of a provisional bar that the panel takes: those of the newest fetch. */
// Made up: fetched at 17:00 with 20.10 and at 20:00 with 20.12: the panel has 20.12 until the bar is settled.
const NEWEST = ["adj_close", "source", "basis_date"]
  .map((column) => `arg_max(${column}, known_at) AS ${column}`)
  .join(", ");

/**
 * SELECT that adds the provisional bars of days without a settled one to `settled`; only where as_of is null.
 */
const withProvisional = ({ asOf, provisionalFrom }: PanelSql, during: string) => `
  SELECT *, false AS provisional FROM settled
  UNION ALL BY NAME
  SELECT q.*, false AS backfilled, true AS provisional FROM (
      SELECT symbol, date, ${NEWEST}, max(known_at) AS fetched FROM bars_provisional
      WHERE ${during} AND date >= ${provisionalFrom} AND ${asOf} IS NULL GROUP BY symbol, date) q
    ANTI JOIN settled USING (symbol, date)`;

/** The bars of the present: each on its basis or an earlier one, and the newest report of each action. */
const PRESENT = {
  priced: "true",
  isBackfilled: "false",
  between: "basis_date AS low, NULL::DATE AS high",
  fetched: "",
  rank: "a.known_at",
  factor: PRODUCT,
};

/** The bars and actions of a moment, by the rules of bars(as_of) and adjustments(basis). */
function ofMoment(asOf: string, today: string): typeof PRESENT {
  const day = `known_day(${asOf})`;
  const known = `known_at <= known_by(${asOf})`;
  return {
    priced: `date < settled_before(${asOf}) AND (basis_date <= ${day}
        OR (basis_date < DATE '${FINAL_BASIS}' AND symbol IN (
          SELECT symbol FROM complete_actions() WHERE dividends_from <= ${day} + 1))
        OR (basis_date = DATE '${FINAL_BASIS}' AND ${known}))`,
    isBackfilled: `NOT (${known})`,
    fetched: ", fetched",
    between: `CASE WHEN basis_date = DATE '${FINAL_BASIS}' THEN basis_date ELSE least(basis_date, ${day}) END AS low,
        CASE WHEN basis_date > ${day} THEN basis_date ELSE least(${day}, ${today}) END AS high`,
    // The newest report known by then, else the first one; of later actions by the fetch of the price.
    rank: `CASE WHEN a.ex_date <= ${day} THEN ${reportOrder(`known_by(${asOf})`)}
        WHEN a.price_factor IS NOT NULL THEN ${reportOrder("p.fetched")} END`,
    factor: `CASE WHEN basis_date > ${day} THEN 1 / (${PRODUCT}) ELSE ${PRODUCT} END`,
  };
}

/**
 * SELECT of the panel, unordered. It scales bars like bars(as_of), but only for the (symbol, basis) pairs
 * that occur: the factors of the whole market would cost more than the panel.
 */
export function panelSelect(sql: PanelSql): string {
  const { known, symbols, after, asOf, today } = sql;
  const isPresent = asOf === "NULL";
  const moment = isPresent ? PRESENT : ofMoment(asOf, today);
  const chosen = symbols ? ` AND symbol IN (${symbols.map(literal).join(", ")})` : "";
  const own = after === undefined ? chosen : `${chosen} AND symbol > ${literal(after)}`;
  const oldest = sql.oldestBasis === null ? undefined : `DATE ${literal(sql.oldestBasis)}`;
  const based = oldest ? ` AND basis_date >= ${oldest}` : "";
  const since = oldest ? ` AND ex_date > ${isPresent ? oldest : `least(${oldest}, known_day(${asOf}))`}` : "";
  const until = isPresent ? ` AND ex_date <= ${today}` : "";
  const during = `date BETWEEN ${sql.start} AND ${sql.end}${own}`;
  const materialized = `${sql.readOnce ? "" : "NOT "}MATERIALIZED`;
  return `WITH settled AS ${materialized} (
      SELECT symbol, date, adj_close, source, basis_date, ${moment.isBackfilled} AS backfilled${moment.fetched && ", known_at AS fetched"}
      FROM ${sql.bars}
      WHERE ${during} AND ${moment.priced}${based}),
    priced AS ${materialized} (${sql.provisionalFrom === null ? "SELECT *, false AS provisional FROM settled" : withProvisional(sql, during)}),
    later AS (SELECT symbol, ex_date, kind, price_factor, known_at FROM corporate_actions
      WHERE true${since}${until}${own}),
    factors AS (SELECT symbol, basis_date${moment.fetched}, ${moment.factor} AS factor FROM (
        SELECT p.symbol, p.basis_date${moment.fetched}, arg_max_null(a.price_factor, ${moment.rank}) AS price_factor
        FROM (SELECT DISTINCT symbol, basis_date${moment.fetched}, ${moment.between} FROM priced) p
        JOIN later a ON a.symbol = p.symbol AND a.ex_date > p.low${isPresent ? "" : " AND a.ex_date <= p.high"}
        GROUP BY p.symbol, p.basis_date${moment.fetched}, a.ex_date, a.kind)
      GROUP BY symbol, basis_date${moment.fetched}),
    trading AS (${sql.trading ? `SELECT symbol FROM ${sql.trading}` : tradingSelect(sql.recentFrom, sql.recentTo, `${known}${own}`)})
    SELECT s.date, s.symbol, s.short_volume, s.short_exempt_volume, s.total_volume,
      CASE WHEN s.total_volume > 0 THEN s.short_volume / s.total_volume END AS short_volume_ratio,
      CASE WHEN f.symbol IS NULL THEN adjusted_digits(p.adj_close) ELSE price_digits(p.adj_close * f.factor) END AS adj_close,
      CASE WHEN p.adj_close IS NULL OR (f.symbol IS NOT NULL AND f.factor IS NULL) THEN NULL ELSE p.source END AS adj_close_source,
      CASE WHEN ${sql.enough} THEN t.symbol IS NULL END AS is_delisted,
      CASE WHEN p.adj_close IS NULL OR (f.symbol IS NOT NULL AND f.factor IS NULL) THEN NULL ELSE p.backfilled END AS backfilled,
      CASE WHEN p.adj_close IS NULL OR (f.symbol IS NOT NULL AND f.factor IS NULL) THEN NULL
        WHEN p.provisional THEN 'provisional' ELSE 'settled' END AS price_status
    FROM (SELECT * FROM short_volume WHERE facility = 'CNMS' AND ${during}) s
    JOIN ${sql.versions} v ON s.date = v.date AND s.known_at = v.known_at
    LEFT JOIN priced p ON p.symbol = s.symbol AND p.date = s.date
    LEFT JOIN factors f ON f.symbol = p.symbol AND f.basis_date = p.basis_date${moment.fetched && " AND f.fetched = p.fetched"}
    LEFT JOIN trading t ON t.symbol = s.symbol`;
}

/**
 * The newest day with a stored file, the first day whose provisional bars count, and the oldest basis of any
 * bar; null where there is none.
 */
export function panelMetadata(metadata: Pick<LakeMetadata, "range">) {
  const bases = [barsDaily, barsProvisional].flatMap(
    (dataset) => metadata.range(dataset, "basis_date")?.[0] ?? [],
  );
  const newest = metadata.range(barsProvisional, "date")?.[1];
  return {
    newestDay: metadata.range(shortVolume, "date")?.[1] ?? null,
    provisionalFrom: newest ? addDays(newest, -PROVISIONAL_DAYS) : null,
    oldestBasis: bases.sort()[0] ?? null,
    bars: completeBars(metadata),
  };
}

/** The panel query from the macro's parameters. */
function ofParameters({
  newestDay,
  provisionalFrom,
  oldestBasis,
  bars,
}: ReturnType<typeof panelMetadata>): PanelSql {
  const known = "known_at <= known_by(as_of)";
  // Without now(), so that the planner sees a constant and reads only the newest files.
  const midnight = `DATE ${literal(newestDay ?? "1900-01-01")}::TIMESTAMP AT TIME ZONE 'America/New_York'`;
  const recentTo = `(least(known_by(as_of), ${midnight}) AT TIME ZONE 'America/New_York')::DATE`;
  const recentFrom = `(${recentTo} - ${DELISTED_AFTER_DAYS - 1})`;
  const recent = `facility = 'CNMS' AND date BETWEEN ${recentFrom} AND ${recentTo} AND ${known}`;
  return {
    start: "start_date::DATE",
    end: "end_date::DATE",
    asOf: "as_of",
    known,
    recentFrom,
    recentTo,
    oldestBasis,
    provisionalFrom: provisionalFrom && `DATE ${literal(provisionalFrom)}`,
    bars,
    readOnce: false,
    today: "(least(known_by(as_of), now()) AT TIME ZONE 'America/New_York')::DATE",
    versions: `(SELECT date, max(known_at) AS known_at FROM finra_files WHERE facility = 'CNMS' AND ${known} GROUP BY date)`,
    enough: `(SELECT count(DISTINCT date) >= ${DELISTED_FILES_MIN} FROM finra_files WHERE ${recent})`,
  };
}

export const pitPanel: TableMacro = {
  name: "pit_panel",
  kind: "table",
  parameters: ["start_date", "end_date", "as_of := NULL"],
  description: `Every symbol in FINRA's short-volume file of each day from start_date to end_date, as traded that day, with its adjusted close of that day, as known by as_of. The close is on the basis of bars(as_of), and null where no price is stored. backfilled: the price was fetched after as_of. price_status: settled, provisional (the close of the newest session, which is not final before the next one opens; never under as_of), or null without a price. is_delisted: the symbol is in none of the files of the last ${DELISTED_AFTER_DAYS} days, which includes renamed symbols; null where fewer than ${DELISTED_FILES_MIN} of these files are stored.`,
  columns: {
    ...columnsOf(shortVolume, "date", "symbol", "short_volume", "short_exempt_volume", "total_volume"),
    short_volume_ratio: {
      type: "DOUBLE",
      nullable: true,
      unit: "fraction",
      description: "short_volume / total_volume; null where total_volume is 0.",
    },
    adj_close: {
      ...barsDaily.columns.adj_close,
      description:
        "Close of the day adjusted for splits and dividends to as_of; null where no price is stored or a factor is unknown.",
    },
    adj_close_source: {
      type: "VARCHAR",
      nullable: true,
      description: "The provider that reported the price; null without one.",
    },
    is_delisted: {
      type: "BOOLEAN",
      nullable: true,
      description: `Whether no file of the last ${DELISTED_AFTER_DAYS} days contains the symbol; null where fewer than ${DELISTED_FILES_MIN} of these files are stored.`,
    },
    backfilled: {
      ...BACKFILLED,
      nullable: true,
      description: "Whether the price was fetched after as_of; null without a price.",
    },
    price_status: {
      type: "VARCHAR",
      nullable: true,
      description:
        "settled, or provisional for the newest session before the next one opens; null without a price.",
    },
  },
  body: (metadata) => panelSelect(ofParameters(panelMetadata(metadata))),
};

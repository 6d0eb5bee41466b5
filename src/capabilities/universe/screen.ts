// GET /universe/screen: the listings of a snapshot, filtered and sorted.
import type { Static } from "@sinclair/typebox";
import { UNIVERSE_ROWS_DEFAULT } from "../../limits.ts";
import { absent } from "../../market/absence.ts";
import { pageFacts, pageOf } from "../../market/answer-fields.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { earlierDay } from "../../market/date.ts";
import { asOfInstant, windowEnd } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import { Answer } from "../../platform/answer.ts";
import { tableOfRows } from "../../platform/cells.ts";
import { InvalidRequest, NotRead } from "../../platform/errors.ts";
import { shownInstant } from "../../platform/instant-text.ts";
import type { Lake, Params } from "../../platform/lake/lake.ts";
import { isReplaying } from "../../platform/reading.ts";
import type { TableColumnType } from "../../platform/table.ts";
import type { BuildLedger } from "./build-ledger.ts";
import { lastSessionOf, lastSettledMonth, monthBefore, monthOf } from "./months.ts";
import { oneOfWords } from "./registry-list.ts";
import type { ScreenAnswer, ScreenQuery, ScreenRow } from "./schema.ts";
import type { UniverseStore } from "./store.ts";

type Query = Static<typeof ScreenQuery>;

const NO_LISTING = "No row of the snapshot matches, or none is on this page.";

const column = (name: keyof ScreenRow & string, type: TableColumnType = "VARCHAR") => ({ name, type });

/** The fields of a row, in the order of the answer. */
const COLUMNS: readonly { readonly name: keyof ScreenRow & string; readonly type: TableColumnType }[] = [
  ...(["ticker", "name", "cik", "sector", "industry", "exchange", "security_type"] as const).map((name) =>
    column(name),
  ),
  column("market_cap", "DOUBLE"),
  column("close_price", "DOUBLE"),
  column("shares_outstanding", "BIGINT"),
  column("snapshot_date", "DATE"),
  column("currency"),
  column("basis_date", "DATE"),
  column("shares_source"),
  column("shares_as_of", "DATE"),
  column("shares_accession"),
  column("close_price_unadjusted", "DOUBLE"),
  column("shares_outstanding_pit", "BIGINT"),
  column("shares_pit_as_of", "DATE"),
  column("shares_pit_known_at", "TIMESTAMPTZ"),
  column("shares_pit_accession"),
  column("market_cap_pit", "DOUBLE"),
  column("missing"),
  column("known_at", "TIMESTAMPTZ"),
];
const FIELDS = COLUMNS.map(({ name }) => (name === "ticker" ? "symbol AS ticker" : name)).join(", ");

function conditions(query: Query): { where: string; params: Record<string, unknown> } {
  const params: Record<string, unknown> = {};
  const parts = [
    ...oneOfWords("sector", query.sector, params),
    ...oneOfWords("exchange", query.exchange, params),
  ];
  const bound = (name: "market_cap_min" | "market_cap_max" | "price_min", sql: string) => {
    if (query[name] === undefined) return;
    params[name] = query[name];
    parts.push(`${sql} CAST($${name} AS DOUBLE)`);
  };
  bound("market_cap_min", "market_cap >=");
  bound("market_cap_max", "market_cap <=");
  bound("price_min", "close_price >=");
  return { where: parts.length === 0 ? "true" : parts.join(" AND "), params };
}

function check({ market_cap_min: min, market_cap_max: max }: Query): void {
  if (min !== undefined && max !== undefined && min > max)
    throw new InvalidRequest("bad_request", "market_cap_min is greater than market_cap_max.");
}

/**
 * The rows of a snapshot as known at `as_of`. $date is the exact day of the snapshot, so no other file is
 * read.
 */
const SNAPSHOT = `SELECT * FROM universe_snapshots
  WHERE snapshot_date = CAST($date AS DATE) AND known_at <= known_by(CAST($as_of AS TIMESTAMPTZ))
  QUALIFY row_number() OVER (PARTITION BY listing ORDER BY known_at DESC) = 1`;

interface ScreenerDeps extends Pick<Services, "clock" | "calendar"> {
  readonly lake: Lake;
  readonly store: UniverseStore;
  readonly builds: Pick<BuildLedger, "running">;
}

/**
 * Says which snapshot answers for a day that has not come, and which month end has no snapshot, where the
 * answer is that of an earlier one. The newest month end that a day can have is the last whose close was
 * settled by the moment of the answer.
 */
// Asked for 2026-10-15 with snapshots up to 2026-01-30, the answer lacks the one of 2026-09-30.
function snapshotWarnings(
  { date, as_of }: Query,
  snapshot: string,
  { clock, calendar, builds }: Pick<ScreenerDeps, "clock" | "calendar" | "builds">,
): string[] {
  const at = windowEnd(asOfInstant(as_of), clock.now());
  const ahead =
    date > newYorkDate(at)
      ? [`${date} is in the future: the answer is the newest stored snapshot, that of ${snapshot}.`]
      : [];
  if (!calendar.covers(date)) return ahead;
  const settled = lastSettledMonth(calendar, at);
  const own = lastSessionOf(monthOf(date), calendar) <= date ? monthOf(date) : monthBefore(monthOf(date));
  const wanted = lastSessionOf(earlierDay(own, settled), calendar);
  if (wanted <= snapshot) return ahead;
  const isRunning = !isReplaying() && builds.running() !== null;
  const sentence = `The snapshot of ${wanted} is not stored: the answer is that of ${snapshot}${isRunning ? ", while a build of snapshots is running" : ""}.`;
  return [...ahead, absent("not_read", sentence)];
}

export function screener({ lake, store, clock, calendar, builds }: ScreenerDeps) {
  const snapshotOf = async (query: Query, as_of: string | null, signal: AbortSignal): Promise<string> => {
    const [row] = await lake.query<{ date: string | null }>(
      `SELECT max(snapshot_date) AS date FROM universe_snapshots
       WHERE snapshot_date <= CAST($date AS DATE) AND known_at <= known_by(CAST($as_of AS TIMESTAMPTZ))`,
      { date: query.date, as_of },
      { signal },
    );
    if (row?.date) return row.date;
    throw new NotRead(
      `No snapshot of the universe at or before ${query.date}${as_of === null ? "" : " as known then"} is stored.`,
      { hint: "POST /api/v1/universe/admin/discover, then /api/v1/universe/admin/build-snapshots." },
    );
  };

  /** The number of matching rows and of all rows of the snapshot, for a page without rows. */
  const counts = async (where: string, bound: Params, signal: AbortSignal): Promise<number[]> => {
    const { columns } = await lake.columns(
      `SELECT count(*) FILTER (WHERE ${where}), count(*) FROM (${SNAPSHOT})`,
      bound,
      { signal },
    );
    return columns.map((values) => Number(values[0]));
  };

  return async (query: Query, signal: AbortSignal): Promise<Answer<Static<typeof ScreenAnswer>>> => {
    check(query);
    const { limit = UNIVERSE_ROWS_DEFAULT, offset = 0, sort_by = "market_cap", sort_order = "desc" } = query;
    const as_of = asOfInstant(query.as_of)?.toString() ?? null;
    const snapshot_date = await snapshotOf(query, as_of, signal);
    const { where, params } = conditions(query);
    const sorted = sort_by === "ticker" ? "symbol" : sort_by;
    const bound = { ...params, date: snapshot_date, as_of } as Params;
    const page = await lake.columns(
      `SELECT ${FIELDS}, total, rows FROM (SELECT *, count(*) OVER () AS total
         FROM (SELECT *, count(*) OVER () AS rows FROM (${SNAPSHOT})) WHERE ${where})
       ORDER BY ${sorted} ${sort_order.toUpperCase()} NULLS LAST, symbol, listing LIMIT ${limit} OFFSET ${offset}`,
      bound,
      { signal },
    );
    const { columns, rowCount } = page;
    const counted = [columns.at(-2)?.[0], columns.at(-1)?.[0]].map(Number);
    const [total = 0, rows = 0] = rowCount > 0 ? counted : await counts(where, bound, signal);
    const since = await store.firstReading(signal);
    const head = {
      date: query.date,
      snapshot_date,
      survivorship_bias: since === null || snapshot_date < newYorkDate(Temporal.Instant.from(since)),
      listings_known_since: shownInstant(since),
      snapshot_rows: rows,
      ...pageOf(rowCount, total, { limit, offset }),
      warnings: [
        ...snapshotWarnings(query, snapshot_date, { clock, calendar, builds }),
        ...(rowCount === 0 ? [absent("nothing_there", NO_LISTING)] : []),
      ],
    };
    return screenAnswer(head, columns, rowCount);
  };
}

/** The answer of a page whose values are given by column, in the order of `COLUMNS`. */
function screenAnswer(
  head: Omit<Static<typeof ScreenAnswer>, "data">,
  columns: readonly (readonly unknown[])[],
  rowCount: number,
): Answer<Static<typeof ScreenAnswer>> {
  const valuesAt = (row: number) => COLUMNS.map((_, i) => columns[i]?.[row] ?? null);
  const rowAt = (row: number) =>
    Object.fromEntries(COLUMNS.map(({ name }, i) => [name, columns[i]?.[row] ?? null])) as ScreenRow;
  return new Answer(() => ({ ...head, data: Array.from({ length: rowCount }, (_, row) => rowAt(row)) }), {
    page: pageFacts(head),
    table: tableOfRows(`universe_${head.snapshot_date}`, COLUMNS, function* () {
      for (let row = 0; row < rowCount; row++) yield valuesAt(row);
    }),
  });
}

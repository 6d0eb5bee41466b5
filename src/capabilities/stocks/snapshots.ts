// Snapshots of the day gainers: taken every five minutes of the session, stored, and found by time.
import { gainerSnapshots } from "../../datasets/gainer-snapshots.ts";
import { GAINER_SNAPSHOT_MINUTES, GAINER_SNAPSHOT_ROWS } from "../../limits.ts";
import { type Calendar, newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { type StockRow, stockRow } from "../../market/stock-row.ts";
import { NotRead } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Job, JobContext } from "../../platform/jobs/job.ts";
import { batchOf } from "../../platform/lake/lake.ts";
import type { MarketLists } from "./lists.ts";

export interface Snapshot {
  readonly snapshot_at: string;
  readonly slot: string;
  readonly market_date: string;
  readonly rows: readonly StockRow[];
}

export interface SnapshotDay {
  readonly date: string;
  readonly taken: readonly { readonly snapshot_at: string; readonly slot: string; readonly count: number }[];
  /** Due times of the session that have passed without a snapshot. */
  readonly missing: readonly string[];
}

export interface SnapshotDeps extends Pick<Services, "lake" | "clock" | "calendar"> {
  readonly lists: Pick<MarketLists, "dayGainers">;
  readonly source: { readonly name: string };
}

const STEP_MS = GAINER_SNAPSHOT_MINUTES * 60_000;
const isAfter = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) > 0;

/**
 * Whether `at` is in a regular session, including the close; `graceMs` extends it for a run that starts late.
 */
function inSession(calendar: Calendar, at: Temporal.Instant, graceMs = 0): boolean {
  const date = newYorkDate(at);
  if (!calendar.covers(date) || !calendar.isSession(date)) return false;
  const close = calendar.sessionClose(date).add({ milliseconds: graceMs });
  return !isAfter(calendar.sessionOpen(date), at) && !isAfter(at, close);
}

/** All times of a session at which a snapshot is due, from the open to the close, both inclusive. */
export function slotsOf(calendar: Calendar, date: string): string[] {
  if (!calendar.covers(date) || !calendar.isSession(date)) return [];
  const open = calendar.sessionOpen(date).epochMilliseconds;
  const close = calendar.sessionClose(date).epochMilliseconds;
  return Array.from({ length: Math.floor((close - open) / STEP_MS) + 1 }, (_, i) =>
    instantText(open + i * STEP_MS),
  );
}

export function gainerHistory({ lists, source, lake, clock, calendar }: SnapshotDeps) {
  /**
   * Reads the list and stores the rows of this session. Right after the open the provider still lists the
   * gainers of the day before; those rows are left out, and nothing is stored when no row remains.
   */
  const take = async ({ signal, scheduledFor }: JobContext): Promise<{ rows: number }> => {
    const now = clock.now();
    if (!inSession(calendar, now, STEP_MS)) return { rows: 0 };
    const market_date = newYorkDate(now);
    const list = await lists.dayGainers(GAINER_SNAPSHOT_ROWS, signal);
    const isOfToday = (time: string | null) =>
      time !== null && newYorkDate(Temporal.Instant.from(time)) === market_date;
    const rows = list.rows
      .filter(({ price_time }) => isOfToday(price_time))
      .map((row, i) => ({
        market_date,
        slot: scheduledFor,
        ...stockRow(i + 1, row),
        known_at: list.as_of,
        source: source.name,
      }));
    if (rows.length > 0) await lake.append([batchOf(gainerSnapshots, rows)]);
    return { rows: rows.length };
  };

  const job: Job = {
    name: "gainer-snapshots",
    description: `Stores the ${GAINER_SNAPSHOT_ROWS} top gainers every ${GAINER_SNAPSHOT_MINUTES} minutes of the regular session, from the open to the close, both inclusive.`,
    schedule: `*/${GAINER_SNAPSHOT_MINUTES} 9-16 * * 1-5`,
    zone: "America/New_York",
    gate: (at) => inSession(calendar, at),
    deadlineMs: STEP_MS - 60_000,
    // A list that was not read in time cannot be read later.
    catchUp: "gap",
    fills: ["gainer_snapshots"],
    run: take,
  };

  return {
    job,

    /** The last snapshot read by `at`. Throws NotFound `no_data`. */
    async at(at: Temporal.Instant): Promise<Snapshot> {
      type Stored = StockRow & { known_at: string; slot: string; market_date: string };
      const rows = await lake.query<Stored>("SELECT * FROM gainers_at($at) ORDER BY rank", {
        at: instantText(at.epochMilliseconds),
      });
      const [first] = rows;
      if (!first)
        throw new NotRead(`No snapshot of the gainers had been stored by ${at.toString()}.`, {
          hint: "Snapshots are taken while the service runs, every five minutes of the regular session.",
        });
      const { known_at, slot, market_date } = first;
      return { snapshot_at: known_at, slot, market_date, rows: rows.map((row) => stockRow(row.rank, row)) };
    },

    /** The snapshots of a day; default: the newest session that has opened. */
    async ofDay(given: string | undefined): Promise<SnapshotDay> {
      const now = clock.now();
      const date = given ?? calendar.latestSession(now);
      type Stored = { known_at: string; slot: string; count: number };
      const stored = await lake.query<Stored>(
        `SELECT known_at, slot, count(*) AS count FROM gainer_snapshots
          WHERE market_date = $date::DATE GROUP BY ALL ORDER BY known_at`,
        { date },
      );
      const has = new Set(stored.map(({ slot }) => Temporal.Instant.from(slot).epochMilliseconds));
      const missing = slotsOf(calendar, date).filter((slot) => {
        const ms = Temporal.Instant.from(slot).epochMilliseconds;
        return ms + STEP_MS <= now.epochMilliseconds && !has.has(ms);
      });
      return {
        date,
        taken: stored.map(({ known_at, slot, count }) => ({ snapshot_at: known_at, slot, count })),
        missing,
      };
    },
  };
}

export type GainerHistory = ReturnType<typeof gainerHistory>;

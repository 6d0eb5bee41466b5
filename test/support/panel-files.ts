// Short-volume files of a few symbols, put into a lake as if they had been ingested.
import { finraFiles, shortVolume } from "../../src/datasets/index.ts";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { batchOf, type Lake } from "../../src/platform/lake/lake.ts";

/** A symbol and the days it stands in the files, both inclusive. */
export type Listed = readonly [symbol: string, first: string, last: string];

const calendar = exchangeCalendar();

/** Stores one file a session from `first` to `last`; gives how many lines they have. */
export async function storeFiles(
  lake: Lake,
  listed: readonly Listed[],
  first: string,
  last: string,
): Promise<number> {
  const rows = calendar.sessionsBetween(first, last).flatMap((date) => {
    const known_at = `${date}T23:00:00Z`;
    const of = { date, facility: "CNMS", known_at, fetched_at: known_at, source: "finra" };
    return listed
      .filter(([, from, to]) => date >= from && date <= to)
      .map(([symbol]) => ({
        ...of,
        symbol,
        short_volume: 400,
        short_exempt_volume: 1,
        total_volume: 1000,
        market: "Q",
      }));
  });
  const files = calendar.sessionsBetween(first, last).map((date) => ({
    facility: "CNMS",
    date,
    rows: rows.filter((row) => row.date === date).length,
    test_rows: 0,
    sha256: date,
    last_modified: null,
    known_at: `${date}T23:00:00Z`,
    fetched_at: `${date}T23:00:00Z`,
    source: "finra",
  }));
  await lake.append([batchOf(shortVolume, rows), batchOf(finraFiles, files)]);
  return rows.length;
}

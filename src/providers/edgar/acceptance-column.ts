// The column `acceptanceDateTime` of a submissions file: always written with Z, meant as UTC or as New York's clock.
import { isDate } from "../../market/date.ts";
import {
  type Acceptance,
  acceptanceOfColumn,
  acceptanceUnknown,
  type Dated,
  easternReadings,
} from "./acceptance.ts";

/*
 * `2026-03-06T16:46:18.000Z` in March and `2026-03-06T21:46:18.000Z` in June are the same filing (header: 16:46:18 in
 * New York). Both readings of a row are often possible, so it is read in the light of its file:
 * - EDGAR takes filings from 06:00 to 22:00 in New York. Where one reading lies in the night, or after the moment the
 *   file was fetched, the row proves the other.
 * - EDGAR adds new rows at the top on New York's clock and later rewrites the whole file in UTC. So rows above one that
 *   proves New York's clock are New York's too, rows below one that proves UTC are UTC; between them both stay possible.
 * A file in which the proofs do not lie in this order is none we understand: there only a row's own proof counts.
 */

export interface ColumnRow extends Dated {
  readonly accession_number: string;
  /** As it stands in the file, possibly empty. */
  readonly value: string;
}

const READINGS = ["eastern", "utc"] as const;
type Reading = (typeof READINGS)[number];
type Walls = Readonly<Record<Reading, Temporal.PlainDateTime>>;

const NEW_YORK = "America/New_York";
const OPENS = Temporal.PlainTime.from("06:00");
/** What is sent before 22:00 is accepted minutes later: 22:05:07 in New York has been seen (0000320193-22-000097). */
const CLOSES = Temporal.PlainTime.from("22:30");
const MIDNIGHT = Temporal.PlainTime.from("00:00");
/** Our clock may be behind EDGAR's by this much. */
const CLOCK_SKEW = Temporal.Duration.from({ minutes: 10 });
/** Staff and paper (0000000000-…, 9999999997-…): entered at night and on weekends, so they prove nothing. */
const BY_STAFF = /^(?:0000000000|99999999\d\d)-/;

/** A row with what its value says on either reading. */
interface Weighed {
  readonly row: ColumnRow;
  /** What clocks in New York showed; null where the value cannot be read or tells no time. */
  readonly wall: Walls | null;
  readonly proves: Reading | null;
}

const isOpen = (wall: Temporal.PlainDateTime): boolean => {
  const time = wall.toPlainTime();
  return Temporal.PlainTime.compare(time, OPENS) >= 0 && Temporal.PlainTime.compare(time, CLOSES) <= 0;
};

function weigh(row: ColumnRow, receivedAt: Temporal.Instant): Weighed {
  const [, date = "", time = ""] =
    /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.0+)?Z$/.exec(row.value.trim()) ?? [];
  if (!isDate(date)) return { row, wall: null, proves: null };
  const written = Temporal.PlainDateTime.from(`${date}T${time}`);
  const utc = written.toZonedDateTime("UTC").withTimeZone(NEW_YORK).toPlainDateTime();
  const wall = { eastern: written, utc };
  // Midnight sharp, on either reading, stands for "time unknown": rows before 2002 are full of it.
  if (READINGS.some((reading) => wall[reading].toPlainTime().equals(MIDNIGHT)))
    return { row, wall: null, proves: null };
  if (BY_STAFF.test(row.accession_number)) return { row, wall, proves: null };
  const latest = receivedAt.add(CLOCK_SKEW);
  const can = (reading: Reading) =>
    isOpen(wall[reading]) && momentsOf(wall, reading).some((at) => Temporal.Instant.compare(at, latest) <= 0);
  const [eastern, asUtc] = [can("eastern"), can("utc")];
  return { row, wall, proves: eastern === asUtc ? null : eastern ? "eastern" : "utc" };
}

/** The instants a value stands for on a reading. */
function momentsOf(wall: Walls, reading: Reading): Temporal.Instant[] {
  // Read as UTC the text itself is the instant; read as New York's clock it may have been shown twice, or never.
  return reading === "utc"
    ? [wall.eastern.toZonedDateTime("UTC").toInstant()]
    : easternReadings(wall.eastern);
}

function answer({ row, wall }: Weighed, settled: Reading | null): Acceptance {
  if (!wall) return acceptanceUnknown(row);
  const readings = settled ? [settled] : READINGS;
  return acceptanceOfColumn(
    readings.flatMap((reading) => momentsOf(wall, reading)),
    row,
  );
}

/**
 * When each row of ONE submissions file (`recent`, or an older page: never mixed) was accepted, in the order given.
 * Rows with two possible moments are "ambiguous" with `accepted_at` null: their header knows.
 * `receivedAt`: when the file was fetched.
 */
export function acceptancesOfColumn(
  rows: readonly ColumnRow[],
  receivedAt: Temporal.Instant,
): readonly Acceptance[] {
  const weighed = rows.map((row) => weigh(row, receivedAt));
  // By date and not by place: newest first is EDGAR's habit, not its promise.
  const newestFirst = weighed
    .map((one, place) => ({ ...one, place }))
    .sort((a, b) =>
      a.row.filing_date === b.row.filing_date ? 0 : a.row.filing_date < b.row.filing_date ? 1 : -1,
    );
  const lastEastern = newestFirst.findLastIndex((one) => one.proves === "eastern");
  const firstUtc = newestFirst.findIndex((one) => one.proves === "utc");
  const isOrdered = firstUtc === -1 || lastEastern < firstUtc;
  const settled = new Map<number, Reading | null>();
  newestFirst.forEach(({ place, proves }, index) => {
    if (!isOrdered) settled.set(place, proves);
    else if (index <= lastEastern) settled.set(place, "eastern");
    else settled.set(place, firstUtc !== -1 && index >= firstUtc ? "utc" : null);
  });
  return weighed.map((one, place) => answer(one, settled.get(place) ?? null));
}

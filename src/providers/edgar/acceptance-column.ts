// Reads the column `acceptanceDateTime` of a submissions file. It always ends in Z but means UTC or New York
// time.
import { isDate } from "../../market/date.ts";
import {
  type Acceptance,
  acceptanceOfColumn,
  acceptanceUnknown,
  type Dated,
  easternReadings,
} from "./acceptance.ts";

/*
 * `2026-03-06T16:46:18.000Z` in March and `2026-03-06T21:46:18.000Z` in June are the same filing (header:
 * 16:46:18 in New York). Both readings of a row are often possible, so the whole file is considered:
 * - EDGAR accepts filings from 06:00 to 22:00 in New York. When one reading falls into the night, or after
 *   the moment the file was fetched, the row proves the other reading.
 * - EDGAR adds new rows at the top in New York time and later rewrites the whole file in UTC. So rows above
 *   one that proves New York time are in New York time too, and rows below one that proves UTC are in UTC.
 *   Between them both readings stay possible.
 * When the proofs of a file are not in this order, only a row's own proof counts.
 */

export interface ColumnRow extends Dated {
  readonly accession_number: string;
  /** As in the file; may be empty. */
  readonly value: string;
}

const READINGS = ["eastern", "utc"] as const;
type Reading = (typeof READINGS)[number];
type Walls = Readonly<Record<Reading, Temporal.PlainDateTime>>;

const NEW_YORK = "America/New_York";
const OPENS = Temporal.PlainTime.from("06:00");
/**
 * A filing sent before 22:00 is accepted some minutes later: 22:05:07 in New York occurs
 * (0000320193-22-000097).
 */
const CLOSES = Temporal.PlainTime.from("22:30");
const MIDNIGHT = Temporal.PlainTime.from("00:00");
/** The local clock may be this much behind EDGAR's. */
// In a file fetched at 16:00:00 a reading of 16:05 is possible; one of 16:15 proves the other.
const CLOCK_SKEW = Temporal.Duration.from({ minutes: 10 });
/**
 * Staff and paper filings (0000000000-…, 9999999997-…) are entered at night and on weekends, so they prove
 * nothing.
 */
const BY_STAFF = /^(?:0000000000|99999999\d\d)-/;

/** A row with its value under both readings. */
interface Weighed {
  readonly row: ColumnRow;
  /** New York's wall clock under each reading; null when the value has no readable time. */
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
  // Midnight sharp, under either reading, means "time unknown". It is common in rows before 2002.
  if (READINGS.some((reading) => wall[reading].toPlainTime().equals(MIDNIGHT)))
    return { row, wall: null, proves: null };
  if (BY_STAFF.test(row.accession_number)) return { row, wall, proves: null };
  const latest = receivedAt.add(CLOCK_SKEW);
  const can = (reading: Reading) =>
    isOpen(wall[reading]) && momentsOf(wall, reading).some((at) => Temporal.Instant.compare(at, latest) <= 0);
  const [eastern, asUtc] = [can("eastern"), can("utc")];
  return { row, wall, proves: eastern === asUtc ? null : eastern ? "eastern" : "utc" };
}

/** The instants of a value under a reading. */
function momentsOf(wall: Walls, reading: Reading): Temporal.Instant[] {
  // As UTC the text is one instant. As New York time it may occur twice, or never.
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
 * Determines when each row of ONE submissions file (`recent` or one older page, never mixed) was accepted, in
 * the order given. Rows with two possible moments are "ambiguous" with `accepted_at` null; the filing's
 * header has the moment. `receivedAt` is when the file was fetched.
 */
export function acceptancesOfColumn(
  rows: readonly ColumnRow[],
  receivedAt: Temporal.Instant,
): readonly Acceptance[] {
  const weighed = rows.map((row) => weigh(row, receivedAt));
  // Sorted by date, since EDGAR does not guarantee the order newest first.
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

// When a filing became public, to the instant: from its header, its index page, the feed or the submissions column.
import { endOfDay, newYorkDate } from "../../market/calendar.ts";
import { isDate } from "../../market/date.ts";

/** second: an instant is known. ambiguous: two are possible. day: only the filing date is known. */
export type AcceptancePrecision = "second" | "ambiguous" | "day";
export type AcceptanceSource = "header" | "index_page" | "feed" | "column";

/** The moments of a filing; the same fields wherever a filing is told. */
export interface Acceptance {
  /** When EDGAR accepted it, RFC 3339 UTC; null unless the precision is "second": it is never guessed. */
  readonly accepted_at: string | null;
  /** EDGAR's date of filing, YYYY-MM-DD: not the date of acceptance for what comes after 17:30 in New York. */
  readonly filing_date: string;
  readonly precision: AcceptancePrecision;
  readonly source: AcceptanceSource | null;
  /**
   * From when anybody could read it, RFC 3339 UTC, on the safe side: of two possible moments the later, of the day on
   * which EDGAR made the file its end. Null when nothing but the filing date is known: in the 1990s filings came out
   * days after it (0001094891-00-000193: filed 2000-03-14, out on 2000-03-16). Null, too, for forms EDGAR publishes
   * weeks after it accepts them (letters to and from the staff, drafts).
   */
  readonly public_from: string | null;
}

/** What is known of a filing beside its moment of acceptance. */
export interface Dated {
  readonly filing_date: string;
  readonly form_type: string;
  /** Day on which EDGAR made the submission file: before 2002 there is no other trace of when it came out. */
  readonly document_date?: string | null;
}

const NEW_YORK = "America/New_York";
/** Accepted after 17:30 under the next day's date: public when EDGAR opens that day. */
const OPENS = Temporal.PlainTime.from("06:00");
const MIDNIGHT = Temporal.PlainTime.from("00:00");
/** Correspondence comes out 20 business days after a review ends, draft registrations before their road show. */
const HELD_BACK = /^(?:CORRESP|UPLOAD|LETTER|DRS|DRSLTR)(?:\/A)?$/;

/** The instants at which clocks in New York show `wall`: none in the hour spring leaves out, two in autumn's. */
function instantsOf(wall: Temporal.PlainDateTime): Temporal.Instant[] {
  const [earlier, later] = (["earlier", "later"] as const).map((disambiguation) =>
    wall.toZonedDateTime(NEW_YORK, { disambiguation }),
  );
  if (!earlier || !later) return [];
  if (earlier.epochMilliseconds === later.epochMilliseconds) return [later.toInstant()];
  return later.toPlainDateTime().equals(wall) ? [earlier.toInstant(), later.toInstant()] : [];
}

function publicFrom(accepted: Temporal.Instant, { filing_date }: Dated): Temporal.Instant {
  if (newYorkDate(accepted) >= filing_date) return accepted;
  const opening = { timeZone: NEW_YORK, plainTime: OPENS };
  return Temporal.PlainDate.from(filing_date).toZonedDateTime(opening).toInstant();
}

const laterDay = (a: string, b: string): string => (a > b ? a : b);

const latest = (instants: readonly Temporal.Instant[]): Temporal.Instant | undefined =>
  instants.toSorted(Temporal.Instant.compare).at(-1);

/** `2026-03-06T21:46:18Z`; whole seconds, for that is how EDGAR tells them. */
const textOf = (instant: Temporal.Instant): string => instant.toString({ smallestUnit: "second" });

/** The answer from the moments that are possible. Of a filing held back nothing is said of when it came out. */
function settle(
  possible: readonly Temporal.Instant[],
  source: AcceptanceSource | null,
  dated: Dated,
): Acceptance {
  const { filing_date, form_type, document_date } = dated;
  const [only] = possible;
  const moments = possible.map((instant) => publicFrom(instant, dated));
  const from = latest(moments) ?? (document_date ? endOfDay(laterDay(document_date, filing_date)) : null);
  return {
    accepted_at: only && possible.length === 1 ? textOf(only) : null,
    filing_date,
    precision: possible.length === 0 ? "day" : possible.length === 1 ? "second" : "ambiguous",
    source: possible.length === 0 ? null : source,
    public_from: from && !HELD_BACK.test(form_type) ? textOf(from) : null,
  };
}

/** A wall clock as EDGAR writes it; midnight sharp stands for "time unknown" (filings of the 1990s). Null for those. */
function readWall(date: string, time: string): Temporal.PlainDateTime | null {
  if (!isDate(date)) return null;
  try {
    const wall = Temporal.PlainDateTime.from(`${date}T${time}`);
    return wall.toPlainTime().equals(MIDNIGHT) ? null : wall;
  } catch {
    return null;
  }
}

function fromWall(wall: Temporal.PlainDateTime | null, source: AcceptanceSource, dated: Dated): Acceptance {
  return settle(wall ? instantsOf(wall) : [], source, dated);
}

/** Of a header's `<ACCEPTANCE-DATETIME>20260306164618`: New York's clock. `stamp` is null before about 2002 and in .nc files. */
export function acceptanceOfHeader(stamp: string | null, dated: Dated): Acceptance {
  const [, y, mo, d, h, mi, s] =
    /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(stamp?.trim() ?? "") ?? [];
  return fromWall(readWall(`${y}-${mo}-${d}`, `${h}:${mi}:${s}`), "header", dated);
}

/** Of an index page's `Accepted 2022-11-04 21:03:43`: New York's clock too. */
export function acceptanceOfIndexPage(text: string | null, dated: Dated): Acceptance {
  const [, date = "", time = ""] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(text?.trim() ?? "") ?? [];
  return fromWall(readWall(date, time), "index_page", dated);
}

/** Of the feed's `2025-12-12T18:02:34-05:00`, which alone carries its offset. */
export function acceptanceOfFeed(instant: Temporal.Instant, dated: Dated): Acceptance {
  return settle([instant], "feed", dated);
}

/** The answer where nothing but the filing date is known. */
export const acceptanceUnknown = (dated: Dated): Acceptance => settle([], null, dated);

/** The answer of the submissions column, whose two readings acceptance-column.ts weighs. */
export const acceptanceOfColumn = (possible: readonly Temporal.Instant[], dated: Dated): Acceptance =>
  settle(possible, "column", dated);

/** New York's clock showing what the column writes; used by acceptance-column.ts. */
export const easternReadings = instantsOf;

// Determines when a filing became public: from its header, its index page, the feed or the submissions
// column.
import { endOfDay, newYorkDate } from "../../market/calendar.ts";
import { isDate } from "../../market/date.ts";

/** second: the instant is known. ambiguous: two are possible. day: only the filing date is known. */
export type AcceptancePrecision = "second" | "ambiguous" | "day";
export type AcceptanceSource = "header" | "index_page" | "feed" | "column";

/** The moments of a filing. All records of filings have these fields. */
export interface Acceptance {
  /** When EDGAR accepted it, RFC 3339 UTC. Never guessed: null unless the precision is "second". */
  readonly accepted_at: string | null;
  /**
   * EDGAR's filing date, YYYY-MM-DD. A filing after 17:30 in New York has the date of the next business day.
   */
  readonly filing_date: string;
  readonly precision: AcceptancePrecision;
  readonly source: AcceptanceSource | null;
  /**
   * When it became public, RFC 3339 UTC, never too early: the later of two possible moments, or the end of
   * the day on which EDGAR made the file. Null when only the filing date is known: in the 1990s filings came
   * out days after it (0001094891-00-000193: filed 2000-03-14, public on 2000-03-16). Also null for forms
   * that EDGAR publishes weeks after acceptance (letters to and from the staff, drafts).
   */
  readonly public_from: string | null;
}

/** The facts about a filing that date it beside its moment of acceptance. */
export interface Dated {
  readonly filing_date: string;
  readonly form_type: string;
  /** Day on which EDGAR made the submission file: before 2002 the only evidence of when it became public. */
  readonly document_date?: string | null;
}

const NEW_YORK = "America/New_York";
/** A filing accepted after 17:30 has the next day's date. It becomes public when EDGAR opens on that day. */
// Accepted on Friday 6 March 2026 at 17:45 and dated Monday 9 March: public on Monday at 06:00.
const OPENS = Temporal.PlainTime.from("06:00");
const MIDNIGHT = Temporal.PlainTime.from("00:00");
/**
 * EDGAR publishes correspondence 20 business days after a review ends, draft registrations before their road
 * show.
 */
const HELD_BACK = /^(?:CORRESP|UPLOAD|LETTER|DRS|DRSLTR)(?:\/A)?$/;

/**
 * The instants at which clocks in New York show `wall`: none in the hour skipped in spring, two in the
 * repeated hour.
 */
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

/** `2026-03-06T21:46:18Z`: EDGAR gives whole seconds. */
const secondText = (instant: Temporal.Instant): string => instant.toString({ smallestUnit: "second" });

/** Makes the result from the possible moments. For forms that EDGAR holds back, `public_from` stays null. */
// An ambiguous 01:30 on the day the clocks go back: `accepted_at` is null, `public_from` the later of the
// two.
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
    accepted_at: only && possible.length === 1 ? secondText(only) : null,
    filing_date,
    precision: possible.length === 0 ? "day" : possible.length === 1 ? "second" : "ambiguous",
    source: possible.length === 0 ? null : source,
    public_from: from && !HELD_BACK.test(form_type) ? secondText(from) : null,
  };
}

/** Reads a wall clock time. Null for midnight sharp, which means "time unknown" in filings of the 1990s. */
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

/**
 * From a header's `<ACCEPTANCE-DATETIME>20260306164618`, in New York time. Null before about 2002 and in .nc
 * files.
 */
export function acceptanceOfHeader(stamp: string | null, dated: Dated): Acceptance {
  const [, y, mo, d, h, mi, s] =
    /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(stamp?.trim() ?? "") ?? [];
  return fromWall(readWall(`${y}-${mo}-${d}`, `${h}:${mi}:${s}`), "header", dated);
}

/** From an index page's `Accepted 2022-11-04 21:03:43`, in New York time. */
export function acceptanceOfIndexPage(text: string | null, dated: Dated): Acceptance {
  const [, date = "", time = ""] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(text?.trim() ?? "") ?? [];
  return fromWall(readWall(date, time), "index_page", dated);
}

/** From the feed's `2025-12-12T18:02:34-05:00`, the only source with an offset. */
export function acceptanceOfFeed(instant: Temporal.Instant, dated: Dated): Acceptance {
  return settle([instant], "feed", dated);
}

/** The result when only the filing date is known. */
export const acceptanceUnknown = (dated: Dated): Acceptance => settle([], null, dated);

/** From the submissions column, of which acceptance-column.ts finds the possible meanings. */
export const acceptanceOfColumn = (possible: readonly Temporal.Instant[], dated: Dated): Acceptance =>
  settle(possible, "column", dated);

/** The instants of a column's value when it is New York time. Used by acceptance-column.ts. */
export const easternReadings = instantsOf;

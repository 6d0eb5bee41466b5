// The Forms 3, 4, 5 and Schedules 13D, 13G on a company in a year, by hand and by chance, each with a number
// of its own.
import { keyOf } from "../randomness.ts";
import { dateOf, dayOf } from "../sessions.ts";
import { OPENS_S, openingOf } from "./days.ts";
import type { Filer } from "./filers.ts";
import { accessionOf, datesAt, datesOf, type Filing, TIMED_FROM } from "./filing.ts";
import { type FormDraft, formsOf } from "./insider-events.ts";
import { filingFactsOf } from "./ownership-facts.ts";
import type { OwnershipFiling } from "./ownership-filings.ts";
import { schedulesOf } from "./passive-holdings.ts";

/** Far above the numbers of what the company files itself, below those set by hand. */
const FIRST_FORM = 500_001;
const FIRST_SCHEDULE = 700_001;

function filing(
  seed: number,
  filer: Filer,
  form: string,
  content: OwnershipFiling,
): Omit<Filing, "accession" | "acceptedAt" | "filingDate" | "publicAt"> {
  return {
    filer,
    partner: null,
    form,
    items: [],
    period: "",
    layout: "paragraphs",
    exhibits: [],
    oddity: null,
    seed,
    key: 0,
    content,
  };
}

function byHand(seed: number, filer: Filer, year: number): Filing[] {
  return filingFactsOf(filer).flatMap(({ sequence, form, accepted, period, content: make }) => {
    if (!accepted.startsWith(String(year))) return [];
    const acceptedAt = Temporal.Instant.from(accepted).epochMilliseconds / 1000;
    const content = make(filer);
    // An amendment follows the filing before it in this list.
    const previous = accessionOf(filer, 2024, sequence - 1);
    const whole = content.kind === "schedule" && content.previous ? { ...content, previous } : content;
    const dates = datesAt(acceptedAt, form);
    return [
      {
        ...filing(seed, filer, form, whole),
        period,
        acceptedAt,
        ...dates,
        oddity: dates.filingDate < TIMED_FROM ? ("no_acceptance" as const) : null,
        key: keyOf(0, `${filer.cik} ${accepted}`),
        accession: accessionOf(filer, year, sequence),
      },
    ];
  });
}

/** Everything filed on a company's shares that is accepted in `year`, the future included. */
export function ownershipFilings(seed: number, filer: Filer, year: number, plain: boolean): Filing[] {
  const first = dayOf(`${year}-01-01`);
  const end = dayOf(`${year + 1}-01-01`);
  const [since, until] = [dayOf(filer.since), dayOf(filer.until)];
  const forms = [...formsOf(seed, filer, year - 1, plain), ...formsOf(seed, filer, year, plain)];
  const inYear = ({ day }: { readonly day: number }) =>
    day >= Math.max(first, since) && day < end && day <= until;
  const made = (
    drafts: readonly (Pick<FormDraft, "form" | "period" | "day" | "time"> & { content: OwnershipFiling })[],
    firstSequence: number,
  ) =>
    drafts
      .filter(inYear)
      .sort((a, b) => a.day - b.day || a.time - b.time)
      .map(({ form, period, day, time, content }, i): Filing => {
        const acceptedAt = openingOf(day) + time - OPENS_S;
        return {
          ...filing(seed, filer, form, content),
          period,
          acceptedAt,
          ...datesOf(day, time, acceptedAt, form),
          key: keyOf(seed, `${filer.cik} ${dateOf(day)} ${firstSequence - FIRST_FORM + i}`),
          accession: accessionOf(filer, year, firstSequence + i),
        };
      });
  const schedules = schedulesOf(seed, filer, year).map((one) => ({ period: "", ...one }));
  return [...made(forms, FIRST_FORM), ...made(schedules, FIRST_SCHEDULE), ...byHand(seed, filer, year)];
}

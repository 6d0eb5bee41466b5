// Draws the reports of large holders on the companies they hold: passive funds file Schedule 13G each
// February, a family's fund Schedule 13D now and then.
import { keyOf, uniform, wander } from "../randomness.ts";
import { dayOf } from "../sessions.ts";
import { businessDayFrom } from "./days.ts";
import { allNamed, type Filer, numberedIndexOf } from "./filers.ts";
import { FAMILY, heldAtStart } from "./insider-events.ts";
import { allHolders, personOf } from "./insiders.ts";
import { type OwnershipFiling, scheduleForm } from "./ownership-filings.ts";
import { commonOf, sharesOn, worthOn } from "./share-count.ts";

/** Companies with a fact of their own on large holders: chance leaves them alone. */
const BY_HAND = new Set(["VEXOQ", "WOMBQ", "OOZEL"]);
/**
 * Of companies by number only the first so many have large holders: a fund's list is put together from all of
 * them.
 */
export const HELD_NUMBERED = 200;
const FIRST_YEAR = 2016;
const FUNDS_FROM = 3;
const HOUR_S = 3600;

export interface ScheduleDraft {
  readonly form: string;
  readonly day: number;
  readonly time: number;
  readonly content: OwnershipFiling;
}

const isHeld = ({ cik, habit, symbol }: Filer): boolean =>
  (habit === "reports" || habit === "notes") &&
  !BY_HAND.has(symbol) &&
  (numberedIndexOf(cik) ?? 0) < HELD_NUMBERED;

/** Every passive fund holds what is worth so many dollars, as those that follow an index do. */
const LARGE = 20e9;

/** The passive funds with more than five percent of a company: all of a large one's, one of some others'. */
function fundsOf(key: number, issuer: Filer, yearEnd: number): readonly Filer[] {
  const funds = allHolders().slice(FUNDS_FROM);
  if (worthOn(issuer, yearEnd) >= LARGE) return funds;
  const one = funds[Math.floor(uniform(key, 1) * funds.length)];
  return one && uniform(key, 0) < 0.4 ? [one] : [];
}

const shared = { kind: "schedule" } as const;

/** The February reports of passive funds: a percentage that moves by tenths from year to year. */
function reportsOfFunds(seed: number, issuer: Filer, year: number, first: number): ScheduleDraft[] {
  const yearEnd = dayOf(`${year - 1}-12-31`);
  return fundsOf(keyOf(seed, `holder ${issuer.cik}`), issuer, yearEnd).map((fund) => {
    const key = keyOf(seed, `holder ${issuer.cik} ${fund.cik}`);
    const percent = 5.4 + 3 * uniform(key, 0) + 0.08 * wander(key, year, 3);
    const day = businessDayFrom(dayOf(`${year}-02-04`) + Math.floor(uniform(key, year + 1) * 9));
    return {
      form: scheduleForm("G", year > first, `${year}-02-05`),
      day,
      time: Math.floor((9 + 8 * uniform(key, year + 2)) * HOUR_S),
      content: {
        ...shared,
        holder: fund,
        persons: [
          {
            name: fund.name,
            cik: fund.cik,
            shares: Math.round((sharesOn(issuer, yearEnd, yearEnd) * percent) / 100),
            percent: percent.toFixed(1),
            type: "IA",
          },
        ],
        eventDate: `${year - 1}-12-31`,
        ...(year > first ? { amendment: year - first } : {}),
      },
    };
  });
}

const FAMILY_YEARS = 3;
const REPORTABLE_PERCENT = 5;

/** Shares of the family's fund at the start of a year, and its percentage. */
function familyIn(seed: number, issuer: Filer, year: number) {
  const day = dayOf(`${year}-01-01`);
  const shares = heldAtStart(seed, issuer, FAMILY, year);
  return { shares, percent: (100 * shares) / sharesOn(issuer, day, day) };
}

/** The Schedule 13D of the family's fund, amended every third year: what it held at the start of the year. */
function reportOfFamily(seed: number, issuer: Filer, year: number, first: number): ScheduleDraft[] {
  if ((year - first) % FAMILY_YEARS !== 0) return [];
  const { shares, percent } = familyIn(seed, issuer, year);
  const fell = percent < REPORTABLE_PERCENT;
  if (fell && (year === first || familyIn(seed, issuer, year - FAMILY_YEARS).percent < REPORTABLE_PERCENT))
    return [];
  const holder = personOf(issuer, FAMILY);
  const key = keyOf(seed, `family ${issuer.cik}`);
  return [
    {
      form: scheduleForm("D", year > first, `${year}-01-12`),
      day: businessDayFrom(dayOf(`${year}-01-09`) + Math.floor(uniform(key, year) * 5)),
      time: Math.floor((9 + 8 * uniform(key, year + 1)) * HOUR_S),
      content: {
        ...shared,
        holder,
        persons: [{ name: holder.name, cik: holder.cik, shares, percent: percent.toFixed(1), type: "PN" }],
        eventDate: `${year}-01-02`,
        ...(fell ? { fell } : {}),
        ...(year > first ? { amendment: (year - first) / FAMILY_YEARS } : {}),
      },
    },
  ];
}

/** Returns the reports of large holders on a company in a year. */
export function schedulesOf(seed: number, issuer: Filer, year: number): readonly ScheduleDraft[] {
  const first = Math.max(FIRST_YEAR, Number(issuer.since.slice(0, 4)) + 1);
  if (!isHeld(issuer) || commonOf(issuer).length === 0 || year < first) return [];
  const isNamed = numberedIndexOf(issuer.cik) === null && issuer.symbol !== "JUMBL";
  return [
    ...reportsOfFunds(seed, issuer, year, first),
    ...(isNamed ? reportOfFamily(seed, issuer, year, first) : []),
  ];
}

/** The companies on which a fund reports. */
export function heldBy(filers: readonly Filer[]): readonly Filer[] {
  const named = new Set(allNamed());
  return filers.filter(
    (filer) => named.has(filer) || (numberedIndexOf(filer.cik) ?? HELD_NUMBERED) < HELD_NUMBERED,
  );
}

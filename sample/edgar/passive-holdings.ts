// What passive funds report each February on the companies they hold: Schedule 13G and its amendments, by chance.
import { keyOf, uniform } from "../randomness.ts";
import { dayOf } from "../sessions.ts";
import { businessDayFrom } from "./days.ts";
import { allNamed, type Filer, numberedIndexOf } from "./filers.ts";
import { allHolders } from "./insiders.ts";
import { type OwnershipFiling, scheduleForm } from "./ownership-filings.ts";
import { commonOf, sharesOn } from "./share-count.ts";

/** Companies with a fact of their own on large holders: chance leaves them alone. */
const BY_HAND = new Set(["VEXOQ", "WOMBQ", "OOZEL"]);
/** Of companies by number only the first so many have large holders: a fund's list is put together from all of them. */
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

/** The February report of a passive fund on a company it holds; none for most companies. */
export function schedulesOf(seed: number, issuer: Filer, year: number): readonly ScheduleDraft[] {
  const first = Math.max(FIRST_YEAR, Number(issuer.since.slice(0, 4)) + 1);
  const key = keyOf(seed, `holder ${issuer.cik}`);
  if (!isHeld(issuer) || commonOf(issuer).length === 0 || year < first || uniform(key, 0) >= 0.4) return [];
  const funds = allHolders().slice(FUNDS_FROM);
  const fund = funds[Math.floor(uniform(key, 1) * funds.length)];
  if (!fund) return [];
  const percent = 5 + 4 * uniform(key, year);
  const yearEnd = dayOf(`${year - 1}-12-31`);
  const shares = Math.round((sharesOn(issuer, yearEnd, yearEnd) * percent) / 100);
  const day = businessDayFrom(dayOf(`${year}-02-04`) + Math.floor(uniform(key, year + 1) * 9));
  const date = `${year}-02-05`;
  return [
    {
      form: scheduleForm("G", year > first, date),
      day,
      time: Math.floor((9 + 8 * uniform(key, year + 2)) * HOUR_S),
      content: {
        kind: "schedule",
        holder: fund,
        persons: [{ name: fund.name, cik: fund.cik, shares, percent: percent.toFixed(1), type: "IA" }],
        eventDate: `${year - 1}-12-31`,
        ...(year > first ? { amendment: year - first } : {}),
      },
    },
  ];
}

/** The companies on which a fund reports. */
export function heldBy(filers: readonly Filer[]): readonly Filer[] {
  const named = new Set(allNamed());
  return filers.filter(
    (filer) => named.has(filer) || (numberedIndexOf(filer.cik) ?? HELD_NUMBERED) < HELD_NUMBERED,
  );
}

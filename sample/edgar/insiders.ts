// The people and funds that report holdings: insiders of each company, and the large holders of several.
import { keyOf, uniform } from "../randomness.ts";
import { allNamed, type Filer, numberedFiler, numberedIndexOf } from "./filers.ts";
import { NO_INDUSTRY, PLACES } from "./industries.ts";

/** A chair at a company. The same person sits in it for ever. */
export interface Position {
  readonly position: number;
  readonly director: boolean;
  readonly officer: boolean;
  readonly tenPercent: boolean;
  /** Titles one of which the person has. */
  readonly titles: readonly string[];
}

/**
 * Chief executive, chief financial, head of a division, two directors, and the fund of the second one's
 * family.
 */
export const POSITIONS: readonly Position[] = [
  {
    position: 0,
    director: true,
    officer: true,
    tenPercent: false,
    titles: ["Chief Executive Officer", "President and CEO", "Chairman & CEO", "Chief Executive Officer"],
  },
  {
    position: 1,
    director: false,
    officer: true,
    tenPercent: false,
    titles: [
      "Chief Financial Officer",
      "EVP, CFO & Treasurer",
      "See Remarks",
      "SVP, Chief Financial Officer",
    ],
  },
  {
    position: 2,
    director: false,
    officer: true,
    tenPercent: false,
    titles: ["CEO, Consumer Division", "President, Americas", "Former CFO", "EVP, General Counsel"],
  },
  { position: 3, director: true, officer: false, tenPercent: false, titles: [] },
  { position: 4, director: true, officer: false, tenPercent: false, titles: [] },
  { position: 5, director: false, officer: false, tenPercent: true, titles: [] },
];

/** The title behind "See Remarks". */
export const REMARKED_TITLE = "Executive Vice President and Chief Financial Officer";

const LAST =
  `Bramblewick Plimsole Quernstone Tottenbury Snodgrove Marrowfat Hobblethwaite Crumpleton Dapplegate
  Gadzook Wimpersley Oddfellow Turnspit Larkspindle Muddlecombe Featherbed`.split(/\s+/);
const FIRST =
  `Odo Marbeth Tilly Quillan Hester Ottoline Jory Fenna Ambrose Petra Lucan Isolde Rufina Wanda Cosmo
  Zebedee`.split(/\s+/);

/** Below every company's CIK: ten numbers for each company. */
const OF_NAMED = 8_000_000;
const OF_NUMBERED = 7_000_000;
const HOLDER_CIK = 8_950_001;
const NAMED_CIK = 9_000_000;
const NUMBERED_CIK = 9_100_000;
const POSITIONS_PER_COMPANY = 10;

export const personCik = (issuer: Filer, position: number): number => {
  const index = numberedIndexOf(issuer.cik);
  return index === null
    ? OF_NAMED + (issuer.cik - NAMED_CIK) * POSITIONS_PER_COMPANY + position
    : OF_NUMBERED + index * POSITIONS_PER_COMPANY + position;
};

const pick = <T>(list: readonly T[], part: number): T => list[Math.floor(part * list.length)] as T;

/** Family name first, as the regulator has people. */
function nameOf(issuer: Filer, position: number): string {
  const key = keyOf(0, `insider ${issuer.cik}`);
  const last = pick(LAST, uniform(key, position === 5 ? 4 : position));
  return position === 5
    ? `${last} Family Partners LP`
    : `${last} ${pick(FIRST, uniform(key, 20 + position))}`;
}

export function titleOf(issuer: Filer, { position, titles }: Position): string {
  return titles.length === 0 ? "" : pick(titles, uniform(keyOf(0, `insider ${issuer.cik}`), 40 + position));
}

function reporter(cik: number, name: string, place: Filer["place"], since: string): Filer {
  return {
    symbol: "",
    cik,
    name,
    formerly: [],
    listings: [],
    industry: NO_INDUSTRY,
    place,
    incorporated: "",
    fiscalYearEnd: "",
    since,
    until: "9999-12-31",
    habit: "reporter",
    acceptance: "utc",
    prefix: cik,
    releaseType: "EX-99.1",
  };
}

/** Who reports holdings in many companies. Made up, as all here is. */
const HOLDERS = [
  ["Grumbold Capital LP", "activist"],
  ["Stirring Spoon Partners LLC", "activist"],
  ["Passive Pond Advisors Inc.", "passive"],
  ["Placid Lake Index Trust", "passive"],
  ["Quiet Corner Asset Management", "passive"],
] as const;

let holders: readonly Filer[] | undefined;
/** The activists first, then the passive ones. */
export function allHolders(): readonly Filer[] {
  holders ??= HOLDERS.map(([name], i) =>
    reporter(HOLDER_CIK + i, name, PLACES[i % PLACES.length] ?? (PLACES[0] as Filer["place"]), "2015-01-05"),
  );
  return holders;
}

const people = new Map<number, Filer>();

/** The person in a position of a company. */
export function personOf(issuer: Filer, position: number): Filer {
  const cik = personCik(issuer, position);
  const known = people.get(cik) ?? reporter(cik, nameOf(issuer, position), issuer.place, issuer.since);
  people.set(cik, known);
  return known;
}

/** The company whose insider has this CIK; null for other CIKs. `seed` makes the companies by number. */
export function companyOfPerson(seed: number, cik: number, numbered: number): Filer | null {
  if (cik % POSITIONS_PER_COMPANY >= POSITIONS.length) return null;
  if (cik >= OF_NAMED && cik < HOLDER_CIK) {
    const issuer = NAMED_CIK + Math.floor((cik - OF_NAMED) / POSITIONS_PER_COMPANY);
    return allNamed().find((filer) => filer.cik === issuer) ?? null;
  }
  const index = Math.floor((cik - OF_NUMBERED) / POSITIONS_PER_COMPANY);
  return cik >= OF_NUMBERED && cik < OF_NAMED && index < numbered && NUMBERED_CIK + index > 0
    ? numberedFiler(seed, index)
    : null;
}

// Who files: an entity for each fictional company, the trust behind the funds, a predecessor, and the
// numbered ones.
import { COMPANIES } from "../companies.ts";
import { type Listing, numberedListing } from "../listing.ts";
import { keyOf, uniform } from "../randomness.ts";
import { INDUSTRIES, type Industry, NO_INDUSTRY, ORDINARY, PLACES, type Place } from "./industries.ts";

/** An entity that files. Its CIK and all else is the same under every seed. */
/** A fund of the trust. */
export interface TrustFund {
  readonly symbol: string;
  readonly name: string;
  readonly seriesId: string;
  readonly classId: string;
}

export interface Filer {
  /** The symbol it goes by in this folder: the first listing's, without a class. */
  readonly symbol: string;
  readonly cik: number;
  readonly name: string;
  /** Oldest first; dates included. */
  readonly formerly: readonly { readonly name: string; readonly from: string; readonly until: string }[];
  readonly listings: readonly Listing[];
  readonly industry: Industry;
  readonly place: Place;
  readonly incorporated: string;
  /** `MMDD`. */
  readonly fiscalYearEnd: string;
  /** First and last date on which it files. */
  readonly since: string;
  readonly until: string;
  /**
   * The kind of filings it makes: reports and current reports, beside them notes every day, a fund's papers,
   * those of foreign companies, or nothing. A reporter files on the shares of others.
   */
  readonly habit: "reports" | "notes" | "fund" | "foreign" | "nothing" | "reporter";
  /**
   * How the submissions list writes acceptance times, always with a Z: true UTC, New York's clock, or UTC but
   * for the seven newest rows. Upstream does all three.
   */
  readonly acceptance: "utc" | "eastern" | "mixed";
  /** Whose CIK its accession numbers begin with: its own or its filing agent's. */
  readonly prefix: number;
  /** Type of its press releases: not all write EX-99.1. */
  readonly releaseType: "EX-99.1" | "EX-99" | "EX-99.01";
}

/** CIKs far above those in use. */
const NAMED_CIK = 9_000_000;
const NUMBERED_CIK = 9_100_000;
export const PREDECESSOR_CIK = 9_200_001;
export const TRUST_CIK = 9_200_900;
/** An agent's CIK lies so far above that of its one client: accession numbers stay unique by themselves. */
const AGENT_OFFSET = 300_000;
const FOREVER = "9999-12-31";

const baseOf = (symbol: string) => symbol.split("-")[0] ?? symbol;
const pick = <T>(list: readonly [T, ...T[]] | readonly T[], part: number): T =>
  list[Math.floor(part * list.length)] as T;

/** Draws the facts of an entity by its symbol. */
function ordinary(symbol: string, cik: number, name: string, listings: readonly Listing[]): Filer {
  const key = keyOf(0, `filer ${symbol}`);
  const agent = uniform(key, 0) < 0.5;
  return {
    symbol,
    cik,
    name: uniform(key, 1) < 0.4 ? name.toUpperCase().replaceAll(/[.,]/g, "") : name,
    formerly: [],
    listings,
    industry: pick(ORDINARY, uniform(key, 2)),
    place: pick(PLACES, uniform(key, 3)),
    incorporated: uniform(key, 4) < 0.7 ? "DE" : "NV",
    fiscalYearEnd: pick(["1231", "1231", "1231", "0630", "0930", "0131"], uniform(key, 5)),
    since: listings[0]?.firstDate ?? "2015-01-05",
    until: FOREVER,
    habit: "reports",
    acceptance: pick(["utc", "utc", "eastern", "mixed"], uniform(key, 6)),
    prefix: agent ? cik + AGENT_OFFSET : cik,
    releaseType: "EX-99.1",
  };
}

/** The facts set by hand. Names follow `listing.name`; see index.ts for what tests may rely on. */
const OWN: Readonly<Record<string, Partial<Filer>>> = {
  ZORP: {
    name: "Zorp Dynamics Inc.",
    industry: INDUSTRIES.software,
    fiscalYearEnd: "1231",
    acceptance: "utc",
  },
  QUIB: { name: "QUIBBLE HOLDINGS INC", acceptance: "eastern", fiscalYearEnd: "1231" },
  KRONK: {
    name: "Kronk Heavy Industries",
    formerly: [{ name: "KRONK PLOUGH WORKS", from: "2003-02-03", until: "2009-06-30" }],
    industry: INDUSTRIES.machinery,
    fiscalYearEnd: "0930",
    since: "2003-02-03",
    acceptance: "mixed",
  },
  NEWZQ: {
    name: "Newzq Holdings",
    formerly: [{ name: "Oldzq Holdings", from: "2015-01-05", until: "2025-05-02" }],
    industry: INDUSTRIES.content,
  },
  PIPZ: {
    formerly: [{ name: "Puddle Acquisition Corp.", from: "2021-02-16", until: "2023-10-17" }],
    industry: INDUSTRIES.shell,
    since: "2021-02-16",
  },
  TRELB: { name: "Trellbane Semiconductor", industry: INDUSTRIES.chips, since: "2021-04-20" },
  GIBBL: { name: "GIBBL BANCORP", industry: INDUSTRIES.bank, since: "2018-01-02", habit: "notes" },
  GLUMP: { industry: INDUSTRIES.retail, acceptance: "utc" },
  VROOQ: { fiscalYearEnd: "1231" },
  HOOZ: { fiscalYearEnd: "0131", industry: INDUSTRIES.retail },
  PUDGQ: { fiscalYearEnd: "1231", industry: INDUSTRIES.food },
  LOOFQ: { fiscalYearEnd: "1231" },
  RUMBQ: { fiscalYearEnd: "1231", incorporated: "2M", industry: INDUSTRIES.machinery, habit: "foreign" },
  ZIGZQ: { fiscalYearEnd: "1231", industry: INDUSTRIES.machinery, since: "1997-01-06" },
  MUMBQ: { fiscalYearEnd: "0930", industry: INDUSTRIES.insurance, since: "1998-10-05" },
  HUSQ: { industry: INDUSTRIES.drugs, until: "2024-10-01" },
  BLIMQ: { industry: INDUSTRIES.airline },
  SNARV: { releaseType: "EX-99" },
  FROBZ: { releaseType: "EX-99.01" },
  SMPLF: { habit: "fund", industry: NO_INDUSTRY },
  ZGLDF: { industry: INDUSTRIES.commodity },
};

/** Named CIKs come from the symbol, so that a new company in the market moves no other. */
const namedCik = (symbol: string) => NAMED_CIK + (keyOf(0, `cik ${symbol}`) % 90_000);
const LEGAL = / (Class [AB]|Preferred [A-Z]|Warrants)$| \(formerly .*\)$/;

function namedFilers(): Filer[] {
  const bySymbol = Map.groupBy(
    COMPANIES.filter(({ type, symbol }) => type === "EQUITY" || symbol === "SMPLF" || symbol === "ZGLDF"),
    ({ symbol }) => baseOf(symbol),
  );
  const filers = [...bySymbol].map(([symbol, listings]): Filer => {
    const name = (listings[0]?.name ?? symbol).replace(LEGAL, "");
    return { ...ordinary(symbol, namedCik(symbol), name, listings), ...OWN[symbol] };
  });
  const predecessor: Filer = {
    ...ordinary("TRELB-OLD", PREDECESSOR_CIK, "Trellbane Semiconductor Ltd.", []),
    incorporated: "D0",
    industry: INDUSTRIES.chips,
    fiscalYearEnd: filers.find(({ symbol }) => symbol === "TRELB")?.fiscalYearEnd ?? "1231",
    since: "2012-01-09",
    until: "2021-04-30",
    acceptance: "eastern",
  };
  const trust: Filer = {
    ...ordinary("SERIES-TRUST", TRUST_CIK, "Sample Series Trust", []),
    habit: "fund",
    industry: NO_INDUSTRY,
    incorporated: "MA",
  };
  return [...filers, predecessor, trust];
}

let named: readonly Filer[] | undefined;

/** Every filer with a name of its own, made when first asked for. */
export function allNamed(): readonly Filer[] {
  named ??= namedFilers();
  return named;
}

/** The filer behind the numbered listing `index`, from 0. */
export function numberedFiler(seed: number, index: number): Filer {
  const listing = numberedListing(seed, index);
  const filer = ordinary(listing.symbol, NUMBERED_CIK + index, listing.name, [listing]);
  return { ...filer, since: "2019-01-02" };
}

/** Index of the numbered filer with this CIK, which may be too large for the market; null for other CIKs. */
export function numberedIndexOf(cik: number): number | null {
  return cik >= NUMBERED_CIK && cik < PREDECESSOR_CIK ? cik - NUMBERED_CIK : null;
}

/** The client of an agent by the agent's CIK; the number itself for all others. */
export function clientOf(cik: number): number {
  return cik >= NAMED_CIK + AGENT_OFFSET ? cik - AGENT_OFFSET : cik;
}

/** The name on a date. */
export function nameOn(filer: Filer, date: string): string {
  return filer.formerly.find(({ until }) => date <= until)?.name ?? filer.name;
}

/** Names it has given up by a date, newest first. */
export function formerNamesOn(filer: Filer, date: string): Filer["formerly"] {
  return filer.formerly.filter(({ until }) => until < date).toReversed();
}

/** Ten digits. */
export const padded = (cik: number): string => String(cik).padStart(10, "0");

/** File number under the act of 1934. */
export const fileNumberOf = (filer: Filer): string => `001-${90_000 + (filer.cik % 9999)}`;

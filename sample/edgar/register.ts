// The regulator's register: who files, and all filings by filer, year and number, planned when first asked
// for.
import { LRUCache } from "lru-cache";
import { dateAt, dayOf } from "../sessions.ts";
import { businessDayFrom, NEW_YORK } from "./days.ts";
import { allNamed, clientOf, type Filer, numberedFiler, numberedIndexOf } from "./filers.ts";
import { type Filing, partiesOf } from "./filing.ts";
import { allHolders, companyOfPerson, personOf } from "./insiders.ts";
import { heldBy } from "./passive-holdings.ts";
import { planOf } from "./plan.ts";

export interface Register {
  /** Epoch seconds, whole. */
  now(): number;
  /** New York's date now. */
  today(): string;
  /** Every filer, those with names first. */
  filers(): readonly Filer[];
  /** By CIK, an agent's standing for its client; null for an unknown number. */
  filerOf(cik: number): Filer | null;
  /** Returns the filings of a filer that can be read now, newest first. */
  visibleOf(filer: Filer): Filing[];
  /** By its number under any of its parties' CIKs; null when there is none, or not yet. */
  find(cik: number, accession: string): Filing | null;
  /** Everything dated from `start` to `end`, both in the same year, each filing once, the future included. */
  filedBetween(start: string, end: string): Filing[];
}

/** A plan of a company by number is a dozen small objects. */
const PLANS_MAX = 40_000;
const YEARS_MAX = 3;

/** A register of the named filers and `numbered` others. */
export function createRegister(options: { seed: number; numbered: number; now: () => number }): Register {
  const { seed, numbered, now } = options;
  const plans = new LRUCache<string, readonly Filing[]>({ max: PLANS_MAX });
  const years = new LRUCache<number, Map<string, Filing[]>>({
    max: YEARS_MAX,
  });
  let filers: readonly Filer[] | undefined;
  const byCik = new Map<number, Filer>();

  const planned = (filer: Filer, year: number): readonly Filing[] => {
    const name = `${filer.cik} ${year}`;
    const known =
      plans.get(name) ??
      (filer.habit === "reporter"
        ? reportedOn(filer)
            .flatMap((company) => planned(company, year))
            .filter((filing) => partiesOf(filing).includes(filer))
        : planOf(seed, filer, year, numberedIndexOf(filer.cik) !== null));
    plans.set(name, known);
    return known;
  };
  /** The companies a person or fund may report on. */
  const reportedOn = (reporter: Filer): readonly Filer[] => {
    if (allHolders().includes(reporter)) return heldBy(allFilers());
    const company = companyOfPerson(seed, reporter.cik, numbered);
    return company ? [filerOf(company.cik) ?? company] : [];
  };
  const reporterBy = (cik: number): Filer | null => {
    const holder = allHolders().find((one) => one.cik === cik);
    const company = holder ? null : companyOfPerson(seed, cik, numbered);
    return holder ?? (company && personOf(company, cik % 10));
  };
  const allFilers = () => {
    filers ??= [...allNamed(), ...Array.from({ length: numbered }, (_, i) => numberedFiler(seed, i))];
    return filers;
  };
  /** Everything accepted in a year, by filing date. */
  const year = (wanted: number) => {
    const known = years.get(wanted);
    if (known) return known;
    const all = allFilers().flatMap((filer) =>
      planned(filer, wanted).filter((filing) => filing.filer === filer),
    );
    const made = Map.groupBy(all, ({ filingDate }) => filingDate);
    years.set(wanted, made);
    return made;
  };
  const filerOf = (asked: number): Filer | null => {
    const cik = clientOf(asked);
    if (byCik.size === 0) for (const filer of allNamed()) byCik.set(filer.cik, filer);
    const index = numberedIndexOf(cik);
    return (
      byCik.get(cik) ??
      reporterBy(cik) ??
      (index !== null && index < numbered ? (allFilers()[allNamed().length + index] ?? null) : null)
    );
  };
  const today = () => dateAt(now(), NEW_YORK);
  return {
    now,
    today,
    filers: allFilers,
    filerOf,
    visibleOf(filer) {
      const found: Filing[] = [];
      const lastYear = Number(today().slice(0, 4));
      for (let y = Number(filer.since.slice(0, 4)); y <= lastYear; y++)
        for (const filing of planned(filer, y)) if (filing.publicAt <= now()) found.push(filing);
      return found.sort((a, b) => b.acceptedAt - a.acceptedAt);
    },
    find(cik, accession) {
      const filer = filerOf(cik);
      const digits = /^\d{10}-(\d\d)-\d{6}$/.exec(accession)?.[1];
      if (!filer || digits === undefined) return null;
      const found = planned(filer, (Number(digits) < 90 ? 2000 : 1900) + Number(digits)).find(
        (filing) => filing.accession === accession,
      );
      return found && found.publicAt <= now() && partiesOf(found).includes(filer) ? found : null;
    },
    filedBetween(start, end) {
      const wanted = Number(start.slice(0, 4));
      // A filing accepted on the last evening of a year is dated in the next.
      const first = dayOf(`${wanted}-01-01`);
      const held = dayOf(start) <= businessDayFrom(first) ? [year(wanted - 1), year(wanted)] : [year(wanted)];
      return held.flatMap((byDate) =>
        [...byDate].flatMap(([date, filings]) => (date >= start && date <= end ? filings : [])),
      );
    },
  };
}

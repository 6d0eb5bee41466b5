// The books of each filer: quarter after quarter from (seed, filer), the same in whatever order they are
// asked for.
import { LRUCache } from "lru-cache";
import { keyOf, uniform } from "../randomness.ts";
import { dateOf, dayOf } from "../sessions.ts";
import { type Accounts, type Lines, ordinaryAccounts, type Season } from "./accounts.ts";
import { bankAccounts, insurerAccounts } from "./accounts-lenders.ts";
import { allNamed, type Filer, PREDECESSOR_CIK } from "./filers.ts";
import { type Quarter, quartersBetween } from "./fiscal.ts";
import { INDUSTRIES } from "./industries.ts";
import { commonOf, dividendsOf, worthOn } from "./share-count.ts";

/** A quarter with what flowed in it and what stood at its end. */
export interface LedgerEntry {
  readonly quarter: Quarter;
  readonly flows: Lines;
  readonly balance: Lines;
}

export type Kind = "ordinary" | "bank" | "insurer" | "ifrs";

const KINDS: Readonly<Record<string, Kind>> = { GIBBL: "bank", MUMBQ: "insurer", RUMBQ: "ifrs" };
/** They sell little and spend much. */
const LOSERS = new Set(["DREK", "HUSQ", "PIPZ", "HALTZ", "VROOQ", "WOMBQ"]);
/**
 * First day of the history that later reports look back on, where it is not three years before the first
 * filing.
 */
const HISTORY: Readonly<Record<string, string>> = { TRELB: "2009-01-01" };
const HISTORY_YEARS = 3;
/** Above this worth reports are rounded to millions, below to thousands. */
const MILLIONS_FROM = 20e9;

/**
 * The one error in the ledgers: the sales of NURBL in the last quarter of 2024 are booked too high. Reports
 * filed before it is found have the wrong numbers, later reports the right ones.
 */
export const OVERSTATED = {
  symbol: "NURBL",
  quarterEnd: "2024-12-31",
  foundAt: Temporal.Instant.from("2025-11-05T16:00:00-05:00").epochMilliseconds / 1000,
  /** Part of the quarter's revenue, and of that the tax. */
  part: 0.06,
  taxed: 0.2,
};

/** Whose books they are: a successor goes on with those of its predecessor. */
function keeperOf(filer: Filer): Filer {
  if (filer.cik !== PREDECESSOR_CIK) return filer;
  return allNamed().find(({ symbol }) => symbol === "TRELB") ?? filer;
}

/** Returns the kind of a company. */
export const kindOf = (filer: Filer): Kind => KINDS[filer.symbol] ?? "ordinary";

/** The filer whose listings count the shares. */
export const shareholdersOf = keeperOf;

/** Returns the unit to which all its reports round, in dollars. */
export function roundingOf(filer: Filer): number {
  const keeper = keeperOf(filer);
  return worthOn(keeper, dayOf(keeper.since)) > MILLIONS_FROM ? 1_000_000 : 1000;
}

function accountsOf(filer: Filer): Accounts<Lines> {
  const kind = kindOf(filer);
  // A balance sheet only ever comes back to the accounts that made it.
  if (kind === "bank") return bankAccounts as Accounts<Lines>;
  return (kind === "insurer" ? insurerAccounts : ordinaryAccounts) as Accounts<Lines>;
}

export interface Ledger {
  /** Every quarter that has ended by day `day`, oldest first. */
  until(day: number): readonly LedgerEntry[];
}

function seasonOf(filer: Filer, seed: number, quarter: Quarter): Season {
  const company = keyOf(seed, `books ${filer.cik}`);
  const years = (quarter.end - dayOf("2020-01-01")) / 365.25;
  const rounding = roundingOf(filer);
  const paid = (commonOf(filer)[0]?.yieldPercent ?? 0) / 100;
  const earningsYield = LOSERS.has(filer.symbol)
    ? -0.12
    : Math.max(0.03 + 0.03 * uniform(company, 20), 1.3 * paid);
  return {
    company,
    luck: keyOf(seed, `books ${filer.cik} ${dateOf(quarter.end)}`),
    number: quarter.number,
    length: (quarter.end - quarter.start + 1) / 91.3125,
    worth: worthOn(filer, quarter.end) * (1.005 + 0.05 * uniform(company, 21)) ** years,
    dividends: dividendsOf(filer, seed, quarter.start, quarter.end, quarter.end).total,
    earningsYield,
    researches: ![INDUSTRIES.food, INDUSTRIES.retail, INDUSTRIES.airline].some((i) => i === filer.industry),
    // A plain zero: minus zero would be written as "-0" by some and counted as another value by tests.
    round: (dollars) => Math.round(dollars / rounding) * rounding || 0,
  };
}

function createLedger(filer: Filer, seed: number): Ledger {
  const accounts = accountsOf(filer);
  const [year = "2015", ...rest] = (HISTORY[filer.symbol] ?? filer.since).split("-");
  const years = HISTORY[filer.symbol] ? 0 : HISTORY_YEARS;
  const first = dayOf([Number(year) - years, ...rest].join("-"));
  const entries: LedgerEntry[] = [];
  let known = first;
  return {
    until(day) {
      if (day > known) {
        const wanted = quartersBetween(filer, first, Math.max(day, known + 366));
        for (const quarter of wanted.slice(entries.length)) {
          const season = seasonOf(filer, seed, quarter);
          const before = entries.at(-1)?.balance ?? accounts.open(season);
          entries.push({ quarter, ...accounts.close(before, season) });
        }
        known = Math.max(day, known + 366);
      }
      const after = entries.findIndex(({ quarter }) => quarter.end > day);
      return after < 0 ? entries : entries.slice(0, after);
    },
  };
}

/** A book of ten years is some 60 KB. */
const ledgers = new LRUCache<string, Ledger>({ max: 300 });

/** The books of a filer as they truly are. */
export function ledgerOf(filer: Filer, seed: number): Ledger {
  const keeper = keeperOf(filer);
  const name = `${seed} ${keeper.cik}`;
  const known = ledgers.get(name) ?? createLedger(keeper, seed);
  ledgers.set(name, known);
  return known;
}

const plus = (lines: Lines, more: Lines): Lines => ({
  ...lines,
  ...Object.fromEntries(Object.entries(more).map(([line, amount]) => [line, (lines[line] ?? 0) + amount])),
});

function overstate(filer: Filer, entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const wrong = entries.find(({ quarter }) => quarter.end === dayOf(OVERSTATED.quarterEnd));
  if (!wrong) return entries;
  const rounding = roundingOf(filer);
  const too = (part: number) => Math.round(((wrong.flows.revenue ?? 0) * part) / rounding) * rounding;
  const sales = too(OVERSTATED.part);
  const tax = too(OVERSTATED.part * OVERSTATED.taxed);
  const profit = sales - tax;
  const flows = {
    revenue: sales,
    contractRevenue: sales,
    gross: sales,
    operatingIncome: sales,
    pretax: sales,
    tax,
    netIncome: profit,
    receivablesUp: sales,
    accruedUp: tax,
  };
  const balance = {
    receivables: sales,
    currentAssets: sales,
    assets: sales,
    liabilitiesAndEquity: sales,
    accrued: tax,
    currentLiabilities: tax,
    liabilities: tax,
    retained: profit,
    equity: profit,
  };
  return entries.map((entry) => {
    if (entry.quarter.end < wrong.quarter.end) return entry;
    const stands = { ...entry, balance: plus(entry.balance, balance) };
    return entry === wrong ? { ...stands, flows: plus(entry.flows, flows) } : stands;
  });
}

/** The books up to day `day` as who files at epoch second `at` believes them to be. */
export function entriesAsKnown(filer: Filer, seed: number, day: number, at: number): readonly LedgerEntry[] {
  const entries = ledgerOf(filer, seed).until(day);
  return filer.symbol === OVERSTATED.symbol && at < OVERSTATED.foundAt ? overstate(filer, entries) : entries;
}

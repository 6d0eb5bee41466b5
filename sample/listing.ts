// The sample market's facts about one security, and the plain listings made up by number for scale tests.
import { bell, keyOf, uniform } from "./randomness.ts";

/**
 * A split every five years: in years that leave `yearModulo5`, on the first session on or after `monthDay`.
 */
export interface SplitRule {
  /** New shares … */
  readonly numerator: number;
  /** … for so many old ones: 4 for 1 is a forward split, 1 for 10 a reverse one. */
  readonly denominator: number;
  readonly yearModulo5: number;
  /** `MM-DD`. */
  readonly monthDay: string;
}

/** One security, in the price provider's spelling (`QUIB-B`). Money in dollars, as printed on the day. */
export interface Listing {
  readonly symbol: string;
  readonly name: string;
  readonly exchange: "NMS" | "NGM" | "NCM" | "NYQ" | "ASE" | "PCX" | "BTS" | "PNK" | "SNP" | "CCY" | "CCC";
  readonly type: "EQUITY" | "ETF" | "INDEX" | "CURRENCY" | "CRYPTOCURRENCY";
  /** `us`: the exchange calendar; `fx`: Monday to Friday, London days; `crypto`: every UTC day. */
  readonly hours: "us" | "fx" | "crypto";
  /** null as on some US warrants upstream. */
  readonly currency: string | null;
  /** The price about which the printed one wanders. */
  readonly price: number;
  readonly dollarsADay: number;
  /** Shares a day where the price says nothing about them (an index). */
  readonly volumeADay?: number;
  /** Dividends of a year in percent of `price`, paid in four; 0: none. */
  readonly yieldPercent: number;
  /** Typical daily move, as a fraction. */
  readonly volatility: number;
  readonly shares: number;
  /** Share of minutes of the regular session without a trade. */
  readonly emptyMinutes: number;
  /** Share of sessions without a trade: most of them a flat row with volume 0, the rest no row at all. */
  readonly quietDays: number;
  readonly split?: SplitRule;
  /** Pays capital gains each December. */
  readonly capitalGains?: true;
  /** `MM-DD`: the first session on or after it is halted all day, each year: a row of nulls. */
  readonly haltOn?: string;
  /** First session, where it is not the market's own. */
  readonly firstDate?: string;
  /**
   * Last session, and what the provider says of the symbol from the next day on: 404, or a stub without
   * prices.
   */
  readonly lastDate?: string;
  readonly afterwards?: "gone" | "stub";
  /**
   * The symbol it had up to and including `until`; the history goes over to the new one, the old becomes
   * unknown.
   */
  readonly formerly?: { readonly symbol: string; readonly until: string };
}

/** The smallest step of its printed price. */
export function tickOf(listing: Listing): number {
  return listing.price < 5 ? 0.0001 : 0.01;
}

const LETTERS = 26;
/** Numbered listings there can be: `ZQAAA` … `ZQZZZ`. No US security is spelled so. */
export const NUMBERED_MAX = LETTERS ** 3;
const NUMBERED = /^ZQ([A-Z])([A-Z])([A-Z])$/;
const letter = (n: number) => String.fromCharCode(65 + n);
const EXCHANGES = ["NMS", "NYQ", "NYQ", "NCM", "ASE", "NMS"] as const;

/** Symbol of the numbered listing `index`, from 0. */
export function numberedSymbol(index: number): string {
  return `ZQ${letter(Math.floor(index / LETTERS ** 2))}${letter(Math.floor(index / LETTERS) % LETTERS)}${letter(index % LETTERS)}`;
}

/** The index of a numbered symbol, or null for any other. */
export function numberedIndex(symbol: string): number | null {
  const match = NUMBERED.exec(symbol);
  if (!match) return null;
  return [1, 2, 3].reduce((n, i) => n * LETTERS + (match[i] ?? "A").charCodeAt(0) - 65, 0);
}

/** The numbered listing: an ordinary share; every third pays dividends, every seventh splits now and then. */
export function numberedListing(seed: number, index: number): Listing {
  const symbol = numberedSymbol(index);
  const key = keyOf(seed, `listing ${symbol}`);
  const price = Math.round(600 * Math.exp(1.2 * bell(key, 0)) * 10) / 100 + 5;
  const dollarsADay = Math.round(2e7 * Math.exp(1.5 * bell(key, 1)));
  return {
    symbol,
    name: `Sample Company ${index + 1} Inc.`,
    exchange: EXCHANGES[index % EXCHANGES.length] ?? "NYQ",
    type: "EQUITY",
    hours: "us",
    currency: "USD",
    price,
    dollarsADay,
    yieldPercent: index % 3 === 0 ? 1 + 3 * uniform(key, 2) : 0,
    volatility: 0.01 + 0.03 * uniform(key, 3),
    shares: Math.round((dollarsADay * 400) / price),
    emptyMinutes: 0.01,
    quietDays: 0,
    ...(index % 7 === 0 && {
      split: { numerator: 2, denominator: 1, yearModulo5: index % 5, monthDay: "05-14" },
    }),
  };
}

// Reads the lines of Tables I and II: trades and holdings as filed, with the values computed from them. Pure.
import type {
  OwnershipHolding,
  OwnershipTransaction,
  ReadWarning,
  SecurityType,
  TransactionType,
} from "../../ownership-records.ts";
import { readFiledDay } from "../filed-day.ts";
import { exactProduct, readNumber } from "../filed-number.ts";
import type { XmlRecord } from "../xml-records.ts";
import { type Move, purchasePercent } from "./ownership-holding.ts";
import { type PlanSources, plansOf } from "./ownership-plan.ts";

const TYPES: Readonly<Record<string, TransactionType>> = {
  P: "buy",
  S: "sell",
  A: "award",
  M: "exercise",
  C: "exercise",
  O: "exercise",
  X: "exercise",
  G: "gift",
  F: "tax",
};
/** Codes that determine the direction by themselves: A acquired, D disposed of. */
const DIRECTIONS: Readonly<Record<string, "A" | "D">> = { P: "A", S: "D" };

/** Collects what is unusual while lines are read, each code once. */
export class Warnings {
  readonly list: ReadWarning[] = [];
  add(code: string, message: string): void {
    if (!this.list.some((known) => known.code === code)) this.list.push({ code, message });
  }
}

/** True for `1`, `true`, `Y` and the like in any case, false for other text, null when there is none. */
export function readFlag(text: string | null): boolean | null {
  return text === null ? null : /^(?:1|true|y|yes|x|on)$/i.test(text);
}

/** Characters that a key must not have. Most titles have none of them, and need no replacement. */
const UNEVEN = /[^A-Z0-9 ]|^ | {2}| $/;

/** Normalises free text for comparison: words in upper case with single blanks. */
function key(text: string | null): string {
  const upper = text?.toUpperCase() ?? "";
  return UNEVEN.test(upper) ? upper.replace(/[^A-Z0-9]+/g, " ").trim() : upper;
}

function numberOf(record: XmlRecord, name: string, warnings: Warnings): number | null {
  const text = record.first(name);
  const number = readNumber(text);
  if (text !== null && number === null)
    warnings.add("bad_number", `${name} is not a number: ${JSON.stringify(text.slice(0, 40))}`);
  return number;
}

function dayOf(record: XmlRecord, name: string, warnings: Warnings): string | null {
  const text = record.first(name);
  const day = readFiledDay(text);
  if (text !== null && day === null)
    warnings.add("bad_date", `${name} is not a date: ${JSON.stringify(text.slice(0, 40))}`);
  return day;
}

function oneOf<T extends string>(text: string | null, values: readonly T[]): T | null {
  if (text === null) return null;
  const letter = text.toUpperCase();
  return values.find((value) => value === letter) ?? null;
}

/** The fields that only derivatives have. */
function underlyingOf(record: XmlRecord, warnings: Warnings) {
  return {
    exercise_price: readNumber(record.first("conversionOrExercisePrice")),
    exercise_date: readFiledDay(record.first("exerciseDate")),
    expiration_date: readFiledDay(record.first("expirationDate")),
    underlying_title: record.first("underlyingSecurityTitle"),
    underlying_shares: numberOf(record, "underlyingSecurityShares", warnings),
    underlying_value: numberOf(record, "underlyingSecurityValue", warnings),
  };
}
const NO_UNDERLYING: ReturnType<typeof underlyingOf> = {
  exercise_price: null,
  exercise_date: null,
  expiration_date: null,
  underlying_title: null,
  underlying_shares: null,
  underlying_value: null,
};

/**
 * Reads the fields that trades and holdings share. The line's own bucket may name footnotes, which have a
 * meaning only within this form. The second `bucket` returned omits them and the terms of derivatives, so
 * that it can be compared across forms.
 */
function lineOf(record: XmlRecord, security_type: SecurityType, warnings: Warnings) {
  const security_title = record.first("securityTitle");
  const ownership_nature = oneOf(record.first("directOrIndirectOwnership"), ["D", "I"]);
  const nature_of_ownership = record.first("natureOfOwnership");
  const isDerivative = security_type === "derivative";
  const underlying = isDerivative ? underlyingOf(record, warnings) : NO_UNDERLYING;
  const { exercise_price, expiration_date } = underlying;
  // "See footnote" is one holding bucket with F2 and another with F3.
  const apart = [
    ...record.notesOf("natureOfOwnership"),
    ...(isDerivative ? [exercise_price ?? "", expiration_date ?? ""] : []),
  ];
  const bucket = `${security_type}|${key(security_title)}|${ownership_nature ?? ""}|${key(nature_of_ownership)}`;
  const line = {
    security_type,
    security_title,
    ownership_nature,
    nature_of_ownership,
    bucket: apart.length === 0 ? bucket : `${bucket}|${apart.join("|")}`,
    shares_owned_after: numberOf(record, "sharesOwnedFollowingTransaction", warnings),
    value_owned_after: numberOf(record, "valueOwnedFollowingTransaction", warnings),
    footnotes: record.notes,
    ...underlying,
  };
  return { line, bucket };
}

export const readHolding = (
  record: XmlRecord,
  type: SecurityType,
  line: number,
  warnings: Warnings,
): OwnershipHolding => ({ ...lineOf(record, type, warnings).line, line });

/** A trade without the fields that depend on the whole form: its 10b5-1 plan and its percentage. */
export type RawTransaction = Omit<OwnershipTransaction, "is_10b5_1" | "purchase_pct_of_holding">;

/**
 * The type follows the code. When the direction contradicts it, a wrong tick is more likely than a wrong
 * code.
 */
function typeOf(code: string | null, direction: "A" | "D" | null, warnings: Warnings): TransactionType {
  const meant = code === null ? undefined : DIRECTIONS[code];
  if (meant && direction && meant !== direction) {
    const way = direction === "A" ? "acquired" : "disposed of";
    warnings.add("code_contradicts_direction", `code ${code} with shares ${way}; the code counts`);
  }
  return TYPES[code ?? ""] ?? "other";
}

/**
 * Dollars: the total as filed, else shares × price. A market trade at price 0 has no known price, so it has
 * no value.
 */
function dollarsOf(record: XmlRecord, type: TransactionType, price: number | null): number | null {
  const total = readNumber(record.first("transactionTotalValue"));
  if (total !== null) return total;
  if (price === 0 && (type === "buy" || type === "sell")) return null;
  const [shares, each] = [record.first("transactionShares"), record.first("transactionPricePerShare")];
  return shares === null || each === null ? null : exactProduct(shares, each);
}

/** Reads a trade. `party` names the issuer and the owners; it becomes part of the trade's key. */
export function readTransaction(
  record: XmlRecord,
  type: SecurityType,
  number: number,
  party: string,
  warnings: Warnings,
): RawTransaction {
  const transaction_code = record.first("transactionCode")?.toUpperCase() ?? null;
  if (transaction_code === null) warnings.add("no_coding", "a trade has no transaction code");
  const transaction_date = dayOf(record, "transactionDate", warnings);
  const acquired_disposed = oneOf(record.first("transactionAcquiredDisposedCode"), ["A", "D"]);
  const transaction_type = typeOf(transaction_code, acquired_disposed, warnings);
  const timeliness = record.first("transactionTimeliness")?.toUpperCase();
  const price_per_share = numberOf(record, "transactionPricePerShare", warnings);
  const { line, bucket } = lineOf(record, type, warnings);
  // Assigned in place for speed: a busy day has tens of thousands of lines with forty fields each.
  return Object.assign(line, {
    line: number,
    trade_key: `${party}|${transaction_date ?? ""}|${transaction_code ?? ""}|${bucket}`,
    transaction_date,
    deemed_execution_date: dayOf(record, "deemedExecutionDate", warnings),
    transaction_code,
    transaction_type,
    transaction_form: record.first("transactionFormType"),
    is_early: timeliness === "E",
    is_late: timeliness === "L",
    is_equity_swap: readFlag(record.first("equitySwapInvolved")),
    acquired_disposed,
    shares: numberOf(record, "transactionShares", warnings),
    price_per_share,
    transaction_value: dollarsOf(record, transaction_type, price_per_share),
  });
}

const isPurchase = (trade: RawTransaction): boolean => trade.transaction_type === "buy";

function moveOf(trade: RawTransaction): Move {
  const { shares, acquired_disposed, transaction_date: date, shares_owned_after: after } = trade;
  const direction = DIRECTIONS[trade.transaction_code ?? ""] ?? acquired_disposed;
  const signed = shares === null || direction === null ? null : direction === "A" ? shares : -shares;
  return { date, signed, after, isPurchase: isPurchase(trade) };
}

/** Computes the purchases' percentage of every bucket, when the form has purchases. */
function percentages(trades: readonly RawTransaction[], warnings: Warnings): Map<string, number | null> {
  const percents = new Map<string, number | null>();
  if (!trades.some(isPurchase)) return percents;
  for (const [bucket, lots] of Map.groupBy(trades, (trade) => trade.bucket)) {
    const { percent, isUnclear } = purchasePercent(lots.map(moveOf));
    if (isUnclear)
      warnings.add("holding_does_not_add_up", "the holding before a purchase cannot be determined");
    percents.set(bucket, percent);
  }
  return percents;
}

/** Completes the trades of a form with their plans and percentages. */
export function completeTransactions(
  trades: readonly RawTransaction[],
  sources: PlanSources,
  warnings: Warnings,
): OwnershipTransaction[] {
  const plans = plansOf(trades, sources);
  for (const { code, message } of plans.warnings) warnings.add(code, message);
  const percents = percentages(trades, warnings);
  return trades.map((trade, i) =>
    Object.assign(trade, {
      purchase_pct_of_holding: isPurchase(trade) ? (percents.get(trade.bucket) ?? null) : null,
      is_10b5_1: plans.planned[i] ?? null,
    }),
  );
}

// Makes the stored rows of a Form 3, 4 or 5. Pure.
import type { insiderTransactions } from "../../datasets/insider-transactions.ts";
import { endOfDay } from "../../market/calendar.ts";
import { isDate } from "../../market/date.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import type {
  Acceptance,
  Owner,
  OwnershipFiling,
  OwnershipTransaction,
} from "../../providers/edgar/index.ts";

export type TradeRow = RowOf<typeof insiderTransactions>;

/** Version of the reader. Increase it when the same filing yields different rows. */
export const READING = 3;
/**
 * Version of rows from the regulator's quarterly data sets. Rows read from the filing itself take precedence.
 */
// A filing with rows of reading 0 and of reading 3 counts with those of reading 3.
export const DATA_SET_READING = 0;

/** Where rows come from. */
export interface Origin {
  readonly reading: number;
  readonly sha256: string | null;
}

/** Drops days that cannot be meant, such as 0021-03-01. */
const day = (text: string | null): string | null => (text !== null && isDate(text) ? text : null);

/** True if the flag is set for one of the owners, null if it may be. */
// A director and an owner whose title is unknown: null; with a chief executive beside them: true.
function ofAny(owners: readonly Owner[], flag: "is_ceo" | "is_cfo" | "is_c_suite"): boolean | null {
  if (owners.some((owner) => owner[flag] === true)) return true;
  return owners.some((owner) => owner[flag] === null) ? null : false;
}

const storedInstant = (text: string) => instantText(Temporal.Instant.from(text).epochMilliseconds);

/** When a filing was accepted and when it became public, as stored instants. */
export function momentsOf({ accepted_at, public_from, filing_date }: Acceptance) {
  return {
    accepted_at: accepted_at === null ? null : storedInstant(accepted_at),
    known_at: public_from ? storedInstant(public_from) : instantText(endOfDay(filing_date).epochMilliseconds),
  };
}

function ownersPart(owners: readonly Owner[]) {
  const [first] = owners;
  return {
    owner_cik: first?.cik ?? null,
    owner_name: first?.name ?? "",
    owner_count: owners.length,
    owners: JSON.stringify(owners.map(({ cik, name, relationship }) => ({ cik, name, relationship }))),
    owner_relationship: first?.relationship ?? "",
    officer_title: first?.officer_title ?? null,
    is_director: owners.some((owner) => owner.is_director),
    is_officer: owners.some((owner) => owner.is_officer),
    is_ten_percent_owner: owners.some((owner) => owner.is_ten_percent_owner),
    is_other: owners.some((owner) => owner.is_other),
    is_ceo: ofAny(owners, "is_ceo"),
    is_cfo: ofAny(owners, "is_cfo"),
    is_c_suite: ofAny(owners, "is_c_suite"),
  };
}

/** A hash of `parts` in 52 bits, which every JSON reader and DuckDB keep exact. */
function hashOf(...parts: readonly unknown[]): number {
  const digest = new Bun.CryptoHasher("sha256").update(JSON.stringify(parts)).digest();
  return Number(digest.readBigUInt64BE(0) >> 12n);
}

/**
 * The keys that match a row with its correction, and with its repetition by another part of a large group.
 */
function keysOf(filing: OwnershipFiling, trade: OwnershipTransaction, reading: number) {
  const { accession_number, issuer, owners, filing_date, transactions } = filing;
  const { line, security_type, ownership_nature, shares, shares_owned_after } = trade;
  const [first] = owners;
  const lineKey = (filed: string) =>
    hashOf(
      issuer.cik,
      first?.cik ?? first?.name ?? "",
      filed,
      line,
      transactions.length,
      security_type,
      ownership_nature,
      shares,
      shares_owned_after,
    );
  const original = day(filing.date_of_original_submission);
  const { transaction_date, transaction_code, security_title, price_per_share } = trade;
  return {
    row_id: hashOf(accession_number, line, reading),
    trade_key: hashOf(trade.trade_key),
    line_key: lineKey(filing_date),
    corrects_line_key: filing.is_amendment && original !== null ? lineKey(original) : null,
    group_key: hashOf(
      issuer.cik,
      filing_date,
      line,
      transactions.length,
      transaction_date,
      transaction_code,
      security_title,
      shares,
      price_per_share,
      shares_owned_after,
      ownership_nature,
    ),
  };
}

function tradePart(given: OwnershipTransaction) {
  const {
    trade_key: _key,
    transaction_form: _form,
    underlying_value: _value,
    footnotes: _,
    ...trade
  } = given;
  return {
    ...trade,
    transaction_date: day(trade.transaction_date),
    deemed_execution_date: day(trade.deemed_execution_date),
    exercise_date: day(trade.exercise_date),
    expiration_date: day(trade.expiration_date),
  };
}

/** One row per trade. A form without trades (every Form 3) has none. */
export function tradeRows(filing: OwnershipFiling, { reading, sha256 }: Origin): TradeRow[] {
  const { accession_number, form_type, is_amendment, filing_date, issuer, owners, transactions } = filing;
  const shared = {
    accession_number,
    reading,
    form_type,
    is_amendment,
    filing_date,
    role: "trade",
    ...momentsOf(filing),
    period_of_report: day(filing.period_of_report),
    date_of_original_submission: day(filing.date_of_original_submission),
    issuer_cik: issuer.cik,
    issuer_name: issuer.name,
    issuer_symbol: issuer.symbol,
    ...ownersPart(owners),
    line_count: transactions.length,
    counted_in: null,
    footnotes: [...Object.values(filing.footnotes), filing.remarks].filter(Boolean).join("\n") || null,
    source_sha256: sha256,
  };
  return transactions.map((trade) => ({ ...shared, ...tradePart(trade), ...keysOf(filing, trade, reading) }));
}

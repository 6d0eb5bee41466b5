// A key of sixty filings: every line of their statements named by the words of its label alone. It knows no
// tag, so it also shows when a figure was taken from the line beside the right one.
import { createHash } from "node:crypto";
import type { PresentedFiling, StatementCode } from "./fsds.ts";
import { fieldOf, LABELS, labelledFigure, type PresentedStatement, type ServedRow } from "./fsds-compare.ts";

export const KEY_FILINGS = 60;

/**
 * The filings of the key: those with all three statements whose accession numbers have the smallest hashes.
 */
export function keyFilings(filings: readonly PresentedFiling[]): ReadonlySet<string> {
  const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
  const whole = filings.filter(({ statements }) =>
    (["BS", "IS", "CF"] as const).every((c) => statements.has(c)),
  );
  const hashed = whole.map(({ accession }) => ({ accession, hash: hashOf(accession) }));
  hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return new Set(hashed.slice(0, KEY_FILINGS).map(({ accession }) => accession));
}

/** Words of labels for the items that the other comparison leaves out. */
const MORE: Readonly<Record<StatementCode, Readonly<Record<string, RegExp>>>> = {
  BS: {
    intangible_assets:
      /^(?:other )?intangible assets(?:, net| - net|, less accumulated amortization.*| \(net.*\))?$|^intangibles?, net$/i,
    short_term_borrowings: /^(?:short-term borrowings|notes payable|loans payable)$/i,
    commercial_paper: /^commercial paper$/i,
    long_term_debt_current:
      /^current (?:portion|maturities|installments) of long-term debt.*$|^long-term debt due within one year$/i,
    parent_equity: /^total (?!.*liabilit).*(?:stock|share)(?:holders|owners)['’]? equity$/i,
    temporary_equity: /^(?:redeemable non-?controlling interests?|temporary equity)$/i,
    cash_and_due_from_banks: /^cash and (?:balances )?due from (?:banks|depository institutions)$/i,
    loans: /^(?:net loans|loans, net.*|total loans, net.*|loans and leases, net.*)$/i,
  },
  IS: {
    net_income_with_noncontrolling:
      /^(?:consolidated )?net (?:income|earnings|loss|income \(loss\)|\(loss\) income)(?: \(loss\))?(?: including non-?controlling interests?)?$/i,
    provision_for_credit_losses: /^provision for (?:credit|loan)(?: and lease)? losses$/i,
    premiums_earned: /^(?:net )?premiums earned$|^earned premiums$/i,
    net_investment_income: /^net investment income$/i,
    policyholder_benefits: /^policyholder benefits(?: and claims)?$/i,
    discontinued_operations:
      /^(?:\(?(?:income|loss|earnings)\)? ?(?:\(loss\) )?from discontinued operations.*net of .*|discontinued operations, net of .*)$/i,
    equity_method_income:
      /^equity in (?:net )?(?:earnings|income|losses)(?: \(losses?\))? of .*(?:affiliates|investees|companies)$/i,
    selling_and_marketing: /^(?:selling|sales|marketing)(?: and marketing| and selling)?(?: expenses?)?$/i,
    general_and_administrative: /^general and administrative(?: expenses?)?$/i,
    weighted_average_shares_basic:
      /^(?:weighted[- ]average|average) .*shares.*(?<!diluted.*)basic\b(?!.*dilut).*$/i,
    weighted_average_shares_diluted: /^(?:weighted[- ]average|average) .*shares.*\bdiluted\b(?!.*basic).*$/i,
  },
  CF: {
    dividends_paid:
      /^(?:cash )?dividends paid(?: to (?:common )?(?:share|stock)holders)?$|^payments? of (?:cash )?dividends$/i,
    share_repurchases:
      /^(?:repurchases? of (?:common stock|shares|common shares)|purchases? of treasury (?:stock|shares)|treasury stock purchase[sd]?|common stock repurchase[sd])$/i,
    depreciation: /^depreciation(?: expense)?$/i,
    amortization: /^amortization$/i,
    amortization_of_intangible_assets:
      /^amortization of (?:purchased |acquired |acquisition-related )?intangible(?:s| assets)$/i,
  },
};
const KEY: typeof MORE = {
  BS: { ...LABELS.BS, ...MORE.BS },
  IS: { ...LABELS.IS, ...MORE.IS },
  CF: { ...LABELS.CF, ...MORE.CF },
};

/** Items that a filer reports as one line where it has one kind of owners, of debt or of expense. */
const ONE_LINE: readonly (readonly string[])[] = [
  ["net_income", "net_income_with_noncontrolling"],
  ["cash_and_equivalents", "cash_and_due_from_banks"],
  ["total_equity", "parent_equity"],
  ["noncontrolling_interest", "temporary_equity"],
  ["operating_expenses", "costs_and_expenses"],
  ["selling_general_administrative", "general_and_administrative"],
  ["short_term_debt", "short_term_borrowings", "commercial_paper", "long_term_debt_current"],
  [
    "short_term_borrowings",
    "notes_payable_current",
    "loans_payable_current",
    "notes_payable",
    "loans_payable",
  ],
  ["long_term_debt", "long_term_debt_with_current", "long_term_notes_payable", "long_term_loans_payable"],
  ["short_term_borrowings", "long_term_notes_payable"],
  ["deferred_revenue", "deferred_revenue_noncurrent"],
  ["eps_basic", "eps_diluted"],
  ["weighted_average_shares_basic", "weighted_average_shares_diluted"],
  ["operating_cash_flow", "operating_cash_flow_continuing"],
  ["investing_cash_flow", "investing_cash_flow_continuing"],
  ["financing_cash_flow", "financing_cash_flow_continuing"],
  ["depreciation_amortization", "depreciation", "amortization", "amortization_of_intangible_assets"],
];
const isOneLine = (a: string, b: string): boolean =>
  ONE_LINE.some((items) => items.includes(a) && items.includes(b));

/** Whether the row has the figure under an item that is one line with this one. */
export const isUnderSibling = (row: ServedRow, item: string, value: number): boolean =>
  ONE_LINE.some((items) => items.includes(item) && items.some((other) => fieldOf(row, other) === value));

const UNDER_HEADING = /^(?:eps|weighted)_|_discontinued$/;

/** Every item of a statement with the figure that its label names. */
export const keyOf = (statement: PresentedStatement): ReadonlyMap<string, { tag: string; value: number }> =>
  new Map(
    Object.keys(KEY[statement.code]).flatMap((item) => {
      const named = labelledFigure(statement, item, KEY);
      return named ? [[item, named] as const] : [];
    }),
  );

/**
 * Returns what the label of a served figure's line names: the item itself, another item, or nothing that the
 * key knows.
 */
export function namedBy(
  statement: PresentedStatement,
  item: string,
  tag: string,
): "item" | "neighbour" | "unnamed" {
  // Lines below a heading of shares or of discontinued operations often repeat the words of the amounts
  // above.
  if (UNDER_HEADING.test(item)) return "unnamed";
  const line = statement.lines.find((one) => one.tag === tag && !one.isComprehensive);
  const names = Object.entries(KEY[statement.code]).filter(([, words]) =>
    words.test(line?.label.trim() ?? ""),
  );
  if (names.length === 0) return "unnamed";
  return names.some(([name]) => name === item || isOneLine(name, item)) ? "item" : "neighbour";
}

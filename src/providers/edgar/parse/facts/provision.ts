// Decides which of several provisions for losses is the income statement's.
import { type Get, near } from "./proofs.ts";

/**
 * Provisions for losses on what was lent. A cash flow statement or a note may give another one than the
 * income statement.
 */
const PROVISIONS = [
  "ProvisionForLoanLeaseAndOtherLosses",
  "ProvisionForLoanAndLeaseLosses",
  "ProvisionForLoanLossesExpensed",
  "ProvisionForCreditLosses",
  "FinancingReceivableCreditLossExpenseReversal",
];
const AFTER_PROVISION = "InterestIncomeExpenseAfterProvisionForLoanLoss";
/** Every tag that the proof reads beside the provisions themselves. */
export const PROVISION_PROOF_TAGS = [AFTER_PROVISION, "InterestIncomeExpenseNet"];

/**
 * Accepts a provision where the filing has no other amount of one, or where net interest income less it is
 * the income after it.
 */
function isProvision(value: number, get: Get, tolerance: number): boolean {
  const others = PROVISIONS.map((tag) => get(tag)).filter((other) => other !== undefined && other !== 0);
  if (others.every((other) => other === value)) return true;
  const [before, after] = [get("InterestIncomeExpenseNet"), get(AFTER_PROVISION)];
  return before !== undefined && after !== undefined && near(before - value, after, tolerance);
}

export const PROVISION_TAGS = PROVISIONS.map((tag) => ({ tag, proof: isProvision }));

// Voids trades that no longer count because another filing corrects or repeats them.
import { INSIDER_VOIDED, insiderTransactions } from "../../datasets/insider-transactions.ts";
import { inBatches } from "../../market/bulk.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { TradeRow } from "./trade-rows.ts";

/** Issuers whose trades are compared in one query. */
const ISSUERS_PER_QUERY = 1_000;

/**
 * Compares all trades of the issuers of `trades`, which must be stored already, and appends the missing
 * voiding rows.
 */
export async function voidTrades(lake: Lake, trades: readonly TradeRow[]): Promise<void> {
  const issuers = [...new Set(trades.map((trade) => trade.issuer_cik))];
  for (const batch of inBatches(issuers, ISSUERS_PER_QUERY)) {
    const voided = await lake.query<TradeRow>(INSIDER_VOIDED, { issuers: batch });
    if (voided.length > 0) await lake.append([batchOf(insiderTransactions, voided)]);
  }
}

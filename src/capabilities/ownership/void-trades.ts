// Notes which trades no longer count, because another filing corrects or repeats them.
import { INSIDER_VOIDED, insiderTransactions } from "../../datasets/insider-transactions.ts";
import { inBatches } from "../../market/bulk.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { TradeRow } from "./trade-rows.ts";

/** Issuers whose trades are compared at once. */
const ISSUERS_AT_ONCE = 1_000;

/** To be called after `trades` are stored: looks at all trades of their issuers, and adds what strikes are missing. */
export async function voidTrades(lake: Lake, trades: readonly TradeRow[]): Promise<void> {
  const issuers = [...new Set(trades.map((trade) => trade.issuer_cik))];
  for (const batch of inBatches(issuers, ISSUERS_AT_ONCE)) {
    const voided = await lake.query<TradeRow>(INSIDER_VOIDED, { issuers: batch });
    if (voided.length > 0) await lake.append([batchOf(insiderTransactions, voided)]);
  }
}

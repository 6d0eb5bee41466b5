// Appends the rows that follow from stored trades: which trades are void, and what closes say about prices.
import { INSIDER_PRICE_CHECKS, insiderPriceChecks } from "../../datasets/insider-price-checks.ts";
import { INSIDER_VOIDED, insiderTransactions } from "../../datasets/insider-transactions.ts";
import { inBatches } from "../../market/bulk.ts";
import type { Services } from "../../market/services.ts";
import { backgroundQueue } from "../../platform/background-queue.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";

/** Issuers whose trades are compared in one query. */
const ISSUERS_PER_QUERY = 1_000;

/** The companies of trades, each once. */
export const issuersOf = (trades: readonly { readonly issuer_cik: string }[]): string[] => [
  ...new Set(trades.map(({ issuer_cik }) => issuer_cik)),
];

/** Compares all trades of issuers, which must be stored already, and appends the missing voiding rows. */
export async function voidTrades(lake: Lake, issuers: readonly string[]): Promise<void> {
  for (const batch of inBatches(issuers, ISSUERS_PER_QUERY)) {
    const voided = await lake.query<never>(INSIDER_VOIDED, { issuers: batch });
    if (voided.length > 0) await lake.append([batchOf(insiderTransactions, voided)]);
  }
}

/** Appends the checks that stored closes of issuers, or of symbols, make possible; returns how many. */
export async function checkPrices(
  lake: Lake,
  issuers: readonly string[],
  symbols: readonly string[] = [],
): Promise<number> {
  let added = 0;
  // Most installations without forms store many closes.
  if ((await lake.query("SELECT 1 FROM insider_transactions WHERE role = 'trade' LIMIT 1")).length === 0)
    return 0;
  for (const batch of symbols.length > 0 ? [[]] : inBatches(issuers, ISSUERS_PER_QUERY)) {
    const checks = await lake.query<never>(INSIDER_PRICE_CHECKS, { issuers: batch, symbols });
    if (checks.length > 0) await lake.append([batchOf(insiderPriceChecks, checks)]);
    added += checks.length;
  }
  return added;
}

/** Appends the checks of all companies. */
export async function checkAllPrices(lake: Lake, signal: AbortSignal): Promise<number> {
  const rows = await lake.query<{ issuer_cik: string }>(
    "SELECT DISTINCT issuer_cik FROM insider_transactions WHERE role = 'trade' AND transaction_code IN ('P', 'S')",
    {},
    { signal },
  );
  return checkPrices(lake, issuersOf(rows));
}

/** Checks prices in the background when closes of symbols arrive. Those that arrive meanwhile come next. */
export function closesArrived({ lake, log }: Pick<Services, "lake" | "log">) {
  const symbols = new Set<string>();
  const queue = backgroundQueue({
    workers: 1,
    itemsMax: 1,
    async run() {
      const arrived = [...symbols];
      symbols.clear();
      await checkPrices(lake, [], arrived).catch((error: unknown) =>
        log.warn("insiders' prices are checked by the next daily run", { error: String(error) }),
      );
      return null;
    },
    onOutage() {},
  });
  return {
    arrive(more: readonly string[]) {
      for (const symbol of more) symbols.add(symbol);
      queue.add(["closes"]);
    },
    stop: queue.stop,
  };
}

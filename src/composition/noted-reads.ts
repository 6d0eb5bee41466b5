// Notes of the operational database that rows of a dataset were read: they go where rows are lost, so that
// jobs and requests read them again.
import { sql } from "drizzle-orm";
import type { Store } from "../platform/sqlite/sqlite.ts";

const ownership = (kind: string) => [
  `UPDATE ownership_filings SET status = 'pending', attempts = 0 WHERE kind = '${kind}' AND status = 'succeeded'`,
];
const attention = ["DELETE FROM news_archive_fetches"];
const actions = ["DELETE FROM actions_checked", "UPDATE dividend_tickers SET splits_since = NULL"];

/** Daily bars and lists that are read whole are not here: what is missing of them shows without a note. */
const NOTED: Readonly<Record<string, readonly string[]>> = {
  corporate_actions: actions,
  action_coverage: actions,
  bars_intraday: ["DELETE FROM marketfeed_spans"],
  page_views: ["DELETE FROM page_view_fetches"],
  news_archive_articles: attention,
  news_archive_volume: attention,
  news_headlines: ["DELETE FROM news_ticker_polls", "UPDATE news_providers SET backfilled_until = NULL"],
  econ_observations: ["DELETE FROM econ_fetches"],
  earnings_surprises: ["UPDATE earnings_tickers SET surprises_read_at = NULL"],
  earnings_calendar: ["UPDATE earnings_tickers SET next_read_at = NULL"],
  financial_facts: ["DELETE FROM financial_filers"],
  etf_holdings: ["UPDATE etf_reports SET status = 'listed' WHERE status = 'read'"],
  insider_transactions: ownership("insider"),
  ownership_events: ownership("holder"),
  filings: ["UPDATE filings SET published = 0"],
  filing_events: ["UPDATE filing_events SET published = 0"],
  overlay_scores: ["DELETE FROM overlay_runs"],
};

/** Forgets what is noted as read of datasets; returns those of which nothing says what to read again. */
export function forgetReads(sqlite: Store, datasets: readonly string[]): string[] {
  sqlite.write((db) => {
    for (const statement of new Set(datasets.flatMap((name) => NOTED[name] ?? [])))
      db.run(sql.raw(statement));
  });
  return datasets.filter((name) => NOTED[name] === undefined && name !== "bars_daily");
}

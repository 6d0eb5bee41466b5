// Notes of the operational database that rows of a dataset were read: they go where rows are lost, so that
// jobs and requests read them again.
import { sql } from "drizzle-orm";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Lake, LostFile } from "../platform/lake/lake.ts";
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
  // The next daily run makes them again.
  insider_price_checks: [],
  ownership_events: ownership("holder"),
  filings: ["UPDATE filings SET published = 0"],
  filing_events: ["UPDATE filing_events SET published = 0"],
  overlay_scores: ["DELETE FROM overlay_runs"],
};

type Path = (of: string, ranges: LostFile["ranges"]) => string;
const actionsPath: Path = (symbol) => `price/data/${symbol}?period=max&force_refresh=true`;

/** The request that reads the rows of one symbol, or of one series, of a dataset again. */
const ASKED: Readonly<Record<string, Path>> = {
  bars_daily: (symbol, { date }) => `price/data/${symbol}?start_date=${date?.[0]}&end_date=${date?.[1]}`,
  corporate_actions: actionsPath,
  action_coverage: actionsPath,
  earnings_surprises: (symbol) => `earnings/surprise/${symbol}`,
  earnings_calendar: (symbol) => `earnings/calendar/${symbol}`,
  financial_facts: (symbol) => `financial/data/${symbol}`,
  econ_observations: (id) =>
    `econdata/proxy/series/observations?series_id=${id}&realtime_start=1776-07-04&realtime_end=9999-12-31`,
};

/** Stored symbols that a file can have had, of which nothing else can be read. */
const SYMBOLS = `(${["bars_daily", "corporate_actions", "action_coverage", "financial_facts"]
  .map((name) => `SELECT symbol FROM ${name}`)
  .join(" UNION ")})`;

/**
 * Reads lost rows again: by the requests that would read them, else by the jobs that fill their dataset. A
 * request that fails leaves its rows lost, which doctor and the next reading say.
 */
export async function readLostRows(
  lake: Pick<Lake, "losses" | "lostValues">,
  jobs: Pick<Jobs, "list" | "runNow">,
  app: { fetch(request: Request): Response | Promise<Response> },
  signal: AbortSignal,
): Promise<void> {
  const paths = new Set<string>();
  const lost = await lake.losses();
  for (const file of lost) {
    const path = ASKED[file.dataset];
    const [column, others] =
      file.dataset === "econ_observations" ? ["series_id", file.dataset] : ["symbol", SYMBOLS];
    for (const of of path ? await lake.lostValues(file, column, others) : [])
      paths.add(path?.(encodeURIComponent(of), file.ranges) ?? "");
  }
  for (const path of paths)
    if (!signal.aborted) await (await app.fetch(new Request(`http://localhost/api/v1/${path}`))).text();
  const others = lost.flatMap(({ dataset }) => (ASKED[dataset] ? [] : [dataset]));
  for (const { name, fills } of jobs.list())
    if (others.some((dataset) => fills.includes(dataset))) jobs.runNow(name);
  await lake.losses();
}

/** Forgets what is noted as read of datasets; returns those of which nothing says what to read again. */
export function forgetReads(sqlite: Store, datasets: readonly string[]): string[] {
  sqlite.write((db) => {
    for (const statement of new Set(datasets.flatMap((name) => NOTED[name] ?? [])))
      db.run(sql.raw(statement));
  });
  return datasets.filter((name) => NOTED[name] === undefined && name !== "bars_daily");
}

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

/** Those without a statement are read again without one being taken back. */
const NOTED: Readonly<Record<string, readonly string[]>> = {
  bars_daily: [],
  short_volume: [],
  short_interest: [],
  presented_statements: [],
  // The next reading of the lists adds those that the lake lacks.
  universe_readings: [],
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

type LossReads = Pick<Lake, "losses" | "lostValues" | "query">;
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
  presented_statements: (symbol) => `financial/data/${symbol}?period=max`,
  econ_observations: (id) =>
    `econdata/proxy/series/observations?series_id=${id}&realtime_start=1776-07-04&realtime_end=9999-12-31`,
};

/** The column of the days of a dataset whose job reads one, and SQL of the days that were read of it. */
const DAYS: Readonly<Record<string, readonly [column: string, others: string]>> = {
  short_volume: ["date", "(SELECT date FROM finra_files WHERE facility <> 'SHRT')"],
  short_interest: [
    "settlement_date",
    "(SELECT date AS settlement_date FROM finra_files WHERE facility = 'SHRT')",
  ],
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
  lake: LossReads,
  jobs: Pick<Jobs, "list" | "runNow" | "request">,
  app: { fetch(request: Request): Response | Promise<Response> },
  signal: AbortSignal,
): Promise<void> {
  const paths = new Set<string>();
  const lost = await lake.losses();
  for (const file of lost) {
    const path = ASKED[file.dataset];
    for (const of of path ? await askedOf(lake, file) : [])
      paths.add(path?.(encodeURIComponent(of), file.ranges) ?? "");
  }
  for (const path of paths)
    if (!signal.aborted) await (await app.fetch(new Request(`http://localhost/api/v1/${path}`))).text();
  const others = lost.filter(({ dataset }) => !ASKED[dataset]);
  for (const { name, fills } of jobs.list()) {
    const own = others.filter(({ dataset }) => fills.includes(dataset));
    if (own.some(({ dataset }) => !DAYS[dataset])) jobs.runNow(name);
    for (const date of await daysOf(lake, own)) {
      // One that runs already: the next reading asks again.
      const run =
        signal.aborted || jobs.list().some((job) => job.name === name && job.last_status === "running");
      if (!run) await jobs.request(name, date).done;
    }
  }
  await lake.losses();
}

/** The symbols or series whose requests read a lost file again. */
async function askedOf(lake: LossReads, file: LostFile): Promise<readonly string[]> {
  if (file.dataset === "econ_observations") return lake.lostValues(file, "series_id", file.dataset);
  if (file.dataset !== "presented_statements") return lake.lostValues(file, "symbol", SYMBOLS);
  const ciks = await lake.lostValues(file, "cik", "financial_facts");
  const sql = "SELECT DISTINCT symbol FROM financial_facts WHERE cik = ANY($ciks) AND symbol IS NOT NULL";
  return (await lake.query<{ symbol: string }>(sql, { ciks })).map(({ symbol }) => symbol);
}

/** The days that lost files can have had rows of, oldest first. */
async function daysOf(lake: LossReads, files: readonly LostFile[]): Promise<readonly string[]> {
  const days = files.flatMap((file) => {
    const [column, others] = DAYS[file.dataset] ?? [];
    return column && others ? [lake.lostValues(file, column, others)] : [];
  });
  return [...new Set((await Promise.all(days)).flat())].sort();
}

/** Forgets what is noted as read of datasets; returns those of which nothing says what to read again. */
export function forgetReads(sqlite: Store, datasets: readonly string[]): string[] {
  sqlite.write((db) => {
    for (const statement of new Set(datasets.flatMap((name) => NOTED[name] ?? [])))
      db.run(sql.raw(statement));
  });
  return datasets.filter((name) => NOTED[name] === undefined);
}

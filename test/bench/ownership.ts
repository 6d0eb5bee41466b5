// Insiders' trades: a query over all companies against the same on the bare files, and a day of filings
// against the pace.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DATASETS, insiderTransactions, MACROS } from "../../src/datasets/index.ts";
import { federalBusinessDays } from "../../src/market/federal-days.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { RowOf } from "../../src/platform/lake/dataset.ts";
import { batchOf, type Lake, openLake } from "../../src/platform/lake/lake.ts";
import { edgarPolicy } from "../../src/providers/edgar/index.ts";
import { busyDay, serveOwnership } from "../support/ownership-world.ts";
import { forEachSequential, type Measurement, ms, steadyRandom, timed } from "./measure.ts";
import { startService } from "./service-process.ts";

const root = resolve(import.meta.dir, "../..");
const padded = (n: number, width: number) => String(n).padStart(width, "0");

type Row = RowOf<typeof insiderTransactions>;

/** Codes as often as filers use them: purchases are few. */
const CODES = ["S", "S", "S", "A", "A", "M", "M", "F", "F", "P", "G", "S"];

/**
 * The columns that all lines of a filing share; one filing in thirty is an amendment, some are of large
 * groups.
 */
function filingColumns(date: string, i: number, sequence: number, random: () => number) {
  const [issuer, owner] = [Math.floor(random() * 6_000), Math.floor(random() * 40_000)];
  const is_amendment = i % 30 === 7;
  const at = `${date}T${padded(10 + (i % 11), 2)}:${padded(i % 60, 2)}:00.000Z`;
  const owner_cik = padded(2_000_000 + owner, 10);
  return {
    accession_number: `0001234567-${date.slice(2, 4)}-${padded(sequence % 1_000_000, 6)}`,
    role: "trade",
    reading: 1,
    form_type: is_amendment ? "4/A" : "4",
    is_amendment,
    filing_date: date,
    accepted_at: at,
    period_of_report: date,
    date_of_original_submission: is_amendment ? date : null,
    issuer_cik: padded(1_000_000 + issuer, 10),
    issuer_name: `ISSUER NUMBER ${issuer} INC`,
    issuer_symbol: `S${issuer}`,
    owner_cik,
    owner_name: `OWNER NUMBER ${owner}`,
    owner_count: i % 200 === 3 ? 10 : 1,
    owners: `[{"cik":"${owner_cik}","name":"OWNER NUMBER ${owner}","relationship":"director"}]`,
    owner_relationship: "director",
    officer_title: owner % 3 === 0 ? "Chief Executive Officer" : null,
    is_director: true,
    is_officer: owner % 3 === 0,
    is_ten_percent_owner: false,
    is_other: false,
    is_ceo: owner % 3 === 0,
    is_cfo: false,
    is_c_suite: owner % 3 === 0,
    line_count: 1 + (i % 3),
    source_sha256: null,
    known_at: at,
  } satisfies Partial<Row>;
}

/** The columns of one trade in common stock, without those that only derivatives have. */
function tradeColumns(date: string, random: () => number) {
  const shares = 1 + Math.floor(random() * 10_000);
  const price = Math.round(random() * 20_000) / 100;
  const code = CODES[Math.floor(random() * CODES.length)] ?? "S";
  return {
    security_type: "non_derivative",
    security_title: "Common Stock",
    transaction_date: date,
    deemed_execution_date: null,
    transaction_code: code,
    transaction_type: code === "P" ? "buy" : "sell",
    acquired_disposed: code === "P" ? "A" : "D",
    shares,
    price_per_share: price,
    transaction_value: shares * price,
    shares_owned_after: shares * 3,
    value_owned_after: null,
    purchase_pct_of_holding: code === "P" ? 50 : null,
    ownership_nature: "D",
    nature_of_ownership: null,
    bucket: "common stock|D|",
    is_10b5_1: null,
    is_early: false,
    is_late: false,
    is_equity_swap: false,
  } satisfies Partial<Row>;
}

const NO_DERIVATIVE = {
  exercise_price: null,
  exercise_date: null,
  expiration_date: null,
  underlying_title: null,
  underlying_shares: null,
} satisfies Partial<Row>;

/** The trades of a day's filings, up to three in each. */
function tradesOf(date: string, day: number, filings: number, random: () => number): Row[] {
  const key = () => Math.floor(random() * 2 ** 52);
  return Array.from({ length: filings }, (_, i): Row[] => {
    const filing = filingColumns(date, i, day * filings + i, random);
    return Array.from(
      { length: filing.line_count },
      (_, lot): Row => ({
        ...filing,
        ...tradeColumns(date, random),
        ...NO_DERIVATIVE,
        line: lot + 1,
        row_id: key(),
        trade_key: key(),
        line_key: key(),
        corrects_line_key: filing.is_amendment ? key() : null,
        group_key: key(),
        counted_in: null,
        footnotes: null,
      }),
    );
  }).flat();
}

/** Five years of trades, in base files as the service's own compaction leaves them. */
export async function fill(lake: Lake, filingsADay: number, tell: (line: string) => void): Promise<number> {
  const random = steadyRandom(7);
  const days = federalBusinessDays("2021-01-01", "2025-12-31");
  let rows = 0;
  for (let from = 0; from < days.length; from += 60) {
    const batch = days
      .slice(from, from + 60)
      .flatMap((date, i) => tradesOf(date, from + i, filingsADay, random));
    // One in thirty is corrected.
    const voided = batch.filter((_, i) => i % 30 === 5).map((row) => ({ ...row, role: "strike" }));
    await lake.append([batchOf(insiderTransactions, [...batch, ...voided])]);
    rows += batch.length;
  }
  await lake.compact({ force: true });
  tell(`${rows} trades stored`);
  return rows;
}

const SELECT = `SELECT issuer_cik, sum(transaction_value) AS dollars, count(DISTINCT owner_cik) AS buyers,
  count(*) AS trades, avg(purchase_pct_of_holding) AS percent`;
const WHERE = "transaction_code = 'P' AND transaction_date BETWEEN DATE '2021-01-01' AND DATE '2025-12-31'";

export const insiderBuying: Measurement = {
  name: "insider-buying",
  description: "insider buying of all companies over five years, by insider_transactions_as_of",
  goal: { kind: "at most", ratio: 1.5 },
  async run({ quick, tell }) {
    const dir = await mkdtemp(join(tmpdir(), "asof-bench-"));
    const lake = await openLake({ dir, datasets: DATASETS, macros: MACROS, clock: systemClock });
    try {
      const rows = await fill(lake, quick ? 100 : 800, tell);
      const ours = `${SELECT} FROM insider_transactions_as_of('2025-12-31') WHERE ${WHERE} GROUP BY issuer_cik`;
      // Only what compaction left: replaced files stay a while beside it.
      const files = `read_parquet('${dir}/lake/insider_transactions/**/base-*.parquet', hive_partitioning = false)`;
      const theirs = `${SELECT} FROM ${files} WHERE known_at <= TIMESTAMPTZ '2026-01-01 04:59:59Z' AND ${WHERE} GROUP BY issuer_cik`;
      const [a, b] = await forEachSequential(
        Array.from({ length: 14 }, (_, i) => i),
        4,
        () => timed(() => lake.columns(ours)),
        () => timed(() => lake.columns(theirs)),
      );
      return [{ what: `${rows} trades, ${ms(a)}`, against: `the bare files, ${ms(b)}`, ratio: a / b }];
    } finally {
      await lake.close();
      await rm(dir, { recursive: true, force: true });
    }
  },
};

export const ownershipDay: Measurement = {
  name: "ownership-day",
  description: "a day of insiders' and large holders' filings taken in",
  goal: { kind: "at most", ratio: 1.05 },
  async run({ quick, tell }) {
    const dataDir = await mkdtemp(join(tmpdir(), "asof-bench-"));
    const date = "2026-09-08";
    const upstream = serveOwnership(busyDay(date, quick ? 300 : 1_000));
    const command = ["scripts/cli.ts", "ingest", "ownership", "--date", date];
    tell(`taking in ${date}`);
    try {
      const took = await timed(async () => {
        const child = Bun.spawn([process.execPath, ...command], {
          cwd: root,
          env: {
            ...process.env,
            DATA_DIR: dataDir,
            UPSTREAM_GATEWAY: upstream.url,
            SEC_USER_AGENT: "Asof bench bench@example.com",
          },
          stdio: ["ignore", "ignore", "ignore"],
        });
        if ((await child.exited) !== 0) throw new Error("the day could not be taken in");
      });
      const asked = upstream.asked.length;
      const boundMs = asked * edgarPolicy.spacingMsMin;
      const s = (x: number) => `${(x / 1000).toFixed(1)} s`;
      return [
        {
          what: `${s(took)} for ${asked} requests, the process's start included`,
          against: `${s(boundMs)} at ${edgarPolicy.spacingMsMin} ms a request`,
          ratio: took / boundMs,
        },
      ];
    } finally {
      await upstream.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

const FIRST_MS_MAX = 10_000;

export const ownershipFirst: Measurement = {
  name: "ownership-first",
  description: "first trades of a day with 974 filings that was never asked for",
  goal: { kind: "at most", ratio: 1 },
  async run() {
    const dataDir = await mkdtemp(join(tmpdir(), "asof-bench-"));
    const date = "2026-09-08";
    const upstream = serveOwnership(busyDay(date, 974));
    const service = await startService({
      DATA_DIR: dataDir,
      UPSTREAM_GATEWAY: upstream.url,
      SEC_USER_AGENT: "Asof bench bench@example.com",
      JOBS: "off",
    });
    try {
      let [trades, left] = [0, 0];
      const took = await timed(async () => {
        const response = await fetch(`${service.url}/api/v1/insider/form4/by-date/${date}`);
        const answer = (await response.json()) as { total: number; pending_count: number };
        [trades, left] = [answer.total, answer.pending_count];
      });
      if (trades === 0) throw new Error("no trade came");
      return [
        {
          what: `${ms(took)} for ${trades} trades, ${left} filings left to the background`,
          against: `${FIRST_MS_MAX} ms`,
          ratio: took / FIRST_MS_MAX,
        },
      ];
    } finally {
      await service.stop();
      await upstream.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

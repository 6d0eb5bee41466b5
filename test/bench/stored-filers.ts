// Many companies in a data folder, made once: filings, events, insiders' trades, large holders, figures and
// short volume of 21 years, as many a company and year as the market has.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  filingEvents,
  filings,
  financialFacts,
  finraFiles,
  insiderPriceChecks,
  insiderTransactions,
  ownershipEvents,
  shortVolume,
} from "../../src/datasets/index.ts";
import { type Dataset, quoted } from "../../src/platform/lake/dataset.ts";
import { openLake } from "../../src/platform/lake/lake.ts";
import { openParts } from "../../src/platform/lake/parts.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { EVENTS_READING, FACTS_READING, SCHEDULES_READING } from "../../src/providers/edgar/index.ts";
import { LAKE, store } from "./stored-market.ts";

export const YEARS = Array.from({ length: 21 }, (_, nth) => 2006 + nth);
/** Rows of a company and year: 2,000 companies have 1.7 M trades, 4.8 M filings and 12 M figures. */
const TRADES = 40;
const FILINGS = 114;
const REPORTS = 4;
const LINES = [
  "revenue",
  "gross_profit",
  "operating_income",
  "net_income",
  "assets",
  "liabilities",
  "equity",
];
const PERIODS = 10;
/** Raised when the rows change, so that an older folder is made again. */
const EDITION = 2;
/** Lists that were read at this moment are never read again. */
const ALWAYS = "2100-01-01T00:00:00.000Z";

export const cikAt = (nth: number) => String(1_000_000 + nth).padStart(10, "0");
const LETTERS = [676, 26, 1];
/** XAAA, XAAB, …: a symbol has no digits. */
export const symbolOf = (nth: number) =>
  `X${LETTERS.map((unit) => String.fromCharCode(65 + (Math.floor(nth / unit) % 26))).join("")}`;
const CIK = "lpad((1000000 + i)::VARCHAR, 10, '0')";
const SYMBOL = `'X' || ${LETTERS.map((unit) => `chr((65 + i // ${unit} % 26)::INTEGER)`).join(" || ")}`;

/** The columns of a dataset from those that are given: all others are null. */
function selectOf(dataset: Dataset, given: Readonly<Record<string, string>>, from: string): string {
  const columns = Object.entries(dataset.columns).map(([name, { type }]) => {
    return `(${given[name] ?? "NULL"})::${type} AS ${quoted(name)}`;
  });
  return `SELECT ${columns.join(", ")} FROM ${from}`;
}

/** Rows `n` of each company in a year, with their day. */
const rowsOf = (companies: number, year: number, perCompany: number) =>
  `(SELECT i, n, make_date(${year}, 1, 2) + ((n * 320) // ${perCompany} + i % 5)::INTEGER AS day
    FROM range(${companies}) companies(i), range(${perCompany}) numbers(n))`;

const accession = (kind: number, year: number, n = "n") =>
  `lpad((1000000 + i)::VARCHAR, 10, '0') || '-${String(year % 100).padStart(2, "0")}-' || lpad((${kind} * 1000 + ${n})::VARCHAR, 6, '0')`;
const KNOWN = "day + INTERVAL 21 HOUR";

/** Two trades a form; one in 30 is struck, and counted in another one. */
function trades(companies: number, year: number, role: "trade" | "strike"): string {
  const row = `hash(i, ${year}, n)::HUGEINT % 4503599627370496`;
  const owner = "lpad((2000000 + i * 20 + n % 20)::VARCHAR, 10, '0')";
  const of = {
    accession_number: accession(1, year, "n // 2"),
    line: "1 + n % 2",
    role: `'${role}'`,
    reading: "1",
    form_type: "'4'",
    is_amendment: "false",
    filing_date: "day",
    accepted_at: KNOWN,
    period_of_report: "day - 2",
    issuer_cik: CIK,
    issuer_name: "'Filer ' || i",
    issuer_symbol: SYMBOL,
    owner_cik: owner,
    owner_name: "'Owner ' || i || ' ' || n % 20",
    owner_count: "1",
    owners: `'[{"cik":"' || ${owner} || '","name":"Owner ' || i || ' ' || n % 20 || '","relationship":"director"}]'`,
    owner_relationship: "'director'",
    is_director: "true",
    is_officer: "false",
    is_other: "false",
    is_ten_percent_owner: "false",
    security_type: "'non_derivative'",
    security_title: "'Common Stock'",
    transaction_date: "day - 2",
    transaction_code: "CASE WHEN n % 5 = 0 THEN 'P' ELSE 'S' END",
    transaction_type: "CASE WHEN n % 5 = 0 THEN 'buy' ELSE 'sell' END",
    shares: "100 + hash(i, n) % 9000",
    acquired_disposed: "CASE WHEN n % 5 = 0 THEN 'A' ELSE 'D' END",
    price_per_share: "10 + i % 90",
    transaction_value: "(100 + hash(i, n) % 9000) * (10 + i % 90)",
    shares_owned_after: "20000 + n",
    ownership_nature: "'D'",
    bucket: "'common stock|D|'",
    is_early: "false",
    is_late: "false",
    line_count: "2",
    row_id: row,
    trade_key: row,
    line_key: row,
    group_key: row,
    known_at: KNOWN,
    footnotes:
      role === "trade" ? "'Made under a plan of ' || (day - 90) || ' for account ' || hash(n, i)" : "NULL",
  };
  const rows = rowsOf(companies, year, TRADES);
  return selectOf(insiderTransactions, of, role === "trade" ? rows : `${rows} WHERE n % 30 = 7`);
}

const checks = (companies: number, year: number) =>
  selectOf(
    insiderPriceChecks,
    {
      row_id: `hash(i, ${year}, n)::HUGEINT % 4503599627370496`,
      finding: "'fits'",
      issuer_cik: CIK,
      filing_date: "day",
      symbol: SYMBOL,
      close_date: "day - 2",
      close: "10 + i % 90",
      known_at: KNOWN,
    },
    rowsOf(companies, year, TRADES),
  );

const holders = (companies: number, year: number) =>
  selectOf(
    ownershipEvents,
    {
      accession_number: accession(2, year),
      person: "1",
      reading: "1",
      form_type: "'SC 13G/A'",
      schedule: "'13G'",
      is_amendment: "true",
      is_structured: "false",
      filing_date: "day",
      accepted_at: KNOWN,
      issuer_cik: CIK,
      issuer_name: "'Filer ' || i",
      cusips: `'9' || lpad(i::VARCHAR, 7, '0')`,
      class_title: "'Common Stock'",
      holder_cik: "lpad((3000000 + n)::VARCHAR, 10, '0')",
      holder_name: "'Fund ' || n",
      holder_keys: "'cik:' || (3000000 + n)",
      person_name: "'Fund ' || n",
      ownership_pct: "5 + n",
      shares_owned: "100000 + i",
      filing_pct: "5 + n",
      filing_shares: "100000 + i",
      is_exit: "false",
      source_sha256: "'0'",
      known_at: KNOWN,
    },
    rowsOf(companies, year, 6),
  );

const index = (companies: number, year: number) =>
  selectOf(
    filings,
    {
      accession_number: accession(3, year),
      cik: CIK,
      company_name: "'Filer ' || i",
      form_type: "CASE WHEN n % 28 = 0 THEN '8-K' WHEN n % 28 = 5 THEN '10-Q' ELSE '4' END",
      filing_date: "day",
      report_date: "day - 2",
      accepted_at: KNOWN,
      known_at: KNOWN,
      indexed_at: KNOWN,
      items: "CASE WHEN n % 28 = 0 THEN '2.02,8.01' ELSE '' END",
      primary_document: "'d' || n || '.htm'",
      size: "10000 + n",
      is_xbrl: "n % 28 = 5",
    },
    rowsOf(companies, year, FILINGS),
  );

const events = (companies: number, year: number) =>
  selectOf(
    filingEvents,
    {
      accession_number: accession(3, year),
      item_number: "item",
      modern_item: "item",
      cik: CIK,
      filing_date: "day",
      event_type: "'earnings_results'",
      event_title: "'Results of Operations'",
      content: "repeat('Of quarter ' || hash(i, n) || ' ', 20)",
      content_source: "'body'",
      content_length: "400",
      truncated: "false",
      withdrawn: "false",
      known_at: KNOWN,
      parsed_at: KNOWN,
    },
    `${rowsOf(companies, year, FILINGS)}, (SELECT unnest(['2.02', '8.01']) AS item) WHERE n % 28 = 0`,
  );

const figures = (companies: number, year: number) =>
  selectOf(
    financialFacts,
    {
      cik: CIK,
      symbol: SYMBOL,
      statement: "CASE WHEN l < 4 THEN 'income_statement' ELSE 'balance_sheet' END",
      line: `[${LINES.map((line) => `'${line}'`).join(", ")}][l + 1]`,
      period: "CASE WHEN l < 4 THEN (ends - 89) || '/' || ends ELSE ends::VARCHAR END",
      period_start: "CASE WHEN l < 4 THEN ends - 89 END",
      period_end: "ends",
      fiscal_year: "year(ends)",
      period_months: "CASE WHEN l < 4 THEN 3 END",
      fiscal_period: "'Q' || quarter(ends)",
      filing_fiscal_year: String(year),
      value: "1e6 + hash(i, l, ends) % 1000000",
      unit: "'USD'",
      currency: "'USD'",
      tag: "'Tag' || l",
      taxonomy: "'us-gaap'",
      accession_number: accession(4, year),
      form: "'10-Q'",
      filed_date: "day",
      accepted_at: KNOWN,
      known_at: KNOWN,
      vintage: "1 + p",
      revision: "CASE WHEN p = 0 THEN 'first' ELSE 'same' END",
      source: "'xbrl'",
    },
    `(SELECT *, (date_trunc('quarter', day) - to_months((3 * p)::INTEGER) - INTERVAL 1 DAY)::DATE AS ends
      FROM ${rowsOf(companies, year, REPORTS)}, range(${LINES.length}) lines(l), range(${PERIODS}) periods(p))`,
  );

/** Short volume of every company and weekday, in the one file of the whole market. */
const shorts = (companies: number, year: number) =>
  selectOf(
    shortVolume,
    {
      date: "day",
      symbol: SYMBOL,
      short_volume: "hash(i, day) % 100000",
      total_volume: "200000",
      market: "'Q'",
      facility: "'CNMS'",
      known_at: "day + INTERVAL 29 HOUR",
      fetched_at: KNOWN,
      source: "'finra'",
    },
    `(SELECT i, day::DATE AS day FROM range(${companies}) companies(i),
      generate_series(DATE '${year}-01-02', DATE '${year}-11-25', INTERVAL 1 DAY) days(day) WHERE isodow(day) < 6)`,
  );

const shortFiles = selectOf(
  finraFiles,
  {
    date: "day",
    facility: "'CNMS'",
    known_at: "day + INTERVAL 29 HOUR",
    fetched_at: KNOWN,
    source: "'finra'",
  },
  `(SELECT day::DATE AS day FROM generate_series(DATE '${YEARS[0]}-01-02', DATE '${YEARS.at(-1)}-11-25', INTERVAL 1 DAY) days(day)
    WHERE isodow(day) < 6)`,
);

/** Fills a table of the operational database from a SELECT over the numbers below `count`, as `i`. */
function fill(dataDir: string, companies: number): void {
  const sqlite = openSqlite(join(dataDir, "ops.sqlite"));
  const run = (statement: string) => sqlite.prepare(statement).run();
  const below = (count: number, name: string) =>
    `(WITH RECURSIVE s(v) AS (SELECT 0 UNION ALL SELECT v + 1 FROM s WHERE v < ${count - 1}) SELECT v AS ${name} FROM s)`;
  const companiesSql = below(companies, "i");
  const cik = "printf('%010d', 1000000 + i)";
  const symbol = `'X' || char(${LETTERS.map((unit) => `65 + i / ${unit} % 26`).join(", ")})`;
  run(
    `INSERT INTO company_lists SELECT kind, 1, '${ALWAYS}' FROM (SELECT 'company' AS kind UNION ALL SELECT 'fund')`,
  );
  run(`INSERT INTO company_tickers (symbol, cik, kind, ticker, name, position, first_seen_at)
    SELECT ${symbol}, ${cik}, 'company', ${symbol}, 'Filer ' || i, i, '2000-01-01T00:00:00.000Z' FROM ${companiesSql}`);
  run(`INSERT INTO ownership_lists SELECT ${cik}, kind, '1990-01-01', '${ALWAYS}' FROM ${companiesSql},
    (SELECT 'insider' AS kind UNION ALL SELECT 'holder')`);
  run(
    `INSERT INTO filing_filers SELECT ${cik}, 'Filer ' || i, json_array(${symbol}), '[]', '1900-01-01', '${ALWAYS}' FROM ${companiesSql}`,
  );
  run(`INSERT INTO financial_filers (cik, status, facts, warnings, read_at, reading, schedules_read_at, schedules_reading, newest_accession)
    SELECT ${cik}, 'facts', 1000, '[]', '${ALWAYS}', ${FACTS_READING}, '${ALWAYS}', ${SCHEDULES_READING}, NULL FROM ${companiesSql}`);
  for (const year of YEARS) {
    const day = `date('${year}-01-02', '+' || ((n * 320) / ${FILINGS} + i % 5) || ' days')`;
    const number = `printf('%010d-%02d-%06d', 1000000 + i, ${year % 100}, 3000 + n)`;
    const rows = `(SELECT i, n, ${day} AS day, ${number} AS accession FROM ${companiesSql}, ${below(FILINGS, "n")})`;
    const at = "day || 'T21:00:00.000Z'";
    run(`INSERT INTO filings (accession_number, cik, company_name, form_type, filing_date, report_date, accepted_at,
        precision, items, primary_document, size, is_xbrl, known_at, indexed_at, published)
      SELECT accession, ${cik}, 'Filer ' || i, CASE WHEN n % 28 = 0 THEN '8-K' WHEN n % 28 = 5 THEN '10-Q' ELSE '4' END, day,
        date(day, '-2 days'), ${at}, 'second', CASE WHEN n % 28 = 0 THEN '2.02,8.01' ELSE '' END, 'd' || n || '.htm',
        10000 + n, n % 28 = 5, ${at}, ${at}, 1 FROM ${rows}`);
    run(`INSERT INTO filing_parses (accession_number, status, attempts, parsed_at, reading)
      SELECT accession, 'succeeded', 1, ${at}, ${EVENTS_READING} FROM ${rows} WHERE n % 28 = 0`);
    run(`INSERT INTO filing_events (accession_number, item_number, modern_item, event_type, event_title, content,
        content_source, content_length, truncated, parsed_at, withdrawn, published)
      SELECT accession, item, item, 'earnings_results', 'Results of Operations',
        replace(printf('%20s', ' '), ' ', 'Of quarter ' || (i * 1000 + n) || ' '), 'body', 400, 0, ${at}, 0, 1
      FROM ${rows}, (SELECT '2.02' AS item UNION ALL SELECT '8.01') WHERE n % 28 = 0`);
  }
  sqlite.close();
}

async function make(dataDir: string, companies: number, tell: (line: string) => void): Promise<void> {
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(join(dataDir, "lake"), { recursive: true });
  const { parts, errors } = await openParts({ ...LAKE, dir: dataDir }, await realpath(dataDir));
  for (const error of errors) throw error;
  for (const year of YEARS) {
    tell(`making ${companies} companies of ${year}`);
    const put = (dataset: Dataset, select: string, before = "") =>
      store(parts, dataset, `${before}year=${year}`, select);
    for (const role of ["trade", "strike"] as const)
      await put(insiderTransactions, trades(companies, year, role), `role=${role}/`);
    await put(insiderPriceChecks, checks(companies, year));
    await put(ownershipEvents, holders(companies, year));
    await put(filings, index(companies, year));
    await put(filingEvents, events(companies, year));
    await put(financialFacts, figures(companies, year));
    await put(shortVolume, shorts(companies, year), "facility=CNMS/");
  }
  await store(parts, finraFiles, "", shortFiles);
  await parts.db.close();
  await parts.staging.release();
  parts.lock.close();
  tell(`making the operational database of ${companies} companies`);
  fill(dataDir, companies);
  // Opened as the service opens it: it publishes the catalogue.
  const lake = await openLake({ ...LAKE, dir: dataDir });
  await lake.close();
}

/** The folder of that many companies below `folder`; made when it is not there. */
export async function storedFilers(
  folder: string,
  companies: number,
  tell: (line: string) => void,
): Promise<string> {
  const dataDir = join(folder, `filers-${companies}`);
  const mark = join(dataDir, "made.json");
  const wanted = JSON.stringify({ edition: EDITION });
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== wanted) {
    await make(dataDir, companies, tell);
    writeFileSync(mark, wanted);
  }
  return dataDir;
}

// Companies' filings from an earlier data version: the rows stay, whatever was filed, read again or renamed
// since.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { batch } from "../support/overlay-world.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const ASKED = "2026-09-09T21:00:00Z";
const LATER = "2026-12-02T15:00:00Z";
const AS_OF = "as_of=2026-09-08";

/** Each with and without a moment of its own, and in rows. */
const PATHS = [
  "/filings/search?ticker=ZORP&limit=30",
  `/filings/search?ticker=ZORP&form_type=8-K&${AS_OF}`,
  "/filings/search?ticker=ZORP&start_date=2025-01-01&format=ndjson",
  "/filings/events/ZORP?days=800",
  `/filings/events/ZORP?days=800&item=2.02&${AS_OF}`,
  "/filings/events/ZORP?start_date=2025-01-01&format=ndjson",
  "/insider/transactions/ZORP?days=700",
  `/insider/transactions/ZORP?days=700&${AS_OF}`,
  `/insider/form4/ZORP?${AS_OF}&window_days=700`,
  `/insider/form4/ZORP?${AS_OF}&window_days=700&format=ndjson`,
  `/insider/summary/ZORP?${AS_OF}`,
  `/insider/form4/aggregate/ZORP?${AS_OF}&window_days=700&buy_only=false`,
  "/financial/data/ZORP?period=5y",
  `/financial/data/ZORP?period=5y&${AS_OF}&include_sources=true`,
  `/financial/data/ZORP?period=5y&${AS_OF}&adjusted=true&vintage=first&period_type=annual`,
  "/financial/data/ZORP?period=2y&format=ndjson",
];

const FORGOTTEN = [
  ...["filings", "filing_events", "filing_parses", "filing_filers", "company_facts"],
  ...["ownership_filings", "ownership_parties", "ownership_lists", "ownership_days"],
  ...["financial_filers", "actions_checked"],
];

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ at: ASKED, env: { SEC_USER_AGENT: "Test test@example.com" } });
});
afterAll(() => service.stop());

interface Said {
  readonly status: number;
  readonly version: number;
  readonly text: string;
}

async function ask(path: string, version?: number): Promise<Said> {
  const given = version === undefined ? "" : `&data_version=${version}`;
  const response = await service.fetch(`/api/v1${path}${given}`);
  const text = await response.text();
  return { status: response.status, version: Number(response.headers.get("x-data-version") ?? -1), text };
}

/** An answer without what says how it came about, and without the moment of a request that gave none. */
function shown(path: string, { text }: Said): unknown {
  if (!text.startsWith("{") || text.includes("\n{")) return text;
  const { parsed_now: _, last_updated: __, cached: ___, metadata, ...body } = JSON.parse(text);
  if (!path.includes("as_of")) {
    delete body.as_of;
    // Only the newest values are known: a version has none.
    if (body.company) body.company = { ...body.company, market_cap: null, employees: null };
  }
  return {
    ...body,
    ...(metadata ? { metadata: { ...metadata, auto_fetched: null, fetched_count: null } } : {}),
  };
}

/** Rows of an answer; figures are one. */
function rowsOf({ text }: Said): number {
  if (text.includes("\n{")) return text.trim().split("\n").length;
  const body = JSON.parse(text);
  return (body.data ?? [body]).length;
}

/** Everything that the operational database says of filers is another company's now, or gone. */
function forget(): void {
  const db = new Database(join(service.dataDir, "ops.sqlite"));
  try {
    db.run("UPDATE company_tickers SET cik = '0009999999', name = 'Another company' WHERE symbol = 'ZORP'");
    for (const table of FORGOTTEN) db.run(`DELETE FROM ${table}`);
  } finally {
    db.close();
  }
}

/** A filing and an event that were public at the moments, and another reading of a stored event. */
async function fileMore(): Promise<void> {
  const { lake } = service.app();
  const take = (sql: string) => lake.query<Record<string, unknown>>(`${sql} LIMIT 1`);
  const [filing] = await take(
    "SELECT * EXCLUDE (recorded) FROM filings WHERE form_type = '8-K' ORDER BY filing_date DESC",
  );
  const [event] = await take("SELECT * EXCLUDE (recorded) FROM filing_events ORDER BY filing_date DESC");
  const accession_number = "0009999999-26-000001";
  await lake.append([
    batch("filings", [
      { ...filing, accession_number },
      { ...filing, form_type: "8-K/A", indexed_at: LATER },
    ]),
    batch("filing_events", [
      { ...event, accession_number },
      { ...event, content: "Read again.", parsed_at: LATER },
    ]),
  ]);
  // The company's newest report is read again, with other figures.
  const [newest] = await take("SELECT cik, accession_number FROM financial_facts ORDER BY filed_date DESC");
  const own = `cik = '${newest?.cik}' AND accession_number = '${newest?.accession_number}'`;
  const facts = await lake.query<Record<string, unknown>>(
    `SELECT * EXCLUDE (recorded) FROM financial_facts WHERE ${own}`,
  );
  const read = facts.map((fact) => ({ ...fact, value: Number(fact.value) + 1 }));
  const groups = [[String(newest?.cik), String(newest?.accession_number)]];
  const replacement = { by: ["cik", "accession_number"], groups };
  await lake.append([{ ...batch("financial_facts", read), replacement }]);
}

test("answers about a company stay what they were in their version, and ask and store nothing", async () => {
  // The first visit fetches, and what it found is parsed in the background.
  for (const path of PATHS) expect([path, (await ask(path)).status]).toEqual([path, 200]);
  await service.reopen();
  const before: Said[] = [];
  for (const path of PATHS) await ask(path);
  for (const path of PATHS) before.push(await ask(path));
  const version = await service.app().lake.generation();
  expect(before.map(({ version: named }, i) => [PATHS[i], named])).toEqual(
    PATHS.map((path) => [path, version]),
  );
  const statements = JSON.parse(before[PATHS.indexOf("/financial/data/ZORP?period=5y")]?.text ?? "");
  const ratios = statements.metrics.map((one: { pe_ratio: number | null }) => one.pe_ratio);
  expect(ratios.some((ratio: number | null) => ratio !== null)).toBe(true);
  for (const [i, said] of before.entries()) expect([PATHS[i], rowsOf(said) > 0]).toEqual([PATHS[i], true]);

  service.clock.set(LATER);
  for (const path of PATHS) await ask(`${path}${path.includes("format") ? "" : "&force_refresh=true"}`);
  await fileMore();
  await service.reopen();
  forget();
  const world = async () => [service.sample.traffic().total, await service.app().lake.generation()];
  const asked = await world();
  for (const [i, path] of PATHS.entries()) {
    const again = await ask(path, version);
    expect([path, again.status, again.version, shown(path, again)]).toEqual([
      path,
      200,
      version,
      shown(path, before[i] as Said),
    ]);
  }
  const bulk = await service.post<{
    results: { ticker: string; data: object | null; error_code: string }[];
  }>("/api/v1/financial/data/bulk", { tickers: ["ZORP", "KRONK"], period: "5y", data_version: version });
  const [own, unread] = bulk.body.results;
  expect(Reflect.get(own?.data ?? {}, "income_statement")).toEqual(statements.income_statement);
  expect(Reflect.get(own?.data ?? {}, "metrics")).toEqual(statements.metrics);
  expect([unread?.data, unread?.error_code]).toEqual([null, "not_replayable"]);
  expect(await world()).toEqual(asked);
});

test("a version that has not read the company refuses it, and so does one before the lists of tickers", async () => {
  const version = await service.app().lake.generation();
  for (const path of [
    "/filings/search?ticker=KRONK",
    "/filings/events/KRONK?days=30",
    "/financial/data/KRONK?period=1y",
    `/insider/form4/KRONK?${AS_OF}`,
  ]) {
    const refused = await ask(path, version);
    expect([path, refused.status, JSON.parse(refused.text).code]).toEqual([path, 400, "not_replayable"]);
  }
  const early = await ask(`/filings/search?ticker=ZORP&${AS_OF}`, 0);
  expect([early.status, JSON.parse(early.text).code]).toEqual([400, "not_replayable"]);
  expect(early.text).toContain("the SEC's list of tickers");
  const text = await ask(`/filings/search?q=split&${AS_OF}`, version);
  expect([text.status, JSON.parse(text.text).code]).toEqual([400, "not_replayable"]);
});

test("after an upgrade the stored list of tickers is in the lake from the next start on", async () => {
  // Ends what earlier requests left to be stored.
  await service.reopen();
  const db = new Database(join(service.dataDir, "ops.sqlite"));
  // A release before lists were stored in the lake noted a line there that the lake does not have.
  db.run(
    `INSERT INTO company_tickers (symbol, cik, kind, ticker, name, position, first_seen_at)
     VALUES ('ZOLD', '0009999998', 'company', 'ZOLD', 'Old company', 0, '2026-01-02T00:00:00.000Z')`,
  );
  db.run("DELETE FROM company_facts WHERE source = 'lake_tickers'");
  db.close();
  const version = await service.app().lake.generation();
  await service.reopen();
  await service.reopen();
  const sql =
    "SELECT symbol, cik, name, first_seen_at, gone_at, recorded FROM company_tickers WHERE symbol = 'ZOLD'";
  expect(await service.app().lake.query(sql)).toEqual([
    {
      symbol: "ZOLD",
      cik: "0009999998",
      name: "Old company",
      first_seen_at: "2026-01-02T00:00:00Z",
      gone_at: null,
      recorded: version + 1,
    },
  ]);
  // One commit, and none at the start after it.
  expect(await service.app().lake.generation()).toBe(version + 1);
});

// Insiders' trades and large holders of a company from an earlier data version: the same rows, filings that
// were not read then, and warnings, whatever was filed, read or renamed since.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { FilingForm, MadeSchedule } from "../support/ownership-papers.ts";
import { type OwnershipWorld, serveOwnership } from "../support/ownership-world.ts";
import { openService, type TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const issuer = { cik: "0007100001", name: "Zappo Tools Inc.", symbol: "ZAPT" };
const other = { cik: "0007100002", name: "Other Tools Inc.", symbol: "ZOTH" };
const ann = { cik: "0008100001", name: "Ann Onym", is_director: true };
const wolf = { cik: "0008300001", name: "Wolf Partners, L.P." };
const trade = (number: number, at: string, shares: number, of = issuer): FilingForm => ({
  kind: "form",
  form: "4",
  accession: `0007000000-26-${String(number).padStart(6, "0")}`,
  accepted: at,
  filed: at.slice(0, 10),
  issuer: of,
  owners: [ann],
  trades: [{ date: at.slice(0, 10), code: "P", shares, price: 10, after: 11_000 }],
});
const stake = (number: number, at: string, pct: number, form: MadeSchedule["form"]): MadeSchedule => ({
  kind: "schedule",
  form,
  accession: `0007000001-26-${String(number).padStart(6, "0")}`,
  accepted: at,
  filed: at.slice(0, 10),
  issuer,
  filers: [wolf],
  event: at.slice(0, 10),
  persons: [{ name: wolf.name, pct, shares: 2_100_000 }],
});
/** A form and a schedule that cannot be read. */
const broken = [trade(2, "2026-06-03T16:30:00", 500), stake(2, "2026-05-04T16:00:00", 9, "SCHEDULE 13D/A")];

const PATHS = [
  "/insider/transactions/ZAPT?days=365",
  "/insider/transactions/ZAPT?as_of=2026-09-09",
  "/insider/form4/ZAPT?as_of=2026-09-09&window_days=300",
  "/insider/form4/ZAPT?as_of=2026-09-09&format=ndjson",
  "/insider/form4/aggregate/ZAPT?as_of=2026-09-09&window_days=300",
  "/insider/summary/ZAPT?as_of=2026-09-09",
  "/ownership/13dg/ZAPT?as_of=2026-09-09",
  "/ownership/13dg/ZAPT?as_of=2026-09-09&format=csv",
  "/insider/form4/by-date/2026-06-02?limit=100",
  "/insider/form4/by-date/2026-06-03?as_of=2026-09-09",
  "/insider/form4/by-date/2026-06-02?as_of=2026-09-09&format=csv",
  "/ownership/13dg/active?activist=all&as_of=2026-09-09",
  "/ownership/13dg/active?activist=all&limit=50",
  "/ownership/13dg/active?activist=all&as_of=2026-09-09&format=ndjson",
];

let world: OwnershipWorld;
let service: TestService;
beforeAll(async () => {
  world = serveOwnership([
    trade(1, "2026-06-02T16:30:00", 1_000),
    stake(1, "2026-03-02T16:00:00", 8.5, "SCHEDULE 13D"),
    trade(9, "2026-06-02T16:30:00", 7, other),
    ...broken,
  ]);
  for (const { accession } of broken) world.cutOff(accession);
  service = await openService({
    upstream: world.url,
    env: { SEC_USER_AGENT: "Asof tests tests@example.com" },
  });
});
afterAll(async () => {
  await service.stop();
  await world.stop();
});

interface Body {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly warnings: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly code?: string;
}
interface Said {
  readonly status: number;
  readonly version: number;
  readonly text: string;
}
async function ask(path: string, version?: number | string): Promise<Said> {
  const given = version === undefined ? "" : `&data_version=${version}`;
  const response = await service.fetch(`/api/v1${path}${given}`);
  const { status, headers } = response;
  return { status, version: Number(headers.get("x-data-version") ?? -1), text: await response.text() };
}
const bodyOf = ({ text }: Said): Body => JSON.parse(text);
/** An answer without what says how it came about, and without the moment of a request that gave none. */
function shown(path: string, said: Said): unknown {
  if (path.includes("format=")) return said.text;
  const { metadata, ...body } = bodyOf(said);
  const kept = { ...metadata, auto_fetched: null, fetched_count: null };
  return { ...body, metadata: kept, as_of: path.includes("as_of") ? Reflect.get(body, "as_of") : null };
}

let version = -1;
const said = new Map<string, Said>();

test("what was not read in a version, and what it warned of, is said again", async () => {
  // Filings that cannot be read are tried a few times.
  for (let round = 0; round < 4; round++)
    for (const path of PATHS) expect([path, (await ask(path)).status]).toEqual([path, 200]);
  for (const path of PATHS) said.set(path, await ask(path));
  version = await service.app().lake.generation();
  expect([...said].map(([path, one]) => [path, one.version])).toEqual(PATHS.map((path) => [path, version]));
  const trades = bodyOf(said.get("/insider/transactions/ZAPT?as_of=2026-09-09") as Said);
  expect(trades.data.map(({ shares }) => shares)).toEqual([1_000]);
  expect(trades.warnings).toContainEqual(expect.stringMatching(/^not_read: 1 filing is not/));
  const holders = bodyOf(said.get("/ownership/13dg/ZAPT?as_of=2026-09-09") as Said);
  expect(holders.data.map((row) => [row.ownership_pct, row.enrichment_status === "succeeded"])).toEqual([
    [null, false],
    [8.5, true],
  ]);
  const [byDate, unreadDay] = PATHS.filter((path) => path.includes("by-date"));
  const ofDay = bodyOf(said.get(byDate ?? "") as Said);
  expect(ofDay.data.map(({ ticker, shares }) => [ticker, shares]).sort()).toEqual([
    ["ZAPT", 1_000],
    ["ZOTH", 7],
  ]);
  const unread = bodyOf(said.get(unreadDay ?? "") as Said);
  expect([unread.data, unread.warnings]).toEqual([[], [expect.stringMatching(/^not_read: 1 filing is not/)]]);
  const active = bodyOf(said.get("/ownership/13dg/active?activist=all&as_of=2026-09-09") as Said);
  expect(active.data.map((row) => [row.ticker, row.ownership_pct, row.newer_unread])).toEqual([
    ["ZAPT", 8.5, true],
  ]);

  // Known before as_of and read later: another trade, an amended holding. The ticker passes to another
  // company.
  world.add(
    trade(3, "2026-06-04T17:00:00", 70),
    stake(3, "2026-05-05T16:00:00", 9.5, "SCHEDULE 13D/A"),
    trade(10, "2026-06-05T17:00:00", 8, other),
  );
  for (const path of PATHS)
    if (!/transactions|summary|by-date|active/.test(path)) await ask(`${path}&force_refresh=true`);
  const later = bodyOf(await ask("/insider/transactions/ZAPT?as_of=2026-09-09"));
  expect(later.data.map(({ shares }) => shares)).toEqual([70, 1_000]);
  const amended = bodyOf(await ask("/ownership/13dg/active?activist=all&as_of=2026-09-09"));
  expect(amended.data.map((row) => row.ownership_pct)).toEqual([9.5]);
  service.clock.set("2026-09-15T21:00:00Z");
  world.list([
    { ...issuer, symbol: "ZAPN" },
    { ...other, symbol: "ZAPT" },
  ]);
  const renamed = bodyOf(await ask("/insider/transactions/ZAPT?days=365"));
  expect(renamed.data.map(({ issuer_cik }) => issuer_cik)).toEqual([other.cik, other.cik]);

  // Ends what is merged in the background.
  await service.reopen();
  world.forget();
  const generation = await service.app().lake.generation();
  for (const [path, before] of said) {
    const again = await ask(path, version);
    expect([path, again.status, again.version, shown(path, again)]).toEqual([
      path,
      200,
      version,
      shown(path, before),
    ]);
  }
  expect([world.asked, await service.app().lake.generation()]).toEqual([[], generation]);
});

test("a version is answered without the operational database, and refused where it never read the company", async () => {
  const db = new Database(join(service.dataDir, "ops.sqlite"));
  for (const table of ["company_tickers", "ownership_filings", "ownership_parties", "ownership_lists"])
    db.run(`DELETE FROM ${table}`);
  db.close();
  for (const [path, before] of said)
    expect([path, shown(path, await ask(path, version))]).toEqual([path, shown(path, before)]);
  for (const path of ["/insider/form4/ZOTH?as_of=2026-09-09", "/ownership/13dg/ZOTH?as_of=2026-09-09"]) {
    const refused = await ask(path, version);
    expect([path, refused.status, bodyOf(refused).code]).toEqual([path, 400, "not_replayable"]);
  }
  // A day that no answer had asked for, and a version before the first reading.
  for (const [path, older] of [
    ["/insider/form4/by-date/2026-06-04?as_of=2026-09-09", version],
    ["/insider/form4/by-date/2026-06-02?as_of=2026-09-09", 0],
    ["/ownership/13dg/active?activist=all&as_of=2026-09-09", 0],
  ] as const) {
    const refused = await ask(path, older);
    expect([path, refused.status, bodyOf(refused).code]).toEqual([path, 400, "not_replayable"]);
  }
  expect(world.asked).toEqual([]);
});

test("days that a version has no list of are named", async () => {
  const early = bodyOf(await ask("/insider/transactions/ZAPT?days=1800&as_of=2026-09-09", version));
  expect(early.data.map(({ shares }) => shares)).toEqual([1_000]);
  expect(early.warnings).toContainEqual(
    "not_read: Not all filings of the requested days were listed in this data version: some may be missing.",
  );
});

test("while thousands of schedules wait to be read, the list of all companies names no version", async () => {
  const path = "/ownership/13dg/active?activist=all&as_of=2026-09-09";
  expect((await ask(path)).version).toBeGreaterThanOrEqual(version);
  const db = new Database(join(service.dataDir, "ops.sqlite"));
  db.run(
    `WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 5001)
     INSERT INTO ownership_filings (accession_number, kind, form_type, filing_date, cik, status, attempts, known_at, found_in, indexed_at)
     SELECT 'waiting-' || value, 'holder', 'SC 13G', '2026-09-08', '0007100002', 'pending', 0, '2026-09-08T20:00:00.000Z', 'list', '2026-09-08T20:00:00.000Z'
     FROM numbers`,
  );
  db.close();
  const before = await service.app().lake.generation();
  const { status, version: named, text } = await ask(path);
  expect([status, named, await service.app().lake.generation()]).toEqual([200, -1, before]);
  expect(text).toContain("5001 of the large holders' filings are not read yet.");
});

// Trades and large holdings of all companies from an earlier data version: the same rows, and nothing of what was read since.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import type { FilingForm, MadeSchedule } from "../support/ownership-papers.ts";
import { type OwnershipWorld, serveOwnership } from "../support/ownership-world.ts";
import { openService, type TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const issuer = { cik: "0007100001", name: "Zappo Tools Inc.", symbol: "ZAPT" };
const ann = { cik: "0008100001", name: "Ann Onym", is_director: true };
const wolf = { cik: "0008300001", name: "Wolf Partners, L.P." };
const sale = (accession: string, at: string, shares: number, more: Partial<FilingForm> = {}): FilingForm => ({
  kind: "form",
  form: "4",
  accession,
  accepted: at,
  filed: at.slice(0, 10),
  issuer,
  owners: [ann],
  trades: [{ date: "2026-06-01", code: "P", shares, price: 10, after: 11_000 }],
  ...more,
});
const stake = (accession: string, at: string, pct: number, form: MadeSchedule["form"]): MadeSchedule => ({
  kind: "schedule",
  form,
  accession,
  accepted: at,
  filed: at.slice(0, 10),
  issuer,
  filers: [wolf],
  event: at.slice(0, 10),
  persons: [{ name: wolf.name, pct, shares: 2_100_000 }],
});

let world: OwnershipWorld;
let service: TestService;
beforeAll(async () => {
  world = serveOwnership([
    sale("0007000000-26-000001", "2026-06-02T16:30:00", 1_000),
    stake("0007000001-26-000001", "2026-03-02T16:00:00", 8.5, "SCHEDULE 13D"),
  ]);
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
  readonly data: Record<string, unknown>[];
  readonly warnings: string[];
  readonly pending_count?: number | null;
  readonly metadata?: Record<string, unknown>;
}
const BY_DATE = "/api/v1/insider/form4/by-date/2026-06-02?as_of=2026-09-09";
const ACTIVE = "/api/v1/ownership/13dg/active?activist=all&as_of=2026-09-09";

async function ask(path: string, version?: number): Promise<Body & { version: number }> {
  const response = await service.fetch(version === undefined ? path : `${path}&data_version=${version}`);
  const document = await apiDocument(service);
  const operation = document.operation("GET", (path.split("?")[0] ?? "").replace("2026-06-02", "{date}"));
  expect([path, response.status, await faultsOfAnswer(document, operation, response.clone())]).toEqual([
    path,
    200,
    [],
  ]);
  return { version: Number(response.headers.get("x-data-version")), ...((await response.json()) as Body) };
}
/** The fields that a version does not tell. */
const without = (rows: readonly Record<string, unknown>[]) =>
  rows.map(({ ticker: _ticker, newer_unread: _unread, ...row }) => row);

test("a version has the trades and the holdings that were read by then, and says that more may be missing", async () => {
  await service.get("/api/v1/insider/form4/ZAPT?as_of=2026-09-09");
  await service.get("/api/v1/ownership/13dg/ZAPT?as_of=2026-09-09");
  const trades = await ask(BY_DATE);
  const holdings = await ask(ACTIVE);
  expect(trades.data.map((row) => [row.ticker, row.shares])).toEqual([["ZAPT", 1_000]]);
  expect(holdings.data.map((row) => [row.ticker, row.ownership_pct, row.newer_unread])).toEqual([
    ["ZAPT", 8.5, false],
  ]);
  const version = await service.app().lake.generation();
  expect([trades.version, holdings.version]).toEqual([version, version]);

  // Read later, although known before as_of: another trade of the day, and an amended holding.
  world.add(
    sale("0007000000-26-000002", "2026-06-02T17:00:00", 70),
    stake("0007000001-26-000002", "2026-05-04T16:00:00", 9.5, "SCHEDULE 13D/A"),
  );
  await service.get("/api/v1/insider/form4/ZAPT?as_of=2026-09-09&force_refresh=true");
  await service.get("/api/v1/ownership/13dg/ZAPT?as_of=2026-09-09&force_refresh=true");
  expect((await ask(BY_DATE)).data.map((row) => row.shares)).toEqual([70, 1_000]);
  expect((await ask(ACTIVE)).data.map((row) => row.ownership_pct)).toEqual([9.5]);

  world.forget();
  const generation = await service.app().lake.generation();
  const oldTrades = await ask(BY_DATE, version);
  expect(without(oldTrades.data)).toEqual(without(trades.data));
  expect(oldTrades.data.map((row) => row.ticker)).toEqual([null]);
  expect([oldTrades.pending_count, oldTrades.warnings]).toEqual([
    null,
    [expect.stringMatching(/^not_read: Which filings had been read/)],
  ]);
  const oldHoldings = await ask(ACTIVE, version);
  expect(without(oldHoldings.data)).toEqual(without(holdings.data));
  expect(oldHoldings.data.map((row) => [row.ticker, row.newer_unread])).toEqual([[null, null]]);
  expect(oldHoldings.metadata).toEqual({ data_from: null, data_to: null, pending_count: null });
  expect(oldHoldings.warnings).toContainEqual(
    expect.stringMatching(/^not_read: Which filings had been read/),
  );
  expect([world.asked, await service.app().lake.generation()]).toEqual([[], generation]);
});

test("a version before the first reading has no row, and does not say that nothing was there", async () => {
  const trades = await ask(BY_DATE, 0);
  expect([trades.data, trades.warnings.length, trades.warnings[0]?.slice(0, 9)]).toEqual([
    [],
    1,
    "not_read:",
  ]);
  const holdings = await ask(ACTIVE, 0);
  expect(holdings.data).toEqual([]);
  expect(holdings.warnings.some((one) => one.startsWith("nothing_there"))).toBe(false);
});

test("a company's own lists stay refused: which company had its ticker is in no version", async () => {
  for (const path of ["insider/form4/ZAPT?as_of=2026-09-09", "ownership/13dg/ZAPT?as_of=2026-09-09"]) {
    const { status, body } = await service.get<{ code: string }>(`/api/v1/${path}&data_version=1`);
    expect([path, status, body.code]).toEqual([path, 400, "not_replayable"]);
  }
});

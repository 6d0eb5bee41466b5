// Holdings of a fund from an earlier data version: the same report, whatever was listed, read, amended or
// renamed since.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const ASKED = "2026-08-20T21:00:00Z";
const LATER = "2026-12-02T15:00:00Z";
/** Each with and without a moment of its own, in rows, before an amendment, and before any report. */
const PATHS = [
  "/etf/ZTEKF/holdings?limit=7",
  "/etf/ZTEKF/holdings?as_of=2026-08-19T15:00:00Z",
  "/etf/ZTEKF/holdings?as_of=2026-03-08",
  "/etf/ZTEKF/holdings?as_of=2026-08-19&format=csv",
  "/etf/ztekf/holdings?format=ndjson",
  "/etf/ZTEKF/holdings?as_of=2019-11-01",
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
  const given = version === undefined ? "" : `${path.includes("?") ? "&" : "?"}data_version=${version}`;
  const response = await service.fetch(`/api/v1${path}${given}`);
  const text = await response.text();
  return { status: response.status, version: Number(response.headers.get("x-data-version") ?? -1), text };
}
/** An answer; an error without the id and address of its request. */
function shown({ status, text }: Said): unknown {
  if (status === 200) return [status, text];
  const { code, detail, hint } = JSON.parse(text);
  return [status, code, detail, hint];
}
const refusal = ({ status, text }: Said) => [status, JSON.parse(text).code];
const generation = () => service.app().lake.generation();
const bodyOf = ({ text }: Said) => JSON.parse(text);

async function withDatabase(work: (db: Database) => void): Promise<void> {
  const db = new Database(join(service.dataDir, "ops.sqlite"));
  try {
    work(db);
  } finally {
    db.close();
  }
}

let version = -1;
const said = new Map<string, Said>();

test("holdings of a version stay what they were, and ask and store nothing", async () => {
  // The first visit fetches the reports that the others need.
  for (const path of PATHS) await ask(path);
  for (const path of PATHS) said.set(path, await ask(path));
  version = await generation();
  expect([...said].map(([path, one]) => [path, one.version])).toEqual(PATHS.map((path) => [path, version]));
  const [newest, , first, , , none] = [...said.values()];
  expect(bodyOf(newest as Said)).toMatchObject({ source: "nport", as_of: "2026-03-31", count: 7, total: 24 });
  expect(bodyOf(first as Said).as_of).toBe("2025-12-31");
  expect(refusal(none as Said)).toEqual([404, "no_data"]);

  service.clock.set(LATER);
  await ask("/etf/ZTEKF/holdings?force_refresh=true");
  const now = bodyOf(await ask("/etf/ZTEKF/holdings"));
  expect(now.as_of > "2026-03-31").toBe(true);
  await service.reopen();
  // The operational database forgets the reports, and another fund has the ticker.
  await withDatabase((db) => {
    for (const table of ["etf_reports", "etf_series", "etf_profiles"]) db.run(`DELETE FROM ${table}`);
    db.run("UPDATE company_tickers SET series_id = 'S000999999', cik = '0009999999' WHERE symbol = 'ZTEKF'");
  });
  const before = [service.sample.traffic().total, await generation()];
  for (const [path, then] of said) {
    const again = await ask(path, version);
    expect([path, again.version, shown(again)]).toEqual([path, version, shown(then)]);
  }
  expect([service.sample.traffic().total, await generation()]).toEqual(before);
});

test("a version says again which newer report could not be read", async () => {
  await service.reopen("2026-12-22T16:00:00Z");
  service.sample.dials.set([{ match: "primary_doc.xml", fault: "status", status: 503 }]);
  const path = "/etf/ZDVDF/holdings?as_of=2026-12-21";
  await ask(path);
  const report = Object.keys(service.sample.traffic().by_path).findLast((each) =>
    each.includes("primary_doc"),
  );
  service.sample.dials.clear();
  service.sample.dials.set([
    {
      match: report ?? "none",
      fault: "wrong_shape",
      body: `<?xml version="1.0"?><edgarSubmission>${" ".repeat(2_000)}</edgarSubmission>`,
    },
  ]);
  await ask(path);
  service.sample.dials.clear();
  const then = await ask(path);
  expect(bodyOf(then).warnings).toEqual([expect.stringContaining("cannot be used:")]);
  expect(bodyOf(then).data.length).toBeGreaterThan(0);
  await service.reopen();
  await withDatabase((db) => db.run("UPDATE etf_reports SET status = 'foreign' WHERE error IS NOT NULL"));
  const now = await ask(path);
  expect(bodyOf(now).warnings).toEqual([]);
  expect(shown(await ask(path, then.version))).toEqual(shown(then));
});

test("the price provider's ten largest holdings of a fund without reports are those of the version", async () => {
  const paths = ["/etf/SMPLF/holdings", "/etf/smplf/holdings?limit=3&format=csv"];
  for (const path of paths) await ask(path);
  const then: Said[] = [];
  for (const path of paths) then.push(await ask(path));
  const [body] = then;
  expect(bodyOf(body as Said)).toMatchObject({ source: "yahoo" });
  expect(bodyOf(body as Said).data.length).toBeGreaterThan(0);
  expect(then.map((one) => one.version)).toEqual([await generation(), await generation()]);
  service.clock.set("2026-12-23T20:00:00Z");
  // The profile of another day.
  await ask("/etf/SMPLF/holdings?force_refresh=true");
  expect(shown(await ask(paths[0] ?? ""))).not.toEqual(shown(body as Said));
  await service.reopen();
  await withDatabase((db) => db.run("DELETE FROM etf_profiles"));
  const before = [service.sample.traffic().total, await generation()];
  for (const [i, path] of paths.entries()) {
    const again = await ask(path, then[i]?.version);
    expect([path, again.version, shown(again)]).toEqual([path, then[i]?.version, shown(then[i] as Said)]);
  }
  expect([service.sample.traffic().total, await generation()]).toEqual(before);
});

test("the list of funds has the issuers of its version, whatever profile is fetched later", async () => {
  expect((await service.post("/api/v1/universe/admin/discover", {})).status).toBe(200);
  await ask("/etf/ZTEKF");
  const known = bodyOf(await ask("/etf/ZTEKF"));
  const paths = [
    "/etf/list?limit=50",
    "/etf/list?as_of=2026-12-31&format=ndjson",
    `/etf/list?issuer=${encodeURIComponent(known.issuer)}`,
  ];
  for (const path of paths) await ask(path);
  const then: Said[] = [];
  for (const path of paths) then.push(await ask(path));
  const issuers = (said: Said | undefined) =>
    bodyOf(said as Said).data.filter(({ issuer }: { issuer: string | null }) => issuer !== null).length;
  expect(issuers(then[0])).toBeGreaterThan(0);
  expect(then.map((one) => one.version)).toEqual(paths.map(() => then[0]?.version ?? -1));
  await ask("/etf/ZCAPF");
  expect(issuers(await ask(paths[0] ?? ""))).toBe(issuers(then[0]) + 1);
  const before = [service.sample.traffic().total, await generation()];
  for (const [i, path] of paths.entries())
    expect([path, shown(await ask(path, then[i]?.version))]).toEqual([path, shown(then[i] as Said)]);
  // The exchanges' lists were read after it.
  expect(refusal(await ask(paths[0] ?? "", version))).toEqual([404, "no_data"]);
  expect([service.sample.traffic().total, await generation()]).toEqual(before);
});

test("a fund whose reports, or whose profile, no answer of the version used is refused", async () => {
  await ask("/etf/ZCAPF/holdings");
  const before = service.sample.traffic().total;
  for (const [path, of] of [
    ["/etf/ZCAPF/holdings", version],
    ["/etf/ZCAPF/holdings?as_of=2026-08-01", version],
    ["/etf/ZGLDF/holdings", version],
    ["/etf/ZTEKF/holdings", 0],
  ] as const)
    expect([path, refusal(await ask(path, of))]).toEqual([path, [400, "not_replayable"]]);
  const forced = await ask("/etf/ZTEKF/holdings?force_refresh=true", version);
  expect(refusal(forced)).toEqual([400, "bad_request"]);
  expect(service.sample.traffic().total).toBe(before);
});

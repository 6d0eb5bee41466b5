// Dividends from an earlier data version: the same rows, warnings and splits, whatever was read since, with
// no provider asked.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const CALENDAR = "/api/v1/dividends/calendar";
const PAGE = "api.nasdaq.com/api/quote";
const CHART = "finance.yahoo.com/v8/finance/chart";
const READ = "2026-08-20T15:00:00Z";
const LATER = "2026-09-08T15:00:00Z";

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ at: READ, env: { SEC_USER_AGENT: "Test test@example.com" } });
});
afterAll(() => service.stop());

/** A dividend page of Nasdaq with the given rows: ex date, amount. */
function page(rows: readonly (readonly [ex: string, amount: string])[]) {
  const us = (date: string) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
  const list = rows.map(([ex, amount]) => ({
    exOrEffDate: us(ex),
    type: "Cash",
    amount,
    declarationDate: "N/A",
    recordDate: us(ex),
    paymentDate: "N/A",
    currency: "USD",
  }));
  const status = { rCode: 200, bCodeMessage: null, developerMessage: null };
  return JSON.stringify({ data: { dividends: { rows: list } }, message: null, status });
}
const serve = (rows: Parameters<typeof page>[0]) => {
  service.sample.dials.clear();
  service.sample.dials.set([{ fault: "wrong_shape", match: `${PAGE}/ZORP/dividends`, body: page(rows) }]);
};

interface Shown {
  readonly splits_known_through: string | null;
  readonly last_updated: string | null;
  readonly warnings: readonly string[];
  readonly data: readonly { readonly amount: number; readonly adjusted_amount: number | null }[];
}
interface Answer {
  readonly version: number;
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
  readonly body: Shown;
}
async function ask(path: string, version?: number): Promise<Answer> {
  const given = version === undefined ? "" : `${path.includes("?") ? "&" : "?"}data_version=${version}`;
  const response = await service.fetch(`${CALENDAR}/${path}${given}`);
  const text = await response.text();
  const body = path.includes("format=") ? {} : JSON.parse(text);
  return {
    version: Number(response.headers.get("x-data-version") ?? -1),
    status: response.status,
    code: body.code,
    text,
    body,
  };
}
const generation = () => service.app().lake.generation();
const asked = () => service.sample.traffic().total;

test("dividends of a version stay what they were when amounts change, dividends go and the ticker is read again", async () => {
  const paths = [
    "ZORP?from_date=2026-06-01",
    "ZORP?from_date=2026-06-01&as_of_date=2026-08-20",
    "ZORP?as_of_date=2026-08-19",
    "ZORP?from_date=2026-06-01&format=csv",
  ];
  serve([
    ["2026-09-22", "$0.15"],
    ["2026-07-15", "$0.10"],
  ]);
  const first = [];
  for (const path of paths) first.push(await ask(path));
  const version = await generation();
  expect(first.map((one) => [one.status, one.version])).toEqual(paths.map(() => [200, version]));
  expect(first[0]?.body.data[0]).toMatchObject({ amount: 0.15, adjusted_amount: 0.15 });
  expect(first[0]?.body.splits_known_through).toBe("2026-08-20");

  service.clock.set(LATER);
  serve([["2026-07-15", "$0.11"]]);
  const now = await ask("ZORP?from_date=2026-06-01");
  expect(now.body.data.map(({ amount }) => amount)).toEqual([0.15, 0.11]);
  expect(now.version).toBeGreaterThan(version);
  expect([now.body.splits_known_through, now.body.last_updated]).toEqual([
    "2026-09-08",
    expect.stringMatching(/^2026-09-08T15:0/),
  ]);
  const before = [asked(), await generation()];
  for (const [i, path] of paths.entries()) {
    const again = await ask(path, version);
    expect([path, again.version, again.text]).toEqual([path, version, first[i]?.text ?? ""]);
  }
  const bulk = await service.post<{ results: { data: Shown | null }[] }>(`${CALENDAR}/bulk`, {
    tickers: ["ZORP"],
    from_date: "2026-06-01",
    data_version: version,
  });
  expect(bulk.body.results[0]?.data as unknown).toEqual(JSON.parse(first[0]?.text ?? ""));
  expect([asked(), await generation()]).toEqual(before);
});

test("a version says what its reading could not read, and not what a later one could", async () => {
  service.clock.set("2026-09-09T15:00:00Z");
  serve([["2026-07-15", "$0.11"]]);
  service.sample.dials.set([{ fault: "status", status: 500, match: `${CHART}/ZORP` }]);
  const partly = await ask("ZORP");
  expect([partly.status, partly.body.splits_known_through]).toEqual([200, null]);
  expect(partly.body.warnings.join()).toContain("Splits could not be read");
  expect(partly.body.data.map((row) => row.adjusted_amount)).toEqual(partly.body.data.map(() => null));
  serve([["2026-07-15", "$0.11"]]);
  service.clock.set("2026-09-10T15:00:00Z");
  const whole = await ask("ZORP");
  expect([whole.body.splits_known_through, whole.body.warnings]).toEqual(["2026-09-10", []]);
  expect((await ask("ZORP", partly.version)).text).toBe(partly.text);
  expect((await ask("ZORP", whole.version)).text).toBe(whole.text);
});

test("a version without a reading of the ticker, and a day after the version, are refused", async () => {
  const version = await generation();
  const before = asked();
  const unread = await ask("WUZZL?as_of_date=2026-09-01", version);
  expect([unread.status, unread.code]).toEqual([400, "not_replayable"]);
  const early = await ask("ZORP?as_of_date=2026-08-01", 0);
  expect([early.status, early.code]).toEqual([400, "not_replayable"]);
  const ahead = await ask("ZORP?as_of_date=2026-09-11", version);
  expect([ahead.status, ahead.code]).toEqual([400, "not_replayable"]);
  expect(ahead.text).toContain("Give an as_of up to 2026-09-10, or none.");
  expect(asked()).toBe(before);
});

test("where the version's reading is older than its session, the answer says so", async () => {
  service.clock.set("2026-09-14T15:00:00Z");
  // Another ticker is read, which is a version of a later session.
  const other = await ask("KRONK");
  const stale = await ask("ZORP?from_date=2026-06-01", other.version);
  expect(stale.body.splits_known_through).toBeNull();
  expect(stale.body.warnings).toEqual([
    expect.stringMatching(/^not_read: This data version has the ticker as of 2026-09-10T15:0/),
  ]);
});

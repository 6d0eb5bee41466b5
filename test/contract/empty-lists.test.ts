// Lists of the sample market without rows say that nothing is there, or that it was not read, in JSON and in
// rows.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";
import { WALK_ENV } from "./interface-walk.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ env: WALK_ENV });
  for (const job of ["short-volume", "universe-discover"])
    expect(await service.app().jobs.runNow(job).done).toMatchObject({ job, outcome: "succeeded" });
});
afterAll(() => service.stop());

test.each([
  ["/insider/transactions/ZORP?days=1&as_of=2023-01-01", /^(nothing_there|not_read): \S/],
  ["/insider/form4/ZORP?window_days=1&as_of=2023-01-01", /^(nothing_there|not_read): \S/],
  ["/insider/form4/by-date/2023-01-01", /^nothing_there: \S/],
  ["/ownership/13dg/VEXOQ?as_of=2023-01-01", /^(nothing_there|not_read): \S/],
  ["/filings/search?ticker=ZORP&form_type=NO-SUCH", /^nothing_there: \S/],
  ["/filings/search?ticker=ZORP&offset=100000", /^nothing_there: \S/],
  ["/filings/search?q=word&as_of=2000-06-01", /^not_read: \S/],
  ["/filings/events/ZORP?item=1.03", /^nothing_there: \S/],
  ["/earnings/calendar?date=2026-01-03", /^nothing_there: \S/],
  ["/earnings/calendar?date=2026-01-05&as_of=2020-01-01", /^not_read: \S/],
  ["/earnings/calendar/ZORP?from_date=2090-01-01", /^nothing_there: \S/],
  ["/earnings/calendar/ZORP?as_of=2020-01-01", /^not_read: \S/],
  ["/earnings/surprise/ZORP?as_of=2020-01-01", /^not_read: \S/],
  ["/stocks/sessions?start_date=2026-01-03&end_date=2026-01-04", /^nothing_there: \S/],
  [
    "/price/data?tickers=ZORP,GLUMP&start_date=2026-01-05&end_date=2026-01-06&stored_only=true",
    /^not_read: ZORP, GLUMP: /,
  ],
  ["/price/data?tickers=ZORP&start_date=2026-01-03&end_date=2026-01-04", /^nothing_there: ZORP: /],
  [
    "/price/data?tickers=ZORP&start_date=2026-01-05&end_date=2026-01-06&interval=1w&stored_only=true",
    /^not_read: ZORP: /,
  ],
  [
    "/price/data?tickers=ZORP&start_date=2026-01-06&end_date=2026-01-06&as_of=2026-01-06",
    /^nothing_there: ZORP: No bar of these days was known then/,
  ],
  [
    "/price/data?tickers=NOSUCH&start_date=2026-01-05&end_date=2026-01-06",
    /^nothing_there: NOSUCH: no rows; errors says why/,
  ],
  ["/shortvolume/top?min_total_volume=99999999999", /^nothing_there: \S/],
  ["/etf/list?issuer=nosuch", /^nothing_there: \S/],
  ["/screener/screen?price_min=100000000", /^nothing_there: \S/],
  ["/marketfeed/intraday?tickers=NOSUCH", /^nothing_there: NOSUCH: The feed has no bar of these days/],
  ["/price/intraday?tickers=NOSUCH", /^nothing_there: NOSUCH: no rows; errors says why/],
])("%s", async (path, why) => {
  const { body } = await service.get<{ count: number; warnings: string[] }>(`/api/v1${path}`);
  expect([body.count, body.warnings.filter((text) => why.test(text))]).toEqual([0, [expect.any(String)]]);
  const rows = await service.fetch(`/api/v1${path}${path.includes("?") ? "&" : "?"}format=csv`);
  await rows.body?.cancel();
  expect(JSON.parse(rows.headers.get("x-warnings") ?? "[]")).toEqual(body.warnings);
});

test("the history of one symbol that is not stored says how it is read", async () => {
  const { status, body } = await service.get<{ code: string; hint: string }>(
    "/api/v1/price/data/ZORP?start_date=2026-01-05&end_date=2026-01-06&stored_only=true",
  );
  expect([status, body.code, body.hint]).toEqual([
    404,
    "no_data",
    "not_read: This installation has stored no bar of these days: read them by asking without stored_only.",
  ]);
});

test("an empty list of the economic data says so beside the provider's own fields", async () => {
  const path = "/api/v1/econdata/proxy/series/search?search_text=nosuchseries";
  const { body } = await service.get<{ seriess: unknown[]; _metadata: { warnings: string[] } }>(path);
  expect([body.seriess, body._metadata.warnings]).toEqual([
    [],
    ["nothing_there: The provider has no row that matches."],
  ]);
  const rows = await service.fetch(`${path}&format=csv`);
  await rows.body?.cancel();
  expect(JSON.parse(rows.headers.get("x-warnings") ?? "[]")).toEqual(body._metadata.warnings);
});

test("a list over all companies names the last day it is complete for, not only the first", async () => {
  await service.get("/api/v1/insider/form4/by-date/2025-05-05");
  const { body } = await service.get<{ metadata: object; warnings: string[] }>(
    "/api/v1/ownership/13dg/active?activist=all",
  );
  expect(body.metadata).toMatchObject({ data_from: "2025-05-05", data_to: "2025-05-05" });
  expect(body.warnings.filter((text) => /complete from/.test(text))).toEqual([
    expect.stringContaining("complete from 2025-05-05 to 2025-05-05: "),
  ]);
});

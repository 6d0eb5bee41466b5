// The ledger over HTTP: cursors, filters, formats and the summary, on what requests have stored.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { SUGGESTED } from "../../sample/market.ts";
import type { ChangesAnswer, SummaryAnswer } from "../../src/capabilities/changes/schema.ts";
import { shortVolume } from "../../src/datasets/index.ts";
import { batchOf } from "../../src/platform/lake/lake.ts";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const C = "/api/v1/changes";
const [ONE, OTHER] = SUGGESTED;
let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService({ env: { SEC_USER_AGENT: "Test test@example.com" } });
  document = await apiDocument(service);
  for (const symbol of [ONE, OTHER])
    await service.get(`/api/v1/price/data/${symbol}?start_date=2026-07-01&end_date=2026-07-31`);
});
afterAll(() => service.stop());

const get = async <T>(path: string, template = C) => {
  const response = await service.fetch(path);
  expect([path, response.status]).toEqual([path, 200]);
  expect(await faultsOfAnswer(document, document.operation("GET", template), response.clone())).toEqual([]);
  return (await response.json()) as T;
};

test("the bars that a request stored are insertions, with the row and the time of the commit", async () => {
  const { data, cursor, has_more, data_version } = await get<ChangesAnswer>(
    `${C}?dataset=bars_daily&symbol=${ONE?.toLowerCase()}`,
  );
  const july = data.filter(({ key }) => String(key.date) >= "2026-07-01");
  expect(july.length).toBe(22);
  expect(july[0]).toMatchObject({
    op: "insert",
    dataset: "bars_daily",
    symbol: ONE,
    key: { symbol: ONE, date: "2026-07-01" },
    before: null,
  });
  const price = await service.get<{ data: { date: string; close: number }[] }>(
    `/api/v1/price/data/${ONE}?start_date=2026-07-01&end_date=2026-07-31&stored_only=true`,
  );
  expect(july.map(({ after }) => [after?.date, after?.close])).toEqual(
    price.body.data.map(({ date, close }) => [date.slice(0, 10), close]),
  );
  for (const { recorded_at } of data) expect(Date.parse(recorded_at ?? "")).toBeGreaterThan(0);
  expect([cursor, has_more]).toEqual([data_version, false]);
});

test("compact pages end with a whole commit and together are all keys, by cursor", async () => {
  const whole = await get<ChangesAnswer>(`${C}?limit=10000`);
  const rows: unknown[] = [];
  let since = 0;
  for (let pages = 1; ; pages++) {
    const page = await get<ChangesAnswer>(`${C}?limit=1&since=${since}&compact=true`);
    expect(page.data.at(-1)?.cursor ?? page.cursor).toBeLessThanOrEqual(page.cursor);
    rows.push(...page.data);
    since = page.cursor;
    if (page.has_more) continue;
    expect(pages).toBeGreaterThan(1);
    break;
  }
  expect(rows).toEqual(whole.data);
  const commits = new Set(whole.data.map(({ data_version }) => data_version));
  expect(whole.data.filter(({ cursor, data_version }) => cursor === data_version).length).toBe(commits.size);
});

test("a page may end inside a commit, and after_row goes on in it", async () => {
  const whole = await get<ChangesAnswer>(`${C}?limit=10000`);
  for (const limit of [7, 40]) {
    const rows: unknown[] = [];
    let at = { cursor: 0, after_row: 0 };
    let inside = 0;
    for (let hasMore = true; hasMore; ) {
      const page = await get<ChangesAnswer>(
        `${C}?limit=${limit}&since=${at.cursor}&after_row=${at.after_row}`,
      );
      expect(page.data.length).toBeLessThanOrEqual(limit);
      expect(page.cursor).toBeGreaterThanOrEqual(at.cursor);
      rows.push(...page.data);
      at = page;
      inside += page.after_row > 0 ? 1 : 0;
      hasMore = page.has_more;
    }
    expect(rows).toEqual(whole.data);
    expect(inside).toBeGreaterThan(0);
    expect(at).toMatchObject({ cursor: whole.cursor, after_row: 0 });
  }
});

test("after_row is of JSON alone, and beyond the end there is nothing", async () => {
  for (const more of ["&format=csv", "&compact=true"]) {
    const refused = await service.get<{ code: string }>(`${C}?since=0&after_row=3${more}`);
    expect([refused.status, refused.body.code]).toEqual([400, "bad_request"]);
  }
  const { cursor } = await get<ChangesAnswer>(`${C}?limit=10000`);
  const beyond = await get<ChangesAnswer>(`${C}?since=0&after_row=900000`);
  expect(beyond).toMatchObject({ count: 0, cursor, after_row: 0, has_more: false });
});

test("row formats carry the same rows and the link to the next page", async () => {
  const first = await service.fetch(`${C}?limit=1&format=csv`);
  expect(first.status).toBe(200);
  expect((await first.text()).split("\r\n")[0]).toBe(
    "cursor,data_version,recorded_at,dataset,op,cause,source,symbol,known_at,key,before,after",
  );
  expect(first.headers.get("link")).toMatch(/since=\d+.*rel="next"/);
  const lines = await (await service.fetch(`${C}?format=ndjson&dataset=bars_daily&limit=10000`)).text();
  const { count } = await get<ChangesAnswer>(`${C}?dataset=bars_daily&limit=10000`);
  expect(lines.trim().split("\n").length).toBe(count);
});

test("every row format has the same rows, and says why there are none", async () => {
  const { data } = await get<ChangesAnswer>(`${C}?dataset=bars_daily&symbol=${ONE}`);
  const asObjects = (row: Record<string, unknown>) => ({
    ...row,
    key: JSON.parse(String(row.key)),
    before: row.before === null ? null : JSON.parse(String(row.before)),
    after: JSON.parse(String(row.after)),
  });
  const rows = await (await service.fetch(`${C}?dataset=bars_daily&symbol=${ONE}&format=records`)).json();
  expect((rows as Record<string, unknown>[]).map(asObjects)).toEqual(data);
  const bytes = await service.fetch(`${C}?dataset=bars_daily&symbol=${ONE}&format=parquet&limit=1000000`);
  const file = join(service.dataDir, "changes.parquet");
  await Bun.write(file, await bytes.arrayBuffer());
  const stored = await service.app().lake.query(`SELECT * FROM read_parquet('${file}')`);
  expect(stored.map(asObjects)).toEqual(data);
  for (const format of ["csv", "ndjson", "parquet", "records"]) {
    const none = await service.fetch(`${C}?dataset=bars_daily&symbol=ZZZZ&format=${format}`);
    expect([format, none.status]).toEqual([format, 200]);
    expect(none.headers.get("x-warnings")).toContain("nothing_there");
    await none.body?.cancel();
  }
});

test("a row names its cause and its source; older days are backfilled, yesterday's bar is published", async () => {
  const { data } = await get<ChangesAnswer>(`${C}?dataset=bars_daily&symbol=${ONE}&cause=backfilled`);
  expect(data.length).toBeGreaterThan(20);
  expect(new Set(data.map(({ cause, source }) => `${cause} ${source}`))).toEqual(
    new Set(["backfilled yahoo"]),
  );
  await service.get(`/api/v1/price/data/${OTHER}?start_date=2026-09-08&end_date=2026-09-08`);
  const fresh = await get<ChangesAnswer>(`${C}?dataset=bars_daily&symbol=${OTHER}&cause=published`);
  // The world could know them since the next midnight, seven days before the evening of September 9 at the
  // earliest.
  const dates = fresh.data.map(({ key }) => String(key.date));
  expect(dates).toContain("2026-09-08");
  expect(dates.every((date) => date >= "2026-09-02")).toBe(true);
  const older = await get<ChangesAnswer>(`${C}?dataset=bars_daily&symbol=${OTHER}&cause=backfilled`);
  expect(older.data.every(({ key }) => String(key.date) < "2026-09-02")).toBe(true);
  const { causes } = await get<SummaryAnswer>(
    `${C}/summary?dataset=bars_daily&symbol=${OTHER}`,
    `${C}/summary`,
  );
  expect(causes.map(({ cause }) => cause).sort()).toEqual(["backfilled", "published"]);
});

test("a version of the summary may be a name", async () => {
  const named = await service.post<{ data_version: number }>("/api/v1/versions/admin/names", {
    name: "then",
  });
  await service.get(`/api/v1/price/data/${ONE}?start_date=2026-05-04&end_date=2026-05-08`);
  const since = await get<SummaryAnswer>(`${C}/summary?from_version=then&dataset=bars_daily`, `${C}/summary`);
  expect([since.from_version, since.total > 0]).toEqual([named.body.data_version, true]);
  const upTo = await get<SummaryAnswer>(`${C}/summary?to_version=then&dataset=bars_daily`, `${C}/summary`);
  const all = await get<SummaryAnswer>(`${C}/summary?dataset=bars_daily`, `${C}/summary`);
  expect(upTo.total + since.total).toBe(all.total);
});

test("compact lists each key once", async () => {
  const { data } = await get<ChangesAnswer>(`${C}?limit=10000&compact=true`);
  const keys = data.map(({ dataset, key }) => `${dataset} ${JSON.stringify(key)}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeGreaterThan(40);
});

test("the summary counts what the ledger lists, and names the symbols", async () => {
  const { data, data_version } = await get<ChangesAnswer>(`${C}?limit=10000&dataset=bars_daily`);
  const summary = await get<SummaryAnswer>(`${C}/summary?from_version=0&dataset=bars_daily`, `${C}/summary`);
  expect(summary).toMatchObject({
    from_version: 0,
    to_version: data_version,
    total: data.length,
    data: ["backfilled", "published"].map((cause) => ({
      dataset: "bars_daily",
      op: "insert",
      cause,
      changes: data.filter((change) => change.cause === cause).length,
    })),
  });
  expect(summary.symbols.map(({ symbol }) => symbol).sort()).toEqual(
    [ONE, OTHER].map((symbol) => symbol?.replace("-", ".")).sort() as string[],
  );
  const none = await get<SummaryAnswer>(
    `${C}/summary?from_version=${data_version}&to_version=${data_version}`,
    `${C}/summary`,
  );
  expect([none.total, none.data, none.symbols]).toEqual([0, [], []]);
  // Its total counts changes, so that as rows, of which each counts many, it is no total of rows.
  const rows = await service.fetch(`${C}/summary?dataset=bars_daily&format=csv`);
  expect([(await rows.text()).trim().split("\r\n").length, rows.headers.get("x-total-count")]).toEqual([
    3,
    null,
  ]);
});

test("a symbol stands for the company that has it, where rows name a CIK", async () => {
  for (const path of [
    `filings/search?ticker=${ONE}`,
    `filings/search?ticker=${OTHER}`,
    `financial/data/${ONE}`,
  ])
    expect((await service.get(`/api/v1/${path}`)).status).toBe(200);
  const [holder] = await service
    .app()
    .lake.query<{ cik: string }>(
      "SELECT cik FROM company_tickers WHERE kind = 'company' AND symbol = $symbol",
      { symbol: ONE ?? "" },
    );
  for (const dataset of ["filings", "financial_facts"]) {
    const own = await get<ChangesAnswer>(`${C}?dataset=${dataset}&symbol=${ONE}&limit=10000`);
    expect([dataset, own.count > 0, own.warnings]).toEqual([dataset, true, []]);
    const all = await get<ChangesAnswer>(`${C}?dataset=${dataset}&limit=10000`);
    expect(own.data).toEqual(all.data.filter(({ key }) => key.cik === holder?.cik));
    const every = await get<ChangesAnswer>(`${C}?symbol=${ONE}&limit=10000`);
    expect(every.data.filter((row) => row.dataset === dataset)).toEqual(own.data);
    const summary = await get<SummaryAnswer>(`${C}/summary?dataset=${dataset}&symbol=${ONE}`, `${C}/summary`);
    expect(summary.total).toBe(own.count);
  }
  const others = await get<ChangesAnswer>(`${C}?dataset=filings&symbol=${OTHER}&limit=10000`);
  expect(others.count).toBeGreaterThan(0);
  expect(others.data.some(({ key }) => key.cik === holder?.cik)).toBe(false);
});

test("a symbol that a dataset says nothing about is an error, and never an answer without changes", async () => {
  const refused = [
    [`dataset=page_views&symbol=${ONE}`, 400, "bad_request", "The rows of page_views name no symbol."],
    [
      "dataset=filings&symbol=ZZZZ",
      404,
      "unknown_ticker",
      "The rows of filings name a company by its CIK, and no list of the SEC that was read has a company with the symbol ZZZZ.",
    ],
  ] as const;
  for (const [asked, ...expected] of refused) {
    for (const path of [C, `${C}/summary`]) {
      const { status, body } = await service.get<{ code: string; detail: string }>(`${path}?${asked}`);
      expect([status, body.code, body.detail] as unknown[]).toEqual([...expected]);
    }
    const stream = await service.fetch(`${C}?${asked}`, { headers: { accept: "text/event-stream" } });
    expect(stream.status).toBe(expected[0]);
    await stream.body?.cancel();
  }
  expect((await service.get(`${C}?dataset=filings`)).status).toBe(200);
});

const LEFT_OUT =
  /^Changes of these datasets are left out, .*: (.*)\. Ask for one of them with dataset, without symbol\.$/;
const leftOutOf = (warnings: readonly string[]) =>
  warnings.flatMap((warning) => LEFT_OUT.exec(warning)?.[1]?.split(", ") ?? []);

test("an answer about a symbol names the datasets that it leaves out", async () => {
  for (const path of [C, `${C}/summary`]) {
    const warningsOf = async (given: string) =>
      leftOutOf((await service.get<{ warnings: string[] }>(`${path}?${given}`)).body.warnings);
    const known = await warningsOf(`symbol=${ONE}`);
    expect(known).toContain("page_views");
    for (const dataset of ["filings", "insider_transactions", "bars_daily"])
      expect(known).not.toContain(dataset);
    const unknown = await warningsOf("symbol=ZZZZ");
    for (const dataset of ["page_views", "filings", "insider_transactions"])
      expect(unknown).toContain(dataset);
    for (const given of ["", `dataset=bars_daily&symbol=${ONE}`]) expect(await warningsOf(given)).toEqual([]);
  }
  const rows = await service.fetch(`${C}?symbol=${ONE}&format=csv`);
  expect(leftOutOf(JSON.parse(rows.headers.get("x-warnings") ?? "[]"))).toContain("page_views");
  const stream = await service.fetch(`${C}?symbol=${ONE}`, { headers: { accept: "text/event-stream" } });
  const reader = stream.body?.getReader();
  let text = "";
  while (!text.includes("event: warning\ndata: ") || !text.endsWith("\n\n"))
    text += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  const [, sent = ""] = /^retry: \d+\n\nevent: warning\ndata: (.*)\n\n/.exec(text) ?? [];
  expect(leftOutOf(JSON.parse(sent).warnings)).toContain("page_views");
});

test("a cursor of another store, an unknown dataset and versions in the wrong order are errors", async () => {
  const status = async (path: string) => {
    const { status: found, body } = await service.get<{ code: string }>(path);
    return found === 422 ? [found] : [found, body.code];
  };
  expect(await status(`${C}?since=999999`)).toEqual([400, "bad_request"]);
  expect(await status(`${C}?since=-1`)).toEqual([422]);
  expect(await status(`${C}?dataset=prices`)).toEqual([404, "not_found"]);
  expect(await status(`${C}?limit=0`)).toEqual([422]);
  expect(await status(`${C}?op=delete`)).toEqual([422]);
  expect(await status(`${C}?cause=us`)).toEqual([422]);
  expect(await status(`${C}?limit=10001`)).toEqual([400, "bad_request"]);
  expect(await status(`${C}/summary?from_version=q3-paper`)).toEqual([404, "unknown_version"]);
  expect(await status(`${C}/summary?from_version=Q3`)).toEqual([422]);
  expect(await status(`${C}/summary?from_version=2&to_version=1`)).toEqual([400, "bad_request"]);
  expect(await status(`${C}/summary?from_version=0&to_version=999999`)).toEqual([404, "unknown_version"]);
});

test("a large page is written in pieces, and is the pages of its commits one after the other", async () => {
  const row = (at: number, known_at: string) => ({
    symbol: `S${at}`,
    date: "2026-09-04",
    short_volume: at,
    short_exempt_volume: null,
    total_volume: at + 1,
    market: "Q",
    facility: "CNMS",
    known_at,
    fetched_at: "2026-09-04T23:00:00Z",
    source: "test",
  });
  const { lake } = service.app();
  const since = await lake.generation();
  for (const [hour, count] of [12_000, 9_000, 7_000, 1].entries()) {
    const known = `2026-09-08T0${hour}:00:00Z`;
    await lake.append([
      batchOf(
        shortVolume,
        Array.from({ length: count }, (_, at) => row(at, known)),
      ),
    ]);
  }
  const text = async (query: string) => (await service.fetch(`${C}?dataset=short_volume&${query}`)).text();
  for (const format of ["csv", "ndjson"]) {
    const pages: string[] = [];
    // Other commits may stand between those of the test.
    for (let at: string | undefined = String(since); at !== undefined; ) {
      const response = await service.fetch(`${C}?dataset=short_volume&since=${at}&limit=1&format=${format}`);
      const page = await response.text();
      pages.push(format === "csv" && pages.length > 0 ? page.slice(page.indexOf("\n") + 1) : page);
      at = /since=(\d+)/.exec(response.headers.get("link") ?? "")?.[1];
    }
    expect(await text(`since=${since}&limit=1000000&format=${format}`)).toBe(pages.join(""));
    expect(pages.join("").trimEnd().split("\n").length).toBe(28_001 + Number(format === "csv"));
  }
  const none = await service.fetch(`${C}?since=${since}&limit=1000000&op=withdraw&format=csv`);
  expect(JSON.parse(none.headers.get("x-warnings") ?? "[]")[0]).toStartWith("nothing_there: No commit after");
  expect((await none.text()).trimEnd().split("\n").length).toBe(1);
});

// The ledger over HTTP: cursors, filters, formats and the summary, on what requests have stored.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { SUGGESTED } from "../../sample/market.ts";
import type { ChangesAnswer, SummaryAnswer } from "../../src/capabilities/changes/schema.ts";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const C = "/api/v1/changes";
const [ONE, OTHER] = SUGGESTED;
let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService();
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

test("pages end with a whole commit and together are the ledger, by cursor", async () => {
  const whole = await get<ChangesAnswer>(`${C}?limit=10000`);
  const rows: unknown[] = [];
  let since = 0;
  for (let pages = 1; ; pages++) {
    const page = await get<ChangesAnswer>(`${C}?limit=1&since=${since}`);
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
  // The world could know them since the next midnight, seven days before the evening of September 9 at the earliest.
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
});

test("a symbol of a dataset whose rows name none is an error, and never an answer without changes", async () => {
  for (const path of [C, `${C}/summary`])
    for (const dataset of ["filings", "insider_transactions", "page_views"]) {
      const { status, body } = await service.get<{ code: string; detail: string }>(
        `${path}?dataset=${dataset}&symbol=${ONE}`,
      );
      expect([status, body.code, body.detail]).toEqual([
        400,
        "bad_request",
        `The rows of ${dataset} name no symbol.`,
      ]);
    }
  const stream = await service.fetch(`${C}?dataset=filings&symbol=${ONE}`, {
    headers: { accept: "text/event-stream" },
  });
  expect(stream.status).toBe(400);
  expect((await service.get(`${C}?dataset=filings`)).status).toBe(200);
});

test("an answer about a symbol names the datasets that it leaves out", async () => {
  const about = `symbol=${ONE}`;
  const LEFT_OUT =
    /^Changes of these datasets are left out, .*: (.*)\. Ask for one of them with dataset, without symbol\.$/;
  for (const path of [C, `${C}/summary`]) {
    const { body } = await service.get<{ warnings: string[] }>(`${path}?${about}`);
    const names = LEFT_OUT.exec(body.warnings[0] ?? "")?.[1]?.split(", ") ?? [];
    expect(names).toContain("filings");
    expect(names).toContain("insider_transactions");
    expect(names).not.toContain("bars_daily");
    for (const given of ["", `dataset=bars_daily&${about}`]) {
      const whole = await service.get<{ warnings: string[] }>(`${path}?${given}`);
      expect(whole.body.warnings.filter((warning) => LEFT_OUT.test(warning))).toEqual([]);
    }
  }
  const rows = await service.fetch(`${C}?${about}&format=csv`);
  expect(rows.headers.get("x-warnings")).toContain("left out");
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

// Figures that come by other ways than a request: the regulator's archive, named tickers, schedules of the
// 1990s. And the answers held against the routes' own documentation.
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { FinancialDataResponse } from "../../src/capabilities/financial/schema.ts";
import { financial_filers } from "../../src/capabilities/financial/tables.ts";
import { UpstreamFailed } from "../../src/platform/errors.ts";
import { openZip } from "../../src/platform/zip.ts";
import { type FinancialApp, openFinancialApp } from "../support/financial-app.ts";
import { acme, financialWorld } from "../support/financial-companies.ts";
import { factsJson } from "../support/financial-world.ts";
import { type Packed, zipOf } from "../support/zip-file.ts";

setDefaultTimeout(1_200_000);

type Data = FinancialDataResponse;
let app: FinancialApp;
beforeEach(async () => {
  await app?.close();
  app = await openFinancialApp({ world: financialWorld() });
});
afterAll(() => app.close());

const stored = async () =>
  app.lake.query<{ cik: string; n: number }>(
    "SELECT cik, count(*) AS n FROM financial_facts GROUP BY cik ORDER BY cik",
  );

describe("the regulator's archive", () => {
  const MADE = Date.parse("2026-09-09T03:00:00Z");
  const file = (cik: string): Packed => ({ name: `CIK${cik}.json`, text: factsJson(acme(cik)) });
  const take = async (files: readonly Packed[], signal = new AbortController().signal) => {
    const path = join(app.dataDir, "companyfacts.zip");
    await writeFile(path, zipOf(files));
    const archive = await openZip(path);
    const reported: [string, string | null][] = [];
    await app.capability.backfill.archive(
      { archive, name: "companyfacts.zip 1", madeMs: MADE, signal },
      (item, error) => reported.push([item, error?.message ?? null]),
    );
    await archive.close();
    return reported;
  };

  test("is stored file by file; an unreadable file is reported, skipped and tried again", async () => {
    const [good, other] = [file("0009100001"), file("0009100007")];
    const first = await take([
      good,
      { name: "readme.txt", text: "no figures" },
      { ...other, crc: 1 },
      { name: "CIK0009100008.json", text: "{ cut" },
    ]);
    expect(first.map(([item, error]) => [item, error === null])).toEqual([
      ["CIK0009100001.json", true],
      ["CIK0009100007.json", false],
      ["CIK0009100008.json", false],
    ]);
    expect((await stored()).map((r) => r.cik)).toEqual(["0009100001"]);
    // The good one is not read again: it would be refused now.
    const second = await take([{ ...good, crc: 1 }, other]);
    expect(second.map(([, error]) => error)).toEqual([null, null]);
    const counts = await stored();
    expect(counts.map((r) => r.cik)).toEqual(["0009100001", "0009100007"]);
    expect(counts[0]?.n).toBe(counts[1]?.n ?? -1);
    // A company that is in answers without being asked for: its newest report is among the figures.
    const { body } = await app.get<Data>("/data/ACME");
    expect([body.cached, body.income_statement.length, app.world.asked.length]).toEqual([true, 6, 0]);
  });

  test("stops between two files", async () => {
    const stop = new AbortController();
    stop.abort();
    expect(await take([file("0009100001")], stop.signal)).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  test("an older one does not hide a newer read", async () => {
    await app.get("/data/ACME");
    const before = app.sqlite.use((db) => db.select().from(financial_filers).get());
    await take([file("0009100001")]);
    expect(app.sqlite.use((db) => db.select().from(financial_filers).get())).toEqual(before);
  });
});

test("named tickers are collected, and a failure is only its ticker's", async () => {
  const reported: [string, string | null][] = [];
  const run = () =>
    app.capability.backfill.tickers(["ACME", "NOSUCH"], false, new AbortController().signal, (item, error) =>
      reported.push([item, error && "code" in error ? String(error.code) : null]),
    );
  await run();
  await run();
  expect(reported.toSorted()).toEqual([
    ["ACME", null],
    ["ACME", null],
    ["NOSUCH", "unknown_ticker"],
    ["NOSUCH", "unknown_ticker"],
  ]);
  expect(app.world.asked).toEqual(["0009100001"]);
});

describe("schedules of the 1990s", () => {
  const OLD = "0009100001-98-000001";
  const SCHEDULE = `<TYPE>EX-27
<TEXT>
<ARTICLE> 5
<MULTIPLIER> 1,000
<S>                             <C>
<PERIOD-TYPE>                   12-MOS
<FISCAL-YEAR-END>               DEC-31-1997
<PERIOD-END>                    DEC-31-1997
<TOTAL-ASSETS>                  5,000
<TOTAL-REVENUES>                2,000
<NET-INCOME>                    (150)
<EPS-PRIMARY>                   (.15)
</TEXT>`;
  let exhibits = 0;
  beforeEach(() => {
    exhibits = 0;
    const { world } = app;
    world.filers
      .get("ACME")
      ?.reports.push({ accession: OLD, form: "10-K", filed: "1998-03-30", accepted: "1998-03-30T20:00:00Z" });
    world.exhibit = async () => {
      exhibits++;
      return SCHEDULE;
    };
  });

  test("are read once, when the span includes their years, and are marked", async () => {
    await app.post("/data", { ticker: "ACME", period: "5y" });
    expect(exhibits).toBe(0);
    const { body } = await app.get<Data>("/data/ACME");
    expect(exhibits).toBe(1);
    expect(body.income_statement.at(-1)).toMatchObject({
      period_end_date: "1997-12-31",
      revenue: 2_000_000,
      net_income: -150_000,
      source: "ex27",
      accession_number: OLD,
    });
    expect(body.coverage.income_statement).toMatchObject({
      from: "1997-12-31",
      sources: ["ex27", "xbrl"],
      gaps: [{ after: "1997-12-31", before: "2023-12-31" }],
    });
    expect((await app.get<Data>("/data/ACME")).body.cached).toBe(true);
    expect(exhibits).toBe(1);
    const before = await app.get<Data>("/data/ACME?as_of=1998-03-30T19:59:59Z");
    expect(before.body.income_statement).toEqual([]);
  });

  test("several in one filing have their own periods; another filing is another vintage", async () => {
    const year = (end: string, revenues: string) =>
      SCHEDULE.replaceAll("1997", end).replace("2,000", revenues);
    app.world.filers.get("ACME")?.reports.push({
      accession: "0009100001-97-000001",
      form: "10-K",
      filed: "1997-03-28",
      accepted: null,
    });
    app.world.exhibit = async (accession) =>
      accession === OLD
        ? [
            ["EX-27.1", SCHEDULE],
            ["EX-27.2", year("1996", "1,800")],
            ["EX-27.3", year("1995", "1,700")],
            ["EX-270", year("1994", "9,999")],
          ]
        : year("1996", "1,900");
    const rows = async (query: string) =>
      (
        await app.get<Data>(`/data/ACME?end_date=1999-01-01&start_date=1990-01-01${query}`)
      ).body.income_statement.map((row) => [
        ...[row.period_end_date, row.fiscal_period, row.revenue, row.accession_number],
      ]);
    expect(await rows("")).toEqual([
      ["1997-12-31", "FY", 2_000_000, OLD],
      ["1996-12-31", "FY", 1_800_000, OLD],
      ["1995-12-31", "FY", 1_700_000, OLD],
    ]);
    expect((await rows("&vintage=first"))[1]).toEqual([
      ...["1996-12-31", "FY", 1_900_000, "0009100001-97-000001"],
    ]);
  });

  test("that cannot be fetched are reported and tried again", async () => {
    app.world.exhibit = async () => {
      throw new UpstreamFailed("edgar", "EDGAR is down.");
    };
    const { body } = await app.get<Data>("/data/ACME");
    expect([body.errors, body.income_statement.length]).toEqual([{ financials: "EDGAR is down." }, 6]);
    app.world.exhibit = async () => SCHEDULE;
    expect((await app.get<Data>("/data/ACME")).body.income_statement.length).toBe(7);
  });
});

test("every answer matches the OpenAPI document, without further fields", async () => {
  const closed = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(closed);
    if (schema === null || typeof schema !== "object") return schema;
    const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
    return "properties" in inner ? { ...inner, additionalProperties: false } : inner;
  };
  const document = app.openapi() as unknown as {
    components: object;
    paths: Record<
      string,
      Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>
    >;
  };
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const faults = (method: string, path: string, body: unknown) => {
    const schema =
      document.paths[`/api/v1/financial${path}`]?.[method]?.responses["200"]?.content["application/json"]
        ?.schema;
    const validate = ajv.compile({ ...(closed(schema) as object), components: document.components });
    return validate(body) ? [] : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message}`);
  };
  const all = "include_sources=true&include_derived=true";
  for (const query of [all, `${all}&as_of=2024-01-01`, `vintage=first&include_metrics=false`])
    expect(faults("get", "/data/{ticker}", (await app.get(`/data/ACME?${query}`)).body)).toEqual([]);
  const one = await app.post("/data", { ticker: "NONE", period: "1y" });
  expect(faults("post", "/data", one.body)).toEqual([]);
  const many = await app.post("/data/bulk", { tickers: ["ACME", "NOSUCH"], quarters: ["2024Q4"] });
  expect(faults("post", "/data/bulk", many.body)).toEqual([]);
});

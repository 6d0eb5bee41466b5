// OpenBB Workspace: its files, the rows of each widget, the as-of moment, and who may ask from a browser.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const WORKSPACE = "https://pro.openbb.co";

interface Entry {
  type: string;
  endpoint: string;
  gridData: { w: number; h: number };
  data: { table: { columnsDefs: { field: string }[]; chartView?: { cellRangeCols: { line: string[] } } } };
  params: { paramName: string; type: string; value: string | null; optional?: boolean }[];
}
type Row = Record<string, unknown>;

let service: SampleService;
let widgets: Record<string, Entry>;
beforeAll(async () => {
  service = await openSampleService({
    env: { CORS_ORIGINS: WORKSPACE, SEC_USER_AGENT: "Test test@example.com" },
  });
  await service.post("/api/v1/shortvolume/admin/ingest", {
    start_date: "2026-09-04",
    end_date: "2026-09-08",
  });
  await service.post("/api/v1/universe/admin/discover", { limit: 5_000 });
  const built = await service.post("/api/v1/universe/admin/build-snapshots", {
    start_month: "2026-08",
    tickers: ["ZORP"],
  });
  const { job_id } = built.body as { job_id: string };
  const job = async () => (await service.get<Row>(`/api/v1/universe/admin/build-snapshots/${job_id}`)).body;
  while (["pending", "queued", "running"].includes(String((await job()).status))) await Bun.sleep(20);
  widgets = (await service.get<Record<string, Entry>>("/api/v1/widgets.json")).body;
});
afterAll(() => service.stop());

/** Follows the redirect as a browser does; resolves with the rows. */
async function rowsOf(id: string, query: Record<string, string>): Promise<Row[]> {
  const asked = `/api/v1/${widgets[id]?.endpoint}?${new URLSearchParams(query)}`;
  const led = await service.fetch(asked, { redirect: "manual" });
  expect([id, led.status]).toEqual([id, 307]);
  const target = new URL(led.headers.get("location") ?? "", `http://service${asked}`);
  const response = await service.fetch(target.pathname + target.search);
  expect([id, response.status, response.headers.get("content-type")]).toEqual([id, 200, "application/json"]);
  return (await response.json()) as Row[];
}

test("the files list every widget, and the dashboard places each once without an overlap", async () => {
  expect(Object.keys(widgets).sort()).toEqual([
    "events",
    "holders",
    "insiders",
    "prices",
    "short-volume",
    "statements",
    "universe",
  ]);
  const [app] = (
    await service.get<{ tabs: Record<string, { layout: Record<string, number & string>[] }> }[]>(
      "/api/v1/apps.json",
    )
  ).body;
  const layouts = Object.values(app?.tabs ?? {}).map(({ layout }) => layout);
  expect(
    layouts
      .flat()
      .map(({ i }) => String(i))
      .sort(),
  ).toEqual(Object.keys(widgets).sort());
  for (const layout of layouts)
    for (const [at, a] of layout.entries()) {
      expect(Number(a.x) + Number(a.w)).toBeLessThanOrEqual(40);
      for (const b of layout.slice(at + 1)) {
        const [left, right] = [
          Number(a.x) + Number(a.w) <= Number(b.x),
          Number(b.x) + Number(b.w) <= Number(a.x),
        ];
        const [above, below] = [
          Number(a.y) + Number(a.h) <= Number(b.y),
          Number(b.y) + Number(b.h) <= Number(a.y),
        ];
        expect([a.i, b.i, left || right || above || below]).toEqual([a.i, b.i, true]);
      }
    }
});

test("the files keep to what Workspace's reference allows", async () => {
  // Of docs.openbb.co/workspace/developers/json-specs: widgets.json and apps.json.
  const allowed: Record<string, readonly string[]> = {
    type: ["table", "date", "text", "ticker", "number", "boolean", "endpoint", "form", "tabs"],
    cellDataType: ["text", "number", "boolean", "date", "dateString", "object"],
    chartDataType: ["category", "series", "time", "excluded"],
    formatterFn: ["int", "none", "percent", "normalized", "normalizedPercent", "dateToYear"],
    chartType: ["line"],
  };
  for (const [id, widget] of Object.entries(widgets)) {
    for (const field of ["name", "description", "endpoint", "category", "type"])
      expect([id, field, typeof widget[field as keyof Entry]]).toEqual([id, field, "string"]);
    expect(widget.gridData.h).toBeWithin(4, 101);
    const names = widget.params.map(({ paramName }) => paramName);
    expect(new Set(names).size).toBe(names.length);
    const fields = widget.data.table.columnsDefs.map(({ field }) => field);
    expect(new Set(fields).size).toBe(fields.length);
  }
  JSON.stringify(widgets, (name, value) => {
    const values = allowed[name];
    if (values && typeof value === "string") expect([name, values.includes(value)]).toEqual([name, true]);
    return value;
  });
  const [app] = (
    await service.get<{ groups: { name: string; type: string; paramName: string; widgetIds: string[] }[] }[]>(
      "/api/v1/apps.json",
    )
  ).body;
  for (const [at, group] of (app?.groups ?? []).entries()) {
    // A group of any other name is ignored without a word.
    expect([group.name, group.type]).toEqual([`Group ${at + 1}`, "param"]);
    for (const id of group.widgetIds)
      expect(widgets[id]?.params.map(({ paramName }) => paramName)).toContain(group.paramName);
  }
  expect(app?.groups).toHaveLength(2);
});

test("each widget takes as_of and answers flat rows with the columns that it names", async () => {
  for (const [id, { params, data, type, gridData }] of Object.entries(widgets)) {
    expect([id, type, gridData.w]).toEqual([id, "table", 20]);
    expect(params.at(-1)).toMatchObject({ paramName: "as_of", type: "date", value: null, optional: true });
    // VEXOQ has large holders.
    const sent = params.map(({ paramName, value }) => [
      paramName,
      paramName === "ticker" ? "VEXOQ" : (value ?? ""),
    ]);
    const rows = await rowsOf(id, Object.fromEntries(sent));
    expect([id, rows.length > 0]).toEqual([id, true]);
    const { columnsDefs, chartView } = data.table;
    for (const field of [...columnsDefs.map(({ field }) => field), ...(chartView?.cellRangeCols.line ?? [])])
      expect([id, field, Object.hasOwn(rows[0] ?? {}, field)]).toEqual([id, field, true]);
    for (const row of rows)
      expect([id, Object.values(row).every((value) => value === null || typeof value !== "object")]).toEqual([
        id,
        true,
      ]);
  }
});

test("a widget as of a moment shows nothing that became known later", async () => {
  const latest = (rows: Row[], field: string) =>
    rows
      .map((row) => String(row[field]))
      .sort()
      .at(-1) ?? "";
  const ticker = "ZORP";
  const as_of = "2026-06-30";
  for (const [id, field] of [
    ["prices", "date"],
    ["statements", "known_at"],
    ["insiders", "accepted_at"],
    ["events", "filing_date"],
  ] as const) {
    const then = latest(await rowsOf(id, { ticker, as_of, period_type: "all" }), field);
    const now = latest(await rowsOf(id, { ticker, as_of: "", period_type: "all" }), field);
    expect([id, then !== "" && then < "2026-07-01", now > then]).toEqual([id, true, true]);
  }
  // FINRA's file of a session counts from the day of the next; the 7th was a holiday.
  const volumes = await rowsOf("short-volume", { ticker, as_of: "2026-09-08" });
  expect(volumes.map(({ date }) => date)).toEqual(["2026-09-04"]);
  expect(await rowsOf("short-volume", { ticker })).toHaveLength(2);
});

test("what Workspace must not ask is refused", async () => {
  expect((await service.get("/api/v1/workspace/nothing")).status).toBe(404);
  const { status, body } = await service.get<{ code: string }>("/api/v1/workspace/prices?ticker=");
  expect([status, body.code]).toEqual([400, "no_tickers"]);
  expect((await service.get("/api/v1/workspace/prices?ticker=a%20b")).status).toBe(422);
  expect((await service.get("/api/v1/workspace/prices?ticker=ZORP&as_of=soon")).status).toBe(422);
});

test("only listed origins may ask from a browser", async () => {
  const from = (origin: string, path: string, method = "GET") =>
    service.fetch(path, {
      method,
      headers: { origin, "access-control-request-headers": "x-api-key" },
      redirect: "manual",
    });
  for (const path of ["/api/v1/widgets.json", "/api/v1/apps.json", "/api/v1/workspace/prices?ticker=ZORP"]) {
    for (const method of ["GET", "OPTIONS"]) {
      const allowed = await from(WORKSPACE, path, method);
      expect([path, allowed.headers.get("access-control-allow-origin")]).toEqual([path, WORKSPACE]);
      expect(allowed.headers.get("access-control-allow-headers")).toContain("x-api-key");
      expect(allowed.headers.get("access-control-expose-headers")).toContain("x-warnings");
      const other = await from("https://elsewhere.example", path, method);
      expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    }
  }
});

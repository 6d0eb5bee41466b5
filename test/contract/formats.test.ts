// Every GET operation in every format: a list of rows has all five, and every other answer says that it has
// only JSON.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { DataType, tableFromIPC } from "apache-arrow";
import { canonical } from "../../src/market/ticker.ts";
import type { Json, Operation } from "../support/api-document.ts";
import { openWalked, walkedMarket } from "../support/walked-market.ts";
import { type Step, WALK } from "./interface-walk.ts";

setDefaultTimeout(1_200_000);

const ROW_FORMATS = ["ndjson", "csv", "parquet", "arrow", "records"] as const;
const TYPES = {
  ndjson: "application/x-ndjson",
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  arrow: "application/vnd.apache.arrow.stream",
  records: "application/json",
};

/**
 * Answers about one thing that have lists among their fields: rows of them would leave the thing itself out.
 */
const NOT_LISTS = [
  "/attention/entity/{ticker}",
  "/attention/event/{ticker}",
  "/company/{ticker}",
  "/database/cache",
  "/database/catalogue",
  "/database/info",
  "/database/tables/{table}/schema",
  "/logs/requests/stats",
  "/marketfeed/admin/backfill-pit/latest",
  "/marketfeed/admin/backfill-pit/{job_id}",
  "/overlay/admin/health",
  "/shortvolume/admin/ingest/{job_id}",
  "/universe/admin/build-snapshots/{job_id}",
];
/** Fields of JSON rows without a column, by route. docs/contract.md says what stands for them. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  // Each part and each figure is a column of its own.
  "/overlay/score/{ticker}": ["components", "figures"],
  "/overlay/top-movers": ["components"],
  // The start of the bar in UTC, which date is the day of.
  "/price/data/{ticker}": ["timestamp"],
};
/** Has formats of its own: text and html. */
const EXHIBIT = "/filings/exhibit";

const folder = await mkdtemp(join(tmpdir(), "asof-formats-"));
const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
const walked = await walkedMarket();
const { document } = walked;
const service = await openWalked(walked);
const GETS = document.operations.filter(({ method }) => method === "GET");

/** The newest good request of each GET route in the walk. */
const asked = new Map<string, string>();
for (const { method, route, path, status } of walked.answers)
  if (method === "GET" && status >= 200 && status < 300) asked.set(route, path);
afterAll(async () => {
  await service.stop();
  duckdb.closeSync();
  await rm(folder, { recursive: true, force: true });
});

const routeOf = ({ path }: Operation) => path.replace("/api/v1", "");
const formatsOf = ({ parameters }: Operation) =>
  (parameters.find(({ name }) => name === "format")?.schema.enum ?? null) as string[] | null;
const isTabular = (operation: Operation) => formatsOf(operation)?.includes("csv") ?? false;

function withFormat(route: string, format: string): string {
  const path = asked.get(route);
  if (path === undefined) throw new Error(`the walk has no good request to ${route}`);
  return `${path}${path.includes("?") ? "&" : "?"}format=${format}`;
}

type Row = Readonly<Record<string, unknown>>;

let answers = 0;
/** A new file for each answer: the engine keeps what it has read of a path. */
const answerFile = () => join(folder, `answer-${answers}`);

async function inDuckdb(response: Response, reader: string): Promise<Row[]> {
  answers += 1;
  const file = answerFile();
  await Bun.write(file, await response.bytes());
  return (await duckdb.runAndReadAll(`SELECT * FROM ${reader}('${file}')`)).getRowObjectsJson();
}

/** The rows of an answer in one of the formats. */
async function rowsOf(response: Response, format: (typeof ROW_FORMATS)[number]): Promise<Row[]> {
  if (format === "parquet") return inDuckdb(response, "read_parquet");
  if (format === "csv") return csvRows(await response.text());
  if (format === "arrow") return arrowRows(await response.bytes());
  if (format === "records") return (await response.json()) as Row[];
  const text = await response.text();
  return text === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
}

/** The lines of CSV as texts; an empty cell is null. */
function csvRows(text: string): Row[] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r]*))(,|\r\n)/g)];
  const lines: (string | null)[][] = [[]];
  for (const [, quoted, plain = "", end] of cells) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? (plain === "" ? null : plain));
    if (end !== ",") lines.push([]);
  }
  const [names = [], ...rows] = lines.slice(0, -1);
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
}

/** The rows of an Arrow stream, with days and instants as JSON writes them. */
function arrowRows(bytes: Uint8Array): Row[] {
  const table = tableFromIPC(bytes);
  const shown = (type: DataType, value: unknown) => {
    if (DataType.isDate(type) && value !== null) return new Date(Number(value)).toISOString().slice(0, 10);
    if (DataType.isTimestamp(type) && value !== null)
      return new Date(Number(value)).toISOString().replace(".000Z", "Z");
    return typeof value === "bigint" ? Number(value) : value;
  };
  return table
    .toArray()
    .map((row) =>
      Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, shown(type, row[name])])),
    );
}

/** A cell as text: that of JSON. CSV has no other, and an apostrophe before what a spreadsheet would run. */
// An empty text is no cell in CSV either.
const cellText = (cell: unknown) =>
  cell === null || cell === "" ? null : String(cell).replace(/^'(?=[=+\-@\t\r])/, "");
const withCellTexts = (rows: readonly Row[]) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cellText(cell)])));

/** The texts of the engine with its instants written as JSON has them. */
const withInstants = (rows: readonly Record<string, string | null>[]) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, text]) => {
        const [, day, time, ms = ""] =
          /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?\+00$/.exec(text ?? "") ?? [];
        return [name, day === undefined ? text : `${day}T${time}${ms === "" ? "" : ms.padEnd(4, "0")}Z`];
      }),
    ),
  );

/** Lists of objects at the top of an answer. */
function listsIn(schema: Json): string[] {
  if (schema.type === "array") return ["(answer)"];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  return properties
    .filter(([, { type, items }]) => type === "array" && (items as Json).type === "object")
    .map(([name]) => name);
}

const answerSchema = (operation: Operation): Json =>
  operation.responses["200"]?.content?.["application/json"]?.schema ?? {};

test("every answer that is a list of rows has the row formats", () => {
  const without = GETS.filter((o) => !isTabular(o) && listsIn(answerSchema(o)).length > 0).map(routeOf);
  expect(without.sort()).toEqual(NOT_LISTS);
});

describe("a list of rows", () => {
  for (const operation of GETS.filter(isTabular)) {
    const route = routeOf(operation);
    test(`${route} has the same rows in each format`, async () => {
      const json = (await (await service.fetch(withFormat(route, "json"))).json()) as Row;
      const counts: number[] = [];
      const found = new Map<string, readonly Row[]>();
      const columns = new Set<string>();
      for (const format of ROW_FORMATS) {
        const response = await service.fetch(withFormat(route, format));
        expect([route, response.status, response.headers.get("content-type")]).toEqual([
          route,
          200,
          TYPES[format],
        ]);
        // The request log has each request of this test.
        if (route !== "/logs/requests") checkPage(json, response.headers);
        const rows = await rowsOf(response, format);
        for (const name of Object.keys(rows[0] ?? {})) columns.add(name);
        if (format === "parquet") await checkTimes(route);
        counts.push(rows.length);
        found.set(format, rows);
        checkSymbols(operation, rows);
      }
      expect(new Set(counts).size).toBe(1);
      // The request log has each request of this test.
      if (route !== "/logs/requests") {
        const [ndjson = [], csv, parquet = [], arrow = [], records] = ROW_FORMATS.map((each) =>
          found.get(each),
        );
        expect(records).toEqual([...ndjson]);
        expect(arrow).toEqual([...ndjson]);
        expect(csv).toEqual(withCellTexts(ndjson));
        expect(withInstants(withCellTexts(parquet))).toEqual(withCellTexts(arrow));
      }
      expect([route, fieldsWithoutColumn(json, columns)]).toEqual([route, [...(LEFT_OUT[route] ?? [])]]);
      const listed = Array.isArray(json) ? json : (json.data ?? json.documents);
      // The panel's rows come whole, its JSON in pages, and a page of the ledger in JSON may end inside a
      // commit; other answers have what their JSON lists.
      const isPart = "next_cursor" in json || Number(json.after_row ?? 0) > 0;
      if (Array.isArray(listed) && !isPart) expect(counts[0]).toBe(listed.length);
      else expect(counts[0]).toBeGreaterThan(0);
    });
  }
});

/** In Parquet, columns named as days and instants have the types of days and instants. */
async function checkTimes(route: string): Promise<void> {
  const file = answerFile();
  const columns = await duckdb.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet('${file}')`);
  for (const { column_name: name, column_type: type } of columns.getRowObjectsJson() as Record<
    string,
    string
  >[]) {
    if (name !== "takes_date" && /(^|_)date$|_basis$/.test(name ?? ""))
      expect([route, name, type]).toEqual([route, name, "DATE"]);
    if (/_at$/.test(name ?? ""))
      expect([route, name, type]).toEqual([route, name, "TIMESTAMP WITH TIME ZONE"]);
  }
}

/** Fields of the rows of a JSON answer that the row formats have no column for. */
function fieldsWithoutColumn(json: Row, columns: ReadonlySet<string>): string[] {
  const listed = Array.isArray(json) ? json : (json.data ?? json.documents);
  const rows = (Array.isArray(listed) ? listed : []) as Row[];
  return [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => !columns.has(name)).sort();
}

/**
 * Rows left out are counted in a header, and their page is linked. Beside no `count` of rows, `total` counts
 * something else.
 */
function checkPage(json: Row, headers: Headers): void {
  if ("total" in json && json.total !== null)
    expect(headers.get("x-total-count")).toBe("count" in json ? String(json.total) : null);
  if (!("has_more" in json)) return;
  const link = headers.get("link");
  // A page of the ledger may end inside a commit in JSON, never in rows.
  const isInside = Number(json.after_row ?? 0) > 0;
  const next =
    "cursor" in json
      ? `since=${isInside ? "" : json.cursor}`
      : `offset=${Number(json.offset) + Number(json.count)}`;
  if (json.has_more) expect(link).toContain(next);
  else expect(link).toBeNull();
}

/** `symbol` is canonical; a row about a ticker has it. */
function checkSymbols({ path, parameters }: Operation, rows: readonly Row[]): void {
  const isOfTicker = parameters.some(
    ({ name, in: place }) => place === "path" && /^(ticker|symbol)$/.test(name),
  );
  for (const row of rows) {
    if (isOfTicker || "ticker" in row) expect([path, "symbol" in row]).toEqual([path, true]);
    if (typeof row.symbol === "string") expect(row.symbol).toBe(canonical(row.symbol));
  }
}

/** Parameters that bound the rows of an answer. */
const BOUNDS = ["limit", "count", "n", "page_size"];

test("rows that a limit leaves out are counted, and their page is linked or a warning says so", async () => {
  const silent: string[] = [];
  const checked: string[] = [];
  for (const operation of GETS.filter(isTabular)) {
    const bound = operation.parameters.find(({ name }) => BOUNDS.includes(name))?.name;
    if (bound === undefined) continue;
    const route = routeOf(operation);
    const all = await rowsOf(await service.fetch(withFormat(route, "ndjson")), "ndjson");
    const url = new URL(withFormat(route, "ndjson"), "http://localhost");
    url.searchParams.set(bound, "1");
    const response = await service.fetch(`${url.pathname}${url.search}`);
    const rows = await rowsOf(response, "ndjson");
    if (rows.length >= all.length) continue;
    checked.push(route);
    const [total, link, warnings] = ["x-total-count", "link", "x-warnings"].map((name) =>
      response.headers.get(name),
    );
    const counted = `${rows.length} of ${total} rows are here`;
    // How many rows a query in SQL would have is not known: it ends at the limit.
    const says = [counted, `more than these ${rows.length} rows`].some((text) => warnings?.includes(text));
    if (!link?.includes('rel="next"') && !says) silent.push(`${route} ${total} ${warnings}`);
  }
  expect(silent).toEqual([]);
  expect(checked).toContain("/etf/{ticker}/holdings");
  expect(checked.length).toBeGreaterThan(15);
});

test("an error stays a problem, whatever format is accepted", async () => {
  const headers = { accept: "text/csv" };
  const wrong = await service.fetch("/api/v1/screener/presets?format=xml", { headers });
  expect([wrong.status, wrong.headers.get("content-type")]).toEqual([422, "application/json"]);
  const missing = await service.fetch("/api/v1/filings/events/NOSUCH", { headers });
  expect([missing.status, missing.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
});

describe("an answer that is no list of rows", () => {
  for (const operation of GETS.filter((o) => !isTabular(o))) {
    const route = routeOf(operation);
    test(`${route} refuses other formats`, async () => {
      for (const format of [...ROW_FORMATS, "xml"]) {
        const response = await service.fetch(withFormat(route, format));
        expect([route, format, response.status]).toEqual([route, format, 422]);
        const { detail } = (await response.json()) as { detail: { loc: string[]; msg: string }[] };
        expect(detail.map(({ loc }) => loc)).toEqual([["query", "format"]]);
        if (route !== EXHIBIT) expect(detail[0]?.msg).toContain("does not answer with a table");
      }
      if (route !== EXHIBIT) expect((await service.fetch(withFormat(route, "json"))).status).toBe(200);
    });
  }

  test("an exhibit has its own formats", async () => {
    const [text, html] = await Promise.all(
      ["text", "html"].map(async (format) => (await service.fetch(withFormat(EXHIBIT, format))).json()),
    );
    expect((html as { text: string }).text).not.toBe((text as { text: string }).text);
  });
});

test("a POST without rows refuses other formats before it does anything", async () => {
  const routes = new Set<string>();
  for (const { method, route, path, body } of WALK as readonly Step[]) {
    const operation = document.operation(method, `/api/v1${route}`);
    if (method !== "POST" || isTabular(operation) || typeof path === "function" || typeof body === "function")
      continue;
    routes.add(route);
    const response = await service.post(`/api/v1${path ?? route}?format=csv`, body ?? {});
    expect([route, response.status]).toEqual([route, 422]);
  }
  expect(routes.size).toBeGreaterThan(15);
});

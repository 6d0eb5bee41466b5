// Answers from an earlier data version: the same request gives the same rows, whatever was stored since.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, type Operation } from "../support/api-document.ts";
import { batch } from "../support/overlay-world.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const SPAN = "start_date=2026-08-03&end_date=2026-09-04";
const CHANGED = "2026-11-20T15:00:00Z";

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService();
  document = await apiDocument(service);
});
afterAll(() => service.stop());

const replays = ({ parameters, requestBody }: Operation): boolean => {
  const schema = requestBody?.content["application/json"]?.schema as { $ref?: string; properties?: object };
  return (
    parameters.some(({ name }) => name === "data_version") || "data_version" in Object(schema?.properties)
  );
};
/** The routes that have a version as their subject. */
const ABOUT_VERSIONS = ["POST /api/v1/versions/admin/names"];

test("a version in the query of a route that takes it in the body is an error that says where it belongs", async () => {
  const body = { tickers: ["ZORP"], start_date: "2026-08-03", end_date: "2026-08-07" };
  const refused = await service.post<{ code: string; hint: string }>(
    "/api/v1/price/data/bulk?data_version=1",
    body,
  );
  expect([refused.status, refused.body.code, refused.body.hint]).toEqual([
    400,
    "bad_request",
    "Write it into the body, beside the other fields.",
  ]);
});

test("a route either answers from a version or refuses one", async () => {
  const given = document.operations.filter((one) => !replays(one));
  expect(given.length).toBeGreaterThan(20);
  for (const { method, path } of given) {
    const shown = path.replace("{endpoint}", "series").replace(/\{\w+\}/g, "ZORP");
    const asked = `${shown}?data_version=1`;
    const { status, body } =
      method === "GET" ? await service.get(asked) : await service.post(asked, { data_version: 1 });
    expect([`${method} ${path}`, status, body.code]).toEqual([`${method} ${path}`, 400, "not_replayable"]);
    const documented = document.operation(method, path).responses["400"]?.content?.[
      "application/problem+json"
    ];
    expect([path, Object.keys(Object(documented?.examples))]).toEqual([
      path,
      expect.arrayContaining(["not_replayable"]),
    ]);
  }
  const others = document.operations.filter(replays).map(({ method, path }) => `${method} ${path}`);
  for (const route of others.filter((one) => !ABOUT_VERSIONS.includes(one))) {
    const { responses } = document.operation(...(route.split(" ") as [string, string]));
    expect([route, Object.keys(responses).includes("410")]).toEqual([route, true]);
    expect([route, "X-Data-Version" in Object(responses["200"]?.headers)]).toEqual([route, true]);
  }
});

/** The answer's version and text; of JSON only the rows, for the rest says how the answer came about. */
async function ask(path: string, body?: object): Promise<{ version: number; rows: unknown }> {
  const response = await service.fetch(
    `/api/v1${path}`,
    body && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    },
  );
  const version = Number(response.headers.get("x-data-version") ?? -1);
  if (path.includes("format=")) return { version, rows: Bun.hash(await response.bytes()) };
  const json = (await response.json()) as Record<string, unknown>;
  expect([path, response.status, json.code]).toEqual([path, 200, undefined]);
  return { version, rows: json.data ?? json.bars ?? json.results };
}

/** Requests that reached a provider. */
const askedSoFar = (): number => service.sample.traffic().total;

const PRICES: readonly (readonly [path: string, body?: object])[] = [
  [`/price/data/ZORP?${SPAN}`],
  [`/price/data/ZORP?${SPAN}&as_of=2026-09-01`],
  [`/price/data/ZORP?${SPAN}&adjustment=raw`],
  [`/price/data/ZORP?${SPAN}&interval=1w&revisions=true`],
  [`/price/data/ZORP?period=1m&as_of=2026-09-09T21:00:00Z`],
  [`/price/data/ZORP?${SPAN}&format=csv`],
  [`/price/data?tickers=ZORP,KRONK&${SPAN}`],
  [`/price/data?tickers=ZORP,KRONK&${SPAN}&interval=1mo`],
  ...["csv", "ndjson", "parquet", "records"].map(
    (format) => [`/price/data?tickers=ZORP,KRONK&${SPAN}&format=${format}`] as const,
  ),
  [`/price/data?tickers=ZORP,KRONK&${SPAN}&format=ndjson&adjustment=all`],
  ["/price/data", { ticker: "ZORP", start_date: "2026-08-03", end_date: "2026-09-04" }],
  ["/price/data/bulk", { tickers: ["ZORP", "KRONK"], start_date: "2026-08-03", end_date: "2026-09-04" }],
];

const inVersion = ([path, body]: readonly [string, object?], version: number) =>
  body ? ask(path, { ...body, data_version: version }) : ask(`${path}&data_version=${version}`);

test("prices of a version stay what they were when splits, revisions and bars are stored later", async () => {
  for (const request of PRICES) await ask(...request);
  const counted = await ask("/price/data/ZORP?period=1m");
  const before = new Map<(typeof PRICES)[number], Awaited<ReturnType<typeof ask>>>();
  for (const request of PRICES) before.set(request, await ask(...request));
  const version = await service.app().lake.generation();
  expect([...before.values()].map((one) => one.version)).toEqual(PRICES.map(() => version));
  const { lake } = service.app();
  // A split, which puts all prices on another basis; bars of more days; a revision of a stored one.
  await lake.append([
    batch("corporate_actions", [
      {
        symbol: "ZORP",
        ex_date: "2026-10-15",
        kind: "split",
        amount: null,
        currency: null,
        numerator: 4,
        denominator: 1,
        price_factor: 0.25,
        basis_date: "2026-11-20",
        known_at: CHANGED,
        source: "yahoo",
      },
    ]),
  ]);
  const [bar] = await lake.query<Record<string, unknown>>(
    "SELECT * EXCLUDE (recorded) FROM bars_daily WHERE symbol = 'ZORP' AND date = DATE '2026-08-20'",
  );
  await lake.append([
    batch("bars_daily_revisions", [{ ...bar, close: Number(bar?.close) + 3, known_at: CHANGED }]),
  ]);
  service.clock.set(CHANGED);
  for (const request of PRICES) await ask(...request);
  const asked = askedSoFar();
  const generation = await lake.generation();
  expect(generation).toBeGreaterThan(version);
  const now = await ask(...(PRICES[0] ?? [""]));
  expect(now.rows).not.toEqual(before.get(PRICES[0] as never)?.rows);
  for (const [request, answer] of before)
    expect([request[0], await inVersion(request, version)]).toEqual([request[0], answer]);
  // Without a moment the span counts back from the time of the commit; bars that are not settled are in no
  // version.
  const settled = (counted.rows as { provisional?: boolean }[]).filter(({ provisional }) => !provisional);
  expect((counted.rows as unknown[]).length - settled.length).toBe(1);
  expect((await inVersion(["/price/data/ZORP?period=1m"], version)).rows).toEqual(settled);
  expect([askedSoFar(), await lake.generation()]).toEqual([asked, generation]);
});

test("a version that is not there, is a name, or contradicts the request", async () => {
  const path = `/api/v1/price/data/ZORP?${SPAN}`;
  const codeOf = async (query: string) => {
    const { status, body } = await service.get(`${path}&${query}`);
    return [status, body.code];
  };
  expect(await codeOf("data_version=9999")).toEqual([404, "unknown_version"]);
  expect(await codeOf("data_version=q3-paper")).toEqual([404, "unknown_version"]);
  expect(await codeOf("data%5Fversion=9999")).toEqual([404, "unknown_version"]);
  expect((await codeOf("data_version=-1"))[0]).toBe(422);
  expect(await codeOf("data_version=1&force_refresh=true")).toEqual([400, "bad_request"]);
  // Such as of a variable that is not set: the newest rows would pass for those of a version.
  expect(await codeOf("data_version=")).toEqual([400, "bad_request"]);
  expect(await codeOf("data_version=%20")).toEqual([400, "bad_request"]);
  await service.post("/api/v1/versions/admin/names", { name: "q3-paper", data_version: 1 });
  const named = await service.get(`${path}&data_version=q3-paper`);
  expect([named.status, named.headers.get("x-data-version")]).toEqual([200, "1"]);
  const [asNumber, asText] = [1, "q3-paper"].map((data_version) => ({
    ticker: "ZORP",
    period: "1m",
    as_of: "2026-09-01",
    data_version,
  }));
  const answers = [asNumber, asText].map(
    async (body) => (await service.post("/api/v1/price/data", body)).body.data,
  );
  expect(await answers[0]).toEqual(await answers[1]);
});

test("what a version had not stored is not read in it, which says nothing of the provider", async () => {
  await ask(`/price/data/ZORP?${SPAN}`);
  const version = await service.app().lake.generation();
  await ask(`/price/data/OOZEL?${SPAN}`);
  const why =
    "This data version has no bar of these days: none was stored then. Ask without data_version for what is known now.";
  const one = await service.get<{ code: string; absence: string; hint: string }>(
    `/api/v1/price/data/OOZEL?${SPAN}&data_version=${version}`,
  );
  expect([one.status, one.body.code, one.body.absence]).toEqual([404, "no_data", "not_read"]);
  expect(one.body.hint).toBe(`not_read: ${why}`);
  const many = await service.get<{ symbols_returned: number; warnings: string[] }>(
    `/api/v1/price/data?tickers=ZORP,OOZEL&${SPAN}&data_version=${version}`,
  );
  expect([many.body.symbols_returned, many.body.warnings]).toEqual([
    1,
    [`not_read: OOZEL: ${why}`, "OOZEL: No bar for 25 days between 2026-08-03 and 2026-09-04."],
  ]);
});

test("the first answer in a row format has the bars that it has just stored, and names their version", async () => {
  const own = await openSampleService();
  try {
    const path = "/api/v1/price/data?tickers=ZORP&start_date=2026-03-02&end_date=2026-03-31";
    for (const format of ["csv", "ndjson", "parquet"]) {
      await own.reopen();
      const year = { csv: 2023, ndjson: 2024, parquet: 2025 }[format];
      const asked = path.replaceAll("2026", String(year));
      const response = await own.fetch(`${asked}&format=${format}`);
      const version = Number(response.headers.get("x-data-version"));
      const first = await response.arrayBuffer();
      expect([format, response.headers.get("x-warnings"), version]).toEqual([
        format,
        null,
        await own.app().lake.generation(),
      ]);
      const again = await (
        await own.fetch(`${asked}&format=${format}&data_version=${version}`)
      ).arrayBuffer();
      expect([format, first.byteLength]).toEqual([format, again.byteLength]);
      const { body } = await own.get<{ data: unknown[] }>(`/api/v1/price/data/ZORP?${asked.split("?")[1]}`);
      if (format === "ndjson")
        expect(new TextDecoder().decode(first).trim().split("\n").length).toBe(body.data.length);
      expect(body.data.length).toBeGreaterThan(15);
    }
  } finally {
    await own.stop();
  }
});

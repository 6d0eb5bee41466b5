// Secrets of the configuration through every route and every provider's faults: in no answer, no log line, no
// file.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dial } from "../../sample/faults.ts";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { type App, openApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/platform/log.ts";
import { type ApiDocument, apiDocument, type Operation, type Parameter } from "../support/api-document.ts";
import { ARCHIVE_PACE_MS_MAX, type MovableClock, movableClock } from "../support/clock.ts";
import { EVENING, type TestService } from "../support/service.ts";
import { ROWS } from "./matrix-rows.ts";

setDefaultTimeout(1_200_000);

const CLIENT = "canaryclient7f3a9c";
const ADMIN = "canaryadmin51d0e8";
const FEED_ID = "CANARYFEED8B6E";
const FEED_SECRET = "CanaryFeedSecret94c1f7";
const ECON = "canaryecon0123456789abcdefghijkl";
const CANARIES = [CLIENT, ADMIN, FEED_ID, FEED_SECRET, ECON];
const ENV = {
  API_KEYS: CLIENT,
  ADMIN_TOKEN: ADMIN,
  MARKETFEED_API_KEY: FEED_ID,
  MARKETFEED_SECRET_KEY: FEED_SECRET,
  ECONDATA_API_KEY: ECON,
  SEC_USER_AGENT: "Asof tests tests@asof.example",
};
const LATER_MS = 20 * 60_000;

/** The canaries a text holds, however it is written: as it is, in capitals, in base64, escaped. */
const WAYS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => Buffer.from(secret).toString("base64").replace(/=+$/, ""),
];
const FORMS = CANARIES.flatMap((secret) =>
  WAYS.map((way) => ({ secret, bytes: Buffer.from(way(secret).toLowerCase()) })),
);
const held = (content: string | Uint8Array): string[] => {
  const bytes = Buffer.from(Buffer.from(content).toString("latin1").toLowerCase(), "latin1");
  return [...new Set(FORMS.filter((form) => bytes.includes(form.bytes)).map((form) => form.secret))];
};

let dataDir: string;
let clock: MovableClock;
let sample: SampleServer;
let app: App;
let document: ApiDocument;
const lines: string[] = [];
/** Where a canary was met, in words. */
const met: string[] = [];

const KEYS = { "x-api-key": CLIENT, "x-admin-token": ADMIN };

async function call(path: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  const response = await app.edge.fetch(
    new Request(`http://localhost${path}`, { ...init, headers: { ...KEYS, ...init.headers } }),
    "127.0.0.1",
  );
  const bytes = await response.bytes();
  const found = [...held(bytes), ...held(JSON.stringify([...response.headers]))];
  if (found.length > 0) met.push(`answer ${response.status} of ${init.method ?? "GET"} ${path}: ${found}`);
  return { status: response.status, text: new TextDecoder().decode(bytes) };
}

const post = (path: string, body: unknown) =>
  call(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "asof-canary-"));
  clock = movableClock(EVENING, undefined, ARCHIVE_PACE_MS_MAX);
  sample = await serveSample({ clock });
  const config = readConfig({
    ...ENV,
    DATA_DIR: dataDir,
    UPSTREAM_GATEWAY: sample.url,
    JOBS: "off",
    LOG_LEVEL: "trace",
  });
  // This log does not know the secrets, so none is masked: they must not be written at all.
  const log = createLog({ level: "trace", clock, write: (line) => void lines.push(line) });
  app = await openApp({ config, clock, log });
  const get: TestService["get"] = async (path) => {
    const { status, text } = await call(path);
    return { status, headers: new Headers(), body: JSON.parse(text) };
  };
  document = await apiDocument({ get } as TestService);
});
afterAll(async () => {
  await sample.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const GOOD: Readonly<Record<string, string>> = {
  ticker: "ZORP",
  symbol: "ZORP",
  tickers: "ZORP",
  symbols: "ZORP",
};
const goodOf = ({ name, schema, example }: Parameter) =>
  GOOD[name] ??
  String(example ?? (schema.enum as unknown[] | undefined)?.[0] ?? schema.default ?? schema.minimum ?? "1");

/** A request with what the operation needs, and perhaps a canary in a place for it. */
function requestOf(operation: Operation, extra: string): [string, RequestInit] {
  let path = operation.path;
  const pairs: string[] = [];
  for (const parameter of operation.parameters) {
    const value = encodeURIComponent(goodOf(parameter));
    if (parameter.in === "path") path = path.replace(`{${parameter.name}}`, value);
    else if (parameter.required) pairs.push(`${parameter.name}=${value}`);
  }
  const query = [...pairs, ...(extra ? [extra] : [])].join("&");
  const init: RequestInit = { method: operation.method };
  if (operation.requestBody) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify({
      ticker: "ZORP",
      tickers: ["ZORP"],
      date: "2026-09-04",
      limit: 1,
      symbols: ["ZORP"],
      end_month: "2026-08",
      items: [{ accession_number: "0009079327-26-000010" }],
      ...(operation.path.endsWith("backfill-pit")
        ? { start_date: "2026-09-03", end_date: "2026-09-04" }
        : {}),
      ...(operation.path.endsWith("build-snapshots") ? { start_month: "2026-08" } : {}),
      ...(operation.path.endsWith("ingest") ? { symbols: undefined } : {}),
    });
  }
  return [query ? `${path}?${query}` : path, init];
}

/** A provider's refusal that repeats the key, as providers are known to do. */
const ECHO = `refused: api_key=${ECON} APCA-API-KEY-ID ${FEED_ID} and ${FEED_SECRET}, from ${CLIENT}/${ADMIN}`;
const ECHO_JSON = JSON.stringify({
  error_code: 400,
  error_message: `Bad Request. The value for variable api_key is not registered: ${ECON}`,
  code: 40310000,
  message: ECHO,
  finance: { error: { code: "Bad Request", description: ECHO } },
  status: { rCode: 400, bCodeMessage: [{ code: 1001, errorMessage: ECHO }] },
  error: { code: ECHO, info: ECHO },
});
const DIALS: readonly Dial[] = [
  { fault: "rate_limited", body: ECHO },
  { fault: "status", status: 500, body: ECHO },
  { fault: "status", status: 400, body: ECHO_JSON },
  { fault: "status", status: 403, body: ECHO_JSON },
  { fault: "status", status: 404, body: ECHO_JSON },
  { fault: "status", status: 401, body: ECHO_JSON },
  { fault: "html", body: `<html><title>${ECHO}</title><body>${ECHO}</body></html>` },
  { fault: "wrong_shape", body: ECHO_JSON },
  { fault: "reset" },
  { fault: "truncated" },
];

describe("secrets of the configuration", () => {
  test("pass through every route unseen, also where a client writes them", async () => {
    const statuses = new Set<number>();
    for (const operation of document.operations)
      for (const extra of ["", `api_key=${ECON}&token=${ADMIN}&apikey=${CLIENT}`]) {
        const [path, init] = requestOf(operation, extra);
        const { status } = await call(path, init);
        if (extra === "") statuses.add(status);
        expect([operation.path, status === 401 || status === 403 || status === 500]).toEqual([
          operation.path,
          false,
        ]);
      }
    expect(statuses.has(200)).toBe(true);
    for (const wrong of [
      { "x-api-key": `${CLIENT}-wrong` },
      { authorization: `Bearer ${ADMIN}-wrong`, "x-api-key": "" },
    ])
      await call("/api/v1/price/latest/ZORP", { headers: wrong });
    expect(met).toEqual([]);
  });

  test("are not repeated when a provider says them back", async () => {
    for (const row of ROWS)
      for (const [n, dial] of DIALS.entries()) {
        clock.set(Temporal.Instant.fromEpochMilliseconds(clock.nowMs() + LATER_MS).toString());
        sample.dials.set([{ ...dial, match: row.match }]);
        // The archive of news is asked again after 30, 60 and 120 seconds.
        clock.setSpeed(dial.fault === "rate_limited" ? 60 : undefined);
        const asked = row.ask(n);
        const { status } = typeof asked === "string" ? await call(asked) : await post(...asked);
        sample.dials.clear();
        expect([row.name, n, status !== 500]).toEqual([row.name, n, true]);
      }
    for (const path of [
      "health",
      "logs/errors?limit=1000",
      "logs/requests?limit=1000",
      "scheduler/jobs",
      "scheduler/runs",
      "metrics",
    ])
      await call(`/api/v1/${path}`);
    expect(met).toEqual([]);
  });

  test("are in no log line", () => {
    const found = lines.filter((line) => held(line).length > 0);
    expect(found.slice(0, 3)).toEqual([]);
    expect(lines.length).toBeGreaterThan(100);
  });

  test("line breaks and control characters of a client forge no line", async () => {
    const before = lines.length;
    const forged = `%0d%0a{"level":"error","msg":"forged"}`;
    for (const path of [
      `/api/v1/price/latest/ZORP${forged}`,
      `/api/v1/price/data/ZORP?period=1m${forged}`,
      `/api/v1/filings/search?q=x${forged}&${forged}=1`,
      `/nope${forged}`,
      `/api/v1/price/latest/%1b%5b31m%00`,
    ])
      await call(path, {
        headers: { "user-agent": "tab\tand\x1b[31m colour", "x-request-id": "a b", referer: forged },
      });
    for (const line of lines.slice(before)) {
      expect(line.trimEnd()).not.toMatch(/[\r\n]/);
      expect(JSON.parse(line).msg).not.toBe("forged");
    }
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });

  test("a key in the wrong place of a request is not kept", async () => {
    const headers = { "user-agent": `agent with ${CLIENT}` };
    await call(`/api/v1/price/latest/${FEED_ID}?x=${ADMIN}`, { headers });
    await call(`/nope/${CLIENT}?x=${ECON}`, { headers });
    await call(`/api/v1/price/latest/ZORP?${ADMIN}=${encodeURIComponent(FEED_SECRET)}`, { headers });
    expect(met).toEqual([]);
  });

  test("are in no file of the data folder, row of the logs or dataset", async () => {
    const datasets = app.lake
      .stats()
      .filter(({ rows }) => rows > 0)
      .map(({ dataset }) => dataset);
    expect(datasets.length).toBeGreaterThan(5);
    for (const dataset of datasets) {
      const [row] = await app.lake.query<{ n: bigint }>(
        `SELECT count(*) AS n FROM ${dataset} AS t WHERE lower(CAST(t AS VARCHAR)) LIKE '%canary%'`,
      );
      expect([dataset, Number(row?.n)]).toEqual([dataset, 0]);
    }
    await app.close();
    const files = (await readdir(dataDir, { recursive: true })).map((name) => join(dataDir, name));
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      if (!(await stat(file)).isFile()) continue;
      const found = held(await readFile(file));
      if (found.length > 0) met.push(`${file}: ${found}`);
    }
    const database = new Database(join(dataDir, "ops.sqlite"), { readonly: true });
    const rows = database
      .query<{ path: string; query: string | null; user_agent: string | null }, []>(
        "SELECT path, query, user_agent FROM request_log",
      )
      .all();
    database.close();
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.filter((row) => /[\r\n]/.test(`${row.path}${row.query}${row.user_agent}`))).toEqual([]);
    expect(met).toEqual([]);
  });
});

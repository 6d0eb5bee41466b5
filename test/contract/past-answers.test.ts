// Asks the past, changes the world, and asks again: every as_of route and macro gives the same, apart from
// what is named here.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { serveSample } from "../../sample/serve.ts";
import { DATASETS, MACROS } from "../../src/datasets/index.ts";
import type { Lake } from "../../src/platform/lake/lake.ts";
import type { ApiDocument, Operation } from "../support/api-document.ts";
import { movableClock } from "../support/clock.ts";
import { differencesOf } from "../support/differences.ts";
import { batch } from "../support/overlay-world.ts";
import { RESTATING, restated } from "../support/restated-facts.ts";
import { openService, type SampleService } from "../support/service.ts";
import { walkedMarket } from "../support/walked-market.ts";
import { A, B, WALK_ENV } from "./interface-walk.ts";

setDefaultTimeout(1_200_000);

/** A day after the walk has stored what it asked for, and a day months before it. */
const [LATER, EARLIER] = ["2026-09-10", "2026-06-03"];
const MOMENTS = [LATER, EARLIER];
const FIRST_ASKED = "2026-09-17T21:00:00Z";
const CHANGED = "2026-11-30T21:00:00Z";
const ASKED_AGAIN = "2026-12-02T15:00:00Z";

const query =
  (path: string) =>
  (as_of: string): [path: string, body: unknown] => [
    `${path}${path.includes("?") ? "&" : "?"}as_of=${as_of}`,
    undefined,
  ];
const body =
  (path: string, fields: object) =>
  (as_of: string): [path: string, body: unknown] => [path, { ...fields, as_of }];

const SQL = "SELECT symbol, date, short_volume FROM short_volume ORDER BY ALL LIMIT 20";

let accession = "";
let filename = "";

/** One request of every route that takes a moment. A new route must be added here. */
const REQUESTS: Readonly<Record<string, (as_of: string) => [path: string, body: unknown]>> = {
  "GET /attention/entity/{ticker}": query(`/attention/entity/${A}`),
  "GET /attention/event/{ticker}": query(`/attention/event/${A}?event_date=2026-09-01`),
  "GET /dividends/calendar": (day) => [`/dividends/calendar?date=2026-09-22&as_of_date=${day}`, undefined],
  "POST /dividends/calendar/bulk": (day) => [
    "/dividends/calendar/bulk",
    { tickers: [A, B], as_of_date: day },
  ],
  "GET /dividends/calendar/{ticker}": (day) => [`/dividends/calendar/${A}?as_of_date=${day}`, undefined],
  "GET /earnings/calendar": query("/earnings/calendar?date=2026-07-20"),
  "POST /earnings/calendar/bulk": body("/earnings/calendar/bulk", { tickers: [A, B] }),
  "GET /earnings/calendar/{ticker}": query(`/earnings/calendar/${A}`),
  "GET /earnings/surprise/{symbol}": query(`/earnings/surprise/${A}`),
  "GET /econdata/proxy/{endpoint}": query(
    "/econdata/proxy/series/observations?series_id=FICGDP&observation_start=2025-07-01",
  ),
  "GET /etf/exposure/{symbol}": query("/etf/exposure/RUMBQ"),
  "GET /etf/list": query("/etf/list"),
  "GET /etf/{ticker}/holdings": query("/etf/ZTEKF/holdings"),
  "GET /filings/documents": (as_of) => query(`/filings/documents?accession_number=${accession}`)(as_of),
  "GET /filings/events/{ticker}": query(`/filings/events/${A}?days=800`),
  "GET /filings/exhibit": (as_of) =>
    query(`/filings/exhibit?accession_number=${accession}&filename=${filename}`)(as_of),
  "GET /filings/search": query(`/filings/search?ticker=${A}`),
  "POST /financial/data": body("/financial/data", { ticker: A, period: "5y" }),
  "POST /financial/data/bulk": body("/financial/data/bulk", { tickers: [A, B], period: "5y" }),
  "GET /financial/data/{ticker}": query(`/financial/data/${A}?include_sources=true`),
  "GET /insider/form4/aggregate/{ticker}": query(`/insider/form4/aggregate/${A}`),
  "GET /insider/form4/by-date/{date}": query("/insider/form4/by-date/2026-05-29"),
  "GET /insider/form4/{ticker}": query(`/insider/form4/${A}`),
  "GET /insider/summary/{symbol}": query(`/insider/summary/${A}`),
  "GET /insider/transactions/{symbol}": query(`/insider/transactions/${A}`),
  "GET /news": query("/news"),
  "GET /news/{ticker}": query(`/news/${A}?days=30`),
  "GET /ownership/13dg/active": query("/ownership/13dg/active"),
  "GET /ownership/13dg/{ticker}": query(`/ownership/13dg/${A}`),
  "POST /price/data": body("/price/data", { ticker: A, period: "1m" }),
  "GET /price/data": query(`/price/data?tickers=${A},${B}&start_date=2026-08-03&end_date=2026-09-04`),
  "POST /price/data/bulk": body("/price/data/bulk", { tickers: [A, B], period: "1m" }),
  "GET /price/data/{ticker}": query(`/price/data/${A}?period=1m`),
  "GET /shortvolume/bulk": query(`/shortvolume/bulk?tickers=${A},${B}`),
  "GET /shortvolume/by-date/{date}": query("/shortvolume/by-date/2026-09-08"),
  "GET /shortvolume/pit-panel": query("/shortvolume/pit-panel?start_date=2026-09-03&end_date=2026-09-08"),
  "GET /shortvolume/short-interest/{symbol}": query(`/shortvolume/short-interest/${A}`),
  "GET /shortvolume/summary/{symbol}": query(`/shortvolume/summary/${A}`),
  "GET /shortvolume/top": query("/shortvolume/top"),
  "GET /shortvolume/{symbol}": query(`/shortvolume/${A}`),
  "GET /sql/admin/query": query(`/sql/admin/query?query=${encodeURIComponent(SQL)}`),
  "POST /sql/admin/query": body("/sql/admin/query", { query: SQL }),
  "GET /stocks/sessions": query("/stocks/sessions?start_date=2026-08-31&end_date=2026-09-11"),
  "GET /universe/registry": query("/universe/registry"),
  "GET /universe/screen": query("/universe/screen?date=2026-08-31"),
};

/** Arguments of macros that take more than as_of. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  start_date: "DATE '2026-09-03'",
  end_date: "DATE '2026-09-08'",
  on_date: "DATE '2026-08-31'",
};

/** Fields that say how or when an answer came about, not what was known. */
const VOLATILE: ReadonlySet<string> = new Set([
  "cached",
  "last_updated",
  "read_at",
  "fetched_at",
  "recorded_at",
  "parsed_now",
  "processing_time_ms",
  "request_id",
  "cached_at",
  "expires_at",
  "used_today",
  "remaining_today",
  // Fields about what was fetched for the answer, and how far back the stored filings reach by now.
  "auto_fetched",
  "fetched_count",
  "data_from",
  "data_to",
]);

/** A warning, as a sentence or as data, that the prices of a symbol are not used. */
const isAboutPrices = (value: unknown): boolean =>
  /^Ratios with a price are null/.test(String(Object(value).detail ?? value));

/** Fields that may differ, and why: everything else must be equal. */
const EXCEPTIONS: readonly {
  readonly why: string;
  readonly routes: RegExp;
  /** Whether a value below a key is left out. */
  readonly leaves: (key: string, value: unknown) => boolean;
}[] = [
  {
    why: "The contract has warnings about the holder name the company that has the ticker today.",
    routes: /./,
    leaves: (_, value) =>
      (typeof value === "string" && /^holder_(?:changed|unproven):/.test(value)) ||
      /^holder_/.test(String(Object(value).code)),
  },
  {
    why: "It says how far the list of splits reaches that adjusted amounts were computed with, not what was known.",
    routes: /dividends/,
    leaves: (key) => key === "splits_known_through",
  },
  {
    why: "Prices are stored by symbol: once the company has lost its ticker they may be another's, so these are null.",
    routes: /financial/,
    leaves: (key, value) =>
      /^(?:p[a-z]+_ratio|market_cap|ev_.*|enterprise_value|dividend_yield|price.*|null_reasons)$/.test(key) ||
      (key === "" && isAboutPrices(value)),
  },
  {
    why: "It says whether the answer came from the cache.",
    routes: /econdata/,
    leaves: (key) => key === "source",
  },
];

/**
 * Macros that may gain rows: what was public then and is fetched later has the moment of its publication. (A
 * first request for another company brings that company's filings.) They lose none, and a route fetches what
 * it needs before it answers.
 */
const GROWING = new Set([
  "filings_as_of",
  "filing_events_as_of",
  "financials",
  "insider_transactions_as_of",
  "ownership_as_of",
  "ownership_positions",
  "etf_holdings_as_of",
]);

type Leaves = (key: string, value: unknown) => boolean;
const isVolatile: Leaves = (key) => VOLATILE.has(key);

function without(value: unknown, leaves: Leaves): unknown {
  if (Array.isArray(value)) return value.filter((one) => !leaves("", one)).map((one) => without(one, leaves));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      leaves(key, inner) ? [] : [[key, without(inner, leaves)]],
    ),
  );
}

/**
 * A regulator behind the sample whose list of tickers changes: A's company is renamed, and B's ticker passes
 * to another.
 */
function changingUpstream(sampleUrl: string) {
  let isChanged = false;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.delete("host");
      headers.delete("accept-encoding");
      const isList = pathname.endsWith("/company_tickers_exchange.json");
      const isFacts = pathname.includes("/api/xbrl/companyfacts/");
      if (isChanged && (isList || isFacts))
        for (const name of ["if-none-match", "if-modified-since"]) headers.delete(name);
      const given = request.method === "GET" ? {} : { body: await request.bytes() };
      const answer = await fetch(`${sampleUrl}${pathname}${search}`, {
        method: request.method,
        headers,
        redirect: "manual",
        ...given,
      });
      if (isChanged && isFacts && answer.ok) return Response.json(restated(await answer.json()));
      if (!isChanged || !isList || !answer.ok) return answer;
      const list = (await answer.json()) as { fields: string[]; data: [number, string, string, string][] };
      const other = list.data.find(([, , ticker]) => ticker !== A && ticker !== B && !ticker.startsWith(A));
      if (!other) throw new Error("the sample lists no third company");
      const data = list.data.map(([cik, name, ticker, exchange]) => {
        if (ticker === A) return [cik, `${name} Renamed`, "ZRENAM", exchange];
        if (ticker === B) return [other[0], other[1], B, exchange];
        return [cik, name, ticker, exchange];
      });
      return Response.json({ ...list, data });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    change() {
      isChanged = true;
    },
    stop: () => server.stop(true),
  };
}

let service: SampleService;
let upstream: ReturnType<typeof changingUpstream>;
let document: ApiDocument;
beforeAll(async () => {
  const { at, dataDir: from, ...walked } = await walkedMarket();
  document = walked.document;
  const clock = movableClock(at);
  const sample = await serveSample({ clock });
  upstream = changingUpstream(sample.url);
  const opened = await openService({ upstream: upstream.url, clock, env: WALK_ENV, from });
  service = { ...opened, sample };
  const filings = await service.get<{ data: { accession_number: string; filing_date: string }[] }>(
    `/api/v1/filings/search?ticker=${A}&form_type=8-K`,
  );
  accession = filings.body.data.find(({ filing_date }) => filing_date < "2026-06-01")?.accession_number ?? "";
  const documents = await service.get<{ documents: { filename: string }[] }>(
    `/api/v1/filings/documents?accession_number=${accession}`,
  );
  filename = documents.body.documents[0]?.filename ?? "";
});
afterAll(async () => {
  await service.stop();
  await upstream.stop();
  await service.sample.stop();
});

type Schema = Readonly<Record<string, unknown>>;

function fieldsOf({ parameters, requestBody }: Operation): string[] {
  const schema = requestBody?.content["application/json"]?.schema as Schema | undefined;
  const name = typeof schema?.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined;
  const named = name === undefined ? schema : document.json.components.schemas[name];
  return [...parameters.map((one) => one.name), ...Object.keys(Object(named?.properties))];
}

/** Routes that answer from an earlier version of the store. */
const replays = (route: string): boolean =>
  document.operations.some(
    (one) => `${one.method} ${one.path.slice(7)}` === route && fieldsOf(one).includes("data_version"),
  );

/**
 * Fields that say how an answer came about: all else in an answer from a version is the same, without
 * exception.
 */
const ABOUT_THE_ANSWER: ReadonlySet<string> = new Set([
  "request_id",
  "cached",
  "processing_time_ms",
  "last_updated",
]);

/** Answers of the routes that replay, from a version, or of now with the version that they name. */
async function askVersions(version: string | null) {
  const answers = new Map<string, { version: string | null; said: unknown }>();
  for (const as_of of MOMENTS)
    for (const [route, request] of Object.entries(REQUESTS)) {
      if (!replays(route)) continue;
      const [path, fields] = request(as_of);
      const given = version === null ? {} : { data_version: version };
      const full = `/api/v1${path}${fields || version === null ? "" : `&data_version=${version}`}`;
      const { status, headers, body } = fields
        ? await service.post(full, { ...fields, ...given })
        : await service.get(full);
      const shown = without(body, (key) => ABOUT_THE_ANSWER.has(key));
      answers.set(`${route} at ${as_of}`, {
        version: headers.get("x-data-version"),
        said: { status, body: shown },
      });
    }
  return answers;
}

type Answers = ReadonlyMap<string, { readonly status: number; readonly body: unknown }>;

async function askAll(): Promise<Answers> {
  const answers = new Map<string, { status: number; body: unknown }>();
  for (const as_of of MOMENTS)
    for (const [route, request] of Object.entries(REQUESTS)) {
      const [path, fields] = request(as_of);
      const full = `/api/v1${path}`;
      const { status, body } = fields ? await service.post(full, fields) : await service.get(full);
      const own = EXCEPTIONS.filter(({ routes }) => routes.test(route));
      const leaves: Leaves = (key, inner) =>
        isVolatile(key, inner) || own.some((exception) => exception.leaves(key, inner));
      answers.set(`${route} at ${as_of}`, { status, body: without(body, leaves) });
    }
  return answers;
}

const macrosOfMoments = MACROS.filter(
  ({ kind, parameters }) => kind === "table" && parameters.some((one) => one.startsWith("as_of")),
);

async function rowsOfMacros(lake: Lake): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = new Map<string, readonly string[]>();
  for (const as_of of MOMENTS)
    for (const { name, parameters } of macrosOfMoments) {
      const required = parameters.filter((one) => !one.includes(":="));
      const given = [
        ...required.map((one) => ARGUMENTS[one] ?? `no argument for ${one}`),
        `as_of := '${as_of}'`,
      ];
      const found = await lake.query(`SELECT * FROM ${name}(${given.join(", ")})`);
      rows.set(`${name} at ${as_of}`, found.map((row) => JSON.stringify(without(row, isVolatile))).sort());
    }
  return rows;
}

/** Appends later versions of stored rows. */
async function append(
  name: string,
  where: string,
  change: (row: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  const { lake } = service.app();
  if (!DATASETS.some((one) => one.name === name)) throw new Error(`there is no dataset ${name}`);
  const rows = await lake.query(`SELECT * FROM ${name} WHERE ${where} LIMIT 1`);
  expect([name, rows.length > 0]).toEqual([name, true]);
  await lake.append([
    batch(
      name,
      rows.map((row) => ({ ...row, known_at: CHANGED, ...change(row) })),
    ),
  ]);
}

/** A stored bar from before the moments, as its provider has it since: another close. */
async function correctClose(): Promise<void> {
  const { lake } = service.app();
  const rows = await lake.query(
    `SELECT symbol, date, open, high, low, close, volume, adj_close, currency, basis_date, source FROM bars_daily
     WHERE symbol = '${A}' AND date = DATE '2026-09-03'`,
  );
  expect(rows).toHaveLength(1);
  const revised = rows.map((row) => ({ ...row, close: Number(row.close) + 7, known_at: CHANGED }));
  await lake.append([batch("bars_daily_revisions", revised)]);
  const now = await lake.query(
    `SELECT close FROM bar_revisions(NULL) WHERE known_at = TIMESTAMPTZ '${CHANGED}'`,
  );
  // It is served on the basis of the split above.
  expect(now.map(({ close }) => Number(close) * 4)).toEqual(revised.map(({ close }) => close));
}

/** Changes the world between the two visits, as far as sources tell it to the store. */
async function changeTheWorld(): Promise<void> {
  service.clock.set(CHANGED);
  upstream.change();
  // A split and a dividend of after the first visit.
  await append("corporate_actions", `symbol = '${A}'`, () => ({
    ex_date: "2026-10-15",
    kind: "split",
    amount: null,
    currency: null,
    numerator: 4,
    denominator: 1,
    price_factor: 0.25,
    basis_date: "2026-11-30",
  }));
  await append("dividend_calendar", `symbol = '${A}'`, (row) => ({
    amount: 9,
    revision: Number(row.revision) + 1,
    as_of_date: "2026-11-30",
  }));
  // A moved date of earnings, a corrected surprise, a corrected close.
  await append("earnings_calendar", `symbol = '${A}'`, (row) => ({
    report_date: "2026-12-24",
    revision: Number(row.revision) + 1,
    as_of_date: "2026-11-30",
  }));
  await append("earnings_surprises", `symbol = '${A}'`, () => ({ eps_actual: -7 }));
  // A provider corrects a close: a revision beside the stored bar.
  await correctClose();
  await append("encyc_entities", `symbol = '${A}'`, () => ({ encyc_title: "Another article" }));
  await append("universe_registry", "cik IS NOT NULL AND is_active", () => ({
    cik: "0001234567",
    name: "Another company",
  }));
  await append("companies", `symbol = '${A}'`, () => ({ name: "Renamed company", sector: "Another" }));
  await append("financial_facts", "true", () => ({
    value: 1,
    accession_number: "0000999999-26-000001",
    filed_date: "2026-11-30",
    accepted_at: CHANGED,
  }));
  // Everything is asked as of now, so that the changes of the sources are fetched.
  service.clock.set(ASKED_AGAIN);
  for (const request of Object.values(REQUESTS)) {
    const [path, fields] = request("");
    const plain = path.replace(/[?&]as_of(?:_date)?=$/, "");
    if (fields) {
      const { as_of: _, as_of_date: __, ...rest } = fields as Record<string, unknown>;
      await service.post(`/api/v1${plain}`, { ...rest, force_refresh: true });
    } else await service.get(`/api/v1${plain}${plain.includes("?") ? "&" : "?"}force_refresh=true`);
  }
}

test("every route that takes a moment is asked", () => {
  const routes = document.operations
    .filter((operation) => fieldsOf(operation).some((name) => name === "as_of" || name === "as_of_date"))
    .map(({ method, path }) => `${method} ${path.slice(7)}`);
  expect(Object.keys(REQUESTS).sort()).toEqual(routes.sort());
});

const filerOf = async (ticker: string) =>
  (await service.get<{ data: { cik: string }[] }>(`/api/v1/filings/search?ticker=${ticker}&limit=1`)).body
    .data[0]?.cik;

test("past answers stay what they were when the world changes", async () => {
  service.clock.set(FIRST_ASKED);
  // The first visit fetches what is missing; the second is the answer that must stay.
  await askAll();
  const before = await askAll();
  const rowsBefore = await rowsOfMacros(service.app().lake);
  const answered = [...before]
    .filter(([, { status }]) => status === 200)
    .map(([key]) => key.split(" at ")[0]);
  expect([...new Set(answered)].sort()).toEqual(Object.keys(REQUESTS).sort());
  const versioned = await askVersions(null);
  const version = String(await service.app().lake.generation());
  const filersBefore = [await filerOf(A), await filerOf(B)];
  await changeTheWorld();
  // The world has changed: another company has the one ticker, and the other has a new one.
  expect([await filerOf("ZRENAM"), (await filerOf(B)) === filersBefore[1]]).toEqual([filersBefore[0], false]);
  // The file of the company's facts was read again, and a provider's correction stands beside its first
  // value.
  const read = await service
    .app()
    .lake.query(`SELECT * FROM financial_facts WHERE accession_number = '${RESTATING}' LIMIT 1`);
  expect(read).toHaveLength(1);
  // Under the version, nothing may differ: neither what the world changed nor what is known of it now.
  const replayed = await askVersions(version);
  expect([...replayed].filter(([, answer]) => answer.version !== version)).toEqual([]);
  // The rules of the exchange are no part of the store, and a request for days that nothing could be known of
  // reads nothing.
  const named = [...versioned.values()].flatMap(({ version: each }) => each ?? []);
  const nameless = [...versioned].filter(([, answer]) => answer.version === null).map(([key]) => key);
  expect([nameless.sort(), new Set(named)]).toEqual([
    [
      `GET /price/data at ${EARLIER}`,
      `GET /stocks/sessions at ${EARLIER}`,
      `GET /stocks/sessions at ${LATER}`,
    ],
    new Set([version]),
  ]);
  expect(
    [...versioned]
      .flatMap(([key, { said }]) => differencesOf(said, replayed.get(key)?.said, key))
      .slice(0, 20),
  ).toEqual([]);
  const after = await askAll();
  const rowsAfter = await rowsOfMacros(service.app().lake);
  expect(
    [...before].flatMap(([key, answer]) => differencesOf(answer, after.get(key), key)).slice(0, 20),
  ).toEqual([]);
  expect([...rowsAfter.keys()]).toEqual([...rowsBefore.keys()]);
  for (const [key, rows] of rowsBefore) {
    const now = rowsAfter.get(key) ?? [];
    const [had, has] = [new Set(rows), new Set(now)];
    const gained = GROWING.has(key.split(" at ")[0] ?? "") ? [] : now.filter((row) => !had.has(row));
    const lost = rows.filter((row) => !has.has(row));
    expect([key, lost.slice(0, 3), gained.slice(0, 3)]).toEqual([key, [], []]);
  }
});

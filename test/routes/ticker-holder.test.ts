// Which company a ticker means under as_of: reused, renamed, delisted and unproven tickers, share classes,
// predecessors.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { encycEntities } from "../../src/datasets/encyc-entities.ts";
import { universeRegistry } from "../../src/datasets/universe-registry.ts";
import { batchOf } from "../../src/platform/lake/lake.ts";
import { apiDocument } from "../support/api-document.ts";
import { batch } from "../support/overlay-world.ts";
import type { FilingForm, MadeFiling, MadeIssuer, MadeSchedule } from "../support/ownership-papers.ts";
import { type OwnershipWorld, serveOwnership } from "../support/ownership-world.ts";
import { openService, type TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const ENV = { SEC_USER_AGENT: "Asof tests tests@example.com" };
const company = (cik: string, name: string, symbol: string): MadeIssuer => ({ cik, name, symbol });
/** ZREU passed from the first to the second company at the start of 2026. */
const former = company("0007300001", "Former Gadgets Inc", "ZREU");
const formerRenamed = { ...former, symbol: "ZNEW" };
const present = company("0007300002", "Present Widgets Corp", "ZREU");
const presentBefore = { ...present, symbol: "ZWID" };
const delisted = company("0007300003", "Delisted Mills Co", "ZGON");
const young = company("0007300004", "Young Ventures Inc", "ZYNG");
const classes = company("0007300005", "Classy Holdings Inc", "ZCLS.A, ZCLS.B");
/** The numbers of a company that moved, which the service knows. */
const moved = company("0001835632", "Moved Corp", "ZMVD");
const predecessor = company("0001058057", "Moved Group Ltd", "ZMVD");
const silent = company("0007300006", "Silent Corp", "ZSIL");

let number = 0;
const next = () => `0007300000-26-${String(++number).padStart(6, "0")}`;
const form = (issuer: MadeIssuer, filed: string): FilingForm => ({
  kind: "form",
  form: "4",
  accession: next(),
  accepted: `${filed}T12:00:00`,
  filed,
  issuer,
  owners: [{ cik: "0008300001", name: "Ann Onym", is_director: true }],
  trades: [{ date: filed, code: "P", shares: 100, price: 10, after: 1_000 }],
});
const schedule = (issuer: MadeIssuer, filed: string): MadeSchedule => ({
  kind: "schedule",
  form: "SCHEDULE 13G",
  accession: next(),
  accepted: `${filed}T12:00:00`,
  filed,
  issuer,
  filers: [{ cik: "0008300002", name: "Large Fund LP" }],
  persons: [{ name: "Large Fund LP", shares: 1_000_000, pct: 6 }],
  event: filed,
});
const FILINGS: MadeFiling[] = [
  ...["2024-09-03", "2025-03-04", "2025-08-05"].map((day) => form(former, day)),
  schedule(former, "2025-03-04"),
  form(formerRenamed, "2026-03-03"),
  form(formerRenamed, "2026-05-06"),
  ...["2024-10-01", "2025-04-01"].map((day) => form(presentBefore, day)),
  schedule(presentBefore, "2025-04-01"),
  ...["2026-02-03", "2026-05-05"].map((day) => form(present, day)),
  ...["2025-01-07", "2025-05-06"].map((day) => form(delisted, day)),
  form(young, "2026-06-02"),
  ...["2025-01-14", "2025-06-03"].map((day) => form(classes, day)),
  form(predecessor, "2025-02-04"),
  form(moved, "2026-04-07"),
  schedule(silent, "2024-06-04"),
];
const LISTED = [
  present,
  formerRenamed,
  young,
  { ...classes, symbol: "ZCLS-A" },
  { ...classes, symbol: "ZCLS-B" },
  moved,
  silent,
];

let world: OwnershipWorld;
let service: TestService;
beforeAll(async () => {
  world = serveOwnership(FILINGS);
  service = await openService({ upstream: world.url, env: ENV });
  // The list has the delisted company while its forms are read.
  world.list([...LISTED, delisted]);
  for (const symbol of ["ZREU", "ZNEW", "ZGON", "ZYNG", "ZCLS.A", "ZMVD"])
    await service.get(`/api/v1/insider/transactions/${symbol}`);
  world.list(LISTED);
  service.clock.set("2026-09-10T22:30:00Z");
  const article = (cik: string, title: string, known_at: string) => ({
    symbol: "ZREU",
    encyc_title: title,
    page_id: 1,
    wikidata_id: null,
    description: null,
    confidence: 1,
    resolution_method: "cik",
    is_manual_override: false,
    note: null,
    company_name: title,
    cik,
    candidates: "[]",
    known_at,
  });
  // The former company's article was found again after the ticker had passed on.
  await service
    .app()
    .lake.append([
      batchOf(encycEntities, [
        article(former.cik, "Former Gadgets", "2025-05-01T00:00:00.000Z"),
        article(former.cik, "Former Gadgets again", "2026-03-01T00:00:00.000Z"),
      ]),
    ]);
});
afterAll(async () => {
  await service.stop();
  await world.stop();
});

type Body = Record<string, unknown>;
type Ask = (ticker: string, as_of: string) => Promise<{ status: number; body: Body }>;
const get =
  (path: string): Ask =>
  (ticker, as_of) => {
    const [base = "", query] = path.replace("{}", ticker).split("?");
    return service.get(`/api/v1${base}?as_of=${as_of}${query ? `&${query}` : ""}`);
  };
const post =
  (path: string, fields: (ticker: string) => object): Ask =>
  (ticker, as_of) =>
    service.post(`/api/v1${path}`, { ...fields(ticker), as_of });

/** Every route whose answer is about the company of a ticker: it means the holder at as_of. */
const BY_COMPANY: Readonly<Record<string, Ask>> = {
  "GET /filings/search": get("/filings/search?ticker={}"),
  "GET /filings/events/{ticker}": get("/filings/events/{}"),
  "GET /financial/data/{ticker}": get("/financial/data/{}"),
  "POST /financial/data": post("/financial/data", (ticker) => ({ ticker, period: "5y" })),
  "POST /financial/data/bulk": post("/financial/data/bulk", (ticker) => ({
    tickers: [ticker],
    period: "5y",
  })),
  "GET /insider/form4/{ticker}": get("/insider/form4/{}"),
  "GET /insider/form4/aggregate/{ticker}": get("/insider/form4/aggregate/{}"),
  "GET /insider/summary/{symbol}": get("/insider/summary/{}"),
  "GET /insider/transactions/{symbol}": get("/insider/transactions/{}"),
  "GET /ownership/13dg/{ticker}": get("/ownership/13dg/{}"),
  "GET /attention/entity/{ticker}": get("/attention/entity/{}"),
  "GET /attention/event/{ticker}": get("/attention/event/{}?event_date=2025-06-02"),
};
/** The ticker only helps to find the folder of a filing; a fund's holdings are asked for below. */
const OTHERWISE = ["GET /filings/documents", "GET /filings/exhibit", "GET /etf/{ticker}/holdings"];
/**
 * Routes whose rows are stored by symbol and known by the moment at which they were read or published; no
 * company is looked up.
 */
const BY_SYMBOL = [
  "GET /dividends/calendar/{ticker}",
  "POST /dividends/calendar/bulk",
  "GET /earnings/calendar/{ticker}",
  "POST /earnings/calendar/bulk",
  "GET /earnings/surprise/{symbol}",
  "GET /etf/exposure/{symbol}",
  "GET /news",
  "GET /news/{ticker}",
  "GET /price/data",
  "GET /price/data/{ticker}",
  "POST /price/data",
  "POST /price/data/bulk",
  "GET /shortvolume/bulk",
  "GET /shortvolume/pit-panel",
  "GET /shortvolume/short-interest/{symbol}",
  "GET /shortvolume/summary/{symbol}",
  "GET /shortvolume/{symbol}",
];

test("every route with a ticker and an as_of is one of these", async () => {
  const document = await apiDocument(service);
  const fieldsOf = (operation: (typeof document.operations)[number]): string[] => {
    const body = operation.requestBody?.content["application/json"]?.schema;
    const name = typeof body?.$ref === "string" ? body.$ref.split("/").at(-1) : undefined;
    const schema = name === undefined ? body : document.json.components.schemas[name];
    return [...operation.parameters.map((one) => one.name), ...Object.keys(Object(schema?.properties))];
  };
  const taking = document.operations
    .filter((operation) => {
      const fields = fieldsOf(operation);
      const takesTicker = fields.some((field) => /^(?:tickers?|symbols?)$/.test(field));
      return takesTicker && fields.some((field) => field.startsWith("as_of"));
    })
    .map(({ method, path }) => `${method} ${path.replace("/api/v1", "")}`);
  expect(taking.sort()).toEqual([...Object.keys(BY_COMPANY), ...OTHERWISE, ...BY_SYMBOL].sort());
});

/** The warnings anywhere in an answer. */
function warningsOf(value: unknown): string[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "warnings" ? (inner as string[]) : warningsOf(inner),
  );
}
const aboutHolder = (body: Body) => warningsOf(body).filter((text) => text.startsWith("holder_"));

for (const [route, ask] of Object.entries(BY_COMPANY)) {
  test(`a reused ticker means its former company: ${route}`, async () => {
    const { status, body } = await ask("ZREU", "2025-06-02");
    expect([status, aboutHolder(body)]).toEqual([
      200,
      [
        "holder_changed: on 2025-06-02 the ticker ZREU belonged to Former Gadgets Inc (CIK 0007300001), which the answer is about. Today it belongs to Present Widgets Corp (CIK 0007300002).",
      ],
    ]);
    const text = JSON.stringify({ ...body, warnings: [] }).replaceAll(/holder_changed[^"]*/g, "");
    expect(text).not.toContain(present.cik);
    expect(text).not.toContain("Present Widgets");
  });
}

test("the rows are those of the former company, then those of the present one", async () => {
  const numbers = async (path: string, as_of: string) => {
    const { body } = await get(path)("ZREU", as_of);
    const rows = body.data as { cik?: string; issuer_cik?: string }[];
    return [...new Set(rows.map((row) => row.cik ?? row.issuer_cik))];
  };
  for (const path of ["/filings/search?ticker={}", "/insider/form4/{}", "/ownership/13dg/{}"])
    expect([path, await numbers(path, "2025-06-02")]).toEqual([path, [former.cik]]);
  for (const path of ["/filings/search?ticker={}", "/insider/form4/{}"])
    expect([path, await numbers(path, "2026-06-01")]).toEqual([path, [present.cik]]);
  expect(aboutHolder((await get("/insider/form4/{}")("ZREU", "2026-06-01")).body)).toEqual([]);
});

test("statements name the former company, from the regulator alone", async () => {
  const { body } = await get("/financial/data/{}")("ZREU", "2025-06-02");
  expect(body.company).toMatchObject({ name: former.name, cik: former.cik, sector: null });
  expect(body.warning_details).toContainEqual(
    expect.objectContaining({ code: "holder_changed", line: null, accession_number: null }),
  );
});

test("attention shows the article of the company that had the ticker", async () => {
  const title = async (as_of: string) => (await get("/attention/entity/{}")("ZREU", as_of)).body.encyc_title;
  expect(await title("2025-06-02")).toBe("Former Gadgets");
  // The newest article known by then is the former company's, which had lost the ticker.
  const late = await get("/attention/entity/{}")("ZREU", "2026-06-01");
  expect([late.status, late.body.code]).toEqual([404, "no_data"]);
});

test("a renamed company answers under its former ticker at that time, and under its new one today", async () => {
  const { body } = await get("/insider/form4/{}")("ZNEW", "2026-06-01");
  expect([body.total, aboutHolder(body)]).toEqual([5, []]);
  const early = await get("/filings/search?ticker={}")("ZNEW", "2025-06-02");
  // Nothing shows that it had the new ticker then; it was there, so it answers with a warning.
  expect([early.status, aboutHolder(early.body).length]).toEqual([200, 1]);
  expect(aboutHolder(early.body)[0]).toMatch(/^holder_unproven: .*ZNEW on 2025-06-02.*Former Gadgets Inc/);
});

test("a delisted ticker still means its company at that time", async () => {
  const { status, body } = await get("/insider/form4/{}")("ZGON", "2025-06-02");
  expect([status, body.total, aboutHolder(body)]).toEqual([200, 2, []]);
});

test("today's company without proof answers with a warning, and not at all before its first filing", async () => {
  const unproven = await get("/filings/search?ticker={}")("ZSIL", "2025-06-02");
  expect(aboutHolder(unproven.body)).toEqual([
    "holder_unproven: no stored list and no stored form of an insider shows which company had the ticker ZSIL on 2025-06-02. The answer is about Silent Corp (CIK 0007300006), which has it today and had filed with the SEC by then.",
  ]);
  const early = await get("/filings/search?ticker={}")("ZYNG", "2025-06-02");
  expect([early.status, early.body.code, early.body.ticker]).toEqual([404, "unknown_ticker", "ZYNG"]);
  expect(early.body.detail).toContain("Young Ventures Inc (CIK 0007300004)");
});

test("a form that names one class proves the other", async () => {
  for (const ticker of ["ZCLS.B", "zcls-a"]) {
    const { body } = await get("/insider/form4/{}")(ticker, "2025-07-01");
    expect([ticker, body.total, aboutHolder(body)]).toEqual([ticker, 2, []]);
  }
});

test("a predecessor's form proves its successor", async () => {
  const { body } = await get("/insider/form4/{}")("ZMVD", "2025-06-02");
  expect([body.total, aboutHolder(body)]).toEqual([1, []]);
});

test("a dated listing of the exchanges proves a company without forms", async () => {
  const listing = (symbol: string, cik: string, known_at: string) => ({
    listing: symbol,
    symbol,
    name: "Listed Long Ago Inc",
    cik,
    sector: null,
    industry: null,
    country: null,
    ipo_year: null,
    exchange: "NYSE",
    security_type: "common",
    is_etf: false,
    is_active: true,
    first_seen: known_at,
    last_seen: null,
    former_symbols: null,
    continued_by: null,
    source: "otherlisted",
    known_at,
  });
  await service
    .app()
    .lake.append([
      batchOf(universeRegistry, [listing("ZSIL", former.cik, "2025-01-01T00:00:00.000Z")]),
      batchOf(universeRegistry, [
        { ...listing("ZSIL", former.cik, "2025-09-01T00:00:00.000Z"), is_active: false },
      ]),
    ]);
  const { body } = await get("/filings/search?ticker={}")("ZSIL", "2025-06-02");
  expect([(body.data as { cik: string }[])[0]?.cik, aboutHolder(body)[0]]).toEqual([
    former.cik,
    "holder_changed: on 2025-06-02 the ticker ZSIL belonged to Listed Long Ago Inc (CIK 0007300001), which the answer is about. Today it belongs to Silent Corp (CIK 0007300006).",
  ]);
});

test("rows of all companies carry the symbol of their time", async () => {
  const day = await service.get<{ data: { ticker: string; issuer_cik: string }[] }>(
    "/api/v1/insider/form4/by-date/2025-08-05?as_of=2025-08-06",
  );
  expect(day.body.data.map(({ ticker, issuer_cik }) => [ticker, issuer_cik])).toEqual([["ZREU", former.cik]]);
});

test("the macro says the same of plain symbols, for all at once", async () => {
  const holders = (as_of: string | null) =>
    service
      .app()
      .lake.query("SELECT symbol, cik, source FROM ticker_holders($as_of) WHERE symbol = 'ZREU'", { as_of });
  expect(await holders("2025-06-02")).toEqual([{ symbol: "ZREU", cik: former.cik, source: "form" }]);
  expect(await holders("2026-06-01")).toEqual([{ symbol: "ZREU", cik: present.cik, source: "form" }]);
});

test("a score counts the purchases of the company that had the ticker then, of no other", async () => {
  const { lake } = service.app();
  const record = (cik: string) =>
    batch("companies", [
      {
        symbol: "ZREU",
        cik,
        name: "x",
        known_at: cik === former.cik ? "2025-01-01T00:00:00Z" : "2026-01-05T00:00:00Z",
      },
    ]);
  await lake.append([record(former.cik)]);
  await lake.append([record(present.cik)]);
  const bars = ["2026-04-27", "2026-05-04", "2026-05-11"].map((date) => ({
    symbol: "ZREU",
    date,
    close: 10,
    volume: 100,
    known_at: `${date}T23:00:00Z`,
    basis_date: date,
  }));
  await lake.append([batch("bars_daily", bars)]);
  const [score] = await lake.query<{ insider_bought_usd: number }>(
    `SELECT insider_bought_usd FROM overlay_inputs(DATE '2026-05-12', DATE '2026-05-11', DATE '2026-05-04', DATE '2026-04-27')
     WHERE symbol = 'ZREU'`,
  );
  // One form of 100 shares at 10; the former company's form of the same week does not count for the ticker.
  expect(score?.insider_bought_usd).toBe(1_000);
});

test("without as_of a ticker means today's company, without a warning", async () => {
  const { body } = await service.get<Body>("/api/v1/insider/transactions/ZREU");
  expect(aboutHolder(body)).toEqual([]);
  expect((body.data as { issuer_cik: string }[])[0]?.issuer_cik).toBe(present.cik);
});

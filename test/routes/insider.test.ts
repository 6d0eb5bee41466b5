import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import type { FilingForm, MadeOwner, MadeTrade } from "../support/ownership-papers.ts";
import { type OwnershipWorld, serveOwnership } from "../support/ownership-world.ts";
import { openService, type TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const ENV = { SEC_USER_AGENT: "Asof tests tests@example.com" };
const issuer = { cik: "0007100001", name: "Zappo Tools Inc.", symbol: "ZAPT" };
/** A company with a new number, and what it was before; nothing at the regulator links them. */
const moved = { cik: "0001835632", name: "Moved Corp", symbol: "ZMVD" };
const before = { cik: "0001058057", name: "Moved Group Ltd", symbol: "ZMVG" };
const quiet = { cik: "0007100002", name: "Quiet Corp", symbol: "ZQT" };

const ann: MadeOwner = {
  cik: "0008100001",
  name: "Ann Onym",
  is_director: true,
  title: "Chief Executive Officer",
};
const bob: MadeOwner = { cik: "0008100002", name: "Bob Less", title: "EVP, CFO & Treasurer" };
const fund: MadeOwner = { cik: "0008100003", name: "Fund LP", is_ten_percent_owner: true };
const partner: MadeOwner = { cik: "0008100004", name: "Partner GP", is_ten_percent_owner: true };
const crowd = Array.from({ length: 12 }, (_, i) => ({
  cik: String(8_200_000 + i).padStart(10, "0"),
  name: `Crowd ${i}`,
  is_ten_percent_owner: true,
}));

let number = 0;
const form = (
  at: string,
  owners: readonly MadeOwner[],
  trades: readonly MadeTrade[],
  more: Partial<FilingForm> = {},
): FilingForm => ({
  kind: "form",
  form: "4",
  accession: `0007000000-26-${String(++number).padStart(6, "0")}`,
  accepted: at,
  filed: at.slice(0, 10),
  issuer,
  owners,
  trades,
  ...more,
});

const trade = (
  date: string,
  code: string,
  shares: number,
  price: number | undefined,
  after: number,
): MadeTrade => ({
  date,
  code,
  shares,
  after,
  ...(price === undefined ? {} : { price }),
});

const bought = form("2026-06-02T16:30:00", [ann], [trade("2026-06-01", "P", 1_000, 10, 11_000)]);
const FILINGS = [
  bought,
  // After 17:30, of the same day all the same.
  form(
    "2026-06-03T18:15:00",
    [bob],
    [trade("2026-06-02", "P", 500, 11, 5_500), trade("2026-06-02", "A", 300, 0, 5_800)],
  ),
  form("2026-06-04T12:00:00", [fund, partner], [trade("2026-06-03", "S", 2_000, 12.5, 90_000)]),
  // The amendment corrects shares and holding of the first.
  form("2026-06-10T09:00:00", [ann], [trade("2026-06-01", "P", 1_200, 10, 11_200)], {
    form: "4/A",
    original: "2026-06-02",
  }),
  // A group of twelve in two parts.
  form("2026-06-15T10:00:00", crowd.slice(0, 10), [trade("2026-06-12", "P", 10_000, 9, 10_000)]),
  form("2026-06-15T10:00:30", crowd.slice(10), [trade("2026-06-12", "P", 10_000, 9, 10_000)]),
  // The price stands in a footnote only.
  form("2026-07-01T10:00:00", [bob], [trade("2026-06-30", "P", 50, undefined, 5_850)]),
  // A wrong day, and the amendment that names the right one.
  form("2026-07-06T10:00:00", [bob], [trade("2026-07-20", "S", 70, 13, 5_780)]),
  form("2026-07-07T10:00:00", [bob], [trade("2026-07-02", "S", 70, 13, 5_780)], {
    form: "4/A",
    original: "2026-07-06",
  }),
  // Two years before.
  form("2024-09-03T10:00:00", [ann], [trade("2024-09-02", "P", 10, 1, 100)]),
  form("2026-08-03T10:00:00", [ann], [], { document: "plain words" }),
  // Beyond 800 days.
  form("2023-01-05T10:00:00", [ann], [trade("2023-01-04", "P", 5, 1, 90)]),
  form("2026-05-05T10:00:00", [ann], [trade("2026-05-04", "M", 5, 1, 90)], { issuer: quiet }),
  form("2026-05-06T10:00:00", [ann], [trade("2026-05-05", "P", 6, 1, 90)], { issuer: moved }),
  form("2026-03-06T10:00:00", [ann], [trade("2026-03-05", "P", 7, 1, 84)], { issuer: before }),
];

interface Body {
  data: Record<string, unknown>[];
  metadata: Record<string, unknown>;
  warnings: string[];
  [name: string]: unknown;
}
let world: OwnershipWorld;
let service: TestService;
const get = async (path: string) => service.get<Body>(`/api/v1/insider${path}`);

beforeAll(async () => {
  world = serveOwnership(FILINGS, ["2026-06-08"]);
  service = await openService({ upstream: world.url, env: ENV });
});
afterAll(async () => {
  await service.stop();
  await world.stop();
});

describe("insiders' trades in a company", () => {
  test("nothing stored: 800 days are fetched, and only once", async () => {
    const { status, body } = await get("/form4/ZAPT?as_of=2026-09-09");
    expect(status).toBe(200);
    expect(body.metadata).toEqual({
      auto_fetched: true,
      fetched_count: 11,
      data_from: "2024-07-01",
      data_to: "2026-09-09",
      pending_count: 0,
      closes_checked: 0,
    });
    expect(body.warnings).toEqual(["not_read: 1 filing is not readable: the trades are missing."]);
    world.forget();
    const again = await get("/form4/ZAPT?as_of=2026-09-09");
    expect(again.body.metadata).toMatchObject({ auto_fetched: false, fetched_count: 0 });
    expect(again.body.data).toEqual(body.data);
    expect(world.asked).toEqual([]);
  });

  test("rows carry what the form says, the newest filing first", async () => {
    const { body } = await get("/form4/zapt?as_of=2026-06-03");
    expect(body).toMatchObject({ ticker: "zapt", as_of: "2026-06-03", count: 4, total: 4, has_more: false });
    expect(body.data.map((row) => [row.filing_date, row.line, row.transaction_code])).toEqual([
      ["2026-06-03", 1, "P"],
      ["2026-06-03", 2, "A"],
      ["2026-06-02", 1, "P"],
      ["2024-09-03", 1, "P"],
    ]);
    expect(body.data[2]).toEqual({
      filed_price: null,
      filed_transaction_date: null,
      price_in_doubt: null,
      accession_number: bought.accession,
      line: 1,
      form_type: "4",
      filing_date: "2026-06-02",
      accepted_at: "2026-06-02T20:30:00Z",
      transaction_date: "2026-06-01",
      ticker: "zapt",
      issuer_name: issuer.name,
      issuer_cik: issuer.cik,
      issuer_trading_symbol: "ZAPT",
      owner_name: ann.name,
      owner_cik: ann.cik,
      owner_relationship: "director, officer: Chief Executive Officer",
      officer_title: "Chief Executive Officer",
      is_director: true,
      is_officer: true,
      is_ten_percent_owner: false,
      is_ceo: true,
      is_cfo: false,
      is_c_suite: true,
      security_title: "Common Stock",
      security_type: "non_derivative",
      transaction_code: "P",
      transaction_type: "buy",
      acquired_disposed: "A",
      shares: 1_000,
      price_per_share: 10,
      transaction_value: 10_000,
      shares_owned_after: 11_000,
      purchase_pct_of_holding: 10,
      ownership_nature: "D",
      nature_of_ownership: null,
      is_10b5_1: false,
      is_amendment: false,
      joint_filers: [],
      filing_url: `https://www.sec.gov/Archives/edgar/data/7100001/${bought.accession.replaceAll("-", "")}/${bought.accession}-index.html`,
    });
    expect(body.data[0]).toMatchObject({
      accepted_at: "2026-06-03T22:15:00Z",
      is_cfo: true,
      is_c_suite: true,
    });
    expect(body.data[1]).toMatchObject({
      transaction_type: "award",
      price_per_share: 0,
      transaction_value: 0,
    });
  });

  test.each([
    ["2026-06-10T12:59:59.999999999Z", 1_000],
    ["2026-06-10T13:00Z", 1_200],
    ["2026-06-10t13:00:00z", 1_200],
    ["2026-06-10 09:00-04:00", 1_200],
    ["2026-06-10T12:59:60Z", 1_000],
  ])("%s is a moment, on every route", async (moment, shares) => {
    const asOf = encodeURIComponent(moment);
    const { body } = await get(`/form4/ZAPT?as_of=${asOf}&limit=1000`);
    expect(body.data.find((row) => row.transaction_date === "2026-06-01")?.shares).toBe(shares);
    const { status, body: bought } = await get(`/form4/aggregate/ZAPT?as_of=${asOf}&window_days=10`);
    expect([status, bought.buy_dollar_total]).toEqual([200, shares * 10 + 5_500]);
    for (const path of ["/transactions/ZAPT?", "/summary/ZAPT?", "/form4/by-date/2026-06-02?"])
      expect((await get(`${path}as_of=${asOf}`)).status).toBe(200);
  });

  test("a trade of joint filers is one row with all of them", async () => {
    const { body } = await get("/form4/ZAPT?as_of=2026-06-04&limit=1");
    expect(body.data[0]).toMatchObject({
      owner_name: "Fund LP",
      transaction_type: "sell",
      transaction_value: 25_000,
      joint_filers: [{ name: "Partner GP", cik: partner.cik }],
    });
  });

  test("an amendment supersedes, and before it as_of shows the original", async () => {
    const shares = async (asOf: string) => {
      const { body } = await get(`/form4/ZAPT?as_of=${asOf}&buy_only=true`);
      return body.data.filter((row) => row.transaction_date === "2026-06-01").map((row) => row.shares);
    };
    expect(await shares("2026-06-09")).toEqual([1_000]);
    expect(await shares("2026-06-10T12:59:59Z")).toEqual([1_000]);
    expect(await shares("2026-06-10T13:00:00Z")).toEqual([1_200]);
    expect(await shares("2026-09-09")).toEqual([1_200]);
  });

  test("an amendment that corrects the day supersedes the line it repeats", async () => {
    const days = async (asOf: string) => {
      const { body } = await get(`/transactions/ZAPT?as_of=${asOf}&transaction_type=sell&days=60`);
      return body.data.map((row) => row.transaction_date);
    };
    expect(await days("2026-07-06")).toEqual([null, "2026-06-03"]);
    expect(await days("2026-07-30")).toEqual(["2026-07-02", "2026-06-03"]);
  });

  test("a trade dated after its filing counts by the filing's day, not once that day comes", async () => {
    const sells = async (asOf: string) =>
      (await get(`/summary/ZAPT?as_of=${asOf}`)).body.windows as Record<string, { sell_count: number }>;
    expect((await sells("2026-07-06"))["3m"]?.sell_count).toBe(2);
    const { body } = await get("/form4/ZAPT?as_of=2026-07-06&window_days=1");
    expect(
      body.data.map((row) => [row.filing_date, row.transaction_date, row.filed_transaction_date]),
    ).toEqual([["2026-07-06", null, "2026-07-20"]]);
  });

  test("what a company carries on is its own, whatever was asked of it before", async () => {
    const { body } = await get("/form4/ZMVD?as_of=2026-09-09");
    expect(body.data.map((row) => [row.issuer_cik, row.shares])).toEqual([
      [moved.cik, 6],
      [before.cik, 7],
    ]);
  });

  test("a group that files in parts trades once", async () => {
    const { body } = await get("/form4/ZAPT?as_of=2026-06-15&window_days=7");
    expect(body.data.map((row) => [row.shares, (row.joint_filers as unknown[]).length])).toEqual([
      [10_000, 11],
    ]);
    const before = await get("/form4/ZAPT?as_of=2026-06-15T13:59:59Z&window_days=7");
    expect(before.body.data).toEqual([]);
  });

  test("buy_only keeps code P alone, in the list and in every figure", async () => {
    const { body } = await get("/form4/ZAPT?as_of=2026-06-20&buy_only=true&window_days=90");
    expect(body.data.every((row) => row.transaction_code === "P")).toBe(true);
    const figures = await get("/form4/aggregate/ZAPT?as_of=2026-06-20");
    expect(figures.body).toMatchObject({
      ticker: "ZAPT",
      as_of: "2026-06-20",
      window_days: 90,
      buy_only: true,
      buy_dollar_total: 12_000 + 5_500 + 90_000,
      cluster_size: 3,
      csuite_count: 2,
      transaction_count: 3,
      avg_pct_of_holding: (12 + 10) / 2,
      without_value: 0,
      first_date: "2026-06-01",
      last_date: "2026-06-12",
    });
    expect(body.total).toBe(3);
  });

  test("without buy_only every acquisition counts, no disposal", async () => {
    const { body } = await get("/form4/aggregate/ZAPT?as_of=2026-06-20&buy_only=false");
    expect(body).toMatchObject({ transaction_count: 4, buy_dollar_total: 107_500, cluster_size: 3 });
  });

  test("a trade without a price is in no sum, and is counted in without_value", async () => {
    const { body } = await get("/form4/aggregate/ZAPT?as_of=2026-07-02&window_days=5");
    expect(body).toMatchObject({ transaction_count: 1, buy_dollar_total: null, without_value: 1 });
  });

  test("no purchases are a reported zero", async () => {
    const { body } = await get("/form4/aggregate/ZQT?as_of=2026-09-09");
    expect(body).toMatchObject({
      transaction_count: 0,
      buy_dollar_total: 0,
      avg_pct_of_holding: null,
      first_date: null,
    });
  });

  test("the summary counts purchases against sales, by the day of the trade", async () => {
    const { body } = await get("/summary/ZAPT?as_of=2026-09-02");
    expect(body.windows).toMatchObject({
      "3m": {
        buy_count: 2,
        sell_count: 2,
        buy_shares: 10_050,
        sell_shares: 2_070,
        buy_value: 90_000,
        sell_value: 25_910,
        net_value: 64_090,
        unique_buyers: 2,
        unique_sellers: 2,
        without_value: 1,
      },
      "12m": { buy_count: 4, unique_buyers: 3, buy_value: 107_500 },
    });
  });

  test("a window beyond 800 days is read as far as it goes", async () => {
    const { body } = await get("/transactions/ZAPT?days=3650&as_of=2026-09-09&limit=1000");
    expect(body.data.some((row) => row.filing_date === "2023-01-05")).toBe(true);
    expect(body.metadata).toMatchObject({ data_from: "2016-09-11", data_to: "2026-09-09", pending_count: 0 });
    expect(body.warnings).toEqual(["not_read: 1 filing is not readable: the trades are missing."]);
    const short = await get("/form4/aggregate/ZAPT?window_days=800&as_of=2026-09-09");
    const long = await get("/form4/aggregate/ZAPT?window_days=1400&as_of=2026-09-09");
    expect(Number(long.body.buy_dollar_total) - Number(short.body.buy_dollar_total)).toBe(5);
  });

  test("pages are of one order", async () => {
    const all = await get("/transactions/ZAPT?as_of=2026-09-09&limit=1000&days=800");
    const pages = await Promise.all(
      [0, 3, 6, 9].map((offset) =>
        get(`/transactions/ZAPT?as_of=2026-09-09&limit=3&offset=${offset}&days=800`),
      ),
    );
    expect(pages.flatMap(({ body }) => body.data)).toEqual(all.body.data);
    const past = await get("/transactions/ZAPT?as_of=2026-09-09&limit=3&offset=500&days=800");
    expect(past.body).toMatchObject({ count: 0, total: all.body.total, has_more: false });
  });
});

describe("a day's trades of all companies", () => {
  test("are taken in when asked for, as they were known at its end", async () => {
    const { body } = await get("/form4/by-date/2026-06-02");
    expect(body).toMatchObject({ date: "2026-06-02", as_of: "2026-06-02", total: 1, pending_count: 0 });
    // Not the amendment of a week later; the issuer's symbol by its CIK.
    expect(body.data[0]).toMatchObject({ shares: 1_000, ticker: "ZAPT" });
  });

  test("are served as rows too", async () => {
    const csv = await service.fetch("/api/v1/insider/form4/by-date/2026-06-03?format=csv");
    const lines = (await csv.text()).trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]?.split(",").slice(0, 4)).toEqual([
      "accession_number",
      "line",
      "form_type",
      "filing_date",
    ]);
    const ndjson = await service.fetch("/api/v1/insider/form4/by-date/2026-06-03?format=ndjson&buy_only=1");
    expect(JSON.parse((await ndjson.text()).trim())).toMatchObject({ shares: 500, transaction_value: 5_500 });
    const parquet = await service.fetch("/api/v1/insider/form4/by-date/2026-06-03?format=parquet");
    expect(new TextDecoder().decode((await parquet.bytes()).slice(0, 4))).toBe("PAR1");
  });

  test.each([
    ["2026-09-05", "a Saturday"],
    ["2026-09-07", "Labor Day"],
    ["2026-06-08", "a day without a filing"],
  ])("%s, %s, has none", async (date) => {
    const { status, body } = await get(`/form4/by-date/${date}`);
    expect([status, body.total, body.warnings]).toEqual([
      200,
      0,
      ["nothing_there: No trade of these days that was public then is on this page."],
    ]);
  });

  test("a day whose index is not out, or that is to come, is no empty day", async () => {
    for (const date of ["2026-09-09", "2026-09-10", "2100-12-31"]) {
      const { status, body } = await get(`/form4/by-date/${date}`);
      expect([date, status, body.code]).toEqual([date, 404, "no_data"]);
    }
  });
});

describe("answers and errors", () => {
  test("every answer is as documented", async () => {
    const document = await apiDocument(service);
    const asked = [
      ["/insider/form4/{ticker}", "/form4/ZAPT?as_of=2026-09-09"],
      ["/insider/form4/aggregate/{ticker}", "/form4/aggregate/ZAPT"],
      ["/insider/summary/{symbol}", "/summary/ZAPT"],
      ["/insider/transactions/{symbol}", "/transactions/ZAPT"],
      ["/insider/form4/by-date/{date}", "/form4/by-date/2026-06-03"],
      ["/insider/form4/{ticker}", "/form4/NOPE?as_of=2026-09-09"],
      ["/insider/form4/{ticker}", "/form4/ZAPT"],
    ] as const;
    for (const [route, path] of asked) {
      const operation = document.operation("GET", `/api/v1${route}`);
      const faults = await faultsOfAnswer(document, operation, await service.fetch(`/api/v1/insider${path}`));
      expect([path, faults]).toEqual([path, []]);
    }
  });

  test.each([
    ["/form4/ZAPT", "as_of"],
    ["/form4/ZAPT?as_of=2026-02-30", "as_of"],
    ["/form4/ZAPT?as_of=2026-09-09T12:00:00", "as_of"],
    ["/form4/ZAPT?as_of=2026-09-09&window_days=0", "window_days"],
    ["/form4/ZAPT?as_of=2026-09-09&buy_only=perhaps", "buy_only"],
    ["/transactions/ZAPT?days=3651", "days"],
    ["/transactions/ZAPT?limit=1001", "limit"],
    ["/transactions/ZAPT?transaction_type=purchase", "transaction_type"],
    ["/transactions/TOO-LONG-A-TICKER-IT-IS", "symbol"],
    ["/form4/by-date/2026-13-01", "date"],
    ["/form4/by-date/2025-02-29", "date"],
  ])("%s is refused for %s", async (path, field) => {
    const { status, body } = await get(path);
    expect(status).toBe(422);
    expect((body.detail as { loc: string[] }[]).map(({ loc }) => loc[1])).toEqual([field]);
  });

  test("an unknown ticker is 404, in any spelling", async () => {
    for (const ticker of ["NOPE", "__proto__", "zzzz"]) {
      const { status, body } = await get(`/form4/${ticker}?as_of=2026-09-09`);
      expect([status === 404 ? body.code : status]).toEqual([
        ticker === "__proto__" ? 422 : "unknown_ticker",
      ]);
    }
  });
});

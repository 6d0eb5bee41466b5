// Every recorded quote, spark, refusal and handshake of Yahoo's through the provider.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { type Quote, withoutExtended } from "../../src/market/quote.ts";
import { toYahoo } from "../../src/market/spelling.ts";
import { classifyYahoo, yahoo } from "../../src/providers/yahoo/index.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { type FakeReply, fakeAnswer, fakeUpstream } from "../support/fake-yahoo.ts";

setDefaultTimeout(1_200_000);

const folder = join(process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"), "yahoo");
const clock = fakeClock("2026-01-05T15:00:00Z");
const log = { info() {}, warn() {} };
const CRUMB: FakeReply = { body: "abcDEF12345" };

interface Sidecar {
  request: { url: string };
  response: { status: number; headers: Record<string, string | string[]> };
}

const read = (file: string) => readFileSync(join(folder, file), "utf8");
const sidecar = (file: string): Sidecar => JSON.parse(read(`${file}.meta.json`));

function list(part: string): string[] {
  if (!existsSync(join(folder, part))) return [];
  return readdirSync(join(folder, part))
    .filter((file) => !file.endsWith(".meta.json"))
    .sort()
    .map((file) => join(part, file));
}

interface Row {
  symbol: string;
  [field: string]: unknown;
}
const rowsOf = (file: string): Row[] => JSON.parse(read(file)).quoteResponse.result;
/** Plain or formatted. */
const plain = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? (value as { raw?: unknown }).raw : value;

async function inFolder<T>(work: (path: string) => Promise<T>): Promise<T> {
  const path = mkdtempSync(join(tmpdir(), "asof-yahoo-"));
  try {
    return await work(path);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/** The provider in front of a Yahoo that opens sessions and gives `body` for whatever else is asked. */
function provider(body: string, path: string) {
  const upstream = fakeUpstream(clock, ({ hostname, pathname }) => {
    if (hostname === "fc.yahoo.com")
      return { status: 404, headers: [["set-cookie", "A3=x; Domain=.yahoo.com"]] };
    return pathname === "/v1/test/getcrumb" ? CRUMB : { body };
  });
  const calendar = exchangeCalendar();
  return yahoo({ upstream, clock, calendar, log, credentialsPath: join(path, "session.json") });
}

function through(file: string, symbols: readonly string[]) {
  return inFolder((path) => provider(read(file), path).quotes(symbols));
}

async function one(file: string, symbol: string): Promise<Quote> {
  const quote = (await through(file, [symbol])).quotes.get(symbol);
  if (!quote) throw new Error(`no quote of ${symbol}`);
  return quote;
}

const quotes = list("quote").filter((file) => file.endsWith(".json"));
if (quotes.length === 0) test("skipped: no recordings", () => {});

const iso = (value: unknown) =>
  typeof value === "number" ? Temporal.Instant.fromEpochMilliseconds(value * 1000).toString() : null;

describe.if(quotes.length > 0)("every recorded quote", () => {
  for (const file of quotes) {
    test(file, async () => {
      const rows = rowsOf(file);
      const symbols = rows.map((row) => row.symbol);
      const { quotes: got, absent } = await through(file, symbols);
      expect(got.size + absent.size).toBe(rows.length);
      for (const row of rows) {
        const number = (key: string) => plain(row[key]) ?? null;
        const price = number("regularMarketPrice");
        const quote = got.get(row.symbol);
        if (price === null) {
          expect(quote).toBeUndefined();
          expect(absent.get(row.symbol)?.code).toBe("no_data");
          continue;
        }
        if (!quote) throw new Error(`no quote of ${row.symbol}`);
        expect<unknown>(quote.regular_market_price).toBe(price);
        expect<unknown>(quote.regular_market_change).toBe(number("regularMarketChange"));
        expect<unknown>(quote.regular_market_change_percent).toBe(number("regularMarketChangePercent"));
        expect<unknown>(quote.regular_market_volume).toBe(number("regularMarketVolume"));
        expect<unknown>(quote.previous_close).toBe(number("regularMarketPreviousClose"));
        expect<unknown>(quote.market_cap).toBe(number("marketCap"));
        expect<unknown>(quote.delay_minutes).toBe(number("exchangeDataDelayedBy"));
        expect<unknown>(quote.currency).toBe(row.currency ?? null);
        expect(quote.regular_market_time).toBe(iso(number("regularMarketTime")));
        // Extended prices: those of the state, newer than the regular one, or none.
        const state = String(row.marketState);
        const side = state === "PRE" ? "preMarket" : state === "REGULAR" ? null : "postMarket";
        const time = side && number(`${side}Time`);
        const holds = side !== null && Number(time) > Number(number("regularMarketTime"));
        const extended = holds ? number(`${side}Price`) : null;
        expect<unknown>(quote.price).toBe(extended ?? price);
        expect(quote.price_source).toBe(
          extended === null ? "regular" : side === "preMarket" ? "pre" : "post",
        );
        expect(quote.price_time).toBe(extended === null ? quote.regular_market_time : iso(time));
        expect<unknown>(quote.pre_market_price).toBe(side === "preMarket" ? extended : null);
        expect<unknown>(quote.post_market_price).toBe(side === "postMarket" ? extended : null);
        expect(withoutExtended(quote)).toMatchObject({
          price: quote.regular_market_price,
          pre_market_price: null,
        });
      }
    });
  }
});

describe.if(quotes.length > 0)("star cases of the manifest", () => {
  test("14 unknown symbols are left out of an answer, and said to be unknown", async () => {
    for (const file of quotes.filter((f) => f.includes("AAPL_NONEXIST"))) {
      const { quotes: got, absent } = await through(file, ["AAPL", "NONEXIST"]);
      expect([...got.keys()]).toEqual(["AAPL"]);
      expect(absent.get("NONEXIST")?.code).toBe("unknown_ticker");
    }
    const expired = quotes.find((f) => f.includes("AAPL220121C00025000")) ?? "";
    const { absent } = await through(expired, ["AAPL220121C00025000"]);
    expect(absent.get("AAPL220121C00025000")?.code).toBe("unknown_ticker");
  });

  test("14, 15 delisted names and their stubs have no quote, and the reason is given", async () => {
    const reason = async (file: string, symbol: string) =>
      (await through(file, [symbol])).absent.get(symbol)?.reason;
    expect(await reason("quote/quote_BRKS_200_20250217T1111Z.json", "BRKS")).toContain("no longer quotes it");
    expect(await reason("quote/quote_ADH_200_20220224T0857Z.json", "ADH")).toContain("no longer listed");
    expect(await reason("quote/quote_MSFT_200_20231118T1735Z.json", "MSFT")).toContain("no price");
  });

  test("16 before the open the pre-market price is the latest one", async () => {
    const quote = await one("quote/v7_AAPL-MSFT_mkttime-20250825T200001Z_PRE_2fd67cf.json", "AAPL");
    expect(quote).toMatchObject({
      name: "Apple Inc.",
      exchange: "NMS",
      exchange_name: "NasdaqGS",
      market_state: "PRE",
      price: 226.88,
      price_source: "pre",
      price_time: "2025-08-26T13:15:58Z",
      pre_market_price: 226.88,
      pre_market_change: -0.27999878,
      pre_market_change_percent: -0.123260595,
      post_market_price: null,
      regular_market_price: 227.16,
      regular_market_time: "2025-08-25T20:00:01Z",
      previous_close: 227.76,
      bid: 227.07,
      ask: 237.87,
      fifty_two_week_high: 260.1,
      market_cap: 3_371_145_363_456,
    });
  });

  test("17 the delay is that of the exchange, not the width of Yahoo's source", async () => {
    const delays = new Map<string, Set<number | null>>();
    for (const file of quotes) {
      const rows = rowsOf(file);
      const { quotes: got } = await through(
        file,
        rows.map((row) => row.symbol),
      );
      for (const { exchange, delay_minutes } of got.values()) {
        const known = delays.get(exchange ?? "") ?? new Set();
        delays.set(exchange ?? "", known.add(delay_minutes));
      }
    }
    expect(delays.get("NMS")).toEqual(new Set([0]));
    expect(delays.get("GER")).toEqual(new Set([15]));
    expect(delays.get("LSE")).toEqual(new Set([15, 20]));
    expect(delays.get("CMX")).toEqual(new Set([10]));
  });

  test("23 percentages are in percent points", async () => {
    const quote = await one("quote/v7_AAPL-MSFT_mkttime-20250826T200001Z_POST_c62d852.json", "AAPL");
    expect(quote.regular_market_change_percent).toBe(0.94646674);
    expect(quote.regular_market_change).toBe(2.149994);
    expect(quote.regular_market_price).toBe(229.31);
    const { regular_market_change: change, previous_close: before } = quote;
    expect((100 * (change ?? 0)) / (before ?? 1)).toBeCloseTo(quote.regular_market_change_percent ?? 0, 4);
  });

  test("prices in objects {raw, fmt} are read as plain ones are", async () => {
    const file = "quote/iprak_multi_formatted.json";
    expect(await one(file, "0P00008F5Y.L")).toMatchObject({
      price: 1.1275,
      currency: "GBP",
      delay_minutes: 15,
    });
  });
});

describe.if(quotes.length > 0)("sparks", () => {
  for (const file of list("spark")) {
    test(file, async () => {
      const { sparks } = await inFolder((path) => provider(read(file), path).spark(["AAPL"]));
      const spark = sparks.get("AAPL");
      expect(spark).toMatchObject({ symbol: "AAPL", currency: "USD", timezone: "America/New_York" });
      expect(spark?.closes.map(({ date, close }) => [date, close])).toEqual([
        ["2021-04-27", 134.39],
        ["2021-04-28", 133.58],
        ["2021-04-29", 133.48],
        ["2021-04-30", 131.46],
        ["2021-05-03", 132.54],
      ]);
    });
  }
});

describe.if(quotes.length > 0)("refusals", () => {
  for (const file of list("errors").filter((f) => f.endsWith(".json"))) {
    test(`${file} is an answer, neither a block nor a breakdown`, () => {
      const { request, response } = sidecar(file);
      const answer = fakeAnswer(request.url, { status: response.status, body: read(file) }, clock);
      expect(classifyYahoo(answer)).toEqual({ kind: "answered" });
    });
  }

  test("a refused list of quotes is passed on in Yahoo's words", async () => {
    const body = read("errors/iprak_quote_missing-symbols_bad-request.json");
    const asked = inFolder((path) => provider(body, path).quotes(["AAPL"]));
    await expect(asked).rejects.toMatchObject({
      name: "UpstreamRefused",
      message: "Yahoo refused the quotes: Missing required query parameter=symbols",
    });
  });
});

describe.if(quotes.length > 0)("21 the crumb by way of the European consent", () => {
  const file = (name: string) => list("crumb").find((f) => f.includes(name)) ?? "";
  const reply = (name: string): FakeReply => {
    const { response } = sidecar(file(name));
    const headers = Object.entries(response.headers).flatMap(([key, values]) =>
      [values].flat().map((value) => [key, value] as const),
    );
    return { status: response.status, body: read(file(name)), headers };
  };

  for (const first of ["quote-AAPL_307_20250217", "geo-nl_quote-AAPL_307_20260809"]) {
    test(`from ${first}`, async () => {
      let visits = 0;
      const upstream = fakeUpstream(clock, ({ hostname, pathname }, { method }) => {
        // Names that resolve nowhere, as ad blockers make of it.
        if (hostname === "fc.yahoo.com") return { status: 404 };
        if (hostname === "guce.yahoo.com") {
          return reply(pathname === "/consent" ? "quote-AAPL-consent_302" : "copyConsent_302");
        }
        if (hostname === "consent.yahoo.com") {
          return reply(method === "POST" ? "collectConsentSubmit_302" : "collectConsent_200_20250216");
        }
        if (hostname === "finance.yahoo.com") {
          visits += 1;
          if (visits === 1) return reply(first);
          return reply(visits === 2 ? "final-redirect_301" : "final-redirect_200");
        }
        if (pathname === "/v1/test/getcrumb") return reply("getcrumb_200_20250216");
        return { body: read("quote/quote_AAPL_200_20250217T1054Z.json") };
      });
      await inFolder(async (path) => {
        const credentialsPath = join(path, "session.json");
        const provided = yahoo({ upstream, clock, calendar: exchangeCalendar(), log, credentialsPath });
        expect((await provided.quotes(["AAPL"])).quotes.get("AAPL")?.currency).toBe("USD");
        expect(statSync(credentialsPath).mode & 0o777).toBe(0o600);
        expect(upstream.asked()).toEqual([
          "fc.yahoo.com/",
          "finance.yahoo.com/quote/AAPL",
          "guce.yahoo.com/consent",
          "consent.yahoo.com/v2/collectConsent",
          "POST consent.yahoo.com/v2/collectConsent",
          "guce.yahoo.com/copyConsent",
          "finance.yahoo.com/quote/AAPL",
          "finance.yahoo.com/quote/AAPL/",
          "query1.finance.yahoo.com/v1/test/getcrumb",
          "query2.finance.yahoo.com/v7/finance/quote",
        ]);
        const form = new URLSearchParams(upstream.requests[4]?.body);
        expect([...form.keys()].sort()).toEqual(
          ["agree", "agree", "csrfToken", "namespace", "originalDoneUrl", "sessionId"].sort(),
        );
        expect(form.get("originalDoneUrl")).toStartWith("https://finance.yahoo.com/");
        const asked = upstream.requests.at(-1);
        expect(asked?.headers?.cookie).toContain("A3=REDACTED");
        // The consent page's own cookie stays with it.
        expect(asked?.headers?.cookie).not.toContain("CFC=");
        expect(new URL(asked?.url ?? "").searchParams.get("crumb")).toBe("REDACTEDCRM");
        expect(new URL(asked?.url ?? "").searchParams.get("symbols")).toBe(toYahoo("AAPL"));
      });
    });
  }
});

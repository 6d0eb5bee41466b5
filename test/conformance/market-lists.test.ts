// Every recorded list of the market through the providers: index pages, screens, trending symbols.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { fromYahoo } from "../../src/market/spelling.ts";
import { classifyWikimedia, readIndexMembers } from "../../src/providers/wikimedia/index.ts";
import {
  classifyYahoo,
  type PredefinedList,
  SCREEN_FIELDS,
  screenBody,
  yahoo,
} from "../../src/providers/yahoo/index.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { fakeAnswer, fakeUpstream } from "../support/fake-yahoo.ts";

setDefaultTimeout(1_200_000);

const root = process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real");
const clock = fakeClock("2026-01-05T15:00:00Z");
const read = (file: string) => readFileSync(join(root, file), "utf8");

function listed(part: string, pattern: RegExp): string[] {
  if (!existsSync(join(root, part))) return [];
  return readdirSync(join(root, part))
    .filter((file) => pattern.test(file) && !file.endsWith(".meta.json"))
    .sort()
    .map((file) => `${part}/${file}`);
}

const pages = listed("indices", /^wikipedia-(?:sp500|nasdaq-?100).*\.html$/i);
const screens = listed("yahoo/screener", /\.json$/);
const trends = listed("yahoo/trending", /\.json$/);
const fields = listed("yahoo/visualization", /fields_equity\.json$/);
if (pages.length + screens.length + trends.length === 0) test.skip("skipped: no recordings", () => {});

/** Cells of the table called "constituents", by plain means: what a person would count on the page. */
function plainRows(html: string): string[][] {
  const from = html.indexOf('id="constituents"');
  const table = html.slice(from, html.indexOf("</table>", from));
  return [...table.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)]
    .map(([, inner = ""]) =>
      [...inner.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = ""]) =>
        cell
          .replace(/<sup[\s\S]*?<\/sup>/g, "")
          .replace(/<[^>]+>/g, "")
          .replaceAll("&amp;", "&")
          .trim(),
      ),
    )
    .filter((cells) => cells.length > 0);
}

const membersIn = (file: string) => {
  const index = /nasdaq/i.test(file) ? ("nasdaq100" as const) : ("sp500" as const);
  const answer = fakeAnswer("https://en.wikipedia.org/wiki/x", { body: read(file) }, clock);
  expect(classifyWikimedia(answer).kind).toBe("ok");
  return readIndexMembers(index, index === "sp500" ? "List of S&P 500 companies" : "Nasdaq-100", answer);
};

describe.if(pages.length > 0)("every recorded index page", () => {
  for (const file of pages) {
    test(`${file}: each row of the table, each cell`, () => {
      const html = read(file);
      const { constituents, revision, source } = membersIn(file);
      const rows = plainRows(html);
      expect(constituents.map(({ symbol }) => symbol)).toEqual(
        expect.arrayContaining(rows.slice(0, 3).map(([symbol = ""]) => symbol.trim())),
      );
      expect(constituents).toHaveLength(rows.length);
      expect(new Set(constituents.map(({ symbol }) => symbol)).size).toBe(rows.length);
      expect(String(revision)).toBe(/"wgRevisionId":(\d+)/.exec(html)?.[1] ?? "null");
      if (revision !== null) expect(source).toEndWith(`oldid=${revision}`);
      rows.forEach((cells, i) => {
        const { symbol, company_name, sector, sub_industry } = constituents[i] ?? {};
        for (const text of [symbol, company_name, sector, sub_industry]) {
          const said = String(text).replace(/\s+/g, " ");
          expect(cells.map((cell) => cell.replace(/&#160;|&nbsp;|\s+/g, " "))).toContain(said);
        }
      });
      for (const { cik, date_added } of constituents) {
        expect(cik === null || /^\d{10}$/.test(cik)).toBe(true);
        expect(date_added === null || /^\d{4}-\d{2}-\d{2}$/.test(date_added)).toBe(true);
      }
    });
  }

  const of2026 = "indices/wikipedia-sp500-2026.html";
  test.if(pages.includes(of2026))("the S&P 500 of May 2026", () => {
    const { constituents, classification, source } = membersIn(of2026);
    const bySymbol = new Map(constituents.map((c) => [c.symbol, c]));
    expect(constituents).toHaveLength(503);
    expect(classification).toBe("GICS");
    expect(source).toEndWith("&oldid=1353424858");
    expect(bySymbol.get("GOOGL")).toMatchObject({
      sector: "Communication Services",
      sub_industry: "Interactive Media & Services",
      cik: "0001652044",
    });
    expect([bySymbol.has("BRK.B"), bySymbol.has("BF.B")]).toEqual([true, true]);
    const count = (sector: string) => constituents.filter((c) => c.sector === sector).length;
    expect(["Industrials", "Financials", "Information Technology", "Energy"].map(count)).toEqual([
      79, 76, 73, 21,
    ]);
    // The newest change, of May 7.
    expect([bySymbol.has("VEEV"), bySymbol.has("CTRA")]).toEqual([true, false]);
    expect(constituents.filter((c) => c.cik === null || c.date_added === null || c.founded === null)).toEqual(
      [],
    );
  });
});

/** The provider in front of a Yahoo that gives `body` for whatever is asked of its data. */
async function answering<T>(
  body: string,
  work: (provider: ReturnType<typeof yahoo>) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "asof-lists-"));
  const upstream = fakeUpstream(clock, ({ hostname, pathname }) => {
    if (hostname === "fc.yahoo.com")
      return { status: 404, headers: [["set-cookie", "A3=x; Domain=.yahoo.com"]] };
    return pathname === "/v1/test/getcrumb" ? { body: "abcDEF12345" } : { body };
  });
  const log = { info() {}, warn() {} };
  try {
    const credentialsPath = join(folder, "session.json");
    return await work(yahoo({ upstream, clock, calendar: exchangeCalendar(), log, credentialsPath }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Recorded {
  total: number;
  start: number;
  canonicalName?: string;
  quotes: ({ symbol: string } & Record<string, unknown>)[];
}
const recorded = (file: string): Recorded => JSON.parse(read(file)).finance.result[0];
const canonicalOf = (symbol: string) => fromYahoo(symbol) ?? symbol;

describe.if(screens.length > 0)("every recorded screen", () => {
  for (const file of screens)
    test(`${file}: total, rows, figures`, async () => {
      const { total, start, canonicalName, quotes } = recorded(file);
      const page = await answering(read(file), (provider) =>
        canonicalName
          ? provider.predefined(canonicalName.toLowerCase() as PredefinedList, { start, count: 250 })
          : provider.screen({
              filters: {},
              sort_by: "market_cap",
              sort_order: "desc",
              offset: start,
              size: 250,
            }),
      );
      expect([page.total, page.start]).toEqual([total, start]);
      expect(page.rows.map(({ symbol }) => symbol)).toEqual(quotes.map(({ symbol }) => canonicalOf(symbol)));
      const number = (value: unknown) => (typeof value === "number" ? value : null);
      quotes.forEach((quote, i) => {
        expect(page.rows[i]).toMatchObject({
          name: quote.longName ?? quote.shortName ?? null,
          exchange: quote.exchange as string,
          quote_type: quote.quoteType as string,
          currency: (quote.currency as string | undefined) ?? null,
          price: number(quote.regularMarketPrice),
          change_percent: number(quote.regularMarketChangePercent),
          volume: number(quote.regularMarketVolume),
          avg_volume_3m: number(quote.averageDailyVolume3Month),
          market_cap: number(quote.marketCap),
          pe_ratio: number(quote.trailingPE),
          fifty_two_week_change_percent: number(quote.fiftyTwoWeekChangePercent),
          dividend_yield: number(quote.dividendYield),
        });
        // The yield is percent points: the dividends ahead against the price, within its two decimals.
        const { dividendRate, dividendYield, regularMarketPrice } = quote;
        if (typeof dividendRate === "number" && typeof dividendYield === "number" && canonicalName) {
          const before = Number(regularMarketPrice) - Number(quote.regularMarketChange);
          const between = [Number(regularMarketPrice), before].map((p) => (dividendRate / p) * 100);
          expect(dividendYield).toBeGreaterThan(Math.min(...between) - 0.02);
          expect(dividendYield).toBeLessThan(Math.max(...between) + 0.02);
        }
        // The change is percent points of the close before.
        const before = number(quote.regularMarketPreviousClose);
        const price = number(quote.regularMarketPrice);
        if (before && price && Math.abs(price / before - 1) < 1)
          expect(
            Math.abs(Number(quote.regularMarketChangePercent) - (price / before - 1) * 100),
          ).toBeLessThan(0.5);
      });
    });

  const custom = "yahoo/screener/openbb_custom_POST_auto_manufacturers_20250219T0504Z.json";
  test.if(screens.includes(custom))(
    "one car maker of more than 60 billion: the query is in our grammar too",
    async () => {
      const page = await answering(read(custom), (provider) =>
        provider.screen({ filters: {}, sort_by: "market_cap", sort_order: "desc", offset: 0, size: 100 }),
      );
      expect(page).toMatchObject({ total: 1, start: 0 });
      expect(page.rows[0]).toMatchObject({
        symbol: "TSLA",
        price: 354.11,
        change_percent: -0.48617664,
        fifty_two_week_change_percent: 82.69755,
        price_time: "2025-02-18T21:00:00Z",
        kinds: [],
      });
      const sent = JSON.parse(read(`${custom}.meta.json`)).request.body;
      const ours = screenBody({
        filters: {
          sector: "Consumer Cyclical",
          industry: "Auto Manufacturers",
          market_cap_min: 60_000_000_000,
          price_min: 10,
          volume_min: 5_000_000,
        },
        sort_by: "change_percent",
        sort_order: "desc",
        offset: 0,
        size: 100,
      }) as typeof sent;
      const { query: theirs, ...rest } = sent;
      expect(ours).toMatchObject(rest);
      const reported = ({ operator, operands }: { operator: string; operands: unknown[] }) =>
        `${operator.toUpperCase().replace("GTE", "GT")} ${operands.join(" ")}`;
      expect(ours.query.operands.map(reported)).toEqual(
        expect.arrayContaining(theirs.operands.map(reported)),
      );
    },
  );

  const world = "yahoo/screener/swift_custom_marketcap_100B-1T.json";
  test.if(screens.includes(world))(
    "without a region the whole world comes, in local currencies",
    async () => {
      const page = await answering(read(world), (provider) =>
        provider.screen({ filters: {}, sort_by: "market_cap", sort_order: "desc", offset: 0, size: 25 }),
      );
      expect(page.total).toBe(5991);
      const currencies = new Set(page.rows.map(({ currency }) => currency));
      for (const currency of ["INR", "IDR", "JPY", "MXN"]) expect(currencies).toContain(currency);
    },
  );

  test("markets over the counter and depositary receipts in the lists of gainers", async () => {
    const file = screens.find((name) => name.includes("day_gainers_count5_200_20210407"));
    if (!file) return;
    const { rows } = await answering(read(file), (provider) =>
      provider.predefined("day_gainers", { start: 0, count: 5 }),
    );
    expect(Object.fromEntries(rows.map(({ symbol, kinds }) => [symbol, kinds]))).toEqual({
      EGRNF: ["otc"],
      CTRYF: ["otc"],
      AVAV: [],
      CTRYY: ["adr", "otc"],
      AYX: [],
    });
  });
});

describe.if(fields.length > 0)("Yahoo's own list of fields", () => {
  test("has every field we filter and order by", () => {
    const known = JSON.parse(read(fields[0] ?? "")).finance.result[0].fields as Record<
      string,
      { type: string; sortable: boolean; deprecated: boolean }
    >;
    for (const name of ["region", "exchange", "sector", "industry"]) expect(known[name]?.type).toBe("STRING");
    for (const name of SCREEN_FIELDS)
      expect({ name, ...known[name] }).toMatchObject({
        name,
        type: "NUMBER",
        sortable: true,
        deprecated: false,
      });
  });
});

describe.if(trends.length > 0)("every recorded list of trending symbols", () => {
  for (const file of trends)
    test(file, async () => {
      const { quotes, jobTimestamp } = JSON.parse(read(file)).finance.result[0];
      const answer = fakeAnswer(
        "https://query1.finance.yahoo.com/v1/finance/trending/US",
        { body: read(file) },
        clock,
      );
      expect(classifyYahoo(answer).kind).toBe("ok");
      const found = await answering(read(file), (provider) => provider.trending(5));
      expect(found.symbols).toEqual(quotes.map(({ symbol }: { symbol: string }) => canonicalOf(symbol)));
      const { epochMilliseconds } = Temporal.Instant.from(found.made_at ?? "1970-01-01T00:00:00Z");
      expect(epochMilliseconds).toBe(jobTimestamp);
    });
});

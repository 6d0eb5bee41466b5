// The sample's calendars: in the provider's exact words, and of one mind with prices, statements and the
// other provider.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { at as visit } from "../../test/support/sample-yahoo.ts";
import { createMarket, NAMED_LISTINGS } from "../market.ts";
import { pastReports, reportsOn } from "../reports.ts";
import { calendarEvents } from "../yahoo/calendar-events.ts";
import { createNasdaqCalendars } from "./calendars.ts";

setDefaultTimeout(1_200_000);

const BROWSER = {
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64)",
  accept: "application/json",
  referer: "https://www.nasdaq.com/",
};
const calendar = exchangeCalendar();

interface Envelope {
  data: Record<string, unknown> | null;
  message: string | null;
  status: { rCode: number; bCodeMessage: { code: number; errorMessage: string }[] | null };
}

function open(moment: string, symbols = NAMED_LISTINGS) {
  const market = createMarket({ clock: fakeClock(moment), calendar, seed: 1, years: 5, symbols });
  const upstream = createNasdaqCalendars(market);
  const ask = (url: string, headers: Record<string, string> = BROWSER) => {
    const { pathname: path, searchParams: query } = new URL(`http://x${url}`);
    return upstream.answer({ method: "GET", host: "api.nasdaq.com", path, query, headers, body: "" });
  };
  const get = (url: string): Envelope => JSON.parse(ask(url)?.body ?? "null");
  return { market, ask, get };
}
const { market, ask, get } = open("2026-09-09T21:00:00Z");

describe("in the provider's words", () => {
  test("an unknown symbol is refused with status 200", () => {
    for (const url of [
      "/api/company/NOSUCHX/earnings-surprise",
      "/api/quote/GLUMP/dividends?assetclass=stocks",
    ]) {
      expect(ask(url)?.status).toBe(200);
      expect(get(url)).toMatchObject({
        data: null,
        status: { rCode: 400, bCodeMessage: [{ code: 1001, errorMessage: "Symbol not exists." }] },
      });
    }
  });

  test("who is no browser gets no answer, and other documents are not ours", () => {
    expect(ask("/api/calendar/earnings?date=2026-09-09", { "user-agent": "curl/8" })?.status).toBe(403);
    expect(ask("/api/screener/stocks")).toBeNull();
    expect(get("/api/calendar/earnings?date=soon").status.rCode).toBe(400);
  });

  test("a share listed elsewhere has no rows, and a remark", () => {
    const page = get("/api/quote/KRONK/dividends?assetclass=stocks");
    expect(page.message).toBe("Dividend History for Non-Nasdaq symbols is not available");
    expect(page.data?.dividends).toEqual({ asOf: null, headers: null, rows: null });
    expect(get("/api/quote/ZBNDF/dividends?assetclass=stocks").data).toBeNull();
    expect(get("/api/quote/ZBNDF/dividends?assetclass=etf").data).not.toBeNull();
  });

  test("dates unpadded on calendars and padded on pages, losses in brackets, a day without rows", () => {
    const page = get("/api/quote/ZORP/dividends?assetclass=stocks").data?.dividends as {
      rows: Record<string, string>[];
    };
    expect(page.rows[0]).toEqual({
      exOrEffDate: "09/22/2026",
      type: "Cash",
      amount: "$0.157",
      declarationDate: "08/26/2026",
      recordDate: "09/22/2026",
      paymentDate: "10/13/2026",
      currency: "USD",
    });
    const day = get("/api/calendar/dividends?date=2026-09-22").data?.calendar as {
      rows: Record<string, unknown>[];
    };
    expect(day.rows.find((row) => row.symbol === "ZORP")).toMatchObject({
      dividend_Ex_Date: "9/22/2026",
      payment_Date: "10/13/2026",
      dividend_Rate: 0.157,
    });
    expect(get("/api/calendar/earnings?date=2026-09-12").data).toMatchObject({ rows: null });
    const drek = pastReports(market, market.find("DREK")?.listing as never, 1)?.[0];
    const rows = get(`/api/calendar/earnings?date=${drek?.date}`).data?.rows as Record<string, string>[];
    expect(rows.find((row) => row.symbol === "DREK")?.eps).toMatch(/^\(\$\d+\.\d\d\)$/);
  });

  test("a share class in its own spelling", () => {
    expect(get("/api/company/QUIB%2FB/earnings-surprise").data?.symbol).toBe("QUIB/B");
    expect(get("/api/company/QUIB-B/earnings-surprise").data).toBeNull();
  });
});

describe("of one mind", () => {
  test("dividends are those of the price provider's chart", () => {
    const { daily } = visit("2026-09-09T21:00:00Z");
    const chart = daily("FIZZQ", "2023-01-03", "2026-09-10").events?.dividends ?? {};
    const paid = Object.values(chart).map((event) => event.amount);
    const page = get("/api/quote/FIZZQ/dividends?assetclass=stocks").data?.dividends as {
      rows: { exOrEffDate: string; amount: string }[];
    };
    const own = page.rows
      .filter(
        ({ exOrEffDate: ex }) => ex.slice(6) >= "2023" && `${ex.slice(6)}-${ex.slice(0, 5)}` < "2026-09/10",
      )
      .map(({ amount }) => Number(amount.slice(1)));
    expect(own.toSorted()).toEqual((paid as number[]).toSorted());
    expect(own.length).toBeGreaterThan(12);
  });

  test("the next report is on the day calendar, in the window of the other provider's word", () => {
    const found = market.find("GRONQ");
    if (!found) throw new Error("no GRONQ");
    const events = calendarEvents(market, found.listing) as { earnings: { earningsDate: number[] } };
    const [from = 0, to = 0] = events.earnings.earningsDate.map((s) => s * 1000);
    const days = Array.from({ length: 6 }, (_, i) =>
      new Date(from + i * 86_400_000).toISOString().slice(0, 10),
    );
    const on = days.filter((day) => reportsOn(market, day).some(({ listing }) => listing.symbol === "GRONQ"));
    expect(on.length).toBe(1);
    expect(to - from).toBe(5 * 86_400_000);
  });

  test("what is to come has no figures, what is out has", () => {
    const past = get("/api/calendar/earnings?date=2026-07-20").data?.rows as Record<string, string>[];
    expect(past.find((row) => row.symbol === "ZORP")?.eps).toBe("$1.71");
    const next = get("/api/calendar/earnings?date=2026-10-19").data?.rows as Record<string, string>[];
    expect(next.length).toBeGreaterThan(3);
    expect(next.every((row) => row.eps === undefined)).toBe(true);
  });

  test("the same day twice is the same, and a larger market has more of it", () => {
    const again = open("2026-09-09T21:00:00Z");
    expect(again.get("/api/calendar/dividends?date=2026-09-22")).toEqual(
      get("/api/calendar/dividends?date=2026-09-22"),
    );
    const large = open("2026-09-09T21:00:00Z", NAMED_LISTINGS + 300);
    const rows = (e: Envelope) => (e.data?.rows as unknown[] | null)?.length ?? 0;
    const url = "/api/calendar/earnings?date=2026-10-20";
    expect(rows(large.get(url))).toBeGreaterThan(rows(get(url)));
  });
});

// Nasdaq's calendars of earnings and dividends, and its pages of a symbol, over the sample market.
import { fromNasdaq, toNasdaq, toYahoo } from "../../src/market/spelling.ts";
import { canonical } from "../../src/market/ticker.ts";
import { centreOn, sharesCounted } from "../actions.ts";
import type { Listing } from "../listing.ts";
import type { Market } from "../market.ts";
import { paymentsOf, yearsOf } from "../payments.ts";
import { pastReports, type Report, reportsOn } from "../reports.ts";
import { dateAt, dateOf, dayOf } from "../sessions.ts";
import type { SampleUpstream } from "../wire.ts";
import { jsonReply, type Reply, type SampleRequest, textReply } from "../wire.ts";

const HOST = "api.nasdaq.com";
const NEW_YORK = "America/New_York";
/** Nasdaq keeps the dividends of its own listings alone. */
const OWN = new Set(["NMS", "NGM", "NCM"]);
const QUARTERS = 4;

const TIMES = { bmo: "time-pre-market", amc: "time-after-hours", unknown: "time-not-supplied" } as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const ok = (data: unknown, message: string | null = null): Reply =>
  jsonReply(200, {
    data,
    message,
    status: { rCode: 200, bCodeMessage: null, developerMessage: null },
  });

/** Refusals come with status 200. */
const refused = (code: number, errorMessage: string): Reply =>
  jsonReply(200, {
    data: null,
    message: null,
    status: { rCode: 400, bCodeMessage: [{ code, errorMessage }], developerMessage: null },
  });

/** `7/01/2024`, and padded `07/01/2024`. */
const slashed = (date: string, padded = false) => {
  const [year = "", month = "", day = ""] = date.split("-");
  return `${padded ? month : Number(month)}/${day}/${year}`;
};
/** `8/26/2026`, `5/2/2026`. */
const bare = (date: string) =>
  date
    .split("-")
    .map(Number)
    .slice(1)
    .concat(Number(date.slice(0, 4)))
    .join("/");

const words = (day: number) => ({
  month: MONTHS[Number(dateOf(day).slice(5, 7)) - 1],
  year: dateOf(day).slice(0, 4),
});

const dollars = (amount: number) =>
  amount < 0 ? `($${Math.abs(amount).toFixed(2)})` : `$${amount.toFixed(2)}`;

const spelled = (listing: Listing): string | null => toNasdaq(canonical(listing.symbol));

function calendarRow(report: Report): object[] {
  const { listing, quarter, eps, estimate, lastYear } = report;
  const symbol = spelled(listing);
  if (symbol === null) return [];
  const { month, year } = words(quarter.end);
  const surprise =
    eps === null || estimate === null || estimate === 0
      ? "N/A"
      : String(Math.round(((eps - estimate) / Math.abs(estimate)) * 10_000) / 100);
  return [
    {
      lastYearRptDt: lastYear ? slashed(lastYear.date) : "N/A",
      lastYearEPS: lastYear ? dollars(lastYear.eps) : "N/A",
      time: TIMES[report.time],
      symbol,
      name: listing.name,
      marketCap: `$${Math.round(sharesCounted(listing, quarter.end) * centreOn(listing, quarter.end)).toLocaleString("en-US")}`,
      fiscalQuarterEnding: `${month}/${year}`,
      epsForecast: estimate === null ? "" : dollars(estimate),
      noOfEsts: estimate === null ? "N/A" : String(report.estimates),
      ...(eps !== null && { eps: dollars(eps), surprise }),
    },
  ];
}

const HEADERS = {
  time: "Time",
  symbol: "Symbol",
  name: "Company Name",
  marketCap: "Market Cap",
  fiscalQuarterEnding: "Fiscal Quarter Ending",
  epsForecast: "Consensus EPS* Forecast",
  noOfEsts: "# of Ests",
  lastYearRptDt: "Last Year's Report Date",
  lastYearEPS: "Last year's EPS*",
};

/** `Mon, Jul 1, 2024`. */
function longDay(date: string): string {
  const { month, year } = words(dayOf(date));
  const weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][(dayOf(date) + 4) % 7];
  return `${weekday}, ${month} ${Number(date.slice(8))}, ${year}`;
}

function earningsReply(market: Market, date: string): Reply {
  const rows = reportsOn(market, date).flatMap(calendarRow);
  const asOf = longDay(date);
  return ok({ asOf, headers: rows.length === 0 ? null : HEADERS, rows: rows.length === 0 ? null : rows });
}

function surpriseReply(market: Market, listing: Listing): Reply {
  const reports = pastReports(market, listing, QUARTERS);
  if (reports === null) return refused(1001, "Symbol not exists.");
  const rows = reports.map(({ quarter, date, eps, estimate }) => {
    const { month, year } = words(quarter.end);
    const percent =
      eps === null || !estimate
        ? "N/A"
        : String(Math.round(((eps - estimate) / Math.abs(estimate)) * 10_000) / 100);
    return {
      fiscalQtrEnd: `${month} ${year}`,
      dateReported: bare(date),
      eps,
      consensusForecast: estimate === null ? "N/A" : String(estimate),
      percentageSurprise: percent,
    };
  });
  return ok({
    symbol: spelled(listing),
    earningsSurpriseTable: { headers: {}, rows: rows.length === 0 ? null : rows },
  });
}

function dividendsReply(market: Market, listing: Listing, assetClass: string | null): Reply {
  if (assetClass !== (listing.type === "ETF" ? "etf" : "stocks")) return refused(1001, "Symbol not exists.");
  const none = { asOf: null, headers: null, rows: null };
  const summary = {
    exDividendDate: "N/A",
    dividendPaymentDate: "N/A",
    yield: "N/A",
    annualizedDividend: "N/A",
  };
  if (!OWN.has(listing.exchange))
    return ok(
      { dividendHeaderValues: [], ...summary, payoutRatio: "N/A", dividends: none },
      "Dividend History for Non-Nasdaq symbols is not available",
    );
  const payments = paymentsOf(market, listing, ...yearsOf(market, listing)).reverse();
  const [newest] = payments;
  if (!newest) return ok({ dividendHeaderValues: [], ...summary, payoutRatio: "N/A", dividends: none });
  const rows = payments.map(({ exDate, type, amount, declared, record, paid }) => ({
    exOrEffDate: slashed(exDate, true),
    type,
    amount: `$${amount}`,
    // Of old payments the first and last day are not kept.
    declarationDate: exDate < "2022" ? "N/A" : slashed(declared, true),
    recordDate: slashed(record, true),
    paymentDate: slashed(paid, true),
    currency: "USD",
  }));
  return ok({
    dividendHeaderValues: [{ label: "Ex-Dividend Date", value: slashed(newest.exDate, true) }],
    exDividendDate: slashed(newest.exDate, true),
    dividendPaymentDate: slashed(newest.paid, true),
    yield: "N/A",
    annualizedDividend: String(newest.amount * 4),
    payoutRatio: "N/A",
    dividends: { asOf: null, headers: { exOrEffDate: "Ex/EFF Date", type: "Type" }, rows },
  });
}

function dividendDayReply(market: Market, date: string): Reply {
  const year = Number(date.slice(0, 4));
  const rows = market.symbols().flatMap((symbol) => {
    const found = market.find(symbol);
    const name = found ? spelled(found.listing) : null;
    if (found?.kind !== "listed" || name === null) return [];
    return paymentsOf(market, found.listing, year, year)
      .filter(({ exDate }) => exDate === date)
      .map(({ exDate, declared, record, paid, amount }) => ({
        companyName: found.listing.name,
        symbol: name,
        dividend_Ex_Date: slashed(exDate),
        payment_Date: slashed(paid),
        record_Date: slashed(record),
        dividend_Rate: amount,
        indicated_Annual_Dividend: amount * 4,
        announcement_Date: slashed(declared),
      }));
  });
  return ok({ calendar: { asOf: longDay(date), headers: {}, rows: rows.length === 0 ? null : rows } });
}

/**
 * Recognises a browser by its headers. Nasdaq keeps other clients waiting; the sample refuses them with the
 * reason.
 */
function isBrowser({ headers }: SampleRequest): boolean {
  return (
    String(headers["user-agent"] ?? "").startsWith("Mozilla/") &&
    headers.accept !== undefined &&
    String(headers.referer ?? "").includes("nasdaq.com")
  );
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PATHS =
  /^\/api\/(?:calendar\/(earnings|dividends)|(company|quote)\/([^/]+)\/(earnings-surprise|dividends))$/;

/** The upstream for the calendars and the pages of a symbol; null for Nasdaq's other documents. */
export function createNasdaqCalendars(market: Market): SampleUpstream {
  const listed = (text: string): Listing | null => {
    const symbol = fromNasdaq(decodeURIComponent(text));
    const found = symbol === null ? null : market.find(toYahoo(symbol));
    return found?.kind === "listed" ? found.listing : null;
  };
  return {
    answer(request) {
      if (request.host !== HOST) return null;
      const [matched, day, , symbol = "", document] = PATHS.exec(request.path) ?? [];
      if (!matched) return null;
      if (!isBrowser(request))
        return textReply(
          403,
          "<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY>Access Denied</BODY></HTML>",
        );
      if (day !== undefined) {
        const date = request.query.get("date") ?? dateAt(market.now(), NEW_YORK);
        if (!DAY.test(date)) return refused(1002, "Invalid date.");
        return day === "earnings" ? earningsReply(market, date) : dividendDayReply(market, date);
      }
      const listing = listed(symbol);
      if (!listing) return refused(1001, "Symbol not exists.");
      return document === "dividends"
        ? dividendsReply(market, listing, request.query.get("assetclass"))
        : surpriseReply(market, listing);
    },
  };
}

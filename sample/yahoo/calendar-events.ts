// The price provider's calendars: a company's next report and dividend (calendarEvents), a day's reports,
// splits (visualization).
import type { Listing } from "../listing.ts";
import type { Market } from "../market.ts";
import { paymentsOf } from "../payments.ts";
import { nextReport, reportsOn } from "../reports.ts";
import { dateAt, dayOf } from "../sessions.ts";

const DAY_S = 86_400;
/** A day is no estimate any more so long before it. */
const CONFIRMED_S = 14 * DAY_S;
const NEW_YORK = "America/New_York";

/** Midnight UTC of a date, as days without a time are stamped. */
const midnight = (date: string) => dayOf(date) * DAY_S;

/** The module; null where there is none, as of funds. */
export function calendarEvents(market: Market, listing: Listing): Record<string, unknown> | null {
  if (listing.type !== "EQUITY") return null;
  const report = nextReport(market, listing);
  const year = Number(dateAt(market.now(), NEW_YORK).slice(0, 4));
  const payment = paymentsOf(market, listing, year - 1, year + 1).at(-1);
  const isNear = report !== null && report.at - market.now() <= CONFIRMED_S;
  const window = report && [report.at - 2 * DAY_S, report.at + 3 * DAY_S];
  return {
    maxAge: 1,
    earnings: {
      earningsDate: report === null ? [] : isNear ? [report.at] : window,
      earningsCallDate: [],
      ...(report !== null && { isEarningsDateEstimate: !isNear }),
      ...(report?.estimate != null && { earningsAverage: report.estimate }),
      ...(report?.revenueEstimate != null && { revenueAverage: report.revenueEstimate }),
    },
    ...(payment && { exDividendDate: midnight(payment.exDate), dividendDate: midnight(payment.paid) }),
  };
}

const COLUMNS = [
  ["ticker", "Symbol", "STRING"],
  ["companyshortname", "Company Name", "STRING"],
  ["startdatetime", "Event Start Date", "DATE"],
  ["startdatetimetype", "Event Start Time", "STRING"],
  ["epsestimate", "EPS Estimate", "NUMBER"],
  ["epsactual", "Reported EPS", "NUMBER"],
  ["epssurprisepct", "Surprise (%)", "NUMBER"],
  ["dateisestimate", "Estimate Date", "BOOLEAN"],
] as const;
const PAGE_MAX = 100;

interface Question {
  readonly entityIdType?: string;
  readonly offset?: number;
  readonly size?: number;
  readonly query?: {
    readonly operands?: readonly { readonly operator: string; readonly operands: unknown[] }[];
  };
}

/** Splits stand in the calendar so long ahead. */
const ANNOUNCED_S = 10 * DAY_S;

const SPLIT_COLUMNS = [
  ["ticker", "Symbol", "STRING"],
  ["startdatetime", "Payable On", "DATE"],
  ["old_share_worth", "Old Share Worth", "NUMBER"],
  ["share_worth", "Share Worth", "NUMBER"],
] as const;

const DAYS_MOST = 400;

function splitRows(market: Market, from: string, before: string): unknown[][] {
  if (dayOf(before) - dayOf(from) > DAYS_MOST) return [];
  const splitting = market.listings().filter(({ split }) => split !== undefined);
  const seen = splitting.flatMap((listing) =>
    market.history(listing).actions.flatMap((action) => {
      const isOut = action.kind === "split" && action.at - market.now() <= ANNOUNCED_S;
      return isOut && action.date >= from && action.date < before
        ? [[listing.symbol, `${action.date}T04:00:00.000Z`, action.denominator, action.numerator]]
        : [];
    }),
  );
  return seen.sort((a, b) => (String(a[1]) < String(b[1]) ? -1 : 1));
}

function reportRows(market: Market, date: string): unknown[][] {
  return reportsOn(market, date).map(({ listing, time, estimate, eps, at, isOut }) => [
    listing.symbol,
    listing.name,
    `${new Date(at * 1000).toISOString()}`,
    time === "unknown" ? "TNS" : time.toUpperCase(),
    estimate,
    eps,
    null,
    !isOut && at - market.now() > CONFIRMED_S,
  ]);
}

/**
 * `finance.result[0]` for a question about one day's reports or about splits; null for one of another kind.
 */
export function visualization(market: Market, body: string): object | null {
  const asked = JSON.parse(body) as Question;
  const bound = (operator: RegExp) => {
    const day = asked.query?.operands?.find((one) => operator.test(one.operator))?.operands[1];
    return typeof day === "string" ? day.slice(0, 10) : null;
  };
  const [from, before] = [bound(/^gte$/i), bound(/^lt$/i)];
  const entityIdType = (asked.entityIdType ?? "").toUpperCase();
  const isSplits = entityIdType === "SPLITS";
  if (from === null || !(isSplits ? before !== null : entityIdType === "EARNINGS")) return null;
  const { offset = 0, size = PAGE_MAX } = asked;
  const all = isSplits ? splitRows(market, from, before ?? from) : reportRows(market, from);
  const columns = (isSplits ? SPLIT_COLUMNS : COLUMNS).map(([id, label, type]) => ({ id, label, type }));
  const rows = all.slice(offset, offset + Math.min(size, PAGE_MAX));
  const sortField = isSplits ? "startdatetime" : "companyshortname";
  return {
    criteriaMeta: { size, offset, sortField, sortType: "ASC", entityIdType },
    total: all.length,
    documents: [{ entityIdType, columns, rows }],
  };
}

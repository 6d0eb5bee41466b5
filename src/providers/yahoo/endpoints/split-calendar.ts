// Yahoo's calendar of splits: which symbols of the whole world split on which days. Needs a cookie and a
// crumb.
import type { MarketAction } from "../../../market/bar-history.ts";
import { addDays, isDate } from "../../../market/date.ts";
import { fromYahoo } from "../../../market/spelling.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import type { Credentials } from "../credentials.ts";
import type { Wire } from "../wire.ts";
import {
  askCalendarPages,
  type CalendarPage,
  type CellOf,
  PAGE_ROWS,
  readCalendarPage,
} from "./visualization.ts";

/** Most pages: two months have some 1,000 splits worldwide. */
const PAGES_MAX = 100;

const FIELDS = ["ticker", "startdatetime", "old_share_worth", "share_worth"] as const;
type Field = (typeof FIELDS)[number];

const question = (start: string, end: string, offset: number): object => ({
  sortType: "ASC",
  entityIdType: "splits",
  sortField: "startdatetime",
  includeFields: FIELDS,
  query: {
    operator: "and",
    operands: [
      { operator: "gte", operands: ["startdatetime", start] },
      { operator: "lt", operands: ["startdatetime", addDays(end, 1)] },
    ],
  },
  offset,
  size: PAGE_ROWS,
});

/**
 * The day is the one Yahoo labels "Payable On", which may be some days before the ex date; the ratio is not
 * read.
 */
function readLine(row: Wire, cell: CellOf<Field>): MarketAction[] {
  const date = cell(row, "startdatetime").text().slice(0, 10);
  if (!isDate(date)) throw cell(row, "startdatetime").wrong("a day");
  const symbol = fromYahoo(cell(row, "ticker").text());
  return symbol === null ? [] : [{ symbol, kind: "split", date }];
}

/** Reads one page. Pure. */
export const readSplitCalendar = (body: Wire): CalendarPage<MarketAction> =>
  readCalendarPage("split", body, readLine);

/** Fetches the splits of the days from `start` to `end`. Throws as `askCalendarPages`. */
export async function askSplitCalendar(
  upstream: Upstream,
  credentials: Credentials,
  {
    start,
    end,
    signal,
  }: { readonly start: string; readonly end: string; readonly signal?: AbortSignal | undefined },
): Promise<readonly MarketAction[]> {
  const { rows } = await askCalendarPages(upstream, credentials, {
    what: `splits from ${start} to ${end}`,
    pagesMax: PAGES_MAX,
    signal,
    question: (offset) => question(start, end, offset),
    read: readSplitCalendar,
  });
  return rows;
}

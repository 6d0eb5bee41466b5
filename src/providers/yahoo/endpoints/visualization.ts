// Yahoo's v1 visualization: calendars of the whole market, page by page. Needs a cookie and a crumb. Here the
// earnings calendar of one day; split-calendar.ts has that of splits.

import { addDays } from "../../../market/date.ts";
import { fromYahoo } from "../../../market/spelling.ts";
import { UpstreamMisread, UpstreamRefused } from "../../../platform/errors.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import type { Credentials } from "../credentials.ts";
import type { ReportTime } from "../parse/calendar-events.ts";
import { CRUMB_HOST } from "../policy.ts";
import { readError, Wire } from "../wire.ts";
import { askWithSession } from "../with-session.ts";

/** One company on the calendar. Amounts in dollars per share. */
export interface EarningsEvent {
  /** Canonical. */
  readonly symbol: string;
  readonly name: string | null;
  readonly report_time: ReportTime;
  readonly eps_estimate: number | null;
  readonly eps_actual: number | null;
  /** True when Yahoo marks the day as confirmed, false as an estimate; null when it does not say. */
  readonly is_confirmed: boolean | null;
}

export interface EarningsEvents {
  readonly date: string;
  readonly rows: readonly EarningsEvent[];
  readonly received_at: Temporal.Instant;
}

const DOCUMENT = "visualization";
/** Rows per page; Yahoo reduces larger sizes to this. */
export const PAGE_ROWS = 100;
/** Most pages of a day; a day has had 800 companies. */
const PAGES_MAX = 15;

const FIELDS = [
  "ticker",
  "companyshortname",
  "startdatetime",
  "startdatetimetype",
  "epsestimate",
  "epsactual",
  "dateisestimate",
] as const;
type Field = (typeof FIELDS)[number];

const TIMES: Readonly<Record<string, ReportTime>> = { BMO: "bmo", AMC: "amc" };

function question(date: string, offset: number): object {
  return {
    sortType: "ASC",
    entityIdType: "earnings",
    sortField: "companyshortname",
    includeFields: FIELDS,
    query: {
      operator: "and",
      operands: [
        { operator: "gte", operands: ["startdatetime", date] },
        { operator: "lt", operands: ["startdatetime", addDays(date, 1)] },
        { operator: "eq", operands: ["region", "us"] },
      ],
    },
    offset,
    size: PAGE_ROWS,
  };
}

/** The cell of a row under a column. */
export type CellOf<Field extends string> = (row: Wire, field: Field) => Wire;

/** Finds a row's cell by the column's name, since Yahoo chooses the order of the columns. */
function cellsOf<Field extends string>(document: Wire): CellOf<Field> {
  const places = new Map(
    document
      .at("columns")
      .items()
      .map((column, i) => [column.at("id").text(), i]),
  );
  for (const field of ["ticker", "startdatetime"])
    if (!places.has(field)) throw document.at("columns").wrong(`with a column ${field}`);
  return (row, field) => {
    return row.items()[places.get(field) ?? -1] ?? new Wire(row.document, `${row.path}.${field}`, null);
  };
}

/** One page of a calendar. `listed` counts its lines, `total` those of all pages. */
export interface CalendarPage<Row> {
  readonly rows: readonly Row[];
  readonly listed: number;
  readonly total: number;
}

/** Reads one page of a calendar with `readLine`. Pure. Throws UpstreamRefused where Yahoo refuses `what`. */
export function readCalendarPage<Row, Field extends string>(
  what: string,
  body: Wire,
  readLine: (row: Wire, cell: CellOf<Field>) => readonly Row[],
): CalendarPage<Row> {
  const error = readError(body);
  if (error)
    throw new UpstreamRefused("yahoo", `Yahoo refused the ${what} calendar: ${error.description}`, {
      hint: error.description,
    });
  const result = body.at("finance").at("result").first();
  const total = result.at("total").number();
  const document = result.at("documents").first();
  if (document.isMissing) return { rows: [], listed: 0, total };
  const lines = document.at("rows").items();
  const cell = cellsOf<Field>(document);
  return { rows: lines.flatMap((row) => readLine(row, cell)), listed: lines.length, total };
}

/** A calendar to read. */
export interface CalendarRequest<Row> {
  /** The rows and their days, for errors: "reports of 2026-01-05". */
  readonly what: string;
  readonly pagesMax: number;
  readonly signal?: AbortSignal | undefined;
  /** The question for the page that begins at `offset`. */
  question(offset: number): object;
  read(body: Wire): CalendarPage<Row>;
}

/** Fetches all pages of a calendar. Throws as `askWithSession`, and UpstreamMisread when it is incomplete. */
export async function askCalendarPages<Row>(
  upstream: Upstream,
  credentials: Credentials,
  { what, pagesMax, signal, question, read }: CalendarRequest<Row>,
): Promise<{ readonly rows: readonly Row[]; readonly received_at: Temporal.Instant }> {
  const rows: Row[] = [];
  const url = `https://${CRUMB_HOST}/v1/finance/visualization?lang=en-US&region=US`;
  for (let page = 1, end = 0; ; page++) {
    const offset = end;
    const request = { document: DOCUMENT, url, signal, body: question(offset) };
    const answered = await askWithSession(upstream, credentials, request, ({ body, answer }) => {
      const found = read(body);
      refuseIncomplete(what, { ...found, offset, page, pagesMax });
      return { ...found, received_at: answer.receivedAt };
    });
    rows.push(...answered.rows);
    end = offset + answered.listed;
    if (end >= answered.total) return { rows, received_at: answered.received_at };
  }
}

/** Throws UpstreamMisread when no later page can bring what is missing. */
function refuseIncomplete(
  what: string,
  at: { offset: number; page: number; pagesMax: number; listed: number; total: number },
): void {
  const end = at.offset + at.listed;
  if (end >= at.total) return;
  if (at.listed === 0) throw new UpstreamMisread("yahoo", `yahoo sent ${end} of ${at.total} ${what}`);
  if (at.page === at.pagesMax)
    throw new UpstreamMisread("yahoo", `yahoo has more than ${at.pagesMax * PAGE_ROWS} ${what}`);
}

/**
 * Reads a row. Rows belong to the New York day that was requested. Their stamps have been UTC, or New York
 * time marked with Z (2021-11-01T16:05Z for a report after the close), so they are only checked for being
 * near that day, and no time of day is taken from them.
 */
function readRow(date: string, row: Wire, cell: CellOf<Field>): EarningsEvent[] {
  const stamp = cell(row, "startdatetime").text().slice(0, 10);
  if (stamp < addDays(date, -1) || stamp > addDays(date, 1))
    throw new UpstreamMisread("yahoo", `yahoo answered with reports of ${stamp} for ${date}`);
  const symbol = fromYahoo(cell(row, "ticker").text());
  if (symbol === null) return [];
  const estimated = cell(row, "dateisestimate").value;
  return [
    {
      symbol,
      name: cell(row, "companyshortname").textOrNull(),
      report_time: TIMES[cell(row, "startdatetimetype").textOrNull() ?? ""] ?? "unknown",
      eps_estimate: cell(row, "epsestimate").numberOrNull(),
      eps_actual: cell(row, "epsactual").numberOrNull(),
      is_confirmed: typeof estimated === "boolean" ? !estimated : null,
    },
  ];
}

/** Reads one page of a day's reports. Pure. */
export const readEarningsEvents = (date: string, body: Wire): CalendarPage<EarningsEvent> =>
  readCalendarPage<EarningsEvent, Field>("earnings", body, (row, cell) => readRow(date, row, cell));

/** Fetches all companies that report on a New York day. Throws as `askCalendarPages`. */
export async function askEarningsEvents(
  upstream: Upstream,
  credentials: Credentials,
  date: string,
  signal?: AbortSignal,
): Promise<EarningsEvents> {
  const { rows, received_at } = await askCalendarPages(upstream, credentials, {
    what: `reports of ${date}`,
    pagesMax: PAGES_MAX,
    signal,
    question: (offset) => question(date, offset),
    read: (body) => readEarningsEvents(date, body),
  });
  const bySymbol = new Map(rows.map((row) => [row.symbol, row]));
  return { date, rows: [...bySymbol.values()], received_at };
}

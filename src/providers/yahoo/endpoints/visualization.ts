// Yahoo's v1 visualization: the earnings calendar of one day for the whole market. Needs a cookie and a crumb.

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
const PAGE_ROWS = 100;
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

/** Finds a row's cell by the column's name, since Yahoo chooses the order of the columns. */
function cellsOf(document: Wire): (row: Wire, field: Field) => Wire {
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

/**
 * Reads a row. Rows belong to the New York day that was requested. Their stamps have been UTC, or New York time marked
 * with Z (2021-11-01T16:05Z for a report after the close), so they are only checked for being near that day, and no time
 * of day is taken from them.
 */
function readRow(date: string, row: Wire, cell: ReturnType<typeof cellsOf>): EarningsEvent[] {
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

/** Reads one page. Pure. `listed` counts its lines, `total` those of the whole day. */
export function readEarningsEvents(
  date: string,
  body: Wire,
): { readonly rows: readonly EarningsEvent[]; readonly listed: number; readonly total: number } {
  const error = readError(body);
  if (error)
    throw new UpstreamRefused("yahoo", `Yahoo refused the earnings calendar: ${error.description}`, {
      hint: error.description,
    });
  const result = body.at("finance").at("result").first();
  const total = result.at("total").number();
  const document = result.at("documents").first();
  if (document.isMissing) return { rows: [], listed: 0, total };
  const lines = document.at("rows").items();
  const cell = cellsOf(document);
  return { rows: lines.flatMap((row) => readRow(date, row, cell)), listed: lines.length, total };
}

/** Fetches all companies that report on a New York day. Throws as `askWithSession`, and UpstreamFailed when it is incomplete. */
export async function askEarningsEvents(
  upstream: Upstream,
  credentials: Credentials,
  date: string,
  signal?: AbortSignal,
): Promise<EarningsEvents> {
  const rows = new Map<string, EarningsEvent>();
  const url = `https://${CRUMB_HOST}/v1/finance/visualization?lang=en-US&region=US`;
  for (let page = 1, end = 0; ; page++) {
    const offset = end;
    const request = { document: DOCUMENT, url, signal, body: question(date, offset) };
    const read = await askWithSession(upstream, credentials, request, ({ body, answer }) => {
      const events = readEarningsEvents(date, body);
      refuseIncomplete(date, { ...events, offset, page });
      return { ...events, received_at: answer.receivedAt };
    });
    for (const row of read.rows) rows.set(row.symbol, row);
    end = offset + read.listed;
    if (end >= read.total) return { date, rows: [...rows.values()], received_at: read.received_at };
  }
}

/** Throws UpstreamMisread when no later page can bring what is missing of the day. */
function refuseIncomplete(
  date: string,
  { offset, page, listed, total }: { offset: number; page: number; listed: number; total: number },
): void {
  const end = offset + listed;
  if (end >= total) return;
  if (listed === 0) throw new UpstreamMisread("yahoo", `yahoo sent ${end} of ${total} reports of ${date}`);
  if (page === PAGES_MAX)
    throw new UpstreamMisread("yahoo", `yahoo has more than ${PAGES_MAX * PAGE_ROWS} reports on ${date}`);
}

// The page of one ticker as of one day: prices, short volume, filings, insiders, earnings and statements.
import { fetchJson, type List, pathOf, RequestFailed } from "./api.ts";
import { type Moment, momentOf, monthsBefore, newYorkDay } from "./as-of.ts";
import { type Bar, drawChart, type Mark, type Ratio } from "./chart.ts";
import { byId, element, fill, table } from "./elements.ts";
import { count, figure, minute } from "./format.ts";
import { type Statements, statementParts } from "./statements.ts";

interface Trade {
  readonly accession_number: string;
  readonly accepted_at: string | null;
  readonly filing_date: string;
  readonly transaction_date: string | null;
  readonly owner_name: string;
  readonly officer_title: string | null;
  readonly transaction_type: string;
  readonly transaction_code: string | null;
  readonly shares: number | null;
  readonly price_per_share: number | null;
  readonly filing_url: string | null;
}
interface FiledEvent {
  readonly item_number: string;
  readonly event_title: string;
  readonly filing_date: string;
  readonly accepted_at: string | null;
  readonly filing_url: string | null;
}
interface Surprise {
  readonly report_date: string | null;
  readonly fiscal_period: string | null;
  readonly result: string | null;
}
interface Company {
  readonly name: string | null;
  readonly cik: string | null;
}

/** The last segment of the path, decoded where that is possible. */
function tickerOf(path: string): string {
  const last = path.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

const ticker = tickerOf(location.pathname);
const at = encodeURIComponent(ticker);
const { timestamp } = await fetchJson<{ timestamp: string }>("/health");
const { months, ...moment } = momentOf(location.search, newYorkDay(timestamp));
const notes = new Set<string>();

/** Returns `fallback` when a request fails, and lists the error below the chart. */
async function orFallback<T>(section: string, fallback: T, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    notes.add(`${section}: ${error.message}`);
    return fallback;
  }
}

const pathsOf = ({ asOf, start, end }: Moment) => ({
  prices: pathOf(`/price/data/${at}`, { start_date: start, end_date: end, as_of: asOf }),
  pricesNow: pathOf(`/price/data/${at}`, { start_date: start, end_date: end }),
  short: pathOf(`/shortvolume/${at}`, { start_date: start, end_date: end, limit: 2_000, as_of: asOf }),
  insiders: pathOf(`/insider/form4/${at}`, {
    as_of: end,
    window_days: Math.min(1_825, months * 31),
    limit: 500,
  }),
  events: pathOf(`/filings/events/${at}`, {
    start_date: start,
    end_date: end,
    include_content: false,
    limit: 200,
    as_of: asOf,
  }),
  earnings: pathOf(`/earnings/surprise/${at}`, { limit: 20, as_of: asOf }),
  statements: pathOf(`/financial/data/${at}`, {
    start_date: monthsBefore(start, 24),
    end_date: end,
    as_of: asOf,
    include_sources: true,
    include_metrics: false,
  }),
});
const paths = pathsOf(moment);

interface Shown {
  readonly data: readonly Bar[];
  /** The path of the request. */
  readonly path: string;
  /** The as-of date of the bars; null for now. */
  readonly asOf: string | null;
}

/** Bars as known on the as-of date; where the service had none by then, bars as known now, with a note. */
async function bars(): Promise<Shown> {
  const none = { data: [] as readonly Bar[] };
  const { asOf } = moment;
  const { data } = await orFallback("Prices", none, fetchJson<{ data: readonly Bar[] }>(paths.prices));
  const then = { data, path: paths.prices, asOf };
  if (data.length > 0 || asOf === null) return then;
  const later = await orFallback("Prices", none, fetchJson<{ data: readonly Bar[] }>(paths.pricesNow));
  if (later.data.length === 0) return then;
  notes.add(
    `The service had not collected these prices by ${asOf}. They are shown as known today, up to that day.`,
  );
  return { data: later.data, path: paths.pricesNow, asOf: null };
}

const until = (date: string | null) => date !== null && date <= moment.end;

function marksOf(
  trades: readonly Trade[],
  events: readonly FiledEvent[],
  surprises: readonly Surprise[],
): Mark[] {
  return [
    // On the filing date, not on that of the trade, because the trade became public with its filing.
    ...trades.flatMap(({ transaction_type: type, filing_date: date, owner_name }) =>
      type === "buy" || type === "sell"
        ? [{ date, kind: type, text: owner_name.split(" ")[0] ?? "" } as const]
        : [],
    ),
    ...events.map(({ filing_date: date, item_number: text }) => ({ date, kind: "event", text }) as const),
    ...surprises.flatMap(({ report_date: date, fiscal_period, result }) =>
      date !== null && until(date)
        ? [{ date, kind: "earnings", text: `${fiscal_period ?? ""} ${result ?? ""}`.trim() } as const]
        : [],
    ),
  ];
}

const sqlDay = (day: string | null) => (day === null ? "NULL" : `'${day}'`);

function links(symbol: string, { path: shown, asOf }: Shown): HTMLElement[] {
  const { start, end } = moment;
  const sql = `FROM bars(${sqlDay(asOf)}) WHERE symbol = '${symbol.replaceAll("'", "''")}' AND date BETWEEN '${start}' AND '${end}' ORDER BY date;`;
  const json = Object.entries({
    prices: shown,
    "short volume": paths.short,
    insiders: paths.insiders,
    events: paths.events,
    earnings: paths.earnings,
    statements: paths.statements,
  });
  return [
    element(
      "p",
      {},
      "JSON: ",
      ...json.flatMap(([name, path], i) => [
        i > 0 ? " · " : "",
        element("a", { href: `/api/v1${path}` }, name),
      ]),
    ),
    element(
      "p",
      {},
      "The same prices in the lake: ",
      element("code", {}, `duckdb -readonly data/catalog.duckdb "${sql}"`),
    ),
  ];
}

const filed = (url: string | null, text: string) =>
  url === null ? text : element("a", { href: url, rel: "noreferrer", target: "_blank" }, text);

async function show(): Promise<void> {
  document.title = `${ticker} · Asof`;
  const company = await orFallback<Company>(
    "Company",
    { name: null, cik: null },
    fetchJson<Company>(`/company/${at}`),
  );
  byId("name").textContent = company.name === null ? ticker : `${ticker} · ${company.name}`;
  const none = { data: [] as never[] };
  const [prices, short, trades, events, surprises] = await Promise.all([
    bars(),
    orFallback("Short volume", none, fetchJson<{ data: readonly Ratio[] }>(paths.short)),
    orFallback("Insiders", none, fetchJson<{ data: readonly Trade[] }>(paths.insiders)),
    orFallback(
      "Events",
      none,
      fetchJson<List<FiledEvent>>(paths.events).then(({ data }) => ({ data })),
    ),
    orFallback("Earnings", none, fetchJson<{ data: readonly Surprise[] }>(paths.earnings)),
  ]);
  const marks = marksOf(trades.data, events.data, surprises.data);
  if (prices.data.length > 0) drawChart(byId("chart"), prices.data, short.data, marks);
  else byId("chart").replaceChildren(element("p", { class: "quiet" }, "No prices in this span."));
  byId("chart").dataset.bars = String(prices.data.length);
  byId("chart").dataset.marks = String(marks.length);
  await fill("insiders", async () => [
    table(
      ["known from", "owner", "transaction", ">shares", ">price"],
      trades.data
        .slice(0, 60)
        .map((t) => [
          filed(t.filing_url, t.accepted_at === null ? t.filing_date : minute(t.accepted_at)),
          t.officer_title ? `${t.owner_name}, ${t.officer_title}` : t.owner_name,
          `${t.transaction_type} (${t.transaction_code ?? "–"})`,
          t.shares === null ? "–" : count(t.shares),
          figure(t.price_per_share),
        ]),
      "No insider trades in this span.",
    ),
  ]);
  await fill("events", async () => [
    table(
      ["known from", "item", "event"],
      events.data
        .slice(0, 60)
        .map((e) => [
          filed(e.filing_url, e.accepted_at === null ? e.filing_date : minute(e.accepted_at)),
          e.item_number,
          e.event_title,
        ]),
      "No current reports in this span.",
    ),
  ]);
  await fill("statements", async () =>
    statementParts(await fetchJson<Statements>(paths.statements), company.cik),
  );
  byId("notes").replaceChildren(...[...notes].map((note) => element("li", {}, note)));
  byId("chart-links").replaceChildren(...links(ticker.toUpperCase(), prices));
  document.body.dataset.ready = "true";
}

function go(asOf: string | null, span: number): void {
  location.href = pathOf(location.pathname, { as_of: asOf, months: span });
}
const day = byId<HTMLInputElement>("as-of");
const span = byId<HTMLSelectElement>("span");
day.value = moment.asOf ?? "";
span.value = String(months);
day.addEventListener("change", () => go(day.value || null, Number(span.value)));
span.addEventListener("change", () => go(day.value || null, Number(span.value)));
byId("now").addEventListener("click", () => go(null, Number(span.value)));
void show();

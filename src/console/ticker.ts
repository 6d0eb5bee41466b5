// The page of one ticker as of one day: prices, short volume, filings, insiders, earnings and statements.
import { effect } from "@preact/signals";
import { fetchJson, type List, pathOf } from "./api.ts";
import { type Moment, momentOf, monthsBefore } from "./as-of.ts";
import { type Bar, drawChart, type Mark, type Ratio } from "./chart.ts";
import { showCompanyTabs } from "./company-tabs.tsx";
import { returns } from "./connection.ts";
import { byId, element, table } from "./elements.ts";
import { firstSession, type SessionEnd } from "./first-session.ts";
import { count, figure, minute } from "./format.ts";
import { withParameter } from "./links.ts";
import { fill } from "./panel.ts";
import { serviceDay } from "./service-day.ts";
import { type Statements, statementParts } from "./statements.ts";
import { failureLine, stateLine } from "./states.ts";
import { tickerAt } from "./ticker-path.ts";
import { showTop } from "./top.tsx";

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

/** Rows a table shows at most. */
const ROWS_MAX = 60;

const ticker = tickerAt(location.pathname);
const at = encodeURIComponent(ticker);
showTop();
showCompanyTabs(ticker, "");
const today = await serviceDay;
const { months, ...moment } = momentOf(location.search, today);

interface Rows<T> {
  readonly data: readonly T[];
}
/** Rows of a part of the chart; where the request failed, none, with a note below the chart. */
async function partOf<T>(name: string, work: Promise<Rows<T>>): Promise<readonly T[]> {
  try {
    return (await work).data;
  } catch (error) {
    byId("notes").append(element("li", { "data-part": name }, `${name}: `, failureLine(error)));
    return [];
  }
}

const pathsOf = ({ asOf, start, end }: Moment) => ({
  prices: pathOf(`/price/data/${at}`, { start_date: start, end_date: end, as_of: asOf }),
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
  sessions: pathOf("/stocks/sessions", { start_date: start, end_date: end, as_of: asOf }),
  statements: pathOf(`/financial/data/${at}`, {
    start_date: monthsBefore(start, 24),
    end_date: end,
    as_of: asOf,
    include_sources: true,
    include_metrics: false,
  }),
});
const paths = pathsOf(moment);

const until = (date: string | null) => date !== null && date <= moment.end;

function marksOf(
  trades: readonly Trade[],
  events: readonly FiledEvent[],
  surprises: readonly Surprise[],
  sessions: readonly SessionEnd[],
): Mark[] {
  return [
    // By the filing, not by the day of the trade, because the trade became public with its filing.
    ...trades.flatMap((trade) => {
      const { transaction_type: kind, owner_name } = trade;
      if (kind !== "buy" && kind !== "sell") return [];
      return [{ date: firstSession(trade, sessions), kind, text: owner_name.split(" ")[0] ?? "" } as const];
    }),
    ...events.map(
      (event) => ({ date: firstSession(event, sessions), kind: "event", text: event.item_number }) as const,
    ),
    ...surprises.flatMap(({ report_date: date, fiscal_period, result }) =>
      date !== null && until(date)
        ? [{ date, kind: "earnings", text: `${fiscal_period ?? ""} ${result ?? ""}`.trim() } as const]
        : [],
    ),
  ];
}

const sqlDay = (day: string | null) => (day === null ? "NULL" : `'${day}'`);

function links(symbol: string): HTMLElement[] {
  const { start, end, asOf } = moment;
  const sql = `FROM bars(${sqlDay(asOf)}) WHERE symbol = '${symbol.replaceAll("'", "''")}' AND date BETWEEN '${start}' AND '${end}' ORDER BY date;`;
  const json = Object.entries({
    prices: paths.prices,
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

/** The shown company: as known on the as-of date, which only the statements have, else as of now. */
const company = (statements: Promise<Statements>): Promise<Company> =>
  moment.asOf === null ? fetchJson<Company>(`/company/${at}`) : statements.then((found) => found.company);

async function showChart(parts: {
  readonly short: Promise<Rows<Ratio>>;
  readonly trades: Promise<Rows<Trade>>;
  readonly events: Promise<Rows<FiledEvent>>;
  readonly surprises: Promise<Rows<Surprise>>;
  readonly sessions: Promise<Rows<SessionEnd>>;
}): Promise<void> {
  const box = byId("chart");
  if (box.childElementCount === 0) box.replaceChildren(stateLine("loading"));
  // Listened to before the prices are there: each part reports its own failure, also where there are no prices.
  const others = Promise.all([
    partOf("Short volume", parts.short),
    partOf("Insiders", parts.trades),
    partOf("Events", parts.events),
    partOf("Earnings", parts.surprises),
    partOf("Sessions", parts.sessions),
  ]);
  const { data } = await fetchJson<Rows<Bar>>(paths.prices).catch((error: unknown) => {
    box.replaceChildren(failureLine(error));
    return { data: null };
  });
  if (data !== null && data.length > 0) drawChart(box, data, [], []);
  const [short, trades, events, surprises, sessions] = await others;
  if (data === null) return;
  const marks = marksOf(trades, events, surprises, sessions);
  if (data.length > 0) drawChart(box, data, short, marks);
  else box.replaceChildren(stateLine("empty", "No prices were known in this span."));
  box.dataset.bars = String(data.length);
  box.dataset.marks = String(marks.length);
}

const tradeRows = (trades: readonly Trade[]) =>
  table(
    ["known from", "owner", "transaction", ">shares", ">price"],
    trades
      .slice(0, ROWS_MAX)
      .map((t) => [
        filed(t.filing_url, t.accepted_at === null ? t.filing_date : minute(t.accepted_at)),
        t.officer_title ? `${t.owner_name}, ${t.officer_title}` : t.owner_name,
        `${t.transaction_type} (${t.transaction_code ?? "–"})`,
        t.shares === null ? "–" : count(t.shares),
        figure(t.price_per_share),
      ]),
  );

const eventRows = (events: readonly FiledEvent[]) =>
  table(
    ["known from", "item", "event"],
    events
      .slice(0, ROWS_MAX)
      .map((e) => [
        filed(e.filing_url, e.accepted_at === null ? e.filing_date : minute(e.accepted_at)),
        e.item_number,
        e.event_title,
      ]),
  );

const rowsOrNone = <T>({ data }: Rows<T>, shown: (rows: readonly T[]) => HTMLElement) =>
  data.length === 0 ? [] : [shown(data)];

/** Asks for every part at once; each panel is filled when its own part is there. */
async function show(): Promise<void> {
  document.title = `${ticker} · Asof`;
  byId("notes").replaceChildren();
  byId("chart-links").replaceChildren(...links(ticker.toUpperCase()));
  const trades = fetchJson<Rows<Trade>>(paths.insiders);
  const events = fetchJson<List<FiledEvent>>(paths.events);
  const short = fetchJson<Rows<Ratio>>(paths.short);
  const surprises = fetchJson<Rows<Surprise>>(paths.earnings);
  const sessions = fetchJson<Rows<SessionEnd>>(paths.sessions);
  const statements = fetchJson<Statements>(paths.statements);
  const named = company(statements);
  await Promise.all([
    named.then(
      ({ name }) => {
        byId("name").textContent = name === null ? ticker : `${ticker} · ${name}`;
      },
      (error: unknown) => {
        byId("name").textContent = ticker;
        byId("notes").append(element("li", { "data-part": "Company" }, "Company: ", failureLine(error)));
      },
    ),
    showChart({ short, trades, events, surprises, sessions }),
    fill("insiders", async () => rowsOrNone(await trades, tradeRows), "No insider trades in this span."),
    fill("events", async () => rowsOrNone(await events, eventRows), "No current reports in this span."),
    fill(
      "statements",
      async () => {
        const found = await statements;
        return statementParts(found, { ticker, cik: found.company.cik, asOf: moment.asOf });
      },
      "No periods in this span.",
    ),
  ]);
  document.body.dataset.ready = "true";
}

const span = byId<HTMLSelectElement>("span");
span.value = String(months);
span.addEventListener("change", () => {
  location.href = withParameter("months", span.value);
});
// Runs at once, and again whenever the server is back.
effect(() => {
  returns.value;
  void show();
});

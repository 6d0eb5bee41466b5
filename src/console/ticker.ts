// The page of one ticker as of one day: prices, short volume, filings, insiders, earnings and statements.
import { effect } from "@preact/signals";
import { fetchJson, pathOf } from "./api.ts";
import { type Moment, momentOf, monthsBefore } from "./as-of.ts";
import { filingLink } from "./cells.tsx";
import type { Ratio } from "./chart.ts";
import { type Company, companyFacts, type Stored, storedTable } from "./company-facts.ts";
import { showCompanyTabs } from "./company-tabs.tsx";
import { comparedSymbols } from "./comparison.ts";
import { returns } from "./connection.ts";
import { showCsvButton } from "./csv-button.tsx";
import { byId, element, listTable } from "./elements.ts";
import type { SessionEnd } from "./first-session.ts";
import { count, figure, knownFrom } from "./format.ts";
import { clockOf, linkTo, withParameter } from "./links.ts";
import { fill } from "./panel.ts";
import {
  adjustmentOf,
  comparisonPath,
  type FiledEvent,
  type Rows,
  type Surprise,
  showComparison,
  showPrices,
  type Trade,
} from "./price-panel.ts";
import { serviceDay } from "./service-day.ts";
import { type Statements, statementParts } from "./statements.ts";
import { failureLine, stateLine, stateOfEmpty } from "./states.ts";
import { isTicker, NO_TICKER, tickerAt } from "./ticker-path.ts";
import { showTop } from "./top.tsx";
import { isUnknownTicker, showUnknownTicker } from "./unknown-ticker.tsx";

/** Rows a table shows at most. */
const ROWS_MAX = 60;

const ticker = tickerAt(location.pathname);
const at = encodeURIComponent(ticker);
showTop();
showCompanyTabs(ticker, "");
const today = await serviceDay;
const { months, ...moment } = momentOf(location.search, today);
const asked = new URLSearchParams(location.search);
const adjustment = adjustmentOf(asked.get("adjustment"));
const compared = comparedSymbols(asked.get("compare"), ticker);
/** The version that every panel is read from; a route that cannot answer from one says so in its panel. */
const { data_version } = clockOf();

/** Facts and coverage are known of now alone. */
const isOfNow = moment.asOf === null && data_version === null;

const PERIODS = ["all", "annual", "quarterly", "ttm"] as const;
const periods = PERIODS.find((each) => each === asked.get("periods")) ?? "all";

/** Whether share counts and figures per share are on the split basis of prices; as reported otherwise. */
const isAdjusted = asked.get("shares") === "adjusted";

const pathsOf = ({ asOf, start, end }: Moment) => ({
  prices: pathOf(`/price/data/${at}`, {
    start_date: start,
    end_date: end,
    as_of: asOf,
    data_version,
    adjustment: adjustment === "split" ? null : adjustment,
  }),
  short: pathOf(`/shortvolume/${at}`, {
    start_date: start,
    end_date: end,
    limit: 2_000,
    as_of: asOf,
    data_version,
  }),
  insiders: pathOf(`/insider/form4/${at}`, {
    as_of: asOf ?? end,
    data_version,
    window_days: Math.min(1_825, months * 31),
    limit: 500,
  }),
  events: pathOf(`/filings/events/${at}`, {
    start_date: start,
    end_date: end,
    include_content: false,
    limit: 200,
    as_of: asOf,
    data_version,
  }),
  earnings: pathOf(`/earnings/surprise/${at}`, { limit: 20, as_of: asOf, data_version }),
  // When sessions end does not depend on a version.
  sessions: pathOf("/stocks/sessions", { start_date: start, end_date: end, as_of: asOf }),
  statements: pathOf(`/financial/data/${at}`, {
    start_date: monthsBefore(start, 24),
    end_date: end,
    as_of: asOf,
    data_version,
    include_sources: true,
    include_metrics: false,
    period_type: periods === "all" ? null : periods,
    adjusted: isAdjusted ? true : null,
  }),
});
const paths = pathsOf(moment);
const VINTAGES = ["latest", "first", "both"] as const;
const vintage = VINTAGES.find((each) => each === asked.get("vintage")) ?? "latest";
/** The address of the statements of one vintage; those of the latest need no parameter. */
const statementsPath = (which: "latest" | "first"): string =>
  which === "first" ? `${paths.statements}&vintage=first` : paths.statements;
const statementsOf = (which: "latest" | "first") => fetchJson<Statements>(statementsPath(which));
const symbols = [ticker.toUpperCase(), ...compared];

const sqlDay = (day: string | null) => (day === null ? "NULL" : `'${day}'`);

function links(symbol: string): HTMLElement[] {
  const { start, end, asOf } = moment;
  const sql = `FROM bars(${sqlDay(asOf)}) WHERE symbol = '${symbol.replaceAll("'", "''")}' AND date BETWEEN '${start}' AND '${end}' ORDER BY date`;
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
      "The same prices in ",
      element("a", { href: linkTo("/sql", { query: sql }) }, "SQL"),
      ": ",
      element("code", {}, sql),
    ),
  ];
}

/** When a filing became known; leads to its page. */
const filed = (filing: Trade | FiledEvent) =>
  element("a", { href: filingLink(filing.accession_number, ticker) }, knownFrom(filing));

/** The shown company: as known at the page's clock, which only the statements have, else as of now. */
const company = (statements: Promise<Statements>): Promise<Company> =>
  isOfNow ? fetchJson<Company>(`/company/${at}`) : statements.then((found) => found.company);

const tradeRows = (trades: readonly Trade[]) =>
  listTable(
    ["known from", "owner", "transaction", ">shares", ">price"],
    trades
      .slice(0, ROWS_MAX)
      .map((t) => [
        filed(t),
        t.officer_title ? `${t.owner_name}, ${t.officer_title}` : t.owner_name,
        `${t.transaction_type} (${t.transaction_code ?? "–"})`,
        t.shares === null ? "–" : count(t.shares),
        figure(t.price_per_share),
      ]),
  );

const eventRows = (events: readonly FiledEvent[]) =>
  listTable(
    ["known from", "item", "event"],
    events.slice(0, ROWS_MAX).map((e) => [filed(e), e.item_number, e.event_title]),
  );

/** The rows of a list, or a line that says what kind of absence it is. */
const rowsOrNone = <T>(
  { data, warnings = [] }: Rows<T>,
  shown: (rows: readonly T[]) => HTMLElement,
  empty: string,
) => (data.length === 0 ? [stateLine(stateOfEmpty(warnings), empty)] : [shown(data)]);

/** Fetches the data that only the chart of one symbol shows. */
const chartParts = () => ({
  short: fetchJson<Rows<Ratio>>(paths.short),
  surprises: fetchJson<Rows<Surprise>>(paths.earnings),
  sessions: fetchJson<Rows<SessionEnd>>(paths.sessions),
});

/** Shows one line in place of panels that would all say the same. */
function showUnknown(): void {
  for (const id of ["facts", "panels", "tabs"]) byId(id).hidden = true;
  byId("unknown").hidden = false;
  showUnknownTicker(ticker, byId("unknown"));
}

/** Asks for every part at once; each panel is filled when its own part is there. */
async function show(): Promise<void> {
  document.title = `${ticker} · Asof`;
  if (!isTicker(ticker)) {
    byId("name").textContent = ticker;
    byId("panels").replaceChildren(stateLine("refused", NO_TICKER));
    document.body.dataset.ready = "true";
    return;
  }
  byId("notes").replaceChildren();
  for (const id of ["facts", "panels", "tabs"]) byId(id).hidden = false;
  byId("unknown").hidden = true;
  byId("chart-links").replaceChildren(...links(ticker.toUpperCase()));
  const trades = fetchJson<Rows<Trade>>(paths.insiders);
  const events = fetchJson<Rows<FiledEvent>>(paths.events);
  const shownVintage = vintage === "first" ? "first" : "latest";
  const statements = statementsOf(shownVintage);
  showCsvButton(byId("statements-file"), statementsPath(shownVintage), "Statements");
  const named = company(statements);
  await Promise.all([
    named.then(
      (found) => {
        byId("name").textContent = found.name === null ? ticker : `${ticker} · ${found.name}`;
        byId("facts").textContent = companyFacts(found);
      },
      async (error: unknown) => {
        byId("name").textContent = ticker;
        if (await isUnknownTicker(ticker, moment.end)) showUnknown();
        byId("notes").append(element("li", { "data-part": "Company" }, "Company: ", failureLine(error)));
      },
    ),
    compared.length === 0
      ? showPrices(paths.prices, { trades, events, ...chartParts() }, moment.end)
      : showComparison(comparisonPath(symbols, moment, { data_version, adjustment }), symbols),
    fill("stored", async () =>
      isOfNow
        ? storedTable((await fetchJson<Rows<Stored>>(`/database/coverage/${at}`)).data)
        : [stateLine("empty", "What is stored is known of now alone: choose Now to see it.")],
    ),
    fill("insiders", async () => rowsOrNone(await trades, tradeRows, "No insider trades in this span.")),
    fill("events", async () => rowsOrNone(await events, eventRows, "No current reports in this span.")),
    fill(
      "statements",
      async () => {
        const first = vintage === "both" ? await statementsOf("first") : null;
        const found = await statements;
        return statementParts(found, { ticker, cik: found.company.cik, asOf: moment.asOf }, first);
      },
      "No periods in this span.",
    ),
  ]);
  document.body.dataset.ready = "true";
}

/** Shows a parameter of the address in a field; another choice is another address. */
function chosenBy(id: string, name: string, value: string): void {
  const field = byId<HTMLSelectElement>(id);
  field.value = value;
  field.addEventListener("change", () => {
    location.href = withParameter(name, field.value);
  });
}
chosenBy("span", "months", String(months));
chosenBy("adjustment", "adjustment", adjustment);
chosenBy("vintage", "vintage", vintage);
chosenBy("periods", "periods", periods);
chosenBy("shares", "shares", isAdjusted ? "adjusted" : "reported");
byId<HTMLInputElement>("compare").value = compared.join(", ");
byId("comparison").addEventListener("submit", (event) => {
  event.preventDefault();
  const chosen = comparedSymbols(byId<HTMLInputElement>("compare").value, ticker);
  location.href = withParameter("compare", chosen.length === 0 ? null : chosen.join(","));
});
byId("legend").hidden = compared.length > 0;
/** The panel that the address names is in sight once the panels above it have their height. */
const goToPanel = () => document.getElementById(location.hash.slice(1))?.closest("section")?.scrollIntoView();
// Runs at once, and again whenever the server is back.
effect(() => {
  const isFirst = returns.value === 0;
  void show().then(() => {
    if (isFirst && location.hash !== "") goToPanel();
  });
});

// The encyclopedia's lists of index members, written with the habits of the real ones: links, footnotes, two
// tables.
import type { Market } from "../market.ts";
import { dateAt, dayOf } from "../sessions.ts";
import { type Member, membersOf, type SampleIndex } from "./members.ts";

export interface Article {
  readonly title: string;
  /** A new one each day, as pages are edited daily. */
  readonly revision: number;
  readonly html: string;
}

const TITLES: Readonly<Record<string, SampleIndex>> = {
  "List of S&P 500 companies": "sp500",
  "Nasdaq-100": "nasdaq100",
};
const FIRST_REVISION = 1_300_000_000;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const link = (text: string): string =>
  `<a href="/wiki/${encodeURIComponent(text.replaceAll(" ", "_"))}" title="${escaped(text)}">${escaped(text)}</a>`;
const footnote = (number: number): string =>
  `<sup id="cite_ref-${number}" class="reference"><a href="#cite_note-${number}"><span class="cite-bracket">&#91;</span>${number}<span class="cite-bracket">&#93;</span></a></sup>`;
const cells = (texts: readonly string[]): string =>
  `<tr>\n${texts.map((text) => `<td>${text}`).join("</td>\n")}\n</td></tr>`;
const heads = (texts: readonly string[]): string =>
  `<tr>\n${texts.map((text) => `<th>${text}`).join("</th>\n")}\n</th></tr>`;
const table = (id: string, rows: readonly string[]): string =>
  `<table class="wikitable sortable sticky-header" id="${id}">\n<tbody>${rows.join("\n")}</tbody></table>`;

const ticker = (symbol: string): string =>
  `<a rel="nofollow" class="external text" href="https://exchange.example/quote/${symbol}">${symbol}</a>`;

function sp500(members: readonly Member[]): string {
  const head = heads([
    link("Symbol"),
    "Security",
    `${link("GICS")} Sector`,
    "GICS Sub-Industry",
    "Headquarters Location",
    "Date added",
    link("CIK"),
    "Founded",
  ]);
  const rows = members.map((m, i) =>
    cells([
      ticker(m.symbol),
      link(m.name) + (i === 3 ? footnote(3) : ""),
      escaped(m.sector),
      escaped(m.subIndustry),
      link(m.headquarters),
      m.added,
      m.cik,
      m.founded,
    ]),
  );
  return table("constituents", [head, ...rows]);
}

function nasdaq100(members: readonly Member[]): string {
  const head = heads(["Ticker", "Company", `ICB Industry${footnote(14)}`, `ICB Subsector${footnote(14)}`]);
  const rows = members.map((m) => cells([m.symbol, link(m.name), escaped(m.sector), escaped(m.subIndustry)]));
  return table("constituents", [head, ...rows]);
}

const CHANGES = table("changes", [
  '<tr><th rowspan="2">Effective Date</th><th colspan="2">Added</th><th colspan="2">Removed</th><th rowspan="2">Reason</th></tr>',
  "<tr><th>Ticker</th><th>Security</th><th>Ticker</th><th>Security</th></tr>",
  cells([
    "March 2, 2026",
    "ZQAAA",
    "Sample Company 1 Inc.",
    "GLUMP",
    "Glump Retail Group",
    "Glump was taken over.",
  ]),
]);

const STYLE = "<style>.mw-parser-output .sticky-header>thead{top:auto}</style>";

/** The article of that title; null when there is none. */
export function articleOf(market: Market, title: string): Article | null {
  const index = TITLES[title];
  if (!index) return null;
  const members = membersOf(market, index);
  const list = index === "sp500" ? sp500(members) : nasdaq100(members);
  const html = `<div class="mw-content-ltr mw-parser-output" lang="en" dir="ltr">${STYLE}<p>An invented index of invented companies.</p>\n${list}\n${CHANGES}\n</div>`;
  return {
    title,
    revision: FIRST_REVISION + dayOf(dateAt(market.now(), "America/New_York")),
    html,
  };
}

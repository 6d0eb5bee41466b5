// For tests: the regulator at a moment, asked without a server.

import { createEdgar } from "../../sample/edgar/index.ts";
import { createMarket, NAMED_LISTINGS } from "../../sample/market.ts";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { fakeClock } from "./fake-clock.ts";

const calendar = exchangeCalendar();
const AGENT = "Sample Tests tests@example.com";

/** An entity's list, as far as tests read it. */
export interface Submissions {
  name: string;
  tickers: string[];
  formerNames: { name: string; from: string; to: string }[];
  filings: {
    recent: Columns;
    files: { name: string; filingCount: number; filingFrom: string; filingTo: string }[];
  };
}
export interface Columns {
  accessionNumber: string[];
  filingDate: string[];
  acceptanceDateTime: (string | null)[];
  form: string[];
  items: string[];
  size: number[];
  primaryDocument: string[];
}

/** The regulator at `moment`, over a market of `symbols` listings. */
export function visit(moment: string, { seed = 1, symbols = NAMED_LISTINGS } = {}) {
  const clock = fakeClock(moment);
  const market = createMarket({ clock, calendar, seed, years: 5, symbols });
  const edgar = createEdgar(market, Math.max(0, symbols - NAMED_LISTINGS));
  const ask = (address: string, headers: Record<string, string> = {}) => {
    const { host, pathname, searchParams } = new URL(`https://${address}`);
    const request = {
      method: "GET",
      host,
      path: pathname,
      query: searchParams,
      headers: { "user-agent": AGENT, ...headers },
      body: "",
    };
    const reply = edgar.answer(request);
    if (!reply) throw new Error(`The sample has no answer for ${host}`);
    return reply;
  };
  const text = (address: string): string => {
    const { status, body } = ask(address);
    if (status !== 200) throw new Error(`${status} ${body}`);
    return body;
  };
  const submissions = (cik: number): Submissions =>
    JSON.parse(text(`data.sec.gov/submissions/CIK${String(cik).padStart(10, "0")}.json`));
  /** A file in a filing's folder; the accession number's first ten digits need not be the CIK. */
  const folder = (cik: number, accession: string, name: string) =>
    ask(`www.sec.gov/Archives/edgar/data/${cik}/${accession.replaceAll("-", "")}/${name}`);
  return { clock, ask, text, submissions, folder };
}

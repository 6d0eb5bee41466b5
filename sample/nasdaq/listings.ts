// Nasdaq's lists over the sample market: the symbol directory's two files, and the stock screener's download.
import { LRUCache } from "lru-cache";
import { fromYahoo, toFinra, toNasdaq } from "../../src/market/spelling.ts";
import { centreOn, sharesCounted } from "../actions.ts";
import type { Listing } from "../listing.ts";
import type { Market } from "../market.ts";
import { keyOf, uniform } from "../randomness.ts";
import { dateAt, dayOf } from "../sessions.ts";
import type { SampleUpstream } from "../wire.ts";
import { jsonReply, type Reply } from "../wire.ts";
import { tradeOf } from "../yahoo/quote-summary.ts";

const DIRECTORY = "www.nasdaqtrader.com";
const API = "api.nasdaq.com";
const FILE = /^\/dynamic\/SymDir\/(nasdaqlisted|otherlisted)\.txt$/i;
const NEW_YORK = "America/New_York";
/** Lists kept ready: five a day. */
const REPLIES_MAX = 10;

/**
 * Nasdaq's tiers, and the codes of the other exchanges; a listing of none of them is over the counter or no
 * share.
 */
const TIERS: Readonly<Record<string, string>> = { NMS: "Q", NGM: "G", NCM: "S" };
const CODES: Readonly<Record<string, string>> = { NYQ: "N", ASE: "A", PCX: "P", BTS: "Z" };
const SCREENED: Readonly<Record<string, readonly string[]>> = {
  nasdaq: ["NMS", "NGM", "NCM"],
  nyse: ["NYQ"],
  amex: ["ASE"],
};
/** Nasdaq's names of the sectors the price provider names otherwise. */
const SECTORS: Readonly<Record<string, string>> = {
  "Consumer Defensive": "Consumer Staples",
  "Consumer Cyclical": "Consumer Discretionary",
  Healthcare: "Health Care",
  "Financial Services": "Finance",
  "Communication Services": "Telecommunications",
};
/** Of some companies the screener knows no sector, of others no market value. */
const NO_SECTOR = new Set(["MURQ", "XYLOQ"]);
const NO_VALUE = new Set(["PIPZ-WT", "ZORP-PA", "HALTZ"]);
/** A foreign company: what is listed stands for its shares. */
const DEPOSITARY = "RUMBQ";
/** Securities that only test the systems. */
const TESTS = {
  nasdaqlisted: ["ZVZZT|NASDAQ TEST STOCK|G|Y|N|100|N|N", "ZXZZT|NASDAQ TEST STOCK|Q|Y|N|100|N|N"],
  otherlisted: ["ZTST|NYSE TEST ONE COMMON STOCK|N|ZTST|N|100|Y|ZTST"],
};

interface Line {
  readonly symbol: string;
  readonly listing: Listing;
}

/** Warrants are no issue of a Nasdaq tier here: their symbol has a suffix, which Nasdaq's own have not. */
const isNasdaq = ({ symbol, listing }: Line) => listing.exchange in TIERS && !symbol.includes("-");
const codeOf = (listing: Listing) => CODES[listing.exchange] ?? "A";

/** The name on a date, and what of the company it is. */
function nameOf({ listing }: Line, today: string): string {
  const { symbol, name, type, formerly } = listing;
  if (type === "ETF") return name;
  const base = name.replace(/ \(formerly .*\)$/, "");
  const then = formerly && today <= formerly.until ? base.replace("Newzq", "Oldzq") : base;
  if (symbol === DEPOSITARY)
    return `${then} American Depositary Shares, each representing two Ordinary Shares`;
  if (symbol.endsWith("-PA"))
    return `${then.replace(/ Preferred A$/, "")} 6.10% Series A Cumulative Preferred Stock`;
  if (symbol.endsWith("-WT")) return `${then}, each whole warrant exercisable for one share of Common Stock`;
  return `${then} Common Stock`;
}

/** `Issuer - Security`, as Nasdaq writes its own. */
const dashed = (name: string) =>
  name.replace(/(?:,)? ((?:Class [AB] )?Common Stock|American Depositary.*)$/, " - $1");

/**
 * The spellings of the consolidated tape, and of Nasdaq's own systems: BRK.B and BRK.B, ABRpD and ABR-D,
 * AAC.WS and AAC+.
 */
function tapeOf(symbol: string): string {
  return (toFinra(fromYahoo(symbol) ?? symbol) ?? symbol).replaceAll("/", ".");
}
const platformOf = (tape: string) =>
  tape
    .replace(/\.WS$/, "+")
    .replace(/\.U$/, "=")
    .replace(/p([A-Z])$/, "-$1");
const actOf = (tape: string) => tape.replace(/\.WS$/, ".W").replace(/p([A-Z])$/, "$$$1");

const textReplyOf = (body: string): Reply => ({
  status: 200,
  headers: { "content-type": "text/plain", "cache-control": "max-age=60", server: "Microsoft-IIS/10.0" },
  body,
});

/** `MMDDYYYYhh:mm` in New York. */
function creationTime(now: number): string {
  const at = Temporal.Instant.fromEpochMilliseconds(now * 1000).toZonedDateTimeISO(NEW_YORK);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(at.month)}${two(at.day)}${at.year}${two(at.hour)}:${two(at.minute)}`;
}

const bytewise = (a: string, b: string) => (a < b ? -1 : 1);

function nasdaqListed(lines: readonly Line[], today: string, now: number): string {
  const rows = lines.filter(isNasdaq).map((line) => {
    const { symbol, listing } = line;
    const etf = listing.type === "ETF" ? "Y" : "N";
    return `${symbol}|${dashed(nameOf(line, today))}|${TIERS[listing.exchange]}|N|N|100|${etf}|N`;
  });
  const head =
    "Symbol|Security Name|Market Category|Test Issue|Financial Status|Round Lot Size|ETF|NextShares";
  const all = [...rows, ...TESTS.nasdaqlisted].sort(bytewise);
  return [head, ...all, `File Creation Time: ${creationTime(now)}|||||||`, ""].join("\r\n");
}

function otherListed(lines: readonly Line[], today: string, now: number): string {
  const rows = lines
    .filter((line) => !isNasdaq(line))
    .map((line) => {
      const tape = tapeOf(line.symbol);
      const etf = line.listing.type === "ETF" ? "Y" : "N";
      return `${actOf(tape)}|${nameOf(line, today)}|${codeOf(line.listing)}|${tape}|${etf}|100|N|${platformOf(tape)}`;
    });
  const head = "ACT Symbol|Security Name|Exchange|CQS Symbol|ETF|Round Lot Size|Test Issue|NASDAQ Symbol";
  const all = [...rows, ...TESTS.otherlisted].sort(bytewise);
  return [head, ...all, `File Creation Time: ${creationTime(now)}||||||`, ""].join("\r\n");
}

/** The company's value over all its classes: the screener has it for each of them. */
function companyValue(lines: readonly Line[], day: number): (symbol: string) => number {
  const rootOf = (symbol: string) => symbol.split("-")[0] ?? symbol;
  const values = new Map<string, number>();
  for (const { symbol, listing } of lines)
    if (!/-(?:P.|WT)$/.test(symbol))
      values.set(
        rootOf(symbol),
        (values.get(rootOf(symbol)) ?? 0) + sharesCounted(listing, day) * centreOn(listing, day),
      );
  return (symbol) => values.get(rootOf(symbol)) ?? 0;
}

function screened(lines: readonly Line[], exchange: string, today: string, seed: number): unknown[] {
  const wanted = SCREENED[exchange] ?? [];
  const day = dayOf(today);
  const worthOf = companyValue(lines, day);
  return lines
    .filter(({ listing }) => listing.type === "EQUITY" && wanted.includes(listing.exchange))
    .map((line) => {
      const { symbol, listing } = line;
      const [sector, industry] = tradeOf({ ...listing, symbol: symbol.replace(/-.*$/, "") }, seed);
      const key = keyOf(seed, `screener ${symbol}`);
      const price = centreOn(listing, day);
      const change = Math.round(price * (uniform(key, day) - 0.5)) / 50;
      const spelled = toNasdaq(fromYahoo(symbol) ?? symbol) ?? symbol;
      const hasSector = !NO_SECTOR.has(symbol);
      return {
        symbol: spelled,
        name: nameOf(line, today),
        lastsale: `$${price.toFixed(2)}`,
        netchange: change.toFixed(2),
        pctchange: `${((change / price) * 100).toFixed(3)}%`,
        volume: String(Math.round(listing.dollarsADay / price)),
        marketCap: NO_VALUE.has(symbol) ? (symbol === "HALTZ" ? "" : "0.00") : worthOf(symbol).toFixed(2),
        country: symbol === DEPOSITARY ? "Norway" : "United States",
        ipoyear: listing.firstDate?.slice(0, 4) ?? "",
        industry: hasSector ? industry : "",
        sector: hasSector ? (SECTORS[sector] ?? sector) : "",
        url: `/market-activity/stocks/${spelled.toLowerCase()}`,
      };
    });
}

const refusal = (message: string) =>
  jsonReply(200, {
    data: null,
    message: null,
    status: { rCode: 400, bCodeMessage: [{ code: 1001, errorMessage: message }], developerMessage: null },
  });

export function createNasdaqListings(market: Market): SampleUpstream {
  const replies = new LRUCache<string, Reply>({ max: REPLIES_MAX });
  const linesNow = (): Line[] =>
    market
      .symbols()
      .flatMap((symbol) => {
        const found = market.find(symbol);
        const isListed = found?.kind === "listed" && /^(?:EQUITY|ETF)$/.test(found.listing.type);
        const isOn = isListed && (found.listing.exchange in TIERS || found.listing.exchange in CODES);
        return isOn ? [{ symbol: found.symbol, listing: found.listing }] : [];
      })
      .sort((a, b) => bytewise(a.symbol, b.symbol));
  const make = (name: string, today: string): Reply => {
    const lines = linesNow();
    if (name === "nasdaqlisted") return textReplyOf(nasdaqListed(lines, today, market.now()));
    if (name === "otherlisted") return textReplyOf(otherListed(lines, today, market.now()));
    const rows = screened(lines, name, today, market.seed);
    return jsonReply(200, {
      data: { asOf: null, headers: { symbol: "Symbol", name: "Name", lastsale: "Last Sale" }, rows },
      message: null,
      status: { rCode: 200, bCodeMessage: null, developerMessage: null },
    });
  };
  const kept = (name: string): Reply => {
    const today = dateAt(market.now(), NEW_YORK);
    const reply = replies.get(`${name} ${today}`) ?? make(name, today);
    replies.set(`${name} ${today}`, reply);
    return reply;
  };
  return {
    answer({ host, path, query, method }) {
      const file = host === DIRECTORY ? FILE.exec(path)?.[1] : undefined;
      if (host === DIRECTORY && method === "GET")
        return file
          ? kept(file)
          : { status: 404, headers: { "content-type": "text/html" }, body: "<html></html>" };
      if (host !== API || path !== "/api/screener/stocks") return null;
      const exchange = (query.get("exchange") ?? "").toLowerCase();
      return exchange in SCREENED ? kept(exchange) : refusal("Invalid exchange");
    },
  };
}

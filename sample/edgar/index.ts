// The regulator's three hosts over the sample market.
//
// Who files: each fictional company under a CIK of its own (9000000 to 9089999, from its symbol), share
// classes together; companies by number from 9100000 (ZQAAA) on, since 2019; the others since 2015, if
// nothing else is said. The funds of the trust 9200900 stand in company_tickers_mf.json alone, and report
// what they hold four times a year (0009200900-YY-5000NN; ZTEKF corrects the report of each year's end; the
// other two funds report nothing). A filing is dated by the regulator's days (federal holidays, 17:30 New
// York); it can be read from its acceptance on, or from 06:00 of its date when that is a later day; the index
// of a day comes between 22:01 and 22:18. What chance files (four reports, four releases with
// 2.02, some other 8-Ks a year) changes with the seed, and so do all figures; what follows is the same under
// every seed.
//
//   ZORP 9079327 ZORP, ZORP-PA; Nasdaq; times in UTC QUIB 9011488 QUIB, QUIB-B; times in New York's clock
//   KRONK 9085335 since 2003-02-03, until 2009-06-30 KRONK PLOUGH WORKS; year ends 0930; times mixed (newest
// 7 New York)
//   NEWZQ 9001896 until 2025-05-02 Oldzq Holdings (OLDZQ) PIPZ 9076760 until 2023-10-17 Puddle Acquisition
// Corp.
//   TRELB 9077687 since 2021-04-20; before it 9200001 Trellbane Semiconductor Ltd., 2012 to 2021-04-30, no
// ticker
//   GLUMP 9044875 delisted 2026-02-27, files on, without ticker HUSQ 9021255 delisted 2024-09-13, last filing
// 2024-10-01
//   GIBBL 9047789 two 424B2 every business day since 2018: 1000 recent rows, two older pages
//
//   ZIGZQ 9031040 since 1997-01-06, MUMBQ 9029625 since 1998-10-05: filings up to 2000 have no document
// names, those up to
//                 2002-05 no acceptance times   RUMBQ 9032987 foreign: 20-F and 6-K alone
//   LOOFQ 9089545 year end 0630 until 2022, then 1231
// Their books, and what is odd about them, stand in company-facts.ts.
//
// Filings set by hand; New York's time, 8-K unless a form is named (facts.ts has them all):
//   0009079327-25-900001 2025-02-06 16:05:11 2.02,9.01 EX-99.1
//   0009079327-25-900002 2025-05-08 16:10:00 2.02,7.01,9.01 under one heading, EX-99.1, EX-99.2
//   0009079327-25-900003 2025-06-12 10:00:00 8.01 without exhibit
//   0009079327-25-900004 2025-06-24 08:15:30 8.01,9.01 EX-99.1
//   0009079327-25-900005 2025-09-10 07:00:00 7.01,9.01 EX-99.1
//   0009079327-25-900006 2025-03-04 17:30:00 8.01, dated the same day
//   0009079327-25-900007 2025-03-07 17:30:01 8.01, dated 2025-03-10 (summer time begins between), public
// 10:00Z
//   0009079327-25-900008 2025-04-18 10:00:00 8.01 on Good Friday
//   0009079327-25-900009 2025-10-10 17:45:00 8.01, dated 2025-10-14: Columbus Day lies between
//   0009079327-26-900010 2026-12-01 16:05:00 8.01
//   0009011488-24-900001 2024-11-21 16:45:00 5.02,9.01 headings in cells, EX-10.1
//   0009011488-24-900002 2024-12-04 12:00:00 8-K/A 5.02
//   0009011488-25-900003 2025-01-15 09:20:00 1.01,2.03,9.01 items inside tables, EX-10.1
//   0009085335-03-900001 2003-03-14 (no time anywhere) 5,7 plain text, EX-99
//   0009085335-04-900002 2004-07-22 16:30:00 12,7 plain text, EX-99.1
//   0009085335-04-900003 2004-09-15 11:00:00 8.01 plain text
//   0009301896-25-900001 2025-05-02 16:20:00 5.03,9.01 the last under the old name; 900002 on 05-05 7.01,9.01
// EX-99.1
//   0009044875-26-900001 2026-02-20 17:05:00 3.01; 900002 on 2026-04-14 16:00:00 8.01, after the delisting
//   0009021255-24-900001 2024-09-09 07:30:00 1.03; 900002 on 2024-10-01 10:00:00 15-12G
//   0009377687-21-900001 2021-04-20 16:00:00 8-K12B 3.03,5.01,9.01 of both Trellbanes, EX-3.1; its time
// stands in UTC in
//                        the one list, in New York's clock in the other
//   0009200001-21-900001 2021-04-30 09:00:00 15-12B
//   0009072589-25-900001 2025-04-03 08:00:00 7.01,9.01 EX-99.1 of 5.3 MB
//   0009354982-25-900001 2025-08-07 16:30:00 8.01 in the list, but the document breaks off on its cover page
//   0009354982-25-900002 2025-08-14 16:30:00 2.02,9.01 with an EX-99
//   0009086051-24-900001 2024-05-09 16:02:03 2.02,9.01 EX-99.01; null in the list, time in the header
//   0009309552-25-900001 2025-07-30 16:01:00 2.02,9.01 numbers broken over tags, EX-99.1
//   0009309552-25-900002 2025-10-21 07:45:00 1.01,5.02,9.01 prose that names other items and signatures,
// EX-10.1
//   0009309552-25-900003 2025-11-05 16:00:00 4.02 behind a ruler of dashes
//   0009309552-25-900004 2025-12-04 16:31:00 10-K/A of 2024
//   0009089545-22-900001 2022-09-15 16:30:00 5.03 without exhibit
//   0009389659-25-900001 2025-03-31 17:00:00 NT 10-K; 900002 on 2025-05-15 17:25:00 the late 10-K of 2024;
// 900003 on
//                        2025-06-20 16:45:00 the late 10-Q of 2025-03-31
//   0009083310-25-900001 2025-03-09 03:00:00 8.01, a Sunday, just after the hour that is left out; dated
// 03-10
//   0009083310-25-900002 2025-10-31 21:00:00 8.01, dated 11-03 (winter time begins between), public 11:00Z
//   0009083310-25-900003 2025-11-02 01:30:00 8.01, a Sunday, in the hour that comes twice: its second time
// (06:30Z)
//   0009083310-26-900004 2026-03-07 21:59:59 7.01 without exhibit, a Saturday; dated 03-09
//   0009323328-25-900001 2025-12-24 21:59:58 8.01, dated 12-26
//   0009323328-25-900002 2025-12-31 18:00:00 8.01, dated 2026-01-02
//   0009354264-25-900001 2025-05-20 16:00:00 5.07
//   0009087270-25-900001 2025-10-28 16:05:00 2.02,9.01 inline XBRL, EX-99.1
//   0009023178-25-900001 2025-07-01 16:00:00 8.01 in 27 nested tables, colspan 376967340
//
// Holdings (insiders.ts says who, ownership-facts.ts what). Each company has six insiders under CIKs of their
// own, ten numbers a company from 8000000 + 10 × (its CIK − 9000000) on: 0 chief executive, 1 chief
// financial, 2 head of a division, 3 and 4 directors, 5 the family fund of 4. Since 2004 chance files their
// awards, vestings, plan sales, clusters of purchases, gifts, late forms and amendments (numbers from
// 500001), at prices of the day, until 22:00; JUMBL's insiders file by hand alone. Holders: 8950001 Grumbold
// Capital and 8950002 Stirring Spoon are activists, 8950003 Passive Pond, 8950004 Placid Lake and 8950005
// Quiet Corner passive: the last two file 13G each February on every large company and some others, and the
// family fund, a holder of more than ten percent, 13D every third January (numbers from 700001). Forms come
// as data sets, too, twelve days after a quarter. By hand, JUMBL (9081728), form 4 unless named:
//   0009381728-25-910001 2025-03-10 19:45 chief executive buys 1000 @ 97.50, 51000 held: 2 %; corrected by
// 910004
//   -25-910002 2025-03-11 16:31 chief financial ("See Remarks") buys 500 @ 96 and 300 @ 96.50, 8800 held: 10
// %
//   -25-910003 2025-03-12 21:55 family fund and director jointly buy 20000 @ 95, indirect, 220000 held: 10 %
//   -25-910004 2025-03-20 16:05 4/A of 910001: 1200, 51200 held: 2.4 % -25-910005 2025-04-02 17:10 award of
// 400 @ 0
//   -25-910006 2025-05-05 18:20 form 3 of "CEO, Freight Division" -25-910007 2025-06-16 17:45 plan sale, two
// lots
//   -25-910008 2025-07-01 16:40 his first 250 @ 90: no percentage, days with a zone
//   -25-910009 2025-09-30 16:15 late (2025-08-04): 100 at a price in a footnote alone, 500 held: 25 %
//   -25-910010 2025-10-03 16:15 broken XML, code J   -25-910011 2025-10-06 16:15 without coding
//   -26-910012 2026-02-10 18:05 form 5, gift 0009331040-01-910001 (ZIGZQ) 2001-03-12 form 4 as text, no time
// VEXOQ 9067462: 0009067462-24-910001 2024-02-14 16:20 SC 13G of Passive Pond, 5.3 %
//   -24-910002 2024-11-15 16:30 SC 13D of Grumbold and its owner, 6.2 and 6.3 %, a letter to the board
//   -25-910003 2025-01-22 21:53 SCHEDULE 13D/A 7.9 and 8.4 %, an agreement -25-910005 2025-08-14 17:20 its
// exit
//   -25-910004 2025-02-13 09:30 SCHEDULE 13G/A of Passive Pond, 4.2 %, five percent lost
// WOMBQ 9080471: 0009080471-25-910001 2025-05-06 16:45 SCHEDULE 13D of Stirring Spoon, 11.9 %, investment
// only;
//   -25-910002 2025-06-10 16:45 its amendment, one person with 121 %, the other with 12.1 %
// OOZEL 9054264: 0009354264-25-910001 2025-10-03 19:10 SCHEDULE 13D of Stirring Spoon, 9.9 %, will nominate
// directors
import type { Dial } from "../faults.ts";
import type { Market } from "../market.ts";
import type { Reply, SampleRequest } from "../wire.ts";
import { companyFactsFile } from "./company-facts.ts";
import { feedReply } from "./feed.ts";
import type { Filer } from "./filers.ts";
import { folderFile } from "./folder.ts";
import { createFullText } from "./full-text.ts";
import { createIndexes, isIndexPath } from "./indexes.ts";
import { createInsiderDataSets } from "./insider-data-set.ts";
import { accessDenied, noSuchKey, rateExceeded, unavailable, undeclaredTool } from "./refusals.ts";
import { createRegister, type Register } from "./register.ts";
import { seriesFeed } from "./series-feed.ts";
import { submissionsFile } from "./submissions.ts";
import { createTickerFiles, tickersOf } from "./tickers.ts";

export interface Edgar {
  /** Answers a request to one of the regulator's hosts; null for any other host. */
  answer(request: SampleRequest): Reply | null;
  /**
   * Returns the regulator's answer for a dial that replaces the usual one; null where it has no words of its
   * own for it.
   */
  refuse(request: SampleRequest, dial: Dial): Reply | null;
}

const HOSTS = ["www.sec.gov", "data.sec.gov", "efts.sec.gov"];

const DASHED = /^(\d{10})(\d{2})(\d{6})$/;

/**
 * `/Archives/edgar/data/<cik>/…`: a folder's file, or the whole submission and the index page one level
 * higher.
 */
function dataFile(register: Register, path: string): Reply | null {
  const [, cik = "", folder = "", name = ""] =
    /^\/Archives\/edgar\/data\/(\d{1,10})\/(?:(\d{18})\/)?([^/]+)$/.exec(path) ?? [];
  const accession = folder ? folder.replace(DASHED, "$1-$2-$3") : name.slice(0, 20);
  const filing = register.find(Number(cik), accession);
  return filing && folderFile(register.filerOf(Number(cik))?.cik ?? Number(cik), filing, name);
}

/** Validators of files that lie still, and 304 for who has them. */
function conditional(request: SampleRequest, reply: Reply, modifiedAt?: number): Reply {
  const etag = `"${Bun.hash(reply.body).toString(16)}"`;
  const modified =
    modifiedAt === undefined ? {} : { "last-modified": new Date(modifiedAt * 1000).toUTCString() };
  const headers = { ...reply.headers, etag, ...modified };
  const known = request.headers["if-none-match"];
  const since = Date.parse(String(request.headers["if-modified-since"] ?? ""));
  const unchanged =
    known === undefined ? modifiedAt !== undefined && since >= modifiedAt * 1000 : known === etag;
  return unchanged ? { status: 304, headers, body: "" } : { ...reply, headers };
}

/** www.sec.gov: feed, index files, tickers, folders. */
function createFilesHost(market: Market, register: Register): (request: SampleRequest) => Reply {
  const indexOf = createIndexes(register);
  const tickersFile = createTickerFiles(market, register);
  const dataSetAt = createInsiderDataSets(register);
  return (request) => {
    const { path, query } = request;
    if (
      path === "/cgi-bin/browse-edgar" &&
      query.get("action") === "getcurrent" &&
      query.get("output") === "atom"
    )
      return feedReply(register, query);
    if (
      path === "/cgi-bin/browse-edgar" &&
      query.get("action") === "getcompany" &&
      query.get("output") === "atom"
    )
      return seriesFeed(register, query);
    if (isIndexPath(path)) {
      const index = indexOf(path);
      if (!index) return accessDenied();
      const headers = { "content-type": "application/octet-stream", server: "AmazonS3" };
      return conditional(request, { status: 200, headers, body: index.body }, index.modifiedAt);
    }
    const dataSet = dataSetAt(path);
    if (dataSet) return dataSet;
    const file = path.startsWith("/files/") ? tickersFile(path.slice(7)) : dataFile(register, path);
    return file ? conditional(request, file) : noSuchKey(path.slice(1));
  };
}

/** The regulator over a market; `numbered`: how many companies there are beside those with names. */
export function createEdgar(market: Market, numbered: number): Edgar {
  const register = createRegister({ seed: market.seed, numbered, now: market.now });
  const filesHost = createFilesHost(market, register);
  const tickersNow = (filer: Filer) => tickersOf(market, filer, register.today()).map(({ ticker }) => ticker);
  const fullText = createFullText(register, tickersNow);
  return {
    answer(request) {
      const { host, path, query, headers } = request;
      if (!HOSTS.includes(host)) return null;
      // EDGAR refuses clients without a contact address.
      if (!String(headers["user-agent"] ?? "").includes("@")) return undeclaredTool();
      if (host === "www.sec.gov") return filesHost(request);
      if (host === "efts.sec.gov")
        return path === "/LATEST/search-index" ? fullText(query) : noSuchKey(path.slice(1));
      const [, folder, name = ""] = /^\/(submissions|api\/xbrl\/companyfacts)\/(.+)$/.exec(path) ?? [];
      const file =
        folder === "submissions"
          ? submissionsFile(market, register, name)
          : folder && companyFactsFile(register, name);
      return file || noSuchKey(path.slice(1));
    },
    refuse({ host }, dial) {
      if (!HOSTS.includes(host) || dial.body !== undefined) return null;
      if (dial.fault === "rate_limited") return rateExceeded(dial.status ?? 429);
      if (dial.fault === "html") return unavailable(200);
      return dial.fault === "status" ? unavailable(dial.status ?? 500) : null;
    },
  };
}

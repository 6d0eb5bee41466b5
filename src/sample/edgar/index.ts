// placeholder
import type { Dial } from "../faults.ts";
import type { Market } from "../market.ts";
import type { Reply, SampleRequest } from "../wire.ts";
import { feedReply } from "./feed.ts";
import type { Filer } from "./filers.ts";
import { folderFile } from "./folder.ts";
import { createFullText } from "./full-text.ts";
import { createIndexes, isIndexPath } from "./indexes.ts";
import { accessDenied, noSuchKey, rateExceeded, unavailable, undeclaredTool } from "./refusals.ts";
import { createRegister, type Register } from "./register.ts";
import { submissionsFile } from "./submissions.ts";
import { createTickerFiles, tickersOf } from "./tickers.ts";

export interface Edgar {
  /** Answers a request to one of the regulator's hosts; null for any other host. */
  answer(request: SampleRequest): Reply | null;
  /** What the regulator says for a dial that replaces its answer; null where it has no words of its own for it. */
  refuse(request: SampleRequest, dial: Dial): Reply | null;
}

const HOSTS = ["www.sec.gov", "data.sec.gov", "efts.sec.gov"];

const DASHED = /^(\d{10})(\d{2})(\d{6})$/;

/** `/Archives/edgar/data/<cik>/…`: a folder's file, or the whole submission and the index page one level higher. */
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
  return (request) => {
    const { path, query } = request;
    if (
      path === "/cgi-bin/browse-edgar" &&
      query.get("action") === "getcurrent" &&
      query.get("output") === "atom"
    )
      return feedReply(register, query);
    if (isIndexPath(path)) {
      const index = indexOf(path);
      if (!index) return accessDenied();
      const headers = { "content-type": "application/octet-stream", server: "AmazonS3" };
      return conditional(request, { status: 200, headers, body: index.body }, index.modifiedAt);
    }
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
      // Upstream turns away whoever leaves no address to write to.
      if (!String(headers["user-agent"] ?? "").includes("@")) return undeclaredTool();
      if (host === "www.sec.gov") return filesHost(request);
      if (host === "efts.sec.gov")
        return path === "/LATEST/search-index" ? fullText(query) : noSuchKey(path.slice(1));
      const name = path.startsWith("/submissions/") ? path.slice("/submissions/".length) : null;
      return (name && submissionsFile(market, register, name)) || noSuchKey(path.slice(1));
    },
    refuse({ host }, dial) {
      if (!HOSTS.includes(host) || dial.body !== undefined) return null;
      if (dial.fault === "rate_limited") return rateExceeded(dial.status ?? 429);
      if (dial.fault === "html") return unavailable(200);
      return dial.fault === "status" ? unavailable(dial.status ?? 500) : null;
    },
  };
}

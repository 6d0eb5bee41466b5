// Builds every address at EDGAR, from parts that accession.ts has checked. Pure.
import { NotFound } from "../../platform/errors.ts";
import { accessionNumber, cikOf, fileName, readCik, undashed } from "./accession.ts";
import { DATA_HOST, FILES_HOST, SEARCH_HOST } from "./policy.ts";
import type { FilingRef } from "./records.ts";

export const tickersUrl = (file: "company_tickers" | "company_tickers_exchange" | "company_tickers_mf") =>
  `https://${FILES_HOST}/files/${file}.json`;

export const submissionsUrl = (cik: string): string =>
  `https://${DATA_HOST}/submissions/CIK${cikOf(cik)}.json`;

export const olderPageUrl = (name: string): string => `https://${DATA_HOST}/submissions/${fileName(name)}`;

export const companyFactsUrl = (cik: string): string =>
  `https://${DATA_HOST}/api/xbrl/companyfacts/CIK${cikOf(cik)}.json`;

/** The filer whose number begins the accession number. Throws NotFound where no filer can have it. */
function agentOf(accession: string): string {
  const cik = readCik(accession.slice(0, 10));
  if (cik !== null) return cik;
  throw new NotFound("not_found", `EDGAR has no folder of filing ${accession} under its own prefix.`, {
    upstream: "edgar",
    hint: "Give ticker or cik of a party of the filing.",
  });
}

/** Folder of a filing, with a slash at the end. EDGAR serves a filing under the CIK of any of its parties. */
export function folderUrl(ref: FilingRef): string {
  const accession = accessionNumber(ref.accession_number);
  const cik = ref.cik === undefined ? agentOf(accession) : cikOf(ref.cik);
  return `https://${FILES_HOST}/Archives/edgar/data/${Number(cik)}/${undashed(accession)}/`;
}

/** A file in the folder of a filing. Throws InvalidRequest for a name that could lead out of it. */
export const fileUrl = (ref: FilingRef, name: string): string => folderUrl(ref) + fileName(name);

export const indexPageUrl = (ref: FilingRef): string =>
  fileUrl(ref, `${accessionNumber(ref.accession_number)}-index.html`);

/** True when `url` (after redirects) is still in the folder of the filing, under the CIK of any party. */
export function isInFolder(ref: FilingRef, url: string): boolean {
  const { host, pathname } = new URL(url);
  const parts = /^\/Archives\/edgar\/data\/\d{1,10}\/(\d{18})\/([^/]+)$/.exec(pathname);
  return host === FILES_HOST && parts?.[1] === undashed(accessionNumber(ref.accession_number));
}

const quarterOf = (date: string): number => Math.ceil(Number(date.slice(5, 7)) / 3);

export const dailyIndexUrl = (date: string): string =>
  `https://${FILES_HOST}/Archives/edgar/daily-index/${date.slice(0, 4)}/QTR${quarterOf(date)}/master.${date.replaceAll("-", "")}.idx`;

export const fullIndexUrl = (year: number, quarter: number): string =>
  `https://${FILES_HOST}/Archives/edgar/full-index/${year}/QTR${quarter}/master.idx`;

export const insiderDataSetUrl = (year: number, quarter: number): string =>
  `https://${FILES_HOST}/files/structureddata/data/insider-transactions-data-sets/${year}q${quarter}_form345.zip`;

export const currentFeedUrl = (query: Readonly<Record<string, string>>): string =>
  `https://${FILES_HOST}/cgi-bin/browse-edgar?${new URLSearchParams({ action: "getcurrent", ...query })}`;

/** The feed of the filings of an entity or a fund series. */
export const companyFeedUrl = (query: Readonly<Record<string, string>>): string =>
  `https://${FILES_HOST}/cgi-bin/browse-edgar?${new URLSearchParams({ action: "getcompany", ...query })}`;

export const searchUrl = (query: URLSearchParams): string =>
  `https://${SEARCH_HOST}/LATEST/search-index?${query}`;

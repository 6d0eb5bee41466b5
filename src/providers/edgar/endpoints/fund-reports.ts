// A fund's reports of holdings: the list of its series, and each report fetched once, kept, and read.

import { InvalidRequest, UpstreamMisread } from "../../../platform/errors.ts";
import { decoding, fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { companyFeedUrl } from "../address.ts";
import type { NportRead, SeriesFiling } from "../nport-records.ts";
import { NPORT_LIMITS, parseNport } from "../parse/nport.ts";
import { readSeriesFeed } from "../parse/series-feed.ts";
import type { DocumentOptions, FilingRef } from "../records.ts";
import { filingFile, type Limits, type VaultedDeps } from "../vaulted.ts";

const PAGE_ENTRIES = 100;
/** Four public reports a year since 2019: one page, or two with amendments. */
const PAGES_MAX = 5;
const REPORT = "primary_doc.xml";
/** The largest are beyond 100 MB. */
const LIMITS: Limits = { bytesMax: 200_000_000, deadlineMs: 120_000 };
const TAIL_BYTES = 256;

/** The list as it stands is in the declared ISO-8859-1. */
const decoder = new TextDecoder("windows-1252");

/**
 * The public reports of a series (`S` and nine digits) with their amendments, newest first. EDGAR itself tells the
 * series of a trust apart. Throws InvalidRequest for what is no series, UpstreamFailed, UpstreamRateLimited, UpstreamTimeout.
 */
export async function fetchSeriesReports(
  upstream: Upstream,
  seriesId: string,
  signal?: AbortSignal,
): Promise<readonly SeriesFiling[]> {
  if (!/^S\d{9}$/.test(seriesId))
    throw new InvalidRequest("bad_request", `"${seriesId}" is no series of a fund`);
  const found: SeriesFiling[] = [];
  for (let page = 0; page < PAGES_MAX; page++) {
    const address = {
      CIK: seriesId,
      type: "NPORT-P",
      dateb: "",
      owner: "include",
      start: String(page * PAGE_ENTRIES),
      count: String(PAGE_ENTRIES),
      output: "atom",
    };
    const entries = await fetchDecoded(upstream, { url: companyFeedUrl(address), signal }, ({ bytes }) =>
      readSeriesFeed(decoder.decode(bytes)),
    );
    found.push(...entries);
    if (entries.length < PAGE_ENTRIES) break;
  }
  // EDGAR takes the type for a prefix.
  return found.filter(({ form_type }) => form_type === "NPORT-P" || form_type === "NPORT-P/A");
}

/** Refuses a download that was cut off, which the vault would keep for ever. */
function wholeReport(bytes: Uint8Array): null {
  const tail = decoder.decode(bytes.subarray(-TAIL_BYTES));
  if (/<\/(?:[\w.-]+:)?edgarSubmission\s*>\s*$/.test(tail)) return null;
  throw new UpstreamMisread("edgar", `EDGAR sent a ${REPORT} that ends in the middle, or is no report`);
}

/** A report of holdings, read: `read.failed` tells why not. Throws as filingFile, and UpstreamFailed when it was cut off. */
export async function fetchFundReport(
  deps: VaultedDeps,
  ref: FilingRef,
  options: DocumentOptions = {},
): Promise<NportRead> {
  const { content: _, ...file } = await decoding(deps.upstream, () =>
    filingFile(deps, ref, REPORT, wholeReport, LIMITS, options),
  );
  return { ...file, read: await parseNport(file.bytes, NPORT_LIMITS, options.signal) };
}

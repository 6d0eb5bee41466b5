// Fetches a fund's reports of holdings: the list of a series' reports, and single reports, which the vault
// stores.

import { InvalidRequest, UpstreamMisread } from "../../../platform/errors.ts";
import { decoding, fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { companyFeedUrl } from "../address.ts";
import type { NportRead, SeriesFiling } from "../nport-records.ts";
import { NPORT_LIMITS, parseNport } from "../parse/funds/nport.ts";
import { readSeriesFeed } from "../parse/funds/series-feed.ts";
import type { DocumentOptions, FilingRef } from "../records.ts";
import { filingFile, type Limits, type VaultedDeps } from "../vaulted.ts";

const PAGE_ENTRIES = 100;
/** Four public reports a year since 2019: one page, or two with amendments. */
const PAGES_MAX = 5;
const REPORT = "primary_doc.xml";
/** The largest reports have more than 100 MB. */
const LIMITS: Limits = { bytesMax: 200_000_000, deadlineMs: 120_000 };
const TAIL_BYTES = 256;

/** The list is in ISO-8859-1, as it declares. */
const decoder = new TextDecoder("windows-1252");

/**
 * Fetches the list of the public reports of a series (`S` and nine digits) with their amendments, newest
 * first. EDGAR itself separates the series of a trust. Throws InvalidRequest for an impossible series,
 * UpstreamFailed, UpstreamRateLimited, UpstreamTimeout.
 */
export async function fetchSeriesReports(
  upstream: Upstream,
  seriesId: string,
  signal?: AbortSignal,
): Promise<readonly SeriesFiling[]> {
  if (!/^S\d{9}$/.test(seriesId))
    throw new InvalidRequest(
      "bad_request",
      `"${seriesId}" is not a series of a fund; write S and nine digits`,
    );
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
  // EDGAR matches the type as a prefix.
  return found.filter(({ form_type }) => form_type === "NPORT-P" || form_type === "NPORT-P/A");
}

/** Refuses a truncated download, which would stay in the vault for ever. */
function wholeReport(bytes: Uint8Array): null {
  const tail = decoder.decode(bytes.subarray(-TAIL_BYTES));
  if (/<\/(?:[\w.-]+:)?edgarSubmission\s*>\s*$/.test(tail)) return null;
  throw new UpstreamMisread("edgar", `EDGAR sent a ${REPORT} that is cut off, or is not a report`);
}

/**
 * Fetches and reads a report of holdings; `read.failed` is the reason when it cannot be read. Throws as
 * filingFile, and UpstreamFailed when the report is cut off.
 */
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

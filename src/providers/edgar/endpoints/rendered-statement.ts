// Fetches which elements are lines of a filing's statement of cash flows, from the statements that EDGAR
// renders of each XBRL filing. Relied on: FilingSummary.xml, which lists the renderings with their names,
// stands in the folder of every XBRL filing since 2009, and so do the renderings, R1.htm, R2.htm, … (.xml
// until about 2011). The regulator's Financial Statement Data Sets name them the same way (`report` and
// `rfile` of their table of presentations). The linkbase of presentations has no fixed name and states no
// kind of statement; MetaLinks.json begins in 2018.
import { RENDERED_PAGES_MAX } from "../../../limits.ts";
import { InvalidRequest, NotFound } from "../../../platform/errors.ts";
import { decoding } from "../../../platform/upstream/decode.ts";
import { decodeFiling } from "../parse/documents/filing-text.ts";
import { cashFlowFiles, commonLines, renderedLines } from "../parse/rendered-statement.ts";
import type { DocumentOptions, FilingRef } from "../records.ts";
import { filingFile, type Limits, type VaultedDeps } from "../vaulted.ts";

/** A list has some hundred KB; a page with its definitions some more. */
const PAGE: Limits = { bytesMax: 16_000_000, deadlineMs: 25_000 };

/** Whether EDGAR has no such file, or only one that is too large to be read. */
const isNone = (error: unknown): boolean =>
  error instanceof NotFound || (error instanceof InvalidRequest && error.code === "exhibit_too_large");

/**
 * The elements of the lines of a filing's statement of cash flows, such as `us-gaap_ProfitLoss`; null when
 * EDGAR renders none, as for filings without XBRL. Throws UpstreamFailed, UpstreamRateLimited,
 * UpstreamTimeout.
 */
export async function fetchCashFlowElements(
  deps: VaultedDeps,
  ref: FilingRef,
  options?: DocumentOptions,
): Promise<readonly string[] | null> {
  const read = async <T>(name: string, parse: (text: string) => T) =>
    (await filingFile(deps, ref, name, (bytes) => parse(decodeFiling(bytes)), PAGE, options)).content;
  return decoding(deps.upstream, async () => {
    try {
      const files = await read("FilingSummary.xml", cashFlowFiles);
      if (files.length === 0 || files.length > RENDERED_PAGES_MAX) return null;
      const pages: (readonly string[])[] = [];
      for (const file of files) pages.push(await read(file, renderedLines));
      return commonLines(pages);
    } catch (error) {
      if (isNone(error)) return null;
      throw error;
    }
  });
}

// A fund's report of holdings (NPORT-P) from its XML: one pass, in pieces, so that a report of 100 MB keeps nobody waiting.
import { SaxesParser } from "saxes";
import { readCik } from "../accession.ts";
import type { NportReport } from "../nport-records.ts";
import type { Unread } from "../ownership-records.ts";
import { readFiledDay } from "./filed-day.ts";
import { readNumber } from "./filed-number.ts";
import { NportGatherer, NportRefused } from "./nport-lines.ts";
import { unread } from "./xml-records.ts";

export interface NportLimits {
  readonly nodesMax: number;
  readonly depthMax: number;
  readonly holdingsMax: number;
}

/** The largest known are some 100,000 lines of forty elements; contracts on contracts are nested some forty deep. */
export const NPORT_LIMITS: NportLimits = { nodesMax: 20_000_000, depthMax: 256, holdingsMax: 400_000 };

/** Bytes between two turns of the others: some milliseconds of work. */
const CHUNK_BYTES = 256 * 1024;
/** Where the form begins at the latest. */
const HEAD_CHARS = 4_000;

const MESSAGES = {
  too_deep: "the report's elements are nested too deep",
  too_many_nodes: "the report has too many elements",
  too_large: "the report has too many holdings",
  forbidden_declaration: "the report declares a document type or entities",
} as const;

const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Feeds the characters of `bytes` to `write`, in pieces; throws TypeError where they are not of this encoding. */
async function pieces(
  bytes: Uint8Array,
  encoding: "utf-8" | "windows-1252",
  write: (text: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === "utf-8" });
  let begun = false;
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    signal?.throwIfAborted();
    const text = decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true });
    // A blank before the XML declaration is forbidden, and filed all the same.
    const own: string = begun ? text : text.trimStart();
    begun = begun || own !== "";
    if (own !== "") write(own);
    if (at + CHUNK_BYTES < bytes.length) await yieldToEventLoop();
  }
  write(decoder.decode());
}

async function collectBatch(
  bytes: Uint8Array,
  encoding: "utf-8" | "windows-1252",
  limits: NportLimits,
  signal: AbortSignal | undefined,
): Promise<NportGatherer> {
  const gatherer = new NportGatherer(limits);
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on("opentag", (tag) => gatherer.open(tag.name, tag.attributes));
  parser.on("text", (text) => gatherer.text(text));
  parser.on("cdata", (text) => gatherer.text(text));
  parser.on("closetag", () => gatherer.close());
  parser.on("doctype", () => {
    throw new NportRefused("forbidden_declaration");
  });
  parser.on("error", (error) => {
    throw error;
  });
  await pieces(bytes, encoding, (text) => parser.write(text), signal);
  parser.close();
  return gatherer;
}

/** The report from what was gathered. */
function reportOf(found: NportGatherer): NportReport | Unread {
  const top = (path: string) => found.top.get(path) ?? null;
  const form_type = top("headerData/submissionType")?.toUpperCase() ?? "";
  if (found.root !== "edgarSubmission" || !form_type.startsWith("NPORT"))
    return unread("not_this_form", "this is no Form NPORT");
  const period_end = readFiledDay(top("genInfo/repPdDate"));
  if (period_end === null)
    return unread("malformed", "the report does not say which day its holdings are of");
  const series = top("genInfo/seriesId") ?? top("seriesClassInfo/seriesId");
  const final = top("genInfo/isFinalFiling");
  const named = (path: string) => (/^(?:n\/?a|none)$/i.test(top(path) ?? "") ? null : top(path));
  return {
    form_type,
    is_amendment: form_type.endsWith("/A"),
    registrant_name: top("genInfo/regName"),
    registrant_cik: readCik(top("genInfo/regCik") ?? ""),
    series_id: series !== null && /^S\d{9}$/.test(series) ? series : null,
    series_name: named("genInfo/seriesName"),
    series_lei: named("genInfo/seriesLei"),
    class_ids: found.classIds,
    period_end,
    fiscal_year_end: readFiledDay(top("genInfo/repPdEnd")),
    is_final: final === "Y" ? true : final === "N" ? false : null,
    total_assets: readNumber(top("fundInfo/totAssets")),
    total_liabilities: readNumber(top("fundInfo/totLiabs")),
    net_assets: readNumber(top("fundInfo/netAssets")),
    holdings: found.holdings,
    warnings: found.warnings,
  };
}

/**
 * The report in `bytes`. What cannot be read is told, not thrown: another document, broken or cut off, declaring
 * entities, too large. Throws the signal's reason.
 */
export async function parseNport(
  bytes: Uint8Array,
  limits: NportLimits = NPORT_LIMITS,
  signal?: AbortSignal,
): Promise<NportReport | Unread> {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_CHARS));
  if (/<html|<!doctype\s+html/i.test(head))
    return unread("rendered_page", "this is a web page, not the report's data");
  for (const encoding of ["utf-8", "windows-1252"] as const) {
    try {
      return reportOf(await collectBatch(bytes, encoding, limits, signal));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof NportRefused) return unread(error.reason, MESSAGES[error.reason]);
      const isOtherEncoding = error instanceof TypeError && encoding === "utf-8";
      if (!isOtherEncoding)
        return unread("malformed", "the report's XML cannot be read, or ends in the middle");
    }
  }
  return unread("malformed", "the report's XML cannot be read");
}

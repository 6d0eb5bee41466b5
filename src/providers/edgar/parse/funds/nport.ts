// Reads a fund's report of holdings (NPORT-P) from its XML. It works in pieces, so that a report of 100 MB
// does not block the event loop.
import { SaxesParser } from "saxes";
import { yieldToEventLoop } from "../../../../platform/event-loop.ts";
import { readCik } from "../../accession.ts";
import type { NportReport } from "../../nport-records.ts";
import type { Unread } from "../../ownership-records.ts";
import { readFiledDay } from "../filed-day.ts";
import { readNumber } from "../filed-number.ts";
import { unread } from "../xml-records.ts";
import { NportCollector, type NportLimits, NportRefused } from "./nport-lines.ts";

/**
 * The largest known reports have some 100,000 lines of forty elements. Contracts on contracts nest some forty
 * deep.
 */
export const NPORT_LIMITS: NportLimits = { nodesMax: 20_000_000, depthMax: 256, holdingsMax: 400_000 };

/** Bytes read before the event loop gets its turn: some milliseconds of work. */
const CHUNK_BYTES = 256 * 1024;
/** The form begins within these characters. */
const HEAD_CHARS = 4_000;

const MESSAGES = {
  too_deep: "the report's elements are nested too deep",
  too_many_nodes: "the report has too many elements",
  too_large: "the report has too many holdings",
  forbidden_declaration: "the report declares a document type or entities",
} as const;

/**
 * Passes the characters of `bytes` to `write` in pieces. Throws TypeError when they are not in this encoding.
 */
async function writePieces(
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
    // XML forbids a blank before its declaration, but some reports have one.
    const own: string = begun ? text : text.trimStart();
    begun = begun || own !== "";
    if (own !== "") write(own);
    if (at + CHUNK_BYTES < bytes.length) await yieldToEventLoop();
  }
  write(decoder.decode());
}

async function collectReport(
  bytes: Uint8Array,
  encoding: "utf-8" | "windows-1252",
  limits: NportLimits,
  signal: AbortSignal | undefined,
): Promise<NportCollector> {
  const collector = new NportCollector(limits);
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on("opentag", (tag) => collector.open(tag.name, tag.attributes));
  parser.on("text", (text) => collector.text(text));
  parser.on("cdata", (text) => collector.text(text));
  parser.on("closetag", () => collector.close());
  parser.on("doctype", () => {
    throw new NportRefused("forbidden_declaration");
  });
  parser.on("error", (error) => {
    throw error;
  });
  await writePieces(bytes, encoding, (text) => parser.write(text), signal);
  parser.close();
  return collector;
}

/** Makes the report from the collected fields and holdings. */
function reportOf(found: NportCollector): NportReport | Unread {
  const top = (path: string) => found.top.get(path) ?? null;
  const form_type = top("headerData/submissionType")?.toUpperCase() ?? "";
  if (found.root !== "edgarSubmission" || !form_type.startsWith("NPORT"))
    return unread("not_this_form", "the document is not a Form NPORT");
  const period_end = readFiledDay(top("genInfo/repPdDate"));
  if (period_end === null) return unread("malformed", "the report does not state the date of its holdings");
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
 * Reads the report in `bytes`. Returns Unread, and does not throw, for another kind of document, broken or
 * truncated XML, declared entities, and a report beyond the limits. Throws the signal's reason.
 */
export async function parseNport(
  bytes: Uint8Array,
  limits: NportLimits = NPORT_LIMITS,
  signal?: AbortSignal,
): Promise<NportReport | Unread> {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_CHARS));
  if (/<html|<!doctype\s+html/i.test(head))
    return unread("rendered_page", "the document is a web page, not the report's data");
  for (const encoding of ["utf-8", "windows-1252"] as const) {
    try {
      return reportOf(await collectReport(bytes, encoding, limits, signal));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof NportRefused) return unread(error.reason, MESSAGES[error.reason]);
      const isOtherEncoding = error instanceof TypeError && encoding === "utf-8";
      if (!isOtherEncoding) return unread("malformed", "the report's XML cannot be read, or is cut off");
    }
  }
  return unread("malformed", "the report's XML cannot be read");
}

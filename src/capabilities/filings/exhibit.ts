// Fetches one document of a filing and shows it as text.
import type { Static } from "@sinclair/typebox";
import { EXHIBIT_BYTES_MAX, EXHIBIT_DEADLINE_S } from "../../limits.ts";
import type { Services } from "../../market/services.ts";
import {
  decodeFiling,
  type FetchedDocument,
  type FilingRef,
  ParseBudget,
  pressRelease,
  toPlainText,
} from "../../providers/edgar/index.ts";
import { asReadable } from "./parse-filing.ts";
import type { Exhibit, ExhibitQuery } from "./schema.ts";
import type { FilingSource } from "./sources.ts";

export type ExhibitOptions = Pick<
  Static<typeof ExhibitQuery>,
  "exhibit" | "filename" | "format" | "max_chars"
>;

/** Type of the document when the client names neither type nor file and the filing lists no press release. */
const EXHIBIT_DEFAULT = "EX-99.1";
const TEXT_TYPES = /^(?:text\/|application\/(?:xml|json|xhtml))/;

/** The first `charsMax` UTF-16 units, without half a surrogate pair at the end. */
function cut(text: string, charsMax: number): string {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(charsMax - 1)) && text.length > charsMax;
  return text.slice(0, isHalf ? charsMax - 1 : charsMax);
}

export interface ExhibitDeps extends Pick<Services, "clock"> {
  readonly source: FilingSource;
}

export function exhibitReader({ source, clock }: ExhibitDeps) {
  const fetchDocument = async (
    ref: FilingRef,
    { filename, exhibit }: ExhibitOptions,
    signal: AbortSignal,
  ) => {
    const options = { bytesMax: EXHIBIT_BYTES_MAX, deadlineMs: EXHIBIT_DEADLINE_S * 1000, signal };
    if (filename !== undefined) return source.document(ref, filename, options);
    if (exhibit !== undefined) return source.exhibit(ref, exhibit, options);
    const { documents } = await source.filingIndex(ref, { signal });
    return source.exhibit(ref, pressRelease(asReadable(documents))?.type ?? EXHIBIT_DEFAULT, options);
  };

  const asAnswer = (
    ref: FilingRef,
    { exhibit, format, max_chars }: ExhibitOptions,
    found: FetchedDocument,
  ): Static<typeof Exhibit> => {
    const raw = TEXT_TYPES.test(found.content_type) ? decodeFiling(found.bytes) : null;
    const whole = raw === null || format === "html" ? raw : toPlainText(raw, new ParseBudget(clock));
    const text = whole === null || max_chars === undefined ? whole : cut(whole, max_chars);
    return {
      accession_number: ref.accession_number,
      exhibit: found.type ?? exhibit?.toUpperCase() ?? null,
      filename: found.filename,
      url: found.url,
      content_type: found.content_type,
      length: whole?.length ?? null,
      truncated: text !== whole,
      text,
      sha256: found.sha256,
    };
  };

  /** Throws NotFound, InvalidRequest `exhibit_too_large`, UpstreamTimeout. */
  return async function readExhibit(
    ref: FilingRef,
    options: ExhibitOptions,
    signal: AbortSignal,
  ): Promise<Static<typeof Exhibit>> {
    return asAnswer(ref, options, await fetchDocument(ref, options, signal));
  };
}

export type ReadExhibit = ReturnType<typeof exhibitReader>;

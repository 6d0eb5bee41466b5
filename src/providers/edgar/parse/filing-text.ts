// The face of reading filings: bytes to text, a submission to its documents, a document to plain text.
export {
  PARSE_LIMITS,
  ParseBudget,
  ParseFailed,
  type ParseFailure,
  type ParseLimits,
} from "./filing-text-budget.ts";
export { type InlineDocument, splitSubmission } from "./filing-text-documents.ts";
export { toPlainText } from "./filing-text-markup.ts";

/** The characters of a filing: UTF-8 when it is that, else windows-1252 (nothing in a filing says which). */
export function decodeFiling(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

// Converts filings: bytes to text, a submission to its documents, a document to plain text.
export {
  PARSE_LIMITS,
  ParseBudget,
  ParseFailed,
  type ParseFailure,
  type ParseLimits,
} from "./filing-text-budget.ts";
export { type InlineDocument, splitSubmission } from "./filing-text-documents.ts";
export { toPlainText } from "./filing-text-markup.ts";

/**
 * Decodes a filing as UTF-8 if it is valid UTF-8, else as windows-1252. A filing does not state its encoding.
 */
export function decodeFiling(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

// Current reports (8-K): their items, their events, and the documents they consist of.
export { type EightKItem, parseEightK } from "./parse/documents/eightk.ts";
export {
  bodyDocument,
  EVENTS_READING,
  parseEightKFiling,
  pressRelease,
} from "./parse/documents/eightk-events.ts";
export { compareItems, itemEra, itemOfTitle, itemTitle, modernItem } from "./parse/documents/eightk-items.ts";
export {
  decodeFiling,
  ParseBudget,
  ParseFailed,
  splitSubmission,
  toPlainText,
} from "./parse/documents/filing-text.ts";

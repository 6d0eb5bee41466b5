// Makes the events of one 8-K from its items and its press release.
import { type EightKItem, parseEightK } from "./eightk.ts";
import { itemEventType, modernItem } from "./eightk-items.ts";
import { type InlineDocument, type ParseBudget, ParseFailed, toPlainText } from "./filing-text.ts";

export interface EightKEvent {
  readonly accession_number: string;
  readonly item_number: string;
  readonly event_type: string;
  readonly event_title: string;
  readonly content: string | null;
  readonly content_source: "body" | "EX-99.1";
  /** Characters of the whole content before it was cut; 0 without content. */
  readonly content_length: number;
  readonly truncated: boolean;
}

export interface EightKFiling {
  readonly accession_number: string;
  /** YYYY-MM-DD. */
  readonly filing_date: string;
  /** The items that the filing lists; null when unknown. */
  readonly items: readonly string[] | null;
  /** The body, and at least the press release if the filing has one. */
  readonly documents: readonly InlineDocument[];
}

export interface ParsedEightK {
  readonly items: readonly EightKItem[];
  readonly events: readonly EightKEvent[];
  /** Sentences that say what is unusual about them. */
  readonly problems: readonly string[];
}

/**
 * Version of this parser. Raise it when it can read more filings: those that failed before are then tried
 * again.
 */
export const EVENTS_READING = 1;

/** Longer content of an event is cut. Content beyond this length is rarely a press release alone. */
export const EVENT_CONTENT_CHARS_MAX = 200_000;

/** Items whose news is in the press release; the body only refers to it. */
const PREFERS_EXHIBIT = new Set(["2.02", "7.01", "8.01"]);

/**
 * True when an item takes its content from EX-99.1.
 *
 * The specification says: "Content for Item 8.01 alone is taken from the body. For Items 2.02, 7.01 and 8.01
 * the EX-99.1 exhibit content is preferred when an exhibit exists." Both are true when "8.01 alone" means a
 * filing that reports 8.01 and no other event (9.01 is not an event): its content comes from the body, with
 * or without an exhibit. Beside other events 8.01 prefers the exhibit like the other two. Old items follow
 * the item that replaced them.
 */
function prefersExhibit(number: string, reported: readonly string[]): boolean {
  const today = modernItem(number);
  if (today === null || !PREFERS_EXHIBIT.has(today)) return false;
  const others = reported.some((other) => !["8.01", "9.01"].includes(modernItem(other) ?? other));
  return today !== "8.01" || others;
}

/** Cuts to the limit without splitting a surrogate pair. */
function cut(content: string, charsMax: number): string {
  if (content.length <= charsMax) return content;
  const isHalf = /[\ud800-\udbff]/.test(content.charAt(charsMax - 1));
  return content.slice(0, isHalf ? charsMax - 1 : charsMax);
}

/**
 * Makes the events of a filing, one for each item except 9.01. `exhibit` is the plain text of EX-99.1, null
 * when there is none. An item that prefers a missing exhibit takes its content from the body.
 */
export function eightKEvents(
  accession_number: string,
  items: readonly EightKItem[],
  exhibit: string | null,
  charsMax = EVENT_CONTENT_CHARS_MAX,
): EightKEvent[] {
  const reported = items.map((item) => item.item_number);
  return items.flatMap((item): EightKEvent[] => {
    const event_type = itemEventType(item.item_number);
    if (event_type === null) return [];
    const { item_number, event_title } = item;
    const release = exhibit?.trim() || null;
    const isReleased = release !== null && prefersExhibit(item_number, reported);
    const whole = isReleased ? release : item.content;
    return [
      {
        accession_number,
        item_number,
        event_type,
        event_title,
        content: whole === null ? null : cut(whole, charsMax),
        content_source: isReleased ? "EX-99.1" : "body",
        content_length: whole?.length ?? 0,
        truncated: (whole?.length ?? 0) > charsMax,
      },
    ];
  });
}

function inOrder(documents: readonly InlineDocument[]): InlineDocument[] {
  return documents.toSorted((a, b) => (a.sequence ?? Infinity) - (b.sequence ?? Infinity));
}

/** The body of an 8-K: its first document of that form (8-K, 8-K/A, 8-K12B, …); null when there is none. */
export function bodyDocument(documents: readonly InlineDocument[]): InlineDocument | null {
  return inOrder(documents).find((document) => document.type.startsWith("8-K")) ?? null;
}

/** The press release: the first EX-99.1 or EX-99.01 with text, else EX-99; null when there is none. */
export function pressRelease(documents: readonly InlineDocument[]): InlineDocument | null {
  const readable = inOrder(documents).filter((document) => document.text !== null);
  const numbered = readable.find((document) => /^EX-99\.0?1$/.test(document.type));
  return numbered ?? readable.find((document) => document.type === "EX-99") ?? null;
}

/**
 * Reads the items and events of one 8-K from its documents. Throws ParseFailed with a reason when the filing
 * as a whole cannot be read.
 */
export function parseEightKFiling(filing: EightKFiling, budget: ParseBudget): ParsedEightK {
  const body = bodyDocument(filing.documents)?.text ?? null;
  if (body === null) throw new ParseFailed("no_body", "the filing has no readable document of form 8-K");
  const { items, problems } = parseEightK({ ...filing, text: toPlainText(body, budget) }, budget);
  const reported = items.map((item) => item.item_number);
  const release = reported.some((number) => prefersExhibit(number, reported))
    ? pressRelease(filing.documents)
    : null;
  const exhibit = release?.text ? toPlainText(release.text, budget) : null;
  return { items, problems, events: eightKEvents(filing.accession_number, items, exhibit) };
}

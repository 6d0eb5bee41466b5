// Reads an unstructured 13D or 13G, except its persons: the labels of the first page, the rules that are
// ticked, Item 4, and whether the holder fell to five percent or below. Pure.
import { BOX, TICKED } from "./beneficial-values.ts";

/** A line that starts like this continues the name on the line above it. */
const CONTINUES_NAME = /^(?:inc|corp|co|ltd|plc|l\.?p|llc|company|corporation|holdings?|trust|group)\b/i;
/** A line that is printed text of the form, not a part of a name. */
const FORM_TEXT = /[)]$|\bact of 1934\b|^\W*schedule\b|\bamendment\b|\b20549\b|\bcommission\b|\brules?\b/i;
const TO_BE_CONTINUED = /(?:[,&-]|\b(?:and|of|the))$/i;

/** Returns the text after a label and its colon ("Name of issuer: Acme"); null when there is none. */
export function beside(head: string, label: RegExp): string | null {
  const rest = label.exec(head)?.[0];
  return rest?.slice(rest.lastIndexOf(":") + 1).trim() || null;
}

/**
 * Returns the line above a label in brackets: "ACME CORPORATION" above "(Name of Issuer)". A name may take
 * two lines: with `isName` the line before is joined when the name clearly starts there.
 */
export function labelled(head: string, label: RegExp, isName = false): string | null {
  const match = label.exec(head);
  if (!match) return null;
  const lines = head
    .slice(0, match.index)
    .split("\n")
    .map((line) =>
      line
        .replace(/[_*=|]+|-{3,}/g, " ")
        .replace(/[\s(]+$/, "")
        .trim(),
    );
  const at = lines.findLastIndex((line) => line !== "");
  const [above = "", last] = [lines[at - 1], lines[at]];
  if (last === undefined) return null;
  if (!isName || above === "" || FORM_TEXT.test(above)) return last;
  const isContinued = TO_BE_CONTINUED.test(above) || /^\p{Ll}/u.test(last) || CONTINUES_NAME.test(last);
  return isContinued ? `${above} ${last}` : last;
}

export function cusipsIn(head: string): string[] {
  const beside =
    labelled(head, /\(?\s*CUSIP\s+Numbers?\s*\)/i) ??
    /CUSIP\s*(?:No\.?|Number|#)?[\s:.#]*([0-9A-Z][0-9A-Z \t-]{7,12})/i.exec(head)?.[1] ??
    "";
  const cusips =
    beside
      .toUpperCase()
      .match(
        /[0-9]{3}[0-9A-Z]{3}[\s-]?[0-9A-Z]{2}[\s-]?[0-9A-Z]|[A-Z][0-9]{4}[0-9A-Z][\s-]?[0-9A-Z]{2}[\s-]?[0-9]/g,
      ) ?? [];
  return [...new Set(cusips.map((cusip) => cusip.replace(/[\s-]/g, "")))];
}

/** Reads the number of the amendment, which may be written on or beside a ruled line ("No. __3__"). */
export function amendmentIn(head: string): number | null {
  const number = /AMENDMENT\s+(?:NO\b\.?|NUMBER\b|#)[\s:_#]*(\d{1,3})(?!\d)/i.exec(head)?.[1];
  return number === undefined ? null : Number(number) || null;
}

/** A box is within these characters of its rule. */
const NEAR_CHARS = 14;

/**
 * Returns the rules whose boxes are ticked. Within a page all boxes come before their rules, or all after
 * them.
 */
export function rulesIn(head: string): string[] {
  const found = [...head.matchAll(/\bRule\s+13d-1\s*\(([bcd])\)/gi)].map((match, i, all) => {
    const before = all[i - 1];
    return {
      letter: match[1] ?? "",
      before: head.slice(before ? before.index + before[0].length : 0, match.index).trimEnd(),
      after: head.slice(match.index + match[0].length, all[i + 1]?.index).trimStart(),
    };
  });
  const isBefore = BOX.test(found[0]?.before.slice(-NEAR_CHARS) ?? "");
  return found.flatMap(({ letter, before, after }) => {
    const box = isBefore ? before.slice(-NEAR_CHARS) : (after.split("\n")[0] ?? "").slice(0, NEAR_CHARS);
    return TICKED.test(box) ? [`Rule 13d-1(${letter.toLowerCase()})`] : [];
  });
}

/** A later item's heading: its number with a punctuation mark, or with the form's own title. */
const ITEM_AFTER_4 =
  /^\s*Item\s+[5-7]\s*(?:[.:)–—-]|\n|$|(?:Interest|Contracts|Material)\b)|^\s*SIGNATURES?\s*$/im;
const ITEM_4_TITLED = /^\s*Item\s+4\s*[.:)–—-]*\s*Purpose\s+of\s+(?:the\s+)?Transactions?[.:]?/gim;
/** Does not match "Item 4 of this Schedule is incorporated by reference", which occurs in other items. */
const ITEM_4 = /^\s*Item\s+4\s*(?:[.:)–—-]+|\n)/gim;
/** "Item 4 of the Schedule 13D is hereby amended by adding:", without a heading above it. */
const ITEM_4_AMENDED = /^\s*Item\s+4\b(?=[^\n]{0,160}\b(?:amended|supplemented|restated)\b)/gim;

/** Returns Item 4 of the body without its heading; null when there is none. */
export function purposeIn(text: string): string | null {
  const last = (pattern: RegExp) => [...text.matchAll(pattern)].at(-1);
  const found = last(ITEM_4_TITLED) ?? last(ITEM_4) ?? last(ITEM_4_AMENDED);
  if (!found) return null;
  const rest = text.slice(found.index + found[0].length);
  return rest.slice(0, ITEM_AFTER_4.exec(rest)?.index ?? rest.length).trim() || null;
}

const CEASED =
  /ceased\s+to\s+be\s+(?:the\s+|a\s+)?beneficial\s+owners?\s+of\s+(?:more\s+than|at\s+least|greater\s+than|in\s+excess\s+of)\s+(?:five|5)\s*(?:percent|per\s*cent|%)/gi;

/**
 * True when the body states that the holder fell to five percent or below: a ticked box in a 13G, or a
 * sentence.
 */
export function fellIn(text: string): boolean {
  for (const match of text.matchAll(CEASED)) {
    const before = text.slice(Math.max(0, match.index - 160), match.index);
    const after = text.slice(match.index, match.index + 260);
    const box = /check\s+(?:the\s+following|here)\s*:?\s*(.{0,14})/is.exec(after)?.[1];
    if (box !== undefined) {
      if (TICKED.test(box)) return true;
    } else if (
      !/\b(?:if|state the date|date on which|not applicable|has not|have not|whether)\b/i.test(
        `${before}`.split(/[.;]\s/).at(-1) ?? "",
      )
    ) {
      if (!/^[^.]{0,160}(?:not applicable|n\/a)/i.test(after)) return true;
    }
  }
  return false;
}

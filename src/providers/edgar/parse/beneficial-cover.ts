// What a 13D or 13G of before says but for its persons: labels of the first page, rules, Item 4, the loss of five percent. Pure.
import { BOX, TICKED } from "./beneficial-values.ts";

/** A line that goes on with the name begun above it. */
const GOES_ON = /^(?:inc|corp|co|ltd|plc|l\.?p|llc|company|corporation|holdings?|trust|group)\b/i;
/** What the form itself has above a name. */
const OF_THE_FORM = /[)]$|\bact of 1934\b|^\W*schedule\b|\bamendment\b|\b20549\b|\bcommission\b|\brules?\b/i;
const TO_BE_CONTINUED = /(?:[,&-]|\b(?:and|of|the))$/i;

/** What stands behind a label and its colon, "Name of issuer: Acme"; null where nothing does. */
export function beside(head: string, label: RegExp): string | null {
  const rest = label.exec(head)?.[0];
  return rest?.slice(rest.lastIndexOf(":") + 1).trim() || null;
}

/** The line above a label in brackets, "ACME CORPORATION" above "(Name of Issuer)"; of a name with the one it goes on from. */
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
  if (!isName || above === "" || OF_THE_FORM.test(above)) return last;
  const goesOn = TO_BE_CONTINUED.test(above) || /^\p{Ll}/u.test(last) || GOES_ON.test(last);
  return goesOn ? `${above} ${last}` : last;
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

/** The number of the amendment, on a rule to write on or beside one. */
export function amendmentIn(head: string): number | null {
  const number = /AMENDMENT\s+(?:NO\b\.?|NUMBER\b|#)[\s:_#]*(\d{1,3})(?!\d)/i.exec(head)?.[1];
  return number === undefined ? null : Number(number) || null;
}

const NEAR_CHARS = 14;

/** The rules whose boxes are ticked: all boxes stand before their rules, or all behind them. */
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

/** A later item's heading, with a mark behind its number or the words the form gives it. */
const ITEM_AFTER_4 =
  /^\s*Item\s+[5-7]\s*(?:[.:)–—-]|\n|$|(?:Interest|Contracts|Material)\b)|^\s*SIGNATURES?\s*$/im;
const ITEM_4_TITLED = /^\s*Item\s+4\s*[.:)–—-]*\s*Purpose\s+of\s+(?:the\s+)?Transactions?[.:]?/gim;
/** Not "Item 4 of this Schedule is incorporated by reference", which other items say. */
const ITEM_4 = /^\s*Item\s+4\s*(?:[.:)–—-]+|\n)/gim;
/** "Item 4 of the Schedule 13D is hereby amended by adding:", with no heading above it. */
const ITEM_4_AMENDED = /^\s*Item\s+4\b(?=[^\n]{0,160}\b(?:amended|supplemented|restated)\b)/gim;

/** Item 4 of the body, without its heading; null when it is not there. */
export function purposeIn(text: string): string | null {
  const last = (pattern: RegExp) => [...text.matchAll(pattern)].at(-1);
  const found = last(ITEM_4_TITLED) ?? last(ITEM_4) ?? last(ITEM_4_AMENDED);
  if (!found) return null;
  const rest = text.slice(found.index + found[0].length);
  return rest.slice(0, ITEM_AFTER_4.exec(rest)?.index ?? rest.length).trim() || null;
}

const CEASED =
  /ceased\s+to\s+be\s+(?:the\s+|a\s+)?beneficial\s+owners?\s+of\s+(?:more\s+than|at\s+least|greater\s+than|in\s+excess\s+of)\s+(?:five|5)\s*(?:percent|per\s*cent|%)/gi;

/** Whether the body says that five percent were lost: a ticked box in a 13G, a statement in either. */
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

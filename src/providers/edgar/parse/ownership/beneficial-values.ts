// Reads the values in the rows of a 13D's or 13G's cover page: counts, percentages, names, ticked boxes. An
// unclear value is null. Pure.
import { plainNumber } from "../filed-number.ts";

/** A mark in a box, or one that stands alone. The x of "Exhibit" and "box" is not a mark. */
export const TICKED =
  /\[\s*[xX✓✔]\s*\]|\(\s*[xX]\s*\)|\/\s*[xX]\s*\/|[☒☑✓✔]|(?<![\p{L}\p{N}])[xXþý](?![\p{L}\p{N}])/u;

/** A box, ticked or not. */
export const BOX =
  /\[[^\]\n]{0,4}\]|\(\s*[xX]?\s*\)|\/\s*[xX]?\s*\/|[☐☒☑□✓✔]|(?<![\p{L}\p{N}])[oxXþý¨](?![\p{L}\p{N}])/u;

/** Returns the letter whose box is ticked. The boxes come after both letters, or before both. */
export function groupIn(row: string): "a" | "b" | null {
  const [, start = "", middle = "", end = ""] =
    /^([\s\S]*?)\(\s*a\s*\)([\s\S]*?)\(\s*b\s*\)([\s\S]*)/i.exec(row) ?? [];
  const isBefore = BOX.test(start.slice(-8)) && !BOX.test(end);
  const [a, b] = isBefore ? [start.slice(-8), middle] : [middle, end];
  return TICKED.test(a) ? "a" : TICKED.test(b) ? "b" : null;
}

/** Instructions and references beside a value. They contain numbers of rows and items, never the value. */
const ASIDES =
  /\((?:see|entities|optional|voluntary|discretionary|up to)[^)]*\)|\b(?:see|refer(?:ence)? to|please|pursuant to)\b[^\n]*|(?:\bS\.?\s?S\.?\s+OR\s+)?\bI\.?\s?R\.?\s?S\.?\s+(?:IDENTIFICATION|ID\.?)(?:\s+(?:NUMBERS?|NO\(S\)|NOS?)\b)?[.:]*(?:\s+O[FR]\s+(?:THE\s+)?(?:ABOVE|SUCH|REPORTING)\s+PERSONS?\b)?[.:]*|\bOF\s+(?:THE\s+)?ABOVE\s+PERSONS?\b|\bBY\s+EACH\s+REPORTING\s+PERSON\b|\bREPORTING\s+PERSONS?(?:\s+WITH)?\s*:?$/gim;
/** The number of the next row, at the end of the line that has the next row's label. */
const NEXT_ROW = /[\s|]*[[(]?\b\d{1,2}\b[\])]?\s*[.:)]?\s*$/;

/** Removes the number of the next row when it is apart from its label. An empty row must not read as "10". */
function withoutNumber(content: string, numbers: readonly number[]): string {
  if (numbers.length === 0) return content;
  return content.replace(new RegExp(`(?:^|\\s)[[(]?(?:${numbers.join("|")})[\\])]?[.:)]?\\s*$`), "");
}

/**
 * Returns the content of a row: the text between its label and the next row's. `next` has the next row's
 * numbers.
 */
export function contentOf(text: string, from: number, to: number, next: readonly number[]): string {
  const raw = text
    .slice(from, to)
    .replace(/[_|*]+/g, " ")
    .replace(/-{3,}|={2,}/g, " ");
  const lines = raw.split("\n");
  const last = lines.pop() ?? "";
  const rest = [...lines, lines.length > 0 ? last.replace(NEXT_ROW, "") : last].join("\n");
  return withoutNumber(rest, /\S/.test(last) && lines.length > 0 ? [] : next)
    .replace(ASIDES, " ")
    .replace(/^(?:[\s:)]|\.(?!\d))+/, "")
    .trim();
}

/**
 * A number that is not part of a word, of "1.000.000" or of "1 000 000": other ways of grouping are not
 * guessed.
 */
const NUMBER = /(?<![\w.,'’]|\d )(?:\d{1,3}(?:,\s?\d{3})+|\d+)?(?:\.\d+)?(?![\w'’]|[.,]\d| \d{3}\b)/g;
/** References to footnotes: "(1)", "[a]". */
const NOTES = /\(\s*\w{1,2}\s*\)|\[\s*\w{1,2}\s*\]/g;
/** Words of the column beside the values on an old page. */
const BESIDE = /^\s*(?:(?:NUMBER|OF|SHARES?|BENEFICIALLY|OWNED|BY|EACH|REPORTING|PERSONS?|WITH)\b[\s:]*)+/gim;

interface Figure {
  readonly value: number;
  /** Nothing but punctuation comes before it on its line. */
  readonly isFirst: boolean;
}

function figuresIn(content: string): Figure[] {
  return [...content.matchAll(NUMBER)].flatMap((match) => {
    const digits = plainNumber(match[0].replace(/\s/g, ""));
    if (digits === null || !/\d/.test(match[0])) return [];
    const line = content.slice(content.lastIndexOf("\n", match.index - 1) + 1, match.index);
    return { value: Number(digits), isFirst: !/[\p{L}\p{N}]/u.test(line) };
  });
}

/**
 * Returns the figure a row starts with, or its only figure. Of several figures within words the right one is
 * unknown.
 */
function figureOf(figures: readonly Figure[]): number | null {
  const [first] = figures;
  if (first === undefined) return null;
  return first.isFirst || figures.every(({ value }) => value === first.value) ? first.value : null;
}

/** Removes footnote references, and text in brackets when there is a value outside them. */
function bare(content: string): string {
  const noted = content.replace(NOTES, " ").trim();
  const outside = noted.replace(/\([^)]*\)/g, " ");
  return /\d|\b(?:none|nil|zero)\b/i.test(outside) ? outside : noted;
}

const isZero = (content: string): boolean =>
  /^\W*(?:-?\s*0\s*-?|none|nil|zero)\b/i.test(content) && !/^\W*0\.\d*[1-9]/.test(content);

/** Reads a count of shares; null when the row has none. Money, percentages and "2 million" are not counts. */
export function sharesIn(row: string): number | null {
  const content = bare(row).replace(BESIDE, "");
  if (isZero(content)) return 0;
  if (/\d\s*(?:thousand|million|billion)\b/i.test(content)) return null;
  return figureOf(figuresIn(content.replace(/\$\s?[\d.,]*\d|[\d.,]*\d\s*(?:%|per\s?cent\b)/gi, "$")));
}

/** Reads a percentage: the number before the sign, else the only number. "less than 5%" gives null. */
export function percentIn(row: string): number | null {
  const content = bare(row);
  if (/\b(?:less|fewer|under|below|more|over|approximately less) than\b|[<>]/i.test(content)) return null;
  const signed = [...content.matchAll(/(\d[\d,]*\.?\d*|\.\d+)\s*(?:%|per\s?cent\b)/gi)].map((match) => ({
    value: Number(plainNumber(match[1] ?? "") ?? Number.NaN),
    isFirst: !/[\p{L}\p{N}]/u.test(content.slice(content.lastIndexOf("\n", match.index) + 1, match.index)),
  }));
  if (signed.some(({ value }) => Number.isNaN(value))) return null;
  if (signed.length > 0) return figureOf(signed);
  return isZero(content) ? 0 : figureOf(figuresIn(content));
}

/** Returns the first line that is a name. */
export function nameIn(content: string): string {
  const lines = content
    .split("\n")
    .map((line) =>
      line
        .replace(/^[\s.():;,-]*(?:\d{1,2}[.):]\s*|\d{2}-\d{7}\s*)?[\s.():;,-]*/, "")
        .replace(/\s*[-–]?\s*\((?:tax\s+id|i\.?r\.?s\.?)\b.*$/i, "")
        .replace(/\s{2,}.*$|\t.*$/, "")
        .trim(),
    )
    .filter(
      (line) => /[A-Za-z]{2}/.test(line) && !/^(?:S\.?S\.?|I\.?R\.?S\.?|EIN|TAX|NOS?\.?)\b/i.test(line),
    );
  return (lines[0] ?? "").replace(/\s*(?:[-–]\s*)?\(?\b\d{2}-\d{7}\)?.*$/, "").trim();
}

// Plain text of the HTML in titles and summaries of feeds: entities decoded, markup removed.
import { Parser } from "htmlparser2";

/** Elements whose content is not text. */
const SILENT = new Set(["script", "style", "head", "template", "iframe", "object", "svg"]);
/** Tags within a word or a line; all others separate the text before from the text after. */
const INLINE = new Set([
  "a",
  "abbr",
  "b",
  "em",
  "font",
  "i",
  "mark",
  "s",
  "small",
  "span",
  "strong",
  "sub",
  "sup",
  "u",
]);
/**
 * A `<` that begins no tag, end tag or comment is a less-than sign, as in "P/E <5" or "A<B rated", and stays.
 */
const NO_TAG = /<(?!\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|!--)/gi;
/** Control characters and lone surrogates: invisible, and they break files. */
const UNSEEN = /[\p{Cc}\p{Cs}\u200b\u2028\u2029\ufeff]/gu;

/** One line of text; null when nothing is left. */
export function htmlText(html: string | null): string | null {
  if (html === null) return null;
  let text = "";
  let silent = 0;
  const parser = new Parser(
    {
      onopentag(name) {
        if (SILENT.has(name)) silent++;
        if (!INLINE.has(name)) text += " ";
      },
      ontext(part) {
        if (silent === 0) text += part;
      },
      onclosetag(name) {
        if (SILENT.has(name)) silent--;
        if (!INLINE.has(name)) text += " ";
      },
    },
    { decodeEntities: true },
  );
  parser.end(html.replace(NO_TAG, "&lt;"));
  const line = text.replace(UNSEEN, " ").replace(/\s+/gu, " ").trim();
  return line === "" ? null : line;
}

/** The text cut at a word to at most `charsMax` characters, with an ellipsis when it was cut. */
export function shortened(text: string, charsMax: number): string {
  const chars = [...text];
  if (chars.length <= charsMax) return text;
  const head = chars.slice(0, charsMax - 1).join("");
  const word = head.replace(/\s+\S*$/u, "");
  return `${word.length > head.length / 2 ? word : head}…`;
}

// The plain text of a piece of HTML, as feeds put it into titles and summaries: entities decoded, markup gone.
import { Parser } from "htmlparser2";

/** Whose content is no text. */
const SILENT = new Set(["script", "style", "head", "template", "iframe", "object", "svg"]);
/** Tags that stand within a word or a line; all others part what is before from what is behind. */
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
/** A `<` that begins no tag, end tag or comment is a less-than sign, as in "P/E <5" or "A<B rated": kept. */
const NO_TAG = /<(?!\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|!--)/gi;
/** Controls and the halves of broken pairs: they say nothing and break files. */
const UNSEEN = /[\p{Cc}\p{Cs}\u200b\u2028\u2029\ufeff]/gu;

/** One line, or null where nothing is left. */
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

/** Cut at a word to at most `charsMax`, an ellipsis behind what was cut. */
export function shortened(text: string, charsMax: number): string {
  const chars = [...text];
  if (chars.length <= charsMax) return text;
  const head = chars.slice(0, charsMax - 1).join("");
  const word = head.replace(/\s+\S*$/u, "");
  return `${word.length > head.length / 2 ? word : head}…`;
}

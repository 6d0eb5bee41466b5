// The meaning of each tag of a filing for its plain text.

/** How an element is laid out; null for an element within a line. */
export type Layout = "paragraph" | "line" | "break" | "table" | "row" | "cell" | null;

export interface TagKind {
  /** In lower case. */
  readonly name: string;
  readonly layout: Layout;
  /** Has no content and no end tag. */
  readonly isVoid: boolean;
  /** Its content is not shown. */
  readonly isUnseen: boolean;
  /** Old filings often leave it open, so it does not count towards the depth of a document. */
  readonly isLeftOpen: boolean;
  /** A superscript or subscript. */
  readonly isRaised: boolean;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

const LAYOUTS: readonly (readonly [Layout, ReadonlySet<string>])[] = [
  ["paragraph", words("p h1 h2 h3 h4 h5 h6 blockquote ul ol dl pre hr page")],
  ["line", words("div li center dt dd section article header footer form address caption body option")],
  ["break", words("br")],
  ["table", words("table")],
  ["row", words("tr")],
  ["cell", words("td th")],
];
const VOID = words("area base basefont br col embed frame hr img input link meta param source wbr page");
/** Inline XBRL has its contexts and hidden facts in ix:header. */
const UNSEEN = words("script style title ix:header ix:hidden textarea noscript select object");
const LEFT_OPEN = words(
  "p li dt dd td th tr tbody thead tfoot colgroup option font b i u em strong small big sup sub a center body html",
);
const RAISED = words("sup sub");
/** Has no meaning but is very frequent. */
const SPAN = "span";

function describe(name: string): TagKind {
  return {
    name,
    layout: LAYOUTS.find(([, names]) => names.has(name))?.[0] ?? null,
    isVoid: VOID.has(name),
    isUnseen: UNSEEN.has(name),
    isLeftOpen: LEFT_OPEN.has(name),
    isRaised: RAISED.has(name),
  };
}

const KNOWN: ReadonlyMap<string, TagKind> = new Map(
  [...LAYOUTS.flatMap(([, names]) => [...names]), ...VOID, ...UNSEEN, ...LEFT_OPEN, SPAN].map((name) => [
    name,
    describe(name),
  ]),
);
const NAME_CHARS_MAX = 64;
/**
 * Names up to this length are looked up by a number made of their characters: documents have tens of
 * thousands of tags.
 */
const SHORT_CHARS_MAX = 5;

/** A unique number for a short name of letters and digits, ignoring case; null for every other name. */
export function shortKey(source: string, start: number, end: number): number | null {
  if (end - start > SHORT_CHARS_MAX) return null;
  let key = 0;
  for (let at = start; at < end; at += 1) {
    const code = source.charCodeAt(at);
    const letter = (code | 32) - 96;
    // Letters are 1 to 26, digits 27 to 36.
    if (letter >= 1 && letter <= 26) key = key * 64 + letter;
    else if (code >= 48 && code <= 57) key = key * 64 + code - 21;
    else return null;
  }
  return key;
}

const SHORT: ReadonlyMap<number, TagKind> = new Map(
  [...KNOWN].flatMap(([name, kind]) => {
    const key = shortKey(name, 0, name.length);
    return key === null ? [] : [[key, kind]];
  }),
);
const UNKNOWN = describe("");

/** Returns the meaning of the tag named in `source`. An unknown tag is a plain element within a line. */
export function tagAt(source: string, start: number, end: number): TagKind {
  const key = shortKey(source, start, end);
  const known = key === null ? undefined : SHORT.get(key);
  if (known) return known;
  const name = source.slice(start, Math.min(end, start + NAME_CHARS_MAX)).toLowerCase();
  return KNOWN.get(name) ?? { ...UNKNOWN, name };
}

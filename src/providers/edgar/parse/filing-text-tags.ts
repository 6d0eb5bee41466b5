// What each tag of a filing means for its plain text.

/** How an element is laid out; null for those within a line. */
export type Layout = "paragraph" | "line" | "break" | "table" | "row" | "cell" | null;

export interface TagKind {
  readonly layout: Layout;
  /** Has no content and no end tag. */
  readonly isVoid: boolean;
  /** What no reader sees. */
  readonly isUnseen: boolean;
  /** Often left open by old filings, so that it says nothing about how deep a document goes. */
  readonly isLeftOpen: boolean;
  /** Stands above or below the line. */
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
/** Inline XBRL keeps its contexts and the facts it does not show in ix:header. */
const UNSEEN = words("script style title ix:header ix:hidden textarea noscript select object");
const LEFT_OPEN = words(
  "p li dt dd td th tr tbody thead tfoot colgroup option font b i u em strong small big sup sub a center body html",
);
const RAISED = words("sup sub");

function describe(name: string): TagKind {
  return {
    layout: LAYOUTS.find(([, names]) => names.has(name))?.[0] ?? null,
    isVoid: VOID.has(name),
    isUnseen: UNSEEN.has(name),
    isLeftOpen: LEFT_OPEN.has(name),
    isRaised: RAISED.has(name),
  };
}

const KNOWN: ReadonlyMap<string, TagKind> = new Map(
  [...LAYOUTS.flatMap(([, names]) => [...names]), ...VOID, ...UNSEEN, ...LEFT_OPEN].map((name) => [
    name,
    describe(name),
  ]),
);
const UNKNOWN = describe("");

/** What the tag of this name (in small letters) means; an unknown one is a plain element within a line. */
export function tagKind(name: string): TagKind {
  return KNOWN.get(name) ?? UNKNOWN;
}

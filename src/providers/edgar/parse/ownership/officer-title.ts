// Determines the office from an officer's title: chief executive, chief financial or another chief officer.
// Pure.

export interface Office {
  readonly is_ceo: boolean | null;
  readonly is_cfo: boolean | null;
  readonly is_c_suite: boolean | null;
}

export const NO_OFFICE: Office = { is_ceo: false, is_cfo: false, is_c_suite: false };
export const UNKNOWN_OFFICE: Office = { is_ceo: null, is_cfo: null, is_c_suite: null };

const CEO = /\b(?:CEO|CHIEF EXEC\w*(?: OF[A-Z]+)?|PRINCIPAL EXECUTIVE(?: OF[A-Z]+)?|PEO)(?!\w)/g;
const CFO =
  /\b(?:CFO|CHIEF FIN(?:ANCIAL|ANCE|AN\w*|L)?(?: (?:AND|&) (?:\w+ )?\w+ OFFICER| OF[A-Z]+)?|PRINCIPAL FINANCIAL(?: (?:AND|&) ACCOUNTING)?(?: OF[A-Z]+)?|PFO)(?!\w)/g;
/** Abbreviations such as COO, and "CHIEF … OFFICER" with at most five words between. */
const OTHER_CHIEF =
  /\b(?:C(?:OO|TO|IO|LO|AO|MO|HRO|PO|RO|CO|SO|DO|BO|ISO|NO|XO|GO|INO|STO|PEO|SCO)|CHIEF(?: [\w&-]+){1,5}? (?:OF[A-Z]+|COUNSEL)|CHIEF (?:OPERATING|LEGAL|TECHNOLOGY|ACCOUNTING|MARKETING|MEDICAL|SCIENTIFIC|COMMERCIAL|PEOPLE|REVENUE|STRATEGY|BUSINESS|RISK|COMPLIANCE|INVESTMENT|INFORMATION|ADMINISTRATIVE|DEVELOPMENT|PRODUCT)\w*)(?!\w)/g;
const PRESIDENT = /(?<!\bV )(?<!\bVICE )(?<!\bVICE-)\b(?:PRESIDENT|PRES)(?!\w)/g;
const COUNSEL = /\b(?:GENERAL COUNSEL|GEN COUNSEL|GEN COUNS|GC)(?!\w)/g;

/** Offices and words beside them. A title of such words is still about the whole company. */
const ROLES = new Set(
  `CO JOINT INTERIM ACTING SOLE PRES PRESIDENT CHAIR CHAIRMAN CHAIRWOMAN CHAIRPERSON CHMN CHRMN CHM COB CB DIR
  DIRECTOR FOUNDER COFOUNDER EXECUTIVE EXEC MANAGING MEMBER PARTNER TREASURER TREAS SECRETARY SEC SECTY SECY OWNER
  SHAREHOLDER VP SVP EVP SEVP VICE SENIOR SR OFFICER OFFICE OFF OFCR PRINCIPAL CHIEF CEO CFO COO CTO CIO CLO CAO CMO
  CHRO CPO CRO CCO CSO CDO CBO PEO PFO PAO GC COUNSEL CONTROLLER COMPTROLLER TRUSTEE MANAGER MD EMPLOYEE`.split(
    /\s+/,
  ),
);
/** Words allowed right before an office of the whole company: "Global CEO", but not "Optum CEO". */
const LEADING = new Set([
  ...ROLES,
  ..."AND & THE A AN AS IS OUR NOW CURRENT CURRENTLY NEW BOARD FOUNDING COFOUNDING GENERAL CORP CORPORATE GLOBAL GROUP COMPANY".split(
    " ",
  ),
  ..."ISSUER REGISTRANT ADMIN ADMINISTRATIVE FINANCE ACCOUNTING OPERATING".split(" "),
]);
/**
 * Offices that come in pairs. The name of a division comes after the second one: "President & CEO, Optum".
 */
const HEADS = new Set(["CEO", "CFO", "COO", "PRESIDENT", "PRES"]);
const WHOLE =
  /^(?:THE )?(?:COMPANY|ISSUER|REGISTRANT|CORPORATION|FIRM|PARTNERSHIP|TRUST|(?:MANAGING )?GENERAL PARTNER|GP|REIT)\b/;
const GONE_BEFORE =
  /\b(?:FORMER|FORMERLY|EX|PAST|RETIRED|PRIOR|PREVIOUS|PREVIOUSLY|DEPARTED|INCOMING|FUTURE|DEPUTY|VICE|ASSISTANT|ASST|ASSOCIATE|ADVISOR TO|ADVISER TO|ADV TO|COUNSELOR TO|ASSISTANT TO|STAFF TO|REPORTING TO|REPORTS TO|OFFICE OF|SPOUSE OF|WIFE OF|HUSBAND OF|SON OF|DAUGHTER OF|DIVISION|DIVISIONAL|SUBSIDIARY|REGIONAL|SEGMENT|DIV|SUB)(?: THE| OUR)?$/;
/** A former office anywhere before this one, unless a semicolon, NOW or CURRENT comes in between. */
const GONE_EARLIER = /\b(?:FORMER|FORMERLY|RETIRED|PREVIOUSLY|EX-)\b(?!.*(?:;|\bNOW\b|\bCURRENT(?:LY)?\b))/;
const GONE_AFTER =
  /^[\s,(-]*(?:FORMER|RETIRED|EMERITUS|UNTIL|THROUGH|THRU|ELECT|DESIGNATE|DESIGNEE|RESIGNED|EX\b)/;
/** The form's box holds thirty characters. A title that fills it may have been cut off. */
const BOX_CHARS = 29;
/** A longer title comes from the remarks and is complete. */
const BOX_CHARS_MAX = 30;

/** References that are not a part of the title: "*", "(1)", "(See Remarks)". */
const REFERENCES = /\s*(?:[*†‡§#]+|[([]\s*(?:\d{1,2}|SEE\b[^)\]]*)\s*[)\]])/g;

/** Normalises a title: upper case, abbreviations without dots, one kind of dash and blank. */
const normal = (title: string): string =>
  title
    .toUpperCase()
    .replace(REFERENCES, "")
    .replace(/\bCHEIF\b/g, "CHIEF")
    .replace(/[\u2010-\u2015]/g, "-")
    .replace(/\u2019/g, "'")
    .replace(/\b(?:[A-Z]\.)+[A-Z]\b\.?/g, (letters) => letters.replaceAll(".", ""))
    .replaceAll(".", " ")
    .replace(/\bCO-(?=[A-Z])/g, "CO ")
    .replace(/\s+/g, " ")
    .trim();

const wordsOf = (text: string): string[] => text.match(/[A-Z0-9&']+/g) ?? [];

interface Reading {
  readonly title: string;
  readonly issuerWords: readonly string[];
  readonly isCut: boolean;
  /** The title may have been cut off in the middle of a word. */
  readonly mayLackEnd: boolean;
}

/** True when the text before the office leaves it a current office of the whole company. */
function beforeAllows(before: string, { issuerWords }: Reading): boolean {
  const text = before.trimEnd();
  if (GONE_BEFORE.test(text.replace(/[-\s]+$/, "")) || GONE_EARLIER.test(text)) return false;
  // A comma or the like ends the office before it.
  const last = wordsOf(/[,;:/()]$/.test(text) ? "" : text).at(-1);
  return last === undefined || LEADING.has(last) || issuerWords.includes(last);
}

/** True when `text` starts with the issuer's name or a word for the company. */
function isWhole(text: string, { issuerWords }: Reading): boolean {
  const [first = ""] = wordsOf(text.replace(/^THE /, ""));
  return WHOLE.test(text) || (first.length > 2 && issuerWords[0] === first);
}

/** True when `text`, up to the next punctuation mark, is another office and not the name of a division. */
function isOffice(text: string, reading: Reading): boolean {
  const [segment = ""] = text.split(/[,;:/()]/, 1);
  const words = wordsOf(segment);
  const last = words.at(-1) ?? "";
  const isCutOff = reading.isCut && text.trim() === segment.trim() && last.length > 1;
  return (
    words.some((word) => ROLES.has(word)) || (isCutOff && [...ROLES].some((role) => role.startsWith(last)))
  );
}

/** True when the text after the office leaves it an office of the whole company. */
function afterAllows(after: string, reading: Reading): boolean {
  if (GONE_AFTER.test(after)) return false;
  const of = /^[\s,]*(?:OF|FOR|AT)\b\s*(.*)$/.exec(after);
  if (of) return isWhole(of[1] ?? "", reading);
  const beside = /^\s*(?:&|AND\b|\+|;)\s*(.*)$/.exec(after);
  if (beside) {
    // "President & CEO, Optum": the division's name follows the last office of the pair.
    const [, head = "", rest = ""] = /^(\w+)\b(.*)$/.exec(beside[1] ?? "") ?? [];
    return HEADS.has(head) ? afterAllows(rest, reading) : true;
  }
  const rest = after.replace(/^[\s,:/()-]+/, "");
  return rest === "" || isWhole(rest, reading) || isOffice(rest, reading);
}

/** The rest after an office in a title that was cut off: a meaningless "and", or the start of a word. */
const CUT_AND = /^ (?:AN?|AND|&)$/;
const CUT_WORD = /^[\s,:/(-]*(?:OF(?: THE)?\b ?)?\w*$/;
/** Full names of offices. A title that ends in the middle of one may mean it. */
const IN_FULL = ["CHIEF EXECUTIVE", "CHIEF FINANCIAL", "PRINCIPAL EXECUTIVE", "PRINCIPAL FINANCIAL"];
const BEGUN_CHARS_MIN = 3;
/** CEO or CFO at the end, complete enough to be recognised. */
const NAMED_LAST = [CEO, CFO].map(({ source }) => new RegExp(`(?:${source})$`));

/** True when the title was cut off inside a name that may be CEO or CFO: "Executive Vice President, Chie". */
function endsWithin({ title, isCut }: Reading): boolean {
  if (!isCut || NAMED_LAST.some((office) => office.test(title))) return false;
  const isBegun = (name: string): boolean =>
    Array.from({ length: name.length }, (_, i) => name.slice(0, i + 1)).some(
      (part) => part.length >= BEGUN_CHARS_MIN && ` ${title}`.endsWith(` ${part.trimEnd()}`),
    );
  return IN_FULL.some(isBegun) || /\bCHIEF(?: \w{1,3})?$|(?:\bAND|[&,]) (?:CH?|PR?)$/.test(title);
}

/**
 * True when the title contains `office` as a current office of the whole company; null when the title was cut
 * off before that is clear.
 */
function holds(office: RegExp, reading: Reading): boolean | null {
  const { title, isCut } = reading;
  let isPossible = false;
  office.lastIndex = 0;
  for (let match = office.exec(title); match; match = office.exec(title)) {
    const before = title.slice(0, match.index);
    // A title that was cut off: "Exec VP and Chief Financial Of".
    const rest = title.slice(match.index + match[0].length);
    const whole = isCut && /^(?:CHIEF|PRINCIPAL)\b/.test(match[0]) ? rest.replace(/^ OF?$/, "") : rest;
    const after = isCut ? whole.replace(CUT_AND, "") : whole;
    if (!beforeAllows(before, reading)) continue;
    if (afterAllows(after, reading)) return true;
    isPossible ||= reading.mayLackEnd && CUT_WORD.test(after) && !GONE_AFTER.test(after);
  }
  return isPossible ? null : false;
}

/**
 * Returns the office that a title names. With `issuerName`, "CEO of Acme" is an office of the whole company
 * when Acme is the issuer. A title that was cut off at "… and Chief" may be CEO or CFO: both are null.
 */
export function officeOf(title: string, issuerName: string): Office {
  const { length } = title.trim();
  const reading: Reading = {
    title: normal(title),
    issuerWords: wordsOf(normal(issuerName)),
    isCut: length >= BOX_CHARS,
    mayLackEnd: length >= BOX_CHARS && length <= BOX_CHARS_MAX,
  };
  const isBegun = endsWithin(reading);
  const holdsOrUnknown = (office: RegExp): boolean | null => {
    const held = holds(office, reading);
    return held === false && isBegun ? null : held;
  };
  const [is_ceo, is_cfo] = [holdsOrUnknown(CEO), holdsOrUnknown(CFO)];
  const chiefs = [
    is_ceo,
    is_cfo,
    ...[OTHER_CHIEF, PRESIDENT, COUNSEL].map((office) => holds(office, reading)),
  ];
  return { is_ceo, is_cfo, is_c_suite: chiefs.includes(true) ? true : chiefs.includes(null) ? null : false };
}

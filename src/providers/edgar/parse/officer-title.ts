// What an officer's title says of the office: chief executive, chief financial, another chief. Pure.

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
/** Two letters about one O; and "CHIEF … OFFICER" with at most four words between. */
const OTHER_CHIEF =
  /\b(?:C(?:OO|TO|IO|LO|AO|MO|HRO|PO|RO|CO|SO|DO|BO|ISO|NO|XO|GO|INO|STO|PEO|SCO)|CHIEF(?: [\w&-]+){1,5}? (?:OF[A-Z]+|COUNSEL)|CHIEF (?:OPERATING|LEGAL|TECHNOLOGY|ACCOUNTING|MARKETING|MEDICAL|SCIENTIFIC|COMMERCIAL|PEOPLE|REVENUE|STRATEGY|BUSINESS|RISK|COMPLIANCE|INVESTMENT|INFORMATION|ADMINISTRATIVE|DEVELOPMENT|PRODUCT)\w*)(?!\w)/g;
const PRESIDENT = /(?<!\bV )(?<!\bVICE )(?<!\bVICE-)\b(?:PRESIDENT|PRES)(?!\w)/g;
const COUNSEL = /\b(?:GENERAL COUNSEL|GEN COUNSEL|GEN COUNS|GC)(?!\w)/g;

/** Offices and what stands beside them: with such a word a title still speaks of the whole company. */
const ROLES = new Set(
  `CO JOINT INTERIM ACTING SOLE PRES PRESIDENT CHAIR CHAIRMAN CHAIRWOMAN CHAIRPERSON CHMN CHRMN CHM COB CB DIR
  DIRECTOR FOUNDER COFOUNDER EXECUTIVE EXEC MANAGING MEMBER PARTNER TREASURER TREAS SECRETARY SEC SECTY SECY OWNER
  SHAREHOLDER VP SVP EVP SEVP VICE SENIOR SR OFFICER OFFICE OFF OFCR PRINCIPAL CHIEF CEO CFO COO CTO CIO CLO CAO CMO
  CHRO CPO CRO CCO CSO CDO CBO PEO PFO PAO GC COUNSEL CONTROLLER COMPTROLLER TRUSTEE MANAGER MD EMPLOYEE`.split(
    /\s+/,
  ),
);
/** What may stand right before an office without making it that of a part: "Global CEO", not "Optum CEO". */
const LEADING = new Set([
  ...ROLES,
  ..."AND & THE A AN AS IS OUR NOW CURRENT CURRENTLY NEW BOARD FOUNDING COFOUNDING GENERAL CORP CORPORATE GLOBAL GROUP COMPANY".split(
    " ",
  ),
  ..."ISSUER REGISTRANT ADMIN ADMINISTRATIVE FINANCE ACCOUNTING OPERATING".split(" "),
]);
/** Offices that come in pairs: what names the part stands behind the second, "President & CEO, Optum". */
const HEADS = new Set(["CEO", "CFO", "COO", "PRESIDENT", "PRES"]);
const WHOLE =
  /^(?:THE )?(?:COMPANY|ISSUER|REGISTRANT|CORPORATION|FIRM|PARTNERSHIP|TRUST|(?:MANAGING )?GENERAL PARTNER|GP|REIT)\b/;
const GONE_BEFORE =
  /\b(?:FORMER|FORMERLY|EX|PAST|RETIRED|PRIOR|PREVIOUS|PREVIOUSLY|DEPARTED|INCOMING|FUTURE|DEPUTY|VICE|ASSISTANT|ASST|ASSOCIATE|ADVISOR TO|ADVISER TO|ADV TO|COUNSELOR TO|ASSISTANT TO|STAFF TO|REPORTING TO|REPORTS TO|OFFICE OF|SPOUSE OF|WIFE OF|HUSBAND OF|SON OF|DAUGHTER OF|DIVISION|DIVISIONAL|SUBSIDIARY|REGIONAL|SEGMENT|DIV|SUB)(?: THE| OUR)?$/;
/** Anywhere before the office, with nothing in between that brings it back to today. */
const GONE_EARLIER = /\b(?:FORMER|FORMERLY|RETIRED|PREVIOUSLY|EX-)\b(?!.*(?:;|\bNOW\b|\bCURRENT(?:LY)?\b))/;
const GONE_AFTER =
  /^[\s,(-]*(?:FORMER|RETIRED|EMERITUS|UNTIL|THROUGH|THRU|ELECT|DESIGNATE|DESIGNEE|RESIGNED|EX\b)/;
/** The box holds thirty characters; what fills it may have been cut off. */
const BOX_CHARS = 29;
/** What is longer stood elsewhere, and ends where it ends. */
const BOX_CHARS_MAX = 30;

/** What refers to somewhere else and says nothing of the office: "*", "(1)", "(See Remarks)". */
const REFERENCES = /\s*(?:[*†‡§#]+|[([]\s*(?:\d{1,2}|SEE\b[^)\]]*)\s*[)\]])/g;

/** Upper case, dots of abbreviations gone, dashes and blanks of one kind. */
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
  /** Its last word may be the beginning of another. */
  readonly isUntold: boolean;
}

/** Whether what stands before the office leaves it today's and the company's. */
function beforeAllows(before: string, { issuerWords }: Reading): boolean {
  const text = before.trimEnd();
  if (GONE_BEFORE.test(text.replace(/[-\s]+$/, "")) || GONE_EARLIER.test(text)) return false;
  // Behind a comma another office has ended.
  const last = wordsOf(/[,;:/()]$/.test(text) ? "" : text).at(-1);
  return last === undefined || LEADING.has(last) || issuerWords.includes(last);
}

/** Whether `text` names the issuer or the company at its beginning. */
function isWhole(text: string, { issuerWords }: Reading): boolean {
  const [first = ""] = wordsOf(text.replace(/^THE /, ""));
  return WHOLE.test(text) || (first.length > 2 && issuerWords[0] === first);
}

/** Whether `text`, up to the next mark, is an office of its own and not the name of a part. */
function isOffice(text: string, reading: Reading): boolean {
  const [segment = ""] = text.split(/[,;:/()]/, 1);
  const words = wordsOf(segment);
  const last = words.at(-1) ?? "";
  const isCutOff = reading.isCut && text.trim() === segment.trim() && last.length > 1;
  return (
    words.some((word) => ROLES.has(word)) || (isCutOff && [...ROLES].some((role) => role.startsWith(last)))
  );
}

/** Whether what stands behind the office leaves it the whole company's. */
function afterAllows(after: string, reading: Reading): boolean {
  if (GONE_AFTER.test(after)) return false;
  const of = /^[\s,]*(?:OF|FOR|AT)\b\s*(.*)$/.exec(after);
  if (of) return isWhole(of[1] ?? "", reading);
  const beside = /^\s*(?:&|AND\b|\+|;)\s*(.*)$/.exec(after);
  if (beside) {
    // "President & CEO, Optum": the part stands behind the last of the pair.
    const [, head = "", rest = ""] = /^(\w+)\b(.*)$/.exec(beside[1] ?? "") ?? [];
    return HEADS.has(head) ? afterAllows(rest, reading) : true;
  }
  const rest = after.replace(/^[\s,:/()-]+/, "");
  return rest === "" || isWhole(rest, reading) || isOffice(rest, reading);
}

/** What stands behind an office where the title was cut off: "and", that no longer tells, or the beginning of a word. */
const CUT_AND = /^ (?:AN?|AND|&)$/;
const CUT_WORD = /^[\s,:/(-]*(?:OF(?: THE)?\b ?)?\w*$/;
/** Offices in full; a title that ends within one of them may mean it. */
const IN_FULL = ["CHIEF EXECUTIVE", "CHIEF FINANCIAL", "PRINCIPAL EXECUTIVE", "PRINCIPAL FINANCIAL"];
const BEGUN_CHARS_MIN = 3;
/** One of the two at the end, whole enough to be known. */
const NAMED_LAST = [CEO, CFO].map(({ source }) => new RegExp(`(?:${source})$`));

/** Whether the title was cut off within the name of an office that may be one of the two: "Executive Vice President, Chie". */
function endsWithin({ title, isCut }: Reading): boolean {
  if (!isCut || NAMED_LAST.some((office) => office.test(title))) return false;
  const isBegun = (name: string): boolean =>
    Array.from({ length: name.length }, (_, i) => name.slice(0, i + 1)).some(
      (part) => part.length >= BEGUN_CHARS_MIN && ` ${title}`.endsWith(` ${part.trimEnd()}`),
    );
  return IN_FULL.some(isBegun) || /\bCHIEF(?: \w{1,3})?$|(?:\bAND|[&,]) (?:CH?|PR?)$/.test(title);
}

/**
 * Whether one of the places where `office` stands in the title is the company's own, and held today; null where the
 * title was cut off before it told.
 */
function holds(office: RegExp, reading: Reading): boolean | null {
  const { title, isCut } = reading;
  let mayBe = false;
  office.lastIndex = 0;
  for (let match = office.exec(title); match; match = office.exec(title)) {
    const before = title.slice(0, match.index);
    // Cut off: "Exec VP and Chief Financial Of".
    const rest = title.slice(match.index + match[0].length);
    const whole = isCut && /^(?:CHIEF|PRINCIPAL)\b/.test(match[0]) ? rest.replace(/^ OF?$/, "") : rest;
    const after = isCut ? whole.replace(CUT_AND, "") : whole;
    if (!beforeAllows(before, reading)) continue;
    if (afterAllows(after, reading)) return true;
    mayBe ||= reading.isUntold && CUT_WORD.test(after) && !GONE_AFTER.test(after);
  }
  return mayBe ? null : false;
}

/**
 * The office by the title. `issuerName` lets "CEO of Acme" be the company's where Acme is the issuer. A title that
 * was cut off at "… and Chief" is some chief's, which one is not known.
 */
export function officeOf(title: string, issuerName: string): Office {
  const { length } = title.trim();
  const reading: Reading = {
    title: normal(title),
    issuerWords: wordsOf(normal(issuerName)),
    isCut: length >= BOX_CHARS,
    isUntold: length >= BOX_CHARS && length <= BOX_CHARS_MAX,
  };
  const isBegun = endsWithin(reading);
  const told = (office: RegExp): boolean | null => {
    const held = holds(office, reading);
    return held === false && isBegun ? null : held;
  };
  const [is_ceo, is_cfo] = [told(CEO), told(CFO)];
  const chiefs = [
    is_ceo,
    is_cfo,
    ...[OTHER_CHIEF, PRESIDENT, COUNSEL].map((office) => holds(office, reading)),
  ];
  return { is_ceo, is_cfo, is_c_suite: chiefs.includes(true) ? true : chiefs.includes(null) ? null : false };
}

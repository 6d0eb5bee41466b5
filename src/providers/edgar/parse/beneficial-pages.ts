// Schedules 13D and 13G of before 18 December 2024: the numbered rows of the cover pages, from a page or plain text.
import type { BeneficialPerson, ReadWarning, Unread } from "../ownership-records.ts";
import type { Found } from "./beneficial-schedule.ts";
import { readFiledDay } from "./filed-day.ts";
import { plainNumber } from "./filed-number.ts";
import { type ParseBudget, toPlainText } from "./filing-text.ts";
import { unread } from "./xml-records.ts";

/** The rows' words, whatever stands between them; a row reaches to the beginning of the next. */
const ROWS = {
  name: /NAMES?\s+OF\s+(?:THE\s+)?(?:ABOVE\s+)?(?:REPORTING\s+)?PERSONS?(?:\s*\(S\))?(?=\s|[:./(]|$)/gi,
  group: /CHECK\s+(?:THE\s+)?APPROPRIATE\s+BOX\s+IF\s+A\s+MEMBER/gi,
  sec: /SEC\s+USE\s+ONLY/gi,
  citizenship: /CITIZENSHIP\s+OR\s+PLACE\s+OF\s+ORGANI[SZ]ATION/gi,
  sole_voting: /SOLE\s+VOTING\s+POWER/gi,
  shared_voting: /SHARED\s+VOTING\s+POWER/gi,
  sole_dispositive: /SOLE\s+(?:DISPOSITIVE|INVESTMENT)\s+POWER/gi,
  shared_dispositive: /SHARED\s+(?:DISPOSITIVE|INVESTMENT)\s+POWER/gi,
  shares:
    /(?:AGGREGATE|TOTAL)\s+AMOUNT\s+(?:OF\s+\w+\s+)?BENEFICIALLY\s+OWNED(?:\s+BY)?(?:\s+(?:EACH|THE))?(?:\s+REPORTING)?(?:\s+PERSONS?)?/gi,
  excludes: /CHECK\s+(?:IF|BOX|HERE)\s+(?:IF\s+)?(?:THE\s+)?AGGREGATE\s+AMOUNT/gi,
  percent:
    /PERCENT(?:AGE)?\s+OF\s+(?:CLASS|SERIES)\s+REPRESENTED\s+(?:BY|IN)\s+(?:THE\s+)?AMOUNT\s+(?:IN|OF)\s+(?:ROW|BOX|LINE|ITEM)\s*\(?\s*\d*\s*\)?/gi,
  type: /TYPE\s+OF\s+(?:REPORTING\s+)?PERSONS?(?:\s+REPORTING)?/gi,
} as const;
type Row = keyof typeof ROWS;
const FUNDS = /SOURCES?\s+OF\s+FUNDS/gi;
const LEGAL = /CHECK\s+(?:BOX\s+)?IF\s+DISCLOSURE\s+OF\s+LEGAL/gi;
/** Where the cover pages end: the first item, or the next page's number line. */
const ENDS =
  /^\s*ITEM\s+1\s*[.:(]|^\s*CUSIP\s+(?:NO|NUMBER)\b|^\s*PAGE\s+\d+\s+OF\b|^\s*\*+\s*SEE\s+INSTRUCTIONS|^\s*SCHEDULE\s+13[DG]\b/gim;

const PERSON_TYPES = new Set("BD BK IC IV IA EP HC SA CP CO PN IN FI OO".split(" "));
const TICKED = /\[\s*[xX✓✔]\s*\]|\(\s*[xX]\s*\)|\/\s*[xX]\s*\/|[☒☑þýx✓✔]|(?:^|[\s_])X(?:[\s_]|$)/;
/** Cover pages stand in the first pages; a schedule with hundreds of persons is some megabytes. */
const PERSONS_MAX = 500;
const HEAD_CHARS = 12_000;

interface Mark {
  readonly row: Row | "other";
  readonly start: number;
  readonly end: number;
}

function marksOf(text: string): Mark[] {
  const marks: Mark[] = [];
  const find = (row: Mark["row"], pattern: RegExp) => {
    for (const match of text.matchAll(pattern))
      marks.push({ row, start: match.index, end: match.index + match[0].length });
  };
  for (const row of Object.keys(ROWS) as Row[]) find(row, ROWS[row]);
  for (const pattern of [FUNDS, LEGAL, ENDS]) find("other", pattern);
  return marks.toSorted((a, b) => a.start - b.start);
}

/** Instructions and references beside a value: they hold numbers of rows and items, never the value. */
const ASIDES =
  /\((?:see|entities|optional|voluntary|discretionary|up to)[^)]*\)|\b(?:see|refer(?:ence)? to|please|pursuant to)\b[^\n]*|\bI\.?R\.?S\.?\s+IDENTIFICATION[^\n]*|\bS\.?S\.?\s+OR\s+I\.?R\.?S\.?[^\n]*|\bOF\s+ABOVE\s+PERSONS?[^\n]*|\bBY\s+EACH\s+REPORTING\s+PERSON\b|\bREPORTING\s+PERSONS?(?:\s+WITH)?\s*:?$/gim;
/** The number of the next row, alone at the end. */
const NEXT_ROW = /[\s|]*[[(]?\b\d{1,2}\b[\])]?\s*[.:)]?\s*$/;

/** What a row says, between its words and the next row's. */
function contentOf(text: string, from: number, to: number): string {
  const raw = text
    .slice(from, to)
    .replace(/[_|*]+/g, " ")
    .replace(/-{3,}|={2,}/g, " ");
  const lines = raw.split("\n");
  // The last line holds the next row's number, where something stands before it.
  const last = lines.pop() ?? "";
  const rest = [...lines, lines.length > 0 ? last.replace(NEXT_ROW, "") : last].join("\n");
  return rest
    .replace(ASIDES, " ")
    .replace(/^(?:[\s:)]|\.(?!\d))+/, "")
    .trim();
}

const NUMBER = /(?<![\w.,])(?:\d{1,3}(?:,\s?\d{3})+|\d+)?(?:\.\d+)?(?![\w])/g;

function numbersIn(content: string): string[] {
  return (content.match(NUMBER) ?? [])
    .filter((number) => /\d/.test(number))
    .map((number) => number.replace(/\s/g, ""));
}

const isZero = (content: string): boolean =>
  /^\W*(?:-?\s*0\s*-?|none|nil|zero)\b/i.test(content) && !/^\W*0\.\d*[1-9]/.test(content);

/** A count of shares; null when the row does not tell one. */
function sharesIn(content: string): number | null {
  const first = numbersIn(content.replace(/\(\s*\d{1,2}\s*\)/g, " ")).find(
    (number) => plainNumber(number) !== null,
  );
  if (first === undefined || isZero(content)) return isZero(content) ? 0 : null;
  return Number(plainNumber(first));
}

/** A percentage: the number before the sign, else the only one; "less than 5%" tells none. */
function percentIn(content: string): number | null {
  if (/\b(?:less|fewer|under|below|more|over|approximately less) than\b|[<>]/i.test(content)) return null;
  const signed = /(\d[\d,]*\.?\d*|\.\d+)\s*%/.exec(content)?.[1];
  if (signed !== undefined)
    return Number(plainNumber(signed) ?? Number.NaN) || (isZero(content) || Number(signed) === 0 ? 0 : null);
  if (isZero(content)) return 0;
  const [only] = numbersIn(content);
  const value = only === undefined ? null : plainNumber(only);
  return value === null ? null : Number(value);
}

/** The first line that is a name. */
function nameIn(content: string): string {
  const lines = content
    .split("\n")
    .map((line) =>
      line
        .replace(/^[\s\d.():;-]*(?=[A-Za-z])/, "")
        .replace(/\s{2,}.*$|\t.*$/, "")
        .trim(),
    )
    .filter(
      (line) => /[A-Za-z]{2}/.test(line) && !/^(?:S\.?S\.?|I\.?R\.?S\.?|EIN|TAX|NOS?\.?)\b/i.test(line),
    );
  return (lines[0] ?? "").replace(/\s*\(?\b\d{2}-\d{7}\)?.*$/, "").trim();
}

function personFrom(text: string, marks: readonly Mark[]): BeneficialPerson | null {
  const rows = new Map<string, string>();
  marks.forEach((mark, i) => {
    if (!rows.has(mark.row))
      rows.set(mark.row, contentOf(text, mark.end, marks[i + 1]?.start ?? mark.end + 600));
  });
  if (!rows.has("shares") && !rows.has("percent")) return null;
  const shares = (row: Row) => (rows.has(row) ? sharesIn(rows.get(row) ?? "") : null);
  const [, a = "", b = ""] = /\(\s*a\s*\)([\s\S]*?)\(\s*b\s*\)([\s\S]*)/i.exec(rows.get("group") ?? "") ?? [];
  return {
    name: nameIn(rows.get("name") ?? ""),
    cik: null,
    shares_owned: shares("shares"),
    ownership_pct: percentIn(rows.get("percent") ?? ""),
    types:
      (rows.get("type") ?? "")
        .slice(0, 80)
        .match(/\b[A-Z]{2}\b/g)
        ?.filter((type) => PERSON_TYPES.has(type)) ?? [],
    citizenship: rows.get("citizenship")?.split("\n")[0]?.trim() || null,
    member_of_group: TICKED.test(a) ? "a" : TICKED.test(b) ? "b" : null,
    sole_voting: shares("sole_voting"),
    shared_voting: shares("shared_voting"),
    sole_dispositive: shares("sole_dispositive"),
    shared_dispositive: shares("shared_dispositive"),
  };
}

/** Every cover page: it begins with the name of a person and reaches to the next one's. */
function personsOf(text: string): BeneficialPerson[] {
  const persons: BeneficialPerson[] = [];
  let page: Mark[] = [];
  const close = () => {
    const person = page.length > 0 ? personFrom(text, page) : null;
    if (person && persons.length < PERSONS_MAX) persons.push(person);
    page = [];
  };
  for (const mark of marksOf(text)) {
    if (mark.row === "name") close();
    if (mark.row === "name" || page.length > 0) page.push(mark);
  }
  close();
  return persons;
}

/** The line above a label in brackets, "LIVENT CORPORATION" above "(Name of Issuer)"; or what follows it. */
function labelled(head: string, label: RegExp): string | null {
  const match = label.exec(head);
  if (!match) return null;
  const above = head
    .slice(0, match.index)
    .split("\n")
    .map((line) =>
      line
        .replace(/[_*=|]+|-{3,}/g, " ")
        .replace(/[\s(]+$/, "")
        .trim(),
    )
    .filter((line) => line !== "");
  return above.at(-1) ?? null;
}

function cusipsIn(head: string): string[] {
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

function rulesIn(head: string): string[] {
  return [...head.matchAll(/([^\n]{0,14})\bRule\s+13d-1\s*\(([bcd])\)([^\n]{0,10})/gi)].flatMap(
    ([, before = "", letter = "", after = ""]) =>
      TICKED.test(before) || TICKED.test(after) ? [`Rule 13d-1(${letter.toLowerCase()})`] : [],
  );
}

/** Item `number` of the body, without its heading; null when it is not there. */
function itemOf(text: string, number: number, heading: string): string | null {
  const start = new RegExp(`^\\s*Item\\s+${number}\\s*[.:)-]?[ \\t]*(?:\\n\\s*)?(?:${heading})?[.:]?`, "gim");
  const found = [...text.matchAll(start)].at(-1);
  if (!found) return null;
  const rest = text.slice(found.index + found[0].length);
  const end = new RegExp(`^\\s*Item\\s+${number + 1}\\s*[.:)-]|^\\s*SIGNATURES?\\s*$`, "im").exec(rest);
  return rest.slice(0, end?.index ?? rest.length).trim() || null;
}

const CEASED =
  /ceased\s+to\s+be\s+(?:the\s+|a\s+)?beneficial\s+owners?\s+of\s+(?:more\s+than|at\s+least|greater\s+than|in\s+excess\s+of)\s+(?:five|5)\s*(?:percent|per\s*cent|%)/gi;

/** Whether the body says that five percent were lost: a ticked box in a 13G, a statement in either. */
function fellIn(text: string): boolean {
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

/** What the cover pages tell. ParseFailed when the page cannot be read at all. */
export function readCoverPages(source: string, schedule: "13D" | "13G", budget: ParseBudget): Found | Unread {
  const text = toPlainText(source, budget);
  const persons = personsOf(text);
  const hasFigure = persons.some((person) => person.shares_owned !== null || person.ownership_pct !== null);
  if (!hasFigure) return unread("no_cover_page", "no cover page with a figure was found");
  const head = text.slice(0, HEAD_CHARS);
  const warnings: ReadWarning[] = [];
  const purpose = schedule === "13D" ? itemOf(text, 4, "Purpose\\s+of\\s+(?:the\\s+)?Transactions?") : null;
  return {
    is_structured: false,
    amendment_number: Number(/AMENDMENT\s+NO\.?\s*:?\s*(\d{1,3})/i.exec(head)?.[1] ?? Number.NaN) || null,
    previous_accession_number: null,
    issuer: { cik: null, name: labelled(head, /\(\s*Name\s+of\s+Issuer/i) },
    cusips: cusipsIn(head),
    class_title: labelled(head, /\(\s*Title\s+of\s+Class/i),
    event_date: readFiledDay(labelled(head, /\(\s*Date\s+of\s+Event/i)),
    rules: schedule === "13G" ? rulesIn(head) : [],
    purpose,
    persons,
    whole: { shares: [], percents: [] },
    fell: fellIn(text),
    warnings,
  };
}

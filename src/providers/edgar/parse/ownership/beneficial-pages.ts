// Reads Schedules 13D and 13G from before 18 December 2024: the numbered rows of their cover pages, HTML or
// plain text.
import type { BeneficialPerson, ReadWarning, Unread } from "../../ownership-records.ts";
import { type ParseBudget, toPlainText } from "../documents/filing-text.ts";
import { readFiledDay } from "../filed-day.ts";
import { unread } from "../xml-records.ts";
import { amendmentIn, beside, cusipsIn, fellIn, labelled, purposeIn, rulesIn } from "./beneficial-cover.ts";
import type { Found } from "./beneficial-schedule.ts";
import { contentOf, groupIn, nameIn, percentIn, sharesIn } from "./beneficial-values.ts";

/** The labels of the rows, with any white space. A row ends where the next one starts. */
const ROWS = {
  name: /NAMES?\s+(?:AND\s+(?:I\.?\s?R\.?\s?S\.?|S\.?\s?S\.?)[^\n]{1,60}?\s)?OF\s+(?:THE\s+)?(?:ABOVE\s+)?(?:REPORTING\s+)?PERSONS?(?:\s*[([]S[)\]])?(?![A-Za-z’'])/gi,
  group: /CHECK\s+(?:THE\s+)?APPROPRIATE\s+(?:BOX|\[?LINE\]?)\s+IF\s+A\s+MEMBER/gi,
  sec: /SEC\s+USE\s+ONLY/gi,
  citizenship: /CITIZENSHIP\s+O[RF]\s+PLACE\s+OF\s+ORGANI[SZ]ATION/gi,
  sole_voting: /SOLE\s+VOTING\s+POWER/gi,
  shared_voting: /SHARED\s+VOTING\s+POWER/gi,
  sole_dispositive: /SOLE\s+(?:DISPOSITIVE|INVESTMENT)\s+POWER/gi,
  shared_dispositive: /SHARED\s+(?:DISPOSITIVE|INVESTMENT)\s+POWER/gi,
  shares:
    /(?:AGGREGATED?|TOTAL)\s+AMOUNT\s+(?:OF\s+\w+\s+)?(?:BENEFICIALLY\s+)?OWNED(?:\s+BY)?(?:\s+(?:EACH|THE))?(?:\s+REPORTING)?(?:\s+PERSONS?)?/gi,
  excludes: /CHECK\s+(?:IF|BOX|HERE)\s+(?:IF\s+)?(?:THE\s+)?AGGREGATE\s+AMOUNT/gi,
  // Distinguishes the number of a row from a percentage: "ROW (9)", "ROW 9 12.5%", "ROW 12.5%".
  percent:
    /PERCENT(?:AGE)?\s+OF\s+(?:CLASS|SERIES)\s+REPRESENTED\s+(?:BY|IN)\s+(?:(?:THE\s+)?(?:AGGREGATE\s+)?AMOUNTS?\s+(?:SHOWN\s+)?(?:IN|OF|ON)\s+)?(?:ROW|BOX|LINE|ITEM)(?:\s*\(\s*\d{0,2}\s*\)|\s*(?:NOS?\.?\s*)?(?:\d{1,2}(?![\d.,]|\s*%)|NINE\b|ELEVEN\b))?/gi,
  type: /TYPE\s+OF\s+(?:REPORTING\s+)?PERSONS?(?:\s+REPORTING)?/gi,
} as const;
type Row = keyof typeof ROWS;
const FUNDS = /SOURCES?\s+OF\s+FUNDS/gi;
const LEGAL = /CHECK\s+(?:BOX\s+)?IF\s+DISCLOSURE\s+OF\s+LEGAL/gi;
/** Lines that end a cover page: the first item, or the next page's number line. */
const ENDS =
  /^\s*ITEM\s+1\s*[.:(]|^\s*CUSIP\s+(?:NO|NUMBER)\b|^\s*PAGE\s+\d+\s+OF\b|^\s*\*+\s*SEE\s+INSTRUCTIONS|^\s*SCHEDULE\s+13[DG]\b/gim;

const PERSON_TYPES = new Set("BD BK IC IV IA EP HC SA CP CO PN IN FI OO".split(" "));
/** More persons are dropped. A schedule with hundreds of persons has some megabytes. */
const PERSONS_MAX = 500;
/** A row holds a name or a figure. Longer content is the text after the last cover page. */
const ROW_CHARS_MAX = 4_000;
const HEAD_CHARS = 12_000;

/** The numbers of a row in a 13D and in a 13G. */
const NUMBERS: Readonly<Record<Row, readonly number[]>> = {
  name: [1],
  group: [2],
  sec: [3],
  citizenship: [6, 4],
  sole_voting: [7, 5],
  shared_voting: [8, 6],
  sole_dispositive: [9, 7],
  shared_dispositive: [10, 8],
  shares: [11, 9],
  excludes: [12, 10],
  percent: [13, 11],
  type: [14, 12],
};

/**
 * Pages whose rows have numbers instead of labels: "Item 1: Reporting Person - Gadzook LLC" to "Item 12: HC".
 */
const NUMBERED_PAGE =
  /^[ \t]*Item\s+1\s*:\s*Reporting\s+Person\b[\s\S]{0,1500}?^[ \t]*Item\s+12\s*:[^\n]*/gim;
const NUMBERED_ROW = /^[ \t]*Item\s+(\d{1,2})\s*:(?:\s*Reporting\s+Person\b[ \t]*[-–—:]?)?/gim;
/** The labels of a 13G's rows by their numbers. */
const LABELS: Readonly<Record<string, string>> = {
  1: "NAME OF REPORTING PERSON",
  2: "CHECK THE APPROPRIATE BOX IF A MEMBER OF A GROUP",
  3: "SEC USE ONLY",
  4: "CITIZENSHIP OR PLACE OF ORGANIZATION",
  5: "SOLE VOTING POWER",
  6: "SHARED VOTING POWER",
  7: "SOLE DISPOSITIVE POWER",
  8: "SHARED DISPOSITIVE POWER",
  9: "AGGREGATE AMOUNT BENEFICIALLY OWNED",
  10: "CHECK IF THE AGGREGATE AMOUNT",
  11: "PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (9)",
  12: "TYPE OF REPORTING PERSON",
};
const withLabels = (text: string): string =>
  text.replace(NUMBERED_PAGE, (page) =>
    page.replace(NUMBERED_ROW, (row, number: string) => (LABELS[number] ? `${LABELS[number]} ` : row)),
  );

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

function personFrom(text: string, marks: readonly Mark[]): BeneficialPerson | null {
  const rows = new Map<string, string>();
  marks.forEach((mark, i) => {
    if (rows.has(mark.row)) return;
    const next = marks[i + 1];
    const numbers = next === undefined || next.row === "other" ? [] : NUMBERS[next.row];
    const end = Math.min(next?.start ?? mark.end + 600, mark.end + ROW_CHARS_MAX);
    rows.set(mark.row, contentOf(text, mark.end, end, numbers));
  });
  if (!rows.has("shares") && !rows.has("percent")) return null;
  const shares = (row: Row) => (rows.has(row) ? sharesIn(rows.get(row) ?? "") : null);
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
    member_of_group: groupIn(rows.get("group") ?? ""),
    sole_voting: shares("sole_voting"),
    shared_voting: shares("shared_voting"),
    sole_dispositive: shares("sole_dispositive"),
    shared_dispositive: shares("shared_dispositive"),
  };
}

/** Reads every cover page. A page starts with a person's name and ends at the next person's. */
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

/** Reads the cover pages of a schedule. Throws ParseFailed when the document cannot be converted to text. */
export function readCoverPages(source: string, schedule: "13D" | "13G", budget: ParseBudget): Found | Unread {
  const text = withLabels(toPlainText(source, budget));
  const persons = personsOf(text);
  const hasFigure = persons.some((person) => person.shares_owned !== null || person.ownership_pct !== null);
  if (!hasFigure) return unread("no_cover_page", "no cover page with a figure was found");
  const head = text.slice(0, HEAD_CHARS);
  const warnings: ReadWarning[] = [];
  const purpose = schedule === "13D" ? purposeIn(text) : null;
  return {
    is_structured: false,
    amendment_number: amendmentIn(head),
    previous_accession_number: null,
    issuer: {
      cik: null,
      name:
        labelled(head, /\(\s*Name\s+of\s+Issuer/i, true) ??
        beside(head, /^\s*Name\s+of\s+Issuer\s*:[^\n:]+$/im),
    },
    cusips: cusipsIn(head),
    class_title:
      labelled(head, /\(\s*Title\s+of\s+Class/i, true) ??
      beside(head, /^\s*Title\s+of\s+Class(?:\s+of\s+Securities)?\s*:[^\n:]+$/im),
    event_date: readFiledDay(
      labelled(head, /\(\s*Date\s+of\s+Event/i) ?? beside(head, /^\s*Date\s+of\s+Event\b[^\n:]*:[^\n:]+$/im),
    ),
    rules: schedule === "13G" ? rulesIn(head) : [],
    purpose,
    persons,
    whole: { shares: [], percents: [] },
    fell: fellIn(text),
    warnings,
  };
}

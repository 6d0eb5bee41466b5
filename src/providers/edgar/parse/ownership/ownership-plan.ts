// Decides whether a trade was made under a Rule 10b5-1 plan, by the form's box or else by its footnotes.
// Pure.
import type { ReadWarning } from "../../ownership-records.ts";

/** The fields of a line that are examined. */
export interface PlannedLine {
  readonly transaction_code: string | null;
  readonly footnotes: readonly string[];
}

export interface PlanSources {
  /** The form's 10b5-1 box; null when the form has none. */
  readonly box: boolean | null;
  readonly footnotes: Readonly<Record<string, string>>;
  readonly remarks: string | null;
}

export interface Plans {
  /** One for each line, in order. */
  readonly planned: readonly (boolean | null)[];
  readonly warnings: readonly ReadWarning[];
}

/** "10b5-1" in all spellings that filers use; never plain 10b-5. */
const RULE = /10\s*\(?b\)?\s*-?\s*5\s*[-(]?\s*1\b/i;
/** "not … pursuant to a 10b5-1 plan", "outside of", "other than under". */
const DENIED =
  /\b(?:not|neither|nor|outside(?: of)?|other than|independent(?:ly)? of|n't)\b[^.;]{0,80}10\s*\(?b\)?\s*-?\s*5\s*[-(]?\s*1\b/i;
/** "All sales reported on this Form 4 were …": applies to every line, wherever it is cited. */
const OF_ALL =
  /\b(?:all|each|every|the|these|such)\b[^.;]{0,40}\b(?:transactions|sales|trades|purchases|dispositions)\b[^.;]{0,60}\b(?:reported|described|set forth|disclosed|listed|shown|on|in)\b[^.;]{0,30}\b(?:this|herein|above|form)\b/i;

const spelled = (text: string): string => text.replace(/[\u2010-\u2015\u2212]/g, "-").replace(/\s+/g, " ");

type Statement = "yes" | "no" | null;

function statementOf(text: string): Statement {
  if (!text.includes("10")) return null;
  const plain = spelled(text);
  if (!RULE.test(plain)) return null;
  // Each sentence counts: one may deny a plan for one lot and the next affirm it for another.
  const sentences = plain.split(/(?<=[.;])\s+(?=[A-Z])/).filter((sentence) => RULE.test(sentence));
  return sentences.every((sentence) => DENIED.test(sentence)) ? "no" : "yes";
}

const isMarketTrade = (code: string | null): boolean => code === "P" || code === "S";

interface Statements {
  readonly byNote: ReadonlyMap<string, Statement>;
  /**
   * Codes covered by a footnote about all trades: those of the lines that cite it, or market trades if none
   * cites it.
   */
  readonly allOf: ReadonlySet<string>;
}

function statementsIn(lines: readonly PlannedLine[], { footnotes, remarks }: PlanSources): Statements {
  const byNote = new Map(Object.entries(footnotes).map(([note, text]) => [note, statementOf(text)]));
  const allOf = new Set<string>();
  for (const [note, statement] of byNote) {
    if (statement !== "yes") continue;
    const citing = lines.filter((line) => line.footnotes.includes(note));
    if (citing.length > 0 && !OF_ALL.test(spelled(footnotes[note] ?? ""))) continue;
    const codes = citing.length > 0 ? citing.map((line) => line.transaction_code) : ["P", "S"];
    for (const code of codes) if (code) allOf.add(code);
  }
  if (remarks && statementOf(remarks) === "yes") for (const code of ["P", "S"]) allOf.add(code);
  return { byNote, allOf };
}

function statementAbout(line: PlannedLine, { byNote, allOf }: Statements): Statement {
  const statements = line.footnotes.map((note) => byNote.get(note) ?? null);
  if (statements.includes("yes")) return "yes";
  if (statements.includes("no")) return "no";
  return line.transaction_code !== null && allOf.has(line.transaction_code) ? "yes" : null;
}

/**
 * Decides for each line. The box has priority over the footnotes. Unticked, no line is planned. Ticked, it
 * states only that "a transaction" was: when footnotes name some lines, only those are certain. When they
 * name none, all market trades are planned, or all lines when there is no market trade. Without a box the
 * footnotes decide.
 */
export function plansOf(lines: readonly PlannedLine[], sources: PlanSources): Plans {
  const statements = statementsIn(lines, sources);
  const byLine = lines.map((line) => statementAbout(line, statements));
  const byFootnotes = byLine.map((statement) => (statement === null ? null : statement === "yes"));
  if (sources.box === null) return { planned: byFootnotes, warnings: [] };
  if (!sources.box) {
    const contradicted = byLine.includes("yes");
    const message = "a footnote mentions a 10b5-1 plan, but the form's box is not ticked; the box counts";
    return {
      planned: lines.map(() => false),
      warnings: contradicted ? [{ code: "box_contradicts_footnote", message }] : [],
    };
  }
  if (byLine.includes("yes")) return { planned: byFootnotes, warnings: [] };
  const hasMarketTrade = lines.some((line) => isMarketTrade(line.transaction_code));
  const planned = lines.map((line, i) =>
    byLine[i] === "no" ? false : !hasMarketTrade || isMarketTrade(line.transaction_code) ? true : null,
  );
  return { planned, warnings: [] };
}

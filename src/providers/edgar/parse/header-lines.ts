// Reads both spellings of a submission's header: tags (`<CIK>0000320193`) and words (`CENTRAL INDEX KEY:
// 0000320193`). Pure.

/** The content of a header's line. Names are those of the tags in either spelling. */
export type HeaderLine =
  | { readonly kind: "field"; readonly name: string; readonly value: string }
  /** A party begins: `FILER`, `REPORTING-OWNER`, … */
  | { readonly kind: "party"; readonly role: string }
  /** A part of a party begins: `COMPANY-DATA`, `FILING-VALUES`, `FORMER-COMPANY`, … */
  | { readonly kind: "section"; readonly name: string };

/** Words of the long spelling whose tags have another name. */
const TAG_OF_WORDS: Readonly<Record<string, string>> = {
  "CONFORMED SUBMISSION TYPE": "TYPE",
  "CONFORMED PERIOD OF REPORT": "PERIOD",
  "ITEM INFORMATION": "ITEM-TITLES",
  "FILED AS OF DATE": "FILING-DATE",
  "COMPANY CONFORMED NAME": "CONFORMED-NAME",
  "CENTRAL INDEX KEY": "CIK",
  "STANDARD INDUSTRIAL CLASSIFICATION": "ASSIGNED-SIC",
  "SEC FILE NUMBER": "FILE-NUMBER",
  "FORMER CONFORMED NAME": "FORMER-CONFORMED-NAME",
  "DATE OF NAME CHANGE": "DATE-CHANGED",
};

const SECTIONS = new Set([
  "COMPANY-DATA",
  "OWNER-DATA",
  "FILING-VALUES",
  "BUSINESS-ADDRESS",
  "MAIL-ADDRESS",
  "FORMER-COMPANY",
  "FORMER-NAME",
]);

/** Containers that are not parties: those of funds, and of the file itself. */
const NO_PARTIES =
  /^(?:SEC-|IMS-|SUBMISSION$|SERIES|CLASS-|EXISTING-|NEW-|MERGER|ACQUIRING|TARGET|RULE$|ITEM$)/;

function beginning(name: string): HeaderLine | null {
  if (SECTIONS.has(name)) return { kind: "section", name: name === "FORMER-NAME" ? "FORMER-COMPANY" : name };
  return NO_PARTIES.test(name) ? { kind: "section", name } : { kind: "party", role: name };
}

/**
 * Reads `<TAG>value`. A tag without a value starts a party or section, or is an empty field
 * (`<ORGANIZATION-NAME>`).
 */
function readTag(line: string, isClosed: (name: string) => boolean): HeaderLine | null {
  const [, name = "", value = ""] = /^<([A-Z][A-Z0-9-]*)>(.*)$/.exec(line) ?? [];
  if (!name) return null;
  if (value.trim() !== "") return { kind: "field", name, value: value.trim() };
  return isClosed(name) ? beginning(name) : null;
}

const nameOf = (words: string): string => TAG_OF_WORDS[words] ?? words.replaceAll(" ", "-");

/**
 * Reads `WORDS:<tabs>value`. A line without a value starts a section; without indent and above a section it
 * starts a party; otherwise it is an empty field (`CONFIRMING COPY:` of 1994).
 */
function readWords(line: string, below: string): HeaderLine | null {
  const [, indent = "", words = "", value = ""] = /^(\s*)([A-Z][A-Z0-9 ./&()-]*?):\s*(.*)$/.exec(line) ?? [];
  if (!words) return null;
  const name = nameOf(words);
  if (value.trim() !== "") return { kind: "field", name, value: value.trim() };
  if (SECTIONS.has(name)) return beginning(name);
  return indent === "" && SECTIONS.has(nameOf(below)) ? beginning(name) : null;
}

/** Returns the lines of `header` that have content. */
export function readHeaderLines(header: string): HeaderLine[] {
  const closed = new Set([...header.matchAll(/^<\/([A-Z][A-Z0-9-]*)>/gm)].map((match) => match[1] ?? ""));
  const lines = header.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.flatMap((line, i) => {
    const below = lines[i + 1]?.trim().replace(/:$/, "") ?? "";
    const read = readTag(line.trim(), (name) => closed.has(name)) ?? readWords(line, below);
    return read ? [read] : [];
  });
}

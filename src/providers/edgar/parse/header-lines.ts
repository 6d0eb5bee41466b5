// The two spellings of a submission's header, tags (`<CIK>0000320193`) and words (`CENTRAL INDEX KEY: 0000320193`), as one. Pure.

/** What a line of a header says. Names are those of the tags, whichever way the line is written. */
export type HeaderLine =
  | { readonly kind: "field"; readonly name: string; readonly value: string }
  /** A party begins: `FILER`, `REPORTING-OWNER`, … */
  | { readonly kind: "party"; readonly role: string }
  /** A part of a party begins: `COMPANY-DATA`, `FILING-VALUES`, `FORMER-COMPANY`, … */
  | { readonly kind: "section"; readonly name: string };

/** Words of the long spelling whose tags are called otherwise. */
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

/** Containers that are no party: of funds, of the file itself. */
const NO_PARTIES =
  /^(?:SEC-|IMS-|SUBMISSION$|SERIES|CLASS-|EXISTING-|NEW-|MERGER|ACQUIRING|TARGET|RULE$|ITEM$)/;

function beginning(name: string): HeaderLine | null {
  if (SECTIONS.has(name)) return { kind: "section", name: name === "FORMER-NAME" ? "FORMER-COMPANY" : name };
  return NO_PARTIES.test(name) ? { kind: "section", name } : { kind: "party", role: name };
}

/** `<TAG>value`; a tag without value begins something, unless it is an empty field (`<ORGANIZATION-NAME>`). */
function readTag(line: string, isClosed: (name: string) => boolean): HeaderLine | null {
  const [, name = "", value = ""] = /^<([A-Z][A-Z0-9-]*)>(.*)$/.exec(line) ?? [];
  if (!name) return null;
  if (value.trim() !== "") return { kind: "field", name, value: value.trim() };
  return isClosed(name) ? beginning(name) : null;
}

const nameOf = (words: string): string => TAG_OF_WORDS[words] ?? words.replaceAll(" ", "-");

/**
 * `WORDS:<tabs>value`; without value it begins a section, at the margin and above a section a party, or is an empty
 * field (`CONFIRMING COPY:` of 1994).
 */
function readWords(line: string, below: string): HeaderLine | null {
  const [, indent = "", words = "", value = ""] = /^(\s*)([A-Z][A-Z0-9 ./&()-]*?):\s*(.*)$/.exec(line) ?? [];
  if (!words) return null;
  const name = nameOf(words);
  if (value.trim() !== "") return { kind: "field", name, value: value.trim() };
  if (SECTIONS.has(name)) return beginning(name);
  return indent === "" && SECTIONS.has(nameOf(below)) ? beginning(name) : null;
}

/** The lines of `header` that say something. */
export function readHeaderLines(header: string): HeaderLine[] {
  const closed = new Set([...header.matchAll(/^<\/([A-Z][A-Z0-9-]*)>/gm)].map((match) => match[1] ?? ""));
  const lines = header.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.flatMap((line, i) => {
    const below = lines[i + 1]?.trim().replace(/:$/, "") ?? "";
    const read = readTag(line.trim(), (name) => closed.has(name)) ?? readWords(line, below);
    return read ? [read] : [];
  });
}

// How each provider spells a canonical symbol, and back. `to…` gives null where the provider has no such
// instrument; `from…` gives null for what is not of its convention: never guess which company a line is about.
import { type Issue, readCqs, readIssue, writeCqs, writeIssue } from "./issue.ts";
import { canonical } from "./ticker.ts";

/** Writes `root` + each part after `separator`, parts respelled by `respell`. */
function join(issue: Issue, separator: string, respell: (part: string) => string): string {
  return issue.parts.reduce((text, part) => `${text}${separator}${respell(part)}`, issue.root);
}

function respellHyphen(part: string): string {
  if (/^PR[A-Z]$/.test(part)) return `P${part.charAt(2)}`;
  if (/^WS[A-Z]?$/.test(part)) return `WT${part.slice(2)}`;
  return part === "U" ? "UN" : part;
}

/**
 * The price provider's spelling: `BRK.B` → `BRK-B`, `ABR.PRD` → `ABR-PD`, `AAC.WS` → `AAC-WT`, `AAC.U` → `AAC-UN`,
 * `IFN.RT` → `IFN-RI`, `WH.WI` → `WH-WI`; whatever is no US issue stays itself. A dot there means an exchange:
 * chart `BRK.B` is 404 and quote `CRD.B` a stub without a price.
 */
export function toYahoo(symbol: string): string {
  const issue = readIssue(symbol);
  if (!issue) return symbol;
  return join(issue, "-", (part) => (part === "RT" ? "RI" : respellHyphen(part)));
}

/** The canonical symbol of the price provider's; null for a US class after a dot, which is a stub there. */
export function fromYahoo(text: string): string | null {
  const symbol = canonical(text);
  return text.includes(".") && readIssue(symbol) ? null : symbol;
}

/**
 * The brokerage feed's spelling, dots throughout: `BRK.B`, `ABR.PRD`, `ETI.PR`, `AAC.WS`, `VHAI.WS.A`, `AAC.U`;
 * null for what it does not carry (indices, currencies, foreign listings): one bad symbol fails its whole batch.
 */
export function toAlpaca(symbol: string): string | null {
  const issue = readIssue(symbol);
  if (!issue) return null;
  return join(issue, ".", (part) => {
    if (part === "P") return "PR";
    return /^WS[A-Z]$/.test(part) ? `WS.${part.charAt(2)}` : part;
  });
}

/** The canonical symbol of the brokerage feed's; a dot is never an exchange there (`MKC.V` → `MKC-V`). */
export function fromAlpaca(text: string): string | null {
  const issue = /^[A-Z.]+$/.test(text) ? readIssue(text, true) : null;
  return issue ? writeIssue(issue) : null;
}

/** The short-volume file's spelling, that of the consolidated tape: `BRK/B`, `ABRpD`, `TYp`, `AAC/WS`, `AACr`, `AACw`. */
export function toFinra(symbol: string): string | null {
  const issue = readIssue(symbol);
  return issue ? writeCqs(issue) : null;
}

/** The canonical symbol of a line of the short-volume file; case matters (`ABRpD` is not `ABRPD`). */
export function fromFinra(text: string): string | null {
  const issue = readCqs(text);
  return issue ? writeIssue(issue) : null;
}

/**
 * The short-interest file's spelling, without separators: `BRKB`, `ABRPRD`, `AAICPR`, `AACWS`, `AACU`. There is no
 * way back from it alone (`BRKB` could be a root of its own): join by writing, not by reading.
 */
export function toFinraShortInterest(symbol: string): string | null {
  const issue = readIssue(symbol);
  return issue ? join(issue, "", (part) => (part === "P" ? "PR" : part)) : null;
}

/**
 * The Nasdaq API's spelling: `BRK/B`, `ABR^D`, `PHXE^`, `AAC/WS`, `VHAI/WS/A`, `AAC/U`; null also for rights,
 * when-issued and called issues, whose spelling there is not known.
 */
export function toNasdaq(symbol: string): string | null {
  const issue = readIssue(symbol);
  const part = issue?.parts[0] ?? "";
  if (!issue || issue.parts.length > 1 || !/^(?:[A-Z]?|PR[A-Z]|WS[A-Z]?)$/.test(part)) return null;
  if (part === "P") return `${issue.root}^`;
  if (part.startsWith("PR")) return `${issue.root}^${part.charAt(2)}`;
  return writeCqs(issue);
}

/** The canonical symbol of the Nasdaq API's. */
export function fromNasdaq(text: string): string | null {
  const trimmed = text.trim();
  const issue = /^[A-Z]+(?:\^[A-Z]?|\/[A-OQS-VX-Z]|\/WS(?:\/[A-Z])?)?$/.test(trimmed)
    ? readIssue(trimmed)
    : null;
  return issue ? writeIssue(issue) : null;
}

/**
 * The regulator's spelling: `BRK-B`, `ABR-PD`, `AAC-WT`, `AAC-UN`. Its list is not of one mind (rights are `-R`,
 * `-RT` and `-RI`, when-issued `-W`, some preferreds stand as classes: `SPG-J`), so look a symbol up by reading the
 * list with `fromSec`; this is the commonest spelling, for addresses and messages.
 */
export function toSec(symbol: string): string | null {
  const issue = readIssue(symbol);
  if (!issue) return null;
  return join(issue, "-", (part) => (part === "RT" ? "R" : part === "WI" ? "W" : respellHyphen(part)));
}

/** The canonical symbol of the regulator's; dots and slashes of older lists are read too (`CBS.A`, `SBE/U`). */
export function fromSec(text: string): string | null {
  const issue = readIssue(text.trim().toUpperCase(), true);
  return issue ? writeIssue(issue) : null;
}

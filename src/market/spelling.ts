// Converts canonical symbols to each provider's spelling and back. `to…` gives null where the provider has no
// such instrument. `from…` gives null for a text outside the provider's convention, so that no company is
// ever guessed.
import { type Issue, readCqs, readIssue, writeCqs, writeIssue } from "./issue.ts";
import { canonical } from "./ticker.ts";

/** Writes `root` and each part after `separator`, spelled by `respell`. */
function join(issue: Issue, separator: string, respell: (part: string) => string): string {
  return issue.parts.reduce((text, part) => `${text}${separator}${respell(part)}`, issue.root);
}

function respellHyphen(part: string): string {
  if (/^PR[A-Z]$/.test(part)) return `P${part.charAt(2)}`;
  if (/^WS[A-Z]?$/.test(part)) return `WT${part.slice(2)}`;
  return part === "U" ? "UN" : part;
}

/**
 * Yahoo's spelling: `BRK.B` → `BRK-B`, `ABR.PRD` → `ABR-PD`, `AAC.WS` → `AAC-WT`, `AAC.U` → `AAC-UN`,
 * `IFN.RT` → `IFN-RI`, `WH.WI` → `WH-WI`. A symbol that is not a US issue stays unchanged. A dot means an
 * exchange there: the chart of `BRK.B` is 404, and the quote of `CRD.B` a stub without a price.
 */
export function toYahoo(symbol: string): string {
  const issue = readIssue(symbol);
  if (!issue) return symbol;
  return join(issue, "-", (part) => (part === "RT" ? "RI" : respellHyphen(part)));
}

/** The canonical symbol of Yahoo's spelling; null for a US class after a dot, which is a stub there. */
export function fromYahoo(text: string): string | null {
  const symbol = canonical(text);
  return text.includes(".") && readIssue(symbol) ? null : symbol;
}

/**
 * Alpaca's spelling, with dots throughout: `BRK.B`, `ABR.PRD`, `ETI.PR`, `AAC.WS`, `VHAI.WS.A`, `AAC.U`. Null
 * for symbols it does not carry (indices, currencies, foreign listings), since one bad symbol fails its whole
 * batch.
 */
export function toAlpaca(symbol: string): string | null {
  const issue = readIssue(symbol);
  if (!issue) return null;
  return join(issue, ".", (part) => {
    if (part === "P") return "PR";
    return /^WS[A-Z]$/.test(part) ? `WS.${part.charAt(2)}` : part;
  });
}

/** The canonical symbol of Alpaca's spelling; a dot never means an exchange there (`MKC.V` → `MKC-V`). */
export function fromAlpaca(text: string): string | null {
  const issue = /^[A-Z.]+$/.test(text) ? readIssue(text, true) : null;
  return issue ? writeIssue(issue) : null;
}

/**
 * The spelling in FINRA's short-volume files, which is the consolidated tape's: `BRK/B`, `ABRpD`, `TYp`,
 * `AAC/WS`, `AACr`.
 */
export function toFinra(symbol: string): string | null {
  const issue = readIssue(symbol);
  return issue ? writeCqs(issue) : null;
}

/** The canonical symbol of a short-volume line; case matters (`ABRpD` is not `ABRPD`). */
export function fromFinra(text: string): string | null {
  const issue = readCqs(text);
  return issue ? writeIssue(issue) : null;
}

/**
 * The spelling in FINRA's short-interest files, without separators: `BRKB`, `ABRPRD`, `AAICPR`, `AACWS`,
 * `AACU`. It cannot be read back (`BRKB` could be a root of its own), so join on the written form.
 */
export function toFinraShortInterest(symbol: string): string | null {
  const issue = readIssue(symbol);
  return issue ? join(issue, "", (part) => (part === "P" ? "PR" : part)) : null;
}

/**
 * The Nasdaq API's spelling: `BRK/B`, `ABR^D`, `PHXE^`, `AAC/WS`, `VHAI/WS/A`, `AAC/U`. Null also for rights,
 * when-issued and called issues, whose spelling there is unknown.
 */
export function toNasdaq(symbol: string): string | null {
  const issue = readIssue(symbol);
  const part = issue?.parts[0] ?? "";
  if (!issue || issue.parts.length > 1 || !/^(?:[A-Z]?|PR[A-Z]|WS[A-Z]?)$/.test(part)) return null;
  if (part === "P") return `${issue.root}^`;
  if (part.startsWith("PR")) return `${issue.root}^${part.charAt(2)}`;
  return writeCqs(issue);
}

/** The canonical symbol of the Nasdaq API's spelling. */
export function fromNasdaq(text: string): string | null {
  const trimmed = text.trim();
  const issue = /^[A-Z]+(?:\^[A-Z]?|\/[A-OQS-VX-Z]|\/WS(?:\/[A-Z])?)?$/.test(trimmed)
    ? readIssue(trimmed)
    : null;
  return issue ? writeIssue(issue) : null;
}

/**
 * The SEC's most common spelling, for addresses and messages: `BRK-B`, `ABR-PD`, `AAC-WT`, `AAC-UN`. The
 * SEC's list is inconsistent (rights are `-R`, `-RT` and `-RI`, when-issued `-W`, some preferreds are written
 * as classes: `SPG-J`), so look a symbol up by reading the list with `fromSec`.
 */
export function toSec(symbol: string): string | null {
  const issue = readIssue(symbol);
  if (!issue) return null;
  return join(issue, "-", (part) => (part === "RT" ? "R" : part === "WI" ? "W" : respellHyphen(part)));
}

/**
 * The canonical symbol of the SEC's spelling; also reads the dots and slashes of older lists (`CBS.A`,
 * `SBE/U`).
 */
export function fromSec(text: string): string | null {
  const issue = readIssue(text.trim().toUpperCase(), true);
  return issue ? writeIssue(issue) : null;
}

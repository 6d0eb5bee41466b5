// Derives the type of a listed security from its name and symbol.
import { readIssue } from "../../../market/issue.ts";

export const SECURITY_TYPES = [
  "common",
  "adr",
  "etf",
  "fund",
  "preferred",
  "warrant",
  "unit",
  "right",
  "note",
] as const;

export type SecurityType = (typeof SECURITY_TYPES)[number];

/**
 * Words in a name that show the type. The first one counts: "Warrants, each for one share of Common Stock" is
 * a warrant. Units of a partnership are its equity, not a bundle of a share and a warrant. Depositary shares
 * that are not American represent parts of a bank's preferred shares.
 */
const WORDS: readonly (readonly [SecurityType, RegExp])[] = [
  ["adr", /\bamerican deposit[ao]ry\b|\b(?:class [a-z](?:-\d)? )?AD[SR]s?\b/i],
  [
    "unit",
    /(?<!\b(?:common|preferred|depositary|class [a-z]|trust|partnership) )\bunits?\b(?! (?:representing|of beneficial|of limited))/i,
  ],
  ["warrant", /\b(?:common stock purchase )?warrants?\b/i],
  ["right", /\brights?\b/i],
  [
    "preferred",
    /\bpreferred\b(?=[^|]{0,40}\b(?:stocks?|shares?|shs|securit\w+|units?|class|series)\b|\s*$)|\bpreference (?:stocks?|shares?)|\bpfd\b|(?<!american )\bdeposit[ao]ry (?:shs|shares?)\b/i,
  ],
  [
    "note",
    /\b(?:notes?|debentures?|bonds?)\b(?=.*(?:\bdue\b|\b20\d\d\b))|\b(?:senior|subordinated) notes?\b/i,
  ],
  [
    "common",
    /\bcommon (?:stocks?|stcok|shares?|units?)|\bordinary shares?|\bclass [a-z]\b(?!.*\bpref)|\bregistry shares|\bshares of beneficial|\bcapital stock|\bvoting shares|\bdeposit[ao]ry receipts?/i,
  ],
];

/** The type shown by a symbol's suffix; null for classes and ordinary shares. */
function bySuffix(symbol: string): SecurityType | null {
  const part = readIssue(symbol)?.parts[0] ?? "";
  if (part.startsWith("WS")) return "warrant";
  if (part === "U") return "unit";
  if (part === "RT") return "right";
  return /^P(?:R[A-Z])?$/.test(part) ? "preferred" : null;
}

/** The part of a name that describes the security: Nasdaq's own list writes "Issuer - Security". */
function description(name: string): string {
  const at = name.lastIndexOf(" - ");
  return at < 0 ? name : name.slice(at + 3);
}

function byName(name: string): SecurityType | null {
  const text = description(name);
  // The issuer comes first in a name: "Unit Corporation Common Stock" is not a unit.
  const begins = text === name ? 1 : 0;
  let found: SecurityType | null = null;
  let first = Number.POSITIVE_INFINITY;
  for (const [type, words] of WORDS) {
    for (const { index } of text.matchAll(new RegExp(words, "gi"))) {
      if (index < begins || index >= first) continue;
      found = type;
      first = index;
    }
  }
  return found;
}

/**
 * The type of a security. `isEtf` is the list's own flag. Without a hint in name or suffix it is an ordinary
 * share.
 */
export function securityTypeOf(symbol: string, name: string, isEtf: boolean): SecurityType {
  if (isEtf) return "etf";
  const type = bySuffix(symbol) ?? byName(name) ?? "common";
  return type === "common" && /\bfund\b/i.test(name) ? "fund" : type;
}

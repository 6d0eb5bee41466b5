// A US symbol in its parts: the root and the suffix (class, preferred, warrant, unit, right, when-issued).
// Converting one provider's spelling into another always goes through these parts.

/**
 * `parts` are canonical codes, in order: a class letter (`B`), `P` preferred without a series, `PRD`
 * preferred series D, `WS` warrant, `WSA` warrant series A, `U` unit, `RT` right; then the conditions `WI`
 * when issued, `WD` when distributed, `CL` called, `CV` convertible. Common stock has no parts.
 */
export interface Issue {
  root: string;
  parts: readonly string[];
}

const CONDITIONS = new Set(["WI", "WD", "CL", "CV"]);

/**
 * Suffixes that the price provider uses for exchanges after a dot although they could be US codes: `.L`
 * London, `.V` TSX Venture, `.F` Frankfurt, `.T` Tokyo, `.CL` Colombia. `VOD.L` is Vodafone in London; the
 * one US class among them (`MKC-V`, McCormick voting) is written with a hyphen. No exchange uses any other
 * single letter, so each of those is a US class (`BF.A`, `BRK.B`).
 */
// A client's `MKC.V` is Toronto's, and `BF.A` the class of Brown-Forman.
const EXCHANGE_FIRST = new Set(["F", "L", "T", "V", "CL"]);

const ROOT = /^([A-Z]{1,6})(.*)$/;
const TAIL = /^(?:[.\-/^][A-Z]*)+$/;

/** The code of one suffix and its separator; null when it is not a US suffix. */
function readPart(separator: string, word: string): string | null {
  if (separator === "^") return word === "" ? "P" : word.length === 1 ? `PR${word}` : null;
  if (word.length === 1) return word === "R" ? "RT" : word === "W" ? "WI" : word;
  if (word === "UN") return "U";
  if (word === "RT" || word === "RI") return "RT";
  if (CONDITIONS.has(word)) return word;
  const warrant = /^W[ST]([A-Z]?)$/.exec(word);
  if (warrant) return `WS${warrant[1]}`;
  if (/^PR[A-Z]$/.test(word)) return word;
  // `-PA` is preferred series A; `.PA` is Paris and `.PR` Prague.
  if (separator === "-" && /^P[A-Z]$/.test(word)) return `PR${word.charAt(1)}`;
  return null;
}

/**
 * Reads an upper-case spelling with any of the separators `. - / ^`; null when it is not a US issue (an
 * index, a currency pair, a foreign listing, a fund code). `dotIsUs` is for providers that list US issues
 * only: with them `.V` is a class and `.PR` a preferred without a series, while a client means Toronto and
 * Prague.
 */
export function readIssue(text: string, dotIsUs = false): Issue | null {
  const match = ROOT.exec(text);
  const root = match?.[1];
  if (!match || root === undefined) return null;
  // Series may stand apart: `.PR.D`, `.WS.A`, `/WS/A`.
  const tail = (match[2] ?? "").replace(/^([./])(PR|WS|WT)\1([A-Z])(?![A-Z])/, "$1$2$3");
  if (tail === "") return { root, parts: [] };
  if (!TAIL.test(tail)) return null;
  const parts: string[] = [];
  const exchange = /\.([A-Z]*)$/.exec(tail)?.[1];
  if (!dotIsUs && exchange !== undefined && EXCHANGE_FIRST.has(exchange)) return null;
  for (const [, separator = "", word = ""] of tail.matchAll(/([.\-/^])([A-Z]*)/g)) {
    const part = dotIsUs && separator === "." && word === "PR" ? "P" : readPart(separator, word);
    if (part === null || (parts.length > 0 && !CONDITIONS.has(part))) return null;
    parts.push(part);
  }
  return { root, parts };
}

/**
 * Writes the canonical form: parts after dots; a last part that would read as an exchange keeps a hyphen
 * (`MKC-V`).
 */
export function writeIssue(issue: Issue): string {
  const last = issue.parts.length - 1;
  return issue.parts.reduce(
    (text, part, i) => `${text}${i === last && EXCHANGE_FIRST.has(part) ? "-" : "."}${part}`,
    issue.root,
  );
}

const CQS = /^([A-Z]{1,6})((?:p[A-Z]?|r|w|\/[A-Z]+)*)$/;
/**
 * The tape writes rights, when-issued and preferreds as lower-case letters, so `/R`, `/W` and `/P` are
 * unknown there.
 */
const CQS_SLASH = /^\/(?:[A-OQS-VX-Z]|WS|WD|CL|CV)$/;

function readCqsPart(token: string): string | null {
  if (token === "r") return "RT";
  if (token === "w") return "WI";
  if (token.startsWith("p")) return token === "p" ? "P" : `PR${token.charAt(1)}`;
  if (token.startsWith("s")) return `WS${token.charAt(1)}`;
  return CQS_SLASH.test(token) ? token.slice(1) : null;
}

/**
 * Reads the consolidated tape's spelling, in which case matters: `BRK/B`, `ABRpD`, `TYp`, `AAC/WS`,
 * `AAC/WS/A`, `AACr`, `AACw`, `WWAV/Bw`. Null for anything else: upper-casing it would give another company's
 * ticker.
 */
export function readCqs(text: string): Issue | null {
  const match = CQS.exec(text);
  const root = match?.[1];
  if (!match || root === undefined) return null;
  // A warrant's series is a second slash; `sA` stands for it here (the tape has no lower-case s).
  const tail = (match[2] ?? "").replace(/^\/WS\/([A-Z])(?![A-Z])/, "s$1");
  const parts: string[] = [];
  for (const [token] of tail.matchAll(/p[A-Z]?|s[A-Z]|r|w|\/[A-Z]+/g)) {
    const part = readCqsPart(token);
    if (part === null || (parts.length > 0 && !CONDITIONS.has(part))) return null;
    parts.push(part);
  }
  return { root, parts };
}

/** Writes the consolidated tape's spelling (see `readCqs`). */
export function writeCqs(issue: Issue): string {
  return issue.parts.reduce((text, part) => {
    if (part === "P") return `${text}p`;
    if (/^PR[A-Z]$/.test(part)) return `${text}p${part.charAt(2)}`;
    if (part === "RT") return `${text}r`;
    if (part === "WI") return `${text}w`;
    if (/^WS[A-Z]$/.test(part)) return `${text}/WS/${part.charAt(2)}`;
    return `${text}/${part}`;
  }, issue.root);
}

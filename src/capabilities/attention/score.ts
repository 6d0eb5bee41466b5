// Scores how well an article fits a company: how it was found, how similar the names are, what kind of page
// it is. Pure.
import type { Static } from "@sinclair/typebox";
import type { CandidateRow } from "./schema.ts";

export type FoundBy = "cik" | "ticker" | "search";

export type Candidate = Readonly<Static<typeof CandidateRow>>;

export interface Scored {
  readonly title: string;
  readonly description: string | null;
  readonly is_disambiguation: boolean;
  readonly foundBy: FoundBy;
}

/** The score at which an article is accepted as the company's. */
// Found by ticker with half of the words alike: 0.87, accepted. With no word alike: 0.4, refused.
export const ACCEPTED_MIN = 0.7;
// "Zorp v. Quib" scores 0.05 for either company, however it was found.
const COURT_CASE = 0.05;
const DISAMBIGUATION = 0.05;
const LIST = 0.1;

const LEGAL =
  /\b(?:incorporated|inc|corporation|corp|company|co|limited|ltd|llc|plc|lp|holdings?|group|trust|nv|sa|ag|se|the|class [a-z]|common stock)\b/g;
const CASE = /\S\s+vs?\.?\s+\S/;
const BUSINESS =
  /\b(?:compan(?:y|ies)|corporation|conglomerate|manufacturer|retailer|bank|insurer|airline|chain|maker|producer|provider|developer|firm|business|brand|trust|utility|publisher|operator|platform|brewer|railway|railroad)\b/i;

/** The distinctive words of a name, without legal forms; all words when nothing else is left. */
export function nameWords(name: string): readonly string[] {
  const plain = name
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replace(/\s*\([^)]*\)\s*$/, "")
    .replaceAll(/[.'’]/g, "")
    .replaceAll(/[^\p{L}\p{N}&]+/gu, " ")
    .trim();
  const own = plain.replaceAll(LEGAL, " ").split(/\s+/).filter(Boolean);
  return own.length > 0 ? own : plain.split(/\s+/).filter(Boolean);
}

/** The words to search for. */
export const searchWords = (name: string): string => nameWords(name).join(" ");

/** Share of common words, 0 to 1 (Dice coefficient). */
export function similarity(a: string, b: string): number {
  const [one, two] = [new Set(nameWords(a)), new Set(nameWords(b))];
  if (one.size + two.size === 0) return 0;
  const shared = [...one].filter((word) => two.has(word)).length;
  return (2 * shared) / (one.size + two.size);
}

const rounded = (score: number): number => Math.round(score * 1000) / 1000;

function searchScore(alike: number, description: string | null): { score: number; kind: string } {
  const plain = 0.25 + 0.6 * alike;
  if (description === null) return { score: plain * 0.85, kind: "without a description" };
  if (BUSINESS.test(description)) return { score: Math.min(0.9, plain + 0.1), kind: "a business" };
  return { score: plain * 0.6, kind: "not described as a business" };
}

/** Scores an article for a company with the given name (null: unknown). */
export function scoreOf(article: Scored, name: string | null): Candidate {
  const { title, description } = article;
  const as = (score: number, reason: string): Candidate => ({ title, score: rounded(score), reason });
  if (CASE.test(title)) return as(COURT_CASE, "a court case");
  if (article.is_disambiguation) return as(DISAMBIGUATION, "a disambiguation page");
  if (/^lists? of\b/i.test(title)) return as(LIST, "a list");
  const alike = name === null ? 0 : similarity(name, title);
  const share = `names ${Math.round(alike * 100)} % alike`;
  if (article.foundBy === "cik") return as(0.95 + 0.04 * alike, `its Wikidata item has the CIK; ${share}`);
  if (article.foundBy === "ticker")
    return alike > 0 || name === null
      ? as(0.8 + 0.14 * alike, `its Wikidata item has the ticker; ${share}`)
      : as(0.4, "its Wikidata item has the ticker, but no word of the name");
  const { score, kind } = searchScore(alike, description);
  return as(score, `found by search; ${share}; ${kind}`);
}

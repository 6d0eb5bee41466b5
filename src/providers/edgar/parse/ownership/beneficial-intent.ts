// Classifies the intent in Item 4 of a Schedule 13D: to act on the company, or to hold its shares. Pure.

export interface Intent {
  readonly is_activist: boolean;
  /** The sentence that decided; null when none did. */
  readonly reason: string | null;
}

const REASON_CHARS_MAX = 400;
const ISSUER =
  "(?:issuer|company|corporation|board|management|directors?|stockholders|shareholders|special committee)";

/** Actions taken. A sentence about one counts, unless it only says that it may happen. */
const DONE: readonly RegExp[] = [
  /\b(?:sent|delivered|issued|submitted|released|published|wrote|presented|made public)\b[^;]{0,100}\b(?:letters?|notices?|presentation|white paper|press release|demand|nominations?|proposals?|offer)\b/i,
  /\b(?:letter|proposal|notice|demand|offer)\b[^;]{0,60}\bto the (?:board|issuer|company|chairman|chief executive|special committee|management)/i,
  /\b(?:has|have|had)\s+(?:\w+\s+){0,2}nominated\b|\b(?:submitted|delivered|gave|given)\b[^;]{0,60}\bnominat/i,
  /\b(?:entered into|executed|is a party to|signed)\b[^;]{0,80}\b(?:cooperation|settlement|standstill|nomination|support and standstill|director appointment)\s+agreement/i,
  /\b(?:commenced|filed|began|launched)\b[^;]{0,80}\b(?:proxy|consent) (?:statement|solicitation|contest)|\bfiled\b[^;]{0,60}\b(?:complaint|lawsuit|action)\b[^;]{0,60}\bagainst\b/i,
];

/** Intentions. A sentence about one counts, unless it only keeps the possibility open. */
const MEANT: readonly RegExp[] = [
  /\b(?:intends?|plans?|expects?|will|seeks?|seeking|propos(?:es?|ing)|sought)\b[^;]{0,60}\b(?:nominate|solicit (?:proxies|consents)|call a special meeting|replace|remove|elect|board (?:seats?|representation)|representation on the board)\b/i,
  new RegExp(
    `\\b(?:urge[sd]?|urging|call(?:s|ed|ing)? (?:on|upon|for)|demand(?:s|ed|ing)?|encourage[sd]?|encouraging|request(?:s|ed)|press(?:es|ed|ing)? for|advocat(?:e|es|ed|ing)|recommend(?:s|ed)?)\\b[^;]{0,140}\\b(?:${ISSUER}|strategic|sale|merger|spin-?off|repurchase|buyback|dividend|review|change)`,
    "i",
  ),
  /\b(?:purpose|effect|intent(?:ion)?|view)\b[^;]{0,40}\b(?:of|to)\b[^;]{0,20}\b(?:chang(?:e|ing)|influenc(?:e|ing)|acquir(?:e|ing)|exercis(?:e|ing)) (?:or influencing )?(?:the )?control\b/i,
  /\b(?:seek(?:s|ing)?|sought|intends?|plans?|propos(?:es?|ed|ing)|want(?:s)?|desires?)\b[^;]{0,60}\b(?:acquire (?:all|the remaining|control|100)|take the (?:issuer|company) private|going[- ]private|sale of the (?:issuer|company)|liquidat|strategic (?:alternatives|review)|change the (?:board|composition|management|strategy)|influence (?:the )?(?:management|board|policies|control))/i,
  new RegExp(
    `\\b(?:has|have|are|is|had)\\s+(?:\\w+\\s+){0,3}(?:engag|communicat|met|meeting|discuss|spoken|contact|in dialogue)\\w*[^;]{0,100}\\b${ISSUER}\\b[^;]{0,160}\\b(?:strateg|board composition|governance|capital|performance|value|operations|alternatives|undervalu|director)`,
    "i",
  ),
  new RegExp(
    `\\b(?:intends?|plans?|expects?|will)\\s+(?:to\\s+)?(?:\\w+\\s+){0,3}(?:engage|communicate|meet|discuss|hold discussions)\\w*[^;]{0,100}\\b${ISSUER}\\b`,
    "i",
  ),
];
/** "may", "reserves the right", "from time to time": standard wording in nearly every schedule. */
const KEPT_POSSIBLE =
  /\b(?:may|might|could|would|reserves? the right|from time to time|no assurance|depending (?:on|upon)|in the future|if )\b/i;
/** "no plans or proposals which relate to …", "not with the purpose of …". */
const DENIED =
  /\b(?:no|not|none|neither|nor|without|never)\b[^;]{0,120}\b(?:plans?|proposals?|intentions?|intends?|purpose|effect|view|contemplat)|\b(?:does|do|did|has|have|is|are|was|were) not\b[^;]{0,40}\b(?:seek|propos|urg|engag|intend|plan|nominat|solicit)/i;

const sentencesOf = (text: string): string[] =>
  text
    .replace(/\s+/g, " ")
    .replace(/\b(Mr|Mrs|Ms|Dr|Inc|Corp|Co|Ltd|No|L\.P|LLC)\./g, "$1\u2024")
    .split(/(?<=[.!?]["”]?)\s+(?=["“(]?[A-Z])/)
    .map((sentence) => sentence.replaceAll("\u2024", ".").trim());

function decides(text: string): boolean {
  // Hides the month of May from the search for the verb.
  const sentence = text.replace(/\bMay(?= \d)/g, "Maius");
  if (DENIED.test(sentence)) return false;
  if (DONE.some((pattern) => pattern.test(sentence))) return !/\b(?:may|might|could|would)\b/i.test(sentence);
  return !KEPT_POSSIBLE.test(sentence) && MEANT.some((pattern) => pattern.test(sentence));
}

/** Returns the intent of the text of Item 4, from the first sentence that decides. */
export function intentOf(purpose: string): Intent {
  const found = sentencesOf(purpose).find(decides);
  if (found === undefined) return { is_activist: false, reason: null };
  const reason = found.length > REASON_CHARS_MAX ? `${found.slice(0, REASON_CHARS_MAX - 1)}…` : found;
  return { is_activist: true, reason };
}

// The states of a panel. Loading, nothing there, not read yet, not configured, refused and outage each have a
// label and a colour.
import { RequestFailed } from "./api.ts";
import { element } from "./elements.ts";

export type PanelState = "loading" | "ready" | "empty" | "not-read" | "not-configured" | "refused" | "outage";

const LABELS: Readonly<Record<Exclude<PanelState, "ready">, string>> = {
  loading: "Loading…",
  empty: "Nothing there",
  "not-read": "Not read yet",
  "not-configured": "Not configured",
  refused: "Refused",
  outage: "No answer",
};

export const labelOf = (state: Exclude<PanelState, "ready">): string => LABELS[state];

/**
 * The state that a failed request puts its panel into. Anything but an answer of the service is an outage.
 */
export function stateOfFailure(error: unknown): Exclude<PanelState, "ready" | "loading"> {
  if (!(error instanceof RequestFailed)) return "outage";
  if (error.code === "not_configured") return "not-configured";
  // The service refuses nothing by it: there is no such ticker, fund, filing or version.
  if (error.status === 404) return error.isNotRead ? "not-read" : "empty";
  return error.status === 0 || error.status === 429 || error.status >= 500 ? "outage" : "refused";
}

/** A text of the service in words: the codes that its parts begin with have labels. */
export const inWords = (text: string): string =>
  text
    .replace(/\bnothing_there: /g, "")
    .replace(/\bnot_read: /g, `${LABELS["not-read"]}: `)
    .replace(/\b(outage|refused): /g, (_, code: "outage" | "refused") => `${LABELS[code]}: `);

/** How warnings of a list begin, and the state of a list without rows that has such a warning. */
const ABSENCES = [
  ["outage: ", "outage"],
  ["refused: ", "refused"],
  ["not_read: ", "not-read"],
] as const;

/** The state of a list without rows: its warnings say what kind of absence it is. */
export const stateOfEmpty = (warnings: readonly string[]): Exclude<PanelState, "ready" | "loading"> =>
  ABSENCES.find(([start]) => warnings.some((each) => each.startsWith(start)))?.[1] ?? "empty";

/** A line that names a state and says more about it. */
export const stateLine = (state: Exclude<PanelState, "ready">, text = ""): HTMLElement =>
  element(
    "p",
    { class: `state ${state}` },
    element("strong", {}, LABELS[state]),
    text === "" ? null : ` ${inWords(text)}`,
  );

/** The line of a failed request. */
export const failureLine = (error: unknown): HTMLElement =>
  stateLine(stateOfFailure(error), error instanceof Error ? error.message : String(error));

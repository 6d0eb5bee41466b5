// Which forms are ownership filings, and of which kind. Pure.

/** insider: Forms 3, 4 and 5. holder: Schedules 13D and 13G. */
export type Kind = "insider" | "holder";
export const KINDS: readonly Kind[] = ["insider", "holder"];

const INSIDER = /^[345](?:\/A)?$/;
/** `SC 13D` until 2024-12-17, `SCHEDULE 13D` since. SC 13E, 14D and others do not report holdings. */
const HOLDER = /^(?:SC|SCHEDULE) 13[DG](?:\/A)?$/;

/** The kind of a form type as an index writes it; null for every other form. */
export function kindOf(formType: string): Kind | null {
  if (INSIDER.test(formType)) return "insider";
  return HOLDER.test(formType) ? "holder" : null;
}

/** `13D` or `13G` in the name of a schedule. */
export const scheduleOf = (formType: string): "13D" | "13G" => (formType.includes("13G") ? "13G" : "13D");

/** Form types to request from the current feed. It matches them as prefixes, so amendments are included. */
export const FEED_FORMS: readonly string[] = ["3", "4", "5", "SCHEDULE 13D", "SCHEDULE 13G"];

// Which forms have events, and how the form types of a request are parsed. Pure.

/** Current reports (8-K) and their amendments, including those of successor registrants. */
const CURRENT_REPORT = /^8-K(?:12B|12G3|15D5)?(?:\/A)?$/;

/** All form types that have events. */
export const CURRENT_REPORTS: readonly string[] = ["8-K", "8-K12B", "8-K12G3", "8-K15D5"].flatMap((form) => [
  form,
  `${form}/A`,
]);

export const isCurrentReport = (formType: string): boolean => CURRENT_REPORT.test(formType);

/**
 * Correspondence with the staff is published 20 business days after a review ends, draft registrations before
 * the road show.
 */
const PUBLISHED_LATER = /^(?:CORRESP|UPLOAD|LETTER|DRS|DRSLTR)(?:\/A)?$/;

/** Whether the regulator publishes the form only weeks after its filing date. */
export const isPublishedLater = (formType: string): boolean => PUBLISHED_LATER.test(formType);

/** The distinct form types of a comma-separated list, in upper case; null when it has none. */
export function formTypes(text: string | undefined): string[] | null {
  const forms = (text ?? "")
    .split(",")
    .map((form) => form.trim().toUpperCase())
    .filter(Boolean);
  return forms.length === 0 ? null : [...new Set(forms)];
}

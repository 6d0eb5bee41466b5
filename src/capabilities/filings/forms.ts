// Which forms are read for events, and how form types of a request are understood. Pure.

/** Current reports of domestic companies and their amendments, those of successor registrants among them. */
const CURRENT_REPORT = /^8-K(?:12B|12G3|15D5)?(?:\/A)?$/;

/** Every form type that is read for events. */
export const CURRENT_REPORTS: readonly string[] = ["8-K", "8-K12B", "8-K12G3", "8-K15D5"].flatMap((form) => [
  form,
  `${form}/A`,
]);

export const isCurrentReport = (formType: string): boolean => CURRENT_REPORT.test(formType);

/** Letters to and from the staff come out 20 business days after a review ends, draft registrations before their road show. */
const HELD_BACK = /^(?:CORRESP|UPLOAD|LETTER|DRS|DRSLTR)(?:\/A)?$/;

/** Whether the regulator publishes the form weeks after its filing date. */
export const isHeldBack = (formType: string): boolean => HELD_BACK.test(formType);

/** The form types of a comma list, upper case, each once; null when it names none. */
export function formTypes(text: string | undefined): string[] | null {
  const forms = (text ?? "")
    .split(",")
    .map((form) => form.trim().toUpperCase())
    .filter(Boolean);
  return forms.length === 0 ? null : [...new Set(forms)];
}

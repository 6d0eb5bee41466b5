// Finds what is missing or doubtful in the body of an answer, for formats whose rows cannot say it.
import type { RowNotes } from "./table.ts";

const isText = (value: unknown): value is string => typeof value === "string";

/** The text of an entry of `errors`: a message, or a problem with a detail. */
function messageOf(error: unknown): string {
  if (isText(error)) return error;
  const { detail, code } = (error ?? {}) as { detail?: unknown; code?: unknown };
  return [detail, code].find(isText) ?? "failed";
}

/** The warnings and errors that a JSON body lists in its fields of these names. */
export function notesOf(body: unknown): RowNotes {
  if (typeof body !== "object" || body === null) return {};
  const { warnings, errors } = body as { warnings?: unknown; errors?: unknown };
  const isRecord = typeof errors === "object" && errors !== null && !Array.isArray(errors);
  return {
    warnings: Array.isArray(warnings) ? warnings.filter(isText) : [],
    errors: isRecord
      ? Object.fromEntries(
          Object.entries(errors).flatMap(([of, error]) => (error === null ? [] : [[of, messageOf(error)]])),
        )
      : {},
  };
}

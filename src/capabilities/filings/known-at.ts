// When a filing became public: the moment that `as_of` is compared with. Pure.
import { endOfDay } from "../../market/calendar.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Acceptance } from "../../providers/edgar/index.ts";
import { isPublishedLater } from "./forms.ts";

const msOf = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;

type Dated = Acceptance & { readonly form_type: string };

/**
 * When the acceptance is known: that moment, or the opening of the filing date when it was accepted after
 * hours. When it is unknown: the end of the filing date in New York, or what the regulator's records show,
 * whichever is later. A form published weeks later (correspondence with the staff) counts from the moment
 * this service first saw it.
 */
export function knownAt(
  { public_from, precision, filing_date, form_type }: Dated,
  indexedAtMs: number,
): string {
  if (isPublishedLater(form_type)) return instantText(indexedAtMs);
  if (precision === "second" && public_from !== null) return instantText(msOf(public_from));
  const dayEndMs = endOfDay(filing_date).epochMilliseconds;
  return instantText(Math.max(dayEndMs, public_from === null ? 0 : msOf(public_from)));
}

/** The acceptance fields of a filing, in the stored form. */
export const acceptanceFields = (acceptance: Dated, indexedAtMs: number) => ({
  accepted_at: storedInstant(acceptance.accepted_at),
  precision: acceptance.precision,
  known_at: knownAt(acceptance, indexedAtMs),
});

/** The stored form of an RFC 3339 instant; null stays null. */
export const storedInstant = (text: string | null): string | null =>
  text === null ? null : instantText(msOf(text));

/** An instant as answers show it: no decimals for whole seconds. */
export const shownInstant = (text: string | null): string | null => text?.replace(".000Z", "Z") ?? null;

/** `as_of` in the stored form, to compare with `known_at`; null without one. */
export const asOfText = (asOf: Temporal.Instant | null): string | null =>
  asOf === null ? null : instantText(asOf.epochMilliseconds);

// From when a filing could be read by anybody: the moment that `as_of` is held against. Pure.
import { endOfDay } from "../../market/calendar.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Acceptance } from "../../providers/edgar/index.ts";
import { isHeldBack } from "./forms.ts";

const msOf = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;

type Dated = Acceptance & { readonly form_type: string };

/**
 * With a known acceptance: that moment, or the opening of the filing date when it was accepted after hours. Without
 * one: the end of its filing date in New York, or what the regulator's papers tell, whichever is later. What is
 * published weeks later (letters of the staff) is known from when this service met it.
 */
export function knownAt(
  { public_from, precision, filing_date, form_type }: Dated,
  indexedAtMs: number,
): string {
  if (isHeldBack(form_type)) return instantText(indexedAtMs);
  if (precision === "second" && public_from !== null) return instantText(msOf(public_from));
  const dayEndMs = endOfDay(filing_date).epochMilliseconds;
  return instantText(Math.max(dayEndMs, public_from === null ? 0 : msOf(public_from)));
}

/** The moments of a filing in the stored form. */
export const momentsOf = (acceptance: Dated, indexedAtMs: number) => ({
  accepted_at: storedInstant(acceptance.accepted_at),
  precision: acceptance.precision,
  known_at: knownAt(acceptance, indexedAtMs),
});

/** The stored form of an instant told as RFC 3339; null stays null. */
export const storedInstant = (text: string | null): string | null =>
  text === null ? null : instantText(msOf(text));

/** An instant as answers show it: whole seconds without decimals. */
export const shownInstant = (text: string | null): string | null => text?.replace(".000Z", "Z") ?? null;

/** What `as_of` includes at most, in the stored form; null without one. */
export const asOfText = (asOf: Temporal.Instant | null): string | null =>
  asOf === null ? null : instantText(asOf.epochMilliseconds);

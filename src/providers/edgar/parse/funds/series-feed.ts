// Reads the list of a fund's filings (browse-edgar, Atom): each report with the moment it was accepted. Pure.
import { acceptanceOfFeed } from "../../acceptance.ts";
import { readAccession, readCik } from "../../accession.ts";
import type { SeriesFiling } from "../../nport-records.ts";
import { readDay, shapeChanged } from "../../wire.ts";
import { walkMarkup } from "../markup.ts";

const DOCUMENT = "the list of a fund's filings";
const FIELDS = ["accession-number", "filing-date", "filing-type", "filing-href", "updated"] as const;
type Field = (typeof FIELDS)[number];

function instantOf(text: string): Temporal.Instant {
  try {
    return Temporal.Instant.from(text.trim());
  } catch {
    throw shapeChanged(DOCUMENT, "entry.updated", "an instant with its offset");
  }
}

function readEntry(raw: ReadonlyMap<Field, string>): SeriesFiling {
  const text = (field: Field) => raw.get(field)?.trim() ?? "";
  const accession_number = readAccession(text("accession-number"));
  if (!accession_number) throw shapeChanged(DOCUMENT, "entry.accession-number", "an accession number");
  const filing_date = readDay(text("filing-date"));
  if (!filing_date) throw shapeChanged(DOCUMENT, "entry.filing-date", "a date");
  const form_type = text("filing-type");
  if (!form_type) throw shapeChanged(DOCUMENT, "entry.filing-type", "a form type");
  const folder = /\/Archives\/edgar\/data\/(\d{1,10})\//.exec(text("filing-href"))?.[1];
  return {
    ...acceptanceOfFeed(instantOf(text("updated")), { filing_date, form_type }),
    accession_number,
    form_type,
    cik: folder ? readCik(folder) : null,
  };
}

/**
 * Reads the list. Throws UpstreamFailed when it is not a feed, is cut off, or an entry lacks a required
 * field.
 */
export function readSeriesFeed(source: string): SeriesFiling[] {
  const found: SeriesFiling[] = [];
  let entry: Map<Field, string> | null = null;
  let field: Field | null = null;
  walkMarkup(
    source,
    {
      open(name) {
        if (name === "entry") entry = new Map();
        field = FIELDS.find((known) => known === name) ?? null;
      },
      text(text) {
        if (field && entry) entry.set(field, (entry.get(field) ?? "") + text);
      },
      close(name) {
        field = null;
        if (name !== "entry" || !entry) return;
        found.push(readEntry(entry));
        entry = null;
      },
    },
    { xml: true },
  );
  // The parser closes open elements by itself, so a truncated feed shows only by its missing end.
  if (!/<\/feed>\s*$/.test(source)) throw shapeChanged(DOCUMENT, "its end", "</feed>");
  return found;
}

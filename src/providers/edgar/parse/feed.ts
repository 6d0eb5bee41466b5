// Reads the current feed (Atom): the newest filings, one entry per party, with the moment each was accepted.
// Pure.
import { acceptanceOfFeed } from "../acceptance.ts";
import { readAccession } from "../accession.ts";
import type { FeedEntry } from "../records.ts";
import { readDay, shapeChanged } from "../wire.ts";
import { itemNumbers, oneSpaced, walkMarkup } from "./markup.ts";

/** Texts of an entry, unchanged. */
interface RawEntry {
  title: string;
  updated: string;
  id: string;
  summary: string;
  term: string;
}

export interface Feed {
  readonly entries: readonly FeedEntry[];
  readonly updatedAt: Temporal.Instant;
}

const DOCUMENT = "the current feed";
const FIELDS = ["title", "updated", "id", "summary"] as const;
const emptyEntry = (): RawEntry => ({ title: "", updated: "", id: "", summary: "", term: "" });

function instantOf(text: string): Temporal.Instant {
  try {
    return Temporal.Instant.from(text.trim());
  } catch {
    throw shapeChanged(DOCUMENT, "updated", "an instant with its offset");
  }
}

/** Reads `4 - BREAUX PAUL W. (0001700545) (Reporting)`. The form type at its start is the entry's `term`. */
function readTitle(title: string, form: string): Pick<FeedEntry, "cik" | "company_name" | "role"> {
  const rest = title.startsWith(`${form} - `) ? title.slice(form.length + 3) : title;
  const [, name, cik, role] = /^(.*) \((\d{10})\)(?: \(([^()]+)\))?$/.exec(rest) ?? [];
  return { cik: cik ?? null, company_name: name ?? rest, role: role ?? null };
}

function readEntry(raw: RawEntry): FeedEntry {
  const accession = readAccession(/accession-number=([\d-]+)$/.exec(raw.id.trim())?.[1] ?? "");
  if (!accession) throw shapeChanged(DOCUMENT, "entry.id", "a tag with the accession number");
  const form_type = raw.term.trim();
  if (!form_type) throw shapeChanged(DOCUMENT, "entry.category", "the form type");
  // The summary is HTML inside the text.
  const summary = raw.summary.replace(/<br\s*\/?>/gi, "\n").replace(/<[^>]*>/g, "");
  const filing_date = readDay(/Filed:\s*(\d{4}-\d{2}-\d{2})/.exec(summary)?.[1] ?? "");
  if (!filing_date) throw shapeChanged(DOCUMENT, "entry.summary", "a text with the filing date");
  return {
    ...acceptanceOfFeed(instantOf(raw.updated), { filing_date, form_type }),
    accession_number: accession,
    form_type,
    ...readTitle(oneSpaced(raw.title), form_type),
    items: itemNumbers(summary),
  };
}

/**
 * Reads the feed. Throws UpstreamFailed when it is not a feed, is cut off, or an entry lacks a required
 * field.
 */
export function readFeed(source: string): Feed {
  const entries: FeedEntry[] = [];
  let updated = "";
  let entry: RawEntry | null = null;
  let field: (typeof FIELDS)[number] | null = null;
  walkMarkup(
    source,
    {
      open(name, attributes) {
        if (name === "entry") entry = emptyEntry();
        if (name === "category" && entry) entry.term = attributes.term ?? "";
        field = FIELDS.find((known) => known === name) ?? null;
      },
      text(text) {
        if (!field) return;
        if (entry) entry[field] += text;
        else if (field === "updated") updated += text;
      },
      close(name) {
        field = null;
        if (name !== "entry" || !entry) return;
        entries.push(readEntry(entry));
        entry = null;
      },
    },
    { xml: true },
  );
  // The parser closes open elements by itself, so a truncated feed shows only by its missing end.
  if (!/<\/feed>\s*$/.test(source)) throw shapeChanged(DOCUMENT, "its end", "</feed>");
  return { entries, updatedAt: instantOf(updated) };
}

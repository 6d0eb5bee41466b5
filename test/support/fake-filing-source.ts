// A regulator for tests: filings given by hand, answers that can be held or made to fail, and every call
// counted.

import type { FilingSource } from "../../src/capabilities/filings/sources.ts";
import { NotFound } from "../../src/platform/errors.ts";
import type {
  Acceptance,
  FilingRow,
  IndexRow,
  OlderPage,
  Submissions,
  SubmissionText,
} from "../../src/providers/edgar/index.ts";

export interface FakeFiling {
  readonly accession: string;
  readonly form?: string;
  readonly date: string;
  /** RFC 3339; without it neither the list nor the page has one. */
  readonly accepted?: string;
  /** The list leaves two moments open; only the page says which. */
  readonly ambiguous?: boolean;
  /** Only the page has the moment; the list has none. */
  readonly unlisted?: boolean;
  readonly items?: readonly string[];
  /** Documents by type: text as filed. */
  readonly documents?: Readonly<Record<string, string>>;
}

export const CIK = "0000001111";

const second = (filing_date: string, accepted_at: string, source: "column" | "index_page"): Acceptance => ({
  accepted_at,
  filing_date,
  precision: "second",
  source,
  public_from: accepted_at,
});

/** A current report's body with a heading and a sentence for each item. */
export const bodyOf = (items: Readonly<Record<string, string>>): string =>
  `<html><body><p>FORM 8-K</p>${Object.entries(items)
    .map(([item, text]) => `<p><b>Item ${item}</b></p><p>${text}</p>`)
    .join("")}<p>SIGNATURES</p></body></html>`;

function listed({ date, accepted, ambiguous, unlisted }: FakeFiling): Acceptance {
  const none = { accepted_at: null, filing_date: date, source: null };
  if (accepted === undefined || unlisted)
    return { ...none, precision: "day", public_from: `${date}T23:59:59Z` };
  if (ambiguous) return { ...none, precision: "ambiguous", public_from: accepted };
  return second(date, accepted, "column");
}

export function filingRow(filing: FakeFiling, cik = CIK): FilingRow {
  return {
    ...listed(filing),
    accession_number: filing.accession,
    cik,
    form_type: filing.form ?? "8-K",
    report_date: filing.date,
    act: null,
    file_number: null,
    film_number: null,
    items: filing.items ?? [],
    size: 1000,
    is_xbrl: false,
    is_inline_xbrl: false,
    primary_document: "body.htm",
    primary_document_description: null,
  };
}

export interface FakeOptions {
  readonly recent: readonly FakeFiling[];
  /** Older pages, newest first. */
  readonly older?: readonly (readonly FakeFiling[])[];
  readonly predecessors?: readonly string[];
  readonly days?: Readonly<Record<string, readonly IndexRow[]>>;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hashOf = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

export function fakeSource(start: FakeOptions) {
  let options = start;
  const calls: string[] = [];
  /** Runs before each answer: throws to fail it, waits to hold it. */
  let before: (call: string, signal?: AbortSignal) => Promise<void> = async () => {};
  const ask = async (call: string, signal?: AbortSignal) => {
    calls.push(call);
    await before(call, signal);
    signal?.throwIfAborted();
  };
  const pages = (): OlderPage[] =>
    (options.older ?? []).map((filings, i) => {
      const dates = filings.map((f) => f.date).sort();
      const [filing_from = "", filing_to = ""] = [dates[0], dates.at(-1)];
      return { name: `page-${i}`, filing_count: filings.length, filing_from, filing_to };
    });
  const find = (accession: string): FakeFiling => {
    const found = [options.recent, ...(options.older ?? [])].flat().find((f) => f.accession === accession);
    if (!found) throw new NotFound("not_found", `EDGAR has no filing ${accession}`);
    return found;
  };
  const named = (filing: FakeFiling) =>
    Object.entries(filing.documents ?? {}).map(([type, text], i) => ({
      sequence: i + 1,
      type,
      description: null,
      size: text.length,
      text,
      filename: i === 0 ? "body.htm" : `d${i + 1}.htm`,
    }));
  const fetched = (
    filing: FakeFiling,
    by: (d: { type: string; filename: string }) => boolean,
    what: string,
  ) => {
    const found = named(filing).find(by);
    if (!found) throw new NotFound("not_found", `Filing ${filing.accession} has no document ${what}`);
    const url = `https://www.sec.gov/Archives/edgar/data/1111/x/${found.filename}`;
    const receipt = { bytes: bytesOf(found.text), sha256: hashOf(found.text), url, from_vault: false };
    return { ...receipt, filename: found.filename, type: found.type, content_type: "text/html" };
  };

  const source: FilingSource = {
    async submissions(cik, signal) {
      await ask(`submissions ${cik}`, signal);
      const entity = { cik, name: "Fake Corp.", tickers: [{ ticker: "FAKE", exchange: "NYSE" }] };
      const predecessor_ciks = cik === CIK ? (options.predecessors ?? []) : [];
      const filings = cik === CIK ? options.recent.map((filing) => filingRow(filing)) : [];
      const older_pages = cik === CIK ? pages() : [];
      const answer = { entity: { ...entity, predecessor_ciks }, filings, older_pages, received_at: "" };
      return answer as unknown as Submissions;
    },
    async olderFilings(_cik, { name }, signal) {
      await ask(name, signal);
      return (options.older?.[Number(name.slice(5))] ?? []).map((filing) => filingRow(filing));
    },
    async dailyIndex(date, _known, signal) {
      await ask(`index ${date}`, signal);
      const rows = options.days?.[date];
      return rows ? { rows, unread: [], validators: { etag: null, last_modified: null } } : null;
    },
    async filingIndex({ accession_number }, how) {
      await ask(`page ${accession_number}`, how?.signal);
      const filing = find(accession_number);
      const none = { accepted_at: null, filing_date: filing.date, precision: "day", source: null } as const;
      const reported = filing.accepted
        ? second(filing.date, filing.accepted, "index_page")
        : { ...none, public_from: null };
      const documents = named(filing).map(({ text: _, ...document }) => document);
      const parties = [{ cik: CIK, name: "Fake Corp.", role: null }];
      const form_type = filing.form ?? "8-K";
      return {
        ...reported,
        accession_number,
        form_type,
        report_date: filing.date,
        items: filing.items ?? [],
        documents,
        parties,
      };
    },
    async document({ accession_number }, filename, how) {
      await ask(`document ${accession_number} ${filename}`, how?.signal);
      return fetched(find(accession_number), (d) => d.filename === filename, filename);
    },
    async exhibit({ accession_number }, type, how) {
      await ask(`exhibit ${accession_number} ${type}`, how?.signal);
      return fetched(find(accession_number), (d) => d.type === type, type);
    },
    async submissionText({ accession_number }, how) {
      await ask(`whole ${accession_number}`, how?.signal);
      const documents = named(find(accession_number));
      return {
        documents,
        sha256: hashOf(documents.map(({ text }) => text).join("")),
      } as unknown as SubmissionText;
    },
    search: () => Promise.reject(new NotFound("not_found", "no search")),
  };
  return {
    source,
    calls,
    set: (next: FakeOptions) => {
      options = next;
    },
    before: (hook: (call: string, signal?: AbortSignal) => Promise<void>) => {
      before = hook;
    },
  };
}

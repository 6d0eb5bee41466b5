// Queries, bodies and answers of the filing routes: the check, the types and the documentation in one place.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX, EXHIBIT_BULK_MAX } from "../../limits.ts";
import { pageFields } from "../../market/answer-fields.ts";
import {
  asOfField,
  dateField,
  flag,
  forceRefresh,
  oneOf,
  tickerArray,
  tickerField,
  wholeNumber,
} from "../../market/params.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => orNull(Type.String({ description }));
const number = (description: string) => orNull(Type.Integer({ description }));

const asOf = {
  ...asOfField,
  description:
    "Only what anybody could have read at that moment: a date (the end of that day in New York) or an RFC 3339 instant with zone. " +
    "A filing is visible from its acceptance, from 06:00 of its filing date when it was accepted after hours for the next business day, " +
    "and from the END of its filing date in New York when its acceptance is not known. Default: everything.",
};

const accession = Type.String({
  pattern: "^\\d{10}-?\\d{2}-?\\d{6}$",
  description: "Accession number, dashed or as its 18 digits.",
  examples: ["0000320193-26-000010"],
});
const cik = Type.String({
  pattern: "^(?:[Cc][Ii][Kk])?0{0,9}[1-9]\\d{0,9}$",
  description: "The regulator's number of the filer, padded or not.",
  examples: ["320193"],
});
const filename = Type.String({
  pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$",
  description: "File of the filing, as the list of its documents names it. Wins over `exhibit`.",
  examples: ["press-release.htm"],
});
const exhibit = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9 .()/-]{0,30}$",
  description:
    "Type of the document, exactly as filed: EX-99.1, EX-10.1, 8-K. Default: the press release, EX-99.1, else EX-99.01, else EX-99.",
  examples: ["EX-99.1"],
});
const format = oneOf(["text", "html"], "text: plain text; html: the document as filed.", "text");
const maxChars = wholeNumber("Characters of text at most; the rest is cut and `truncated` is true.", {
  minimum: 1,
  examples: [20_000],
});
const dates = {
  start_date: Type.Optional(dateField("First filing date, inclusive; needs end_date.", "2026-01-01")),
  end_date: Type.Optional(dateField("Last filing date, inclusive; needs start_date.")),
};
const paging = (preset: number) => ({
  limit: Type.Optional(wholeNumber("Rows at most.", { minimum: 1, maximum: 500, default: preset })),
  offset: Type.Optional(wholeNumber("Rows to skip.", { minimum: 0, maximum: 1_000_000, default: 0 })),
});
const folder = {
  ticker: Type.Optional(tickerField("A party of the filing; helps to find its folder.")),
  cik: Type.Optional(cik),
};

export const SearchFilingsQuery = Type.Object({
  ticker: Type.Optional(tickerField("Filer. One of ticker, cik and q is needed.")),
  cik: Type.Optional(cik),
  form_type: Type.Optional(
    Type.String({
      maxLength: 400,
      description: "Comma list of form types, each exactly: 8-K does not mean 8-K/A.",
      examples: ["8-K,8-K/A"],
    }),
  ),
  ...dates,
  q: Type.Optional(
    Type.String({
      maxLength: 300,
      description:
        'Words or a "phrase" in the documents since 2001: asks the regulator\'s full-text search (10,000 documents deep), of one filer where ticker or cik is given. One row per matching document.',
      examples: ['"stock split"'],
    }),
  ),
  as_of: Type.Optional(asOf),
  ...paging(50),
  force_refresh: Type.Optional({
    ...forceRefresh,
    description:
      "Ask the regulator again, and fill in `accepted_at` where it was not known (of the newest 100 such filings of the selection).",
  }),
});

export const DocumentsQuery = Type.Object({
  accession_number: accession,
  ...folder,
  as_of: Type.Optional(asOf),
});

export const ExhibitQuery = Type.Object({
  accession_number: accession,
  exhibit: Type.Optional(exhibit),
  filename: Type.Optional(filename),
  format: Type.Optional(format),
  max_chars: Type.Optional(maxChars),
  ...folder,
  as_of: Type.Optional(asOf),
});

export const BulkExhibitRequest = Type.Object({
  items: Type.Array(
    Type.Object({
      accession_number: accession,
      exhibit: Type.Optional(exhibit),
      filename: Type.Optional(filename),
      ...folder,
    }),
    {
      minItems: 1,
      maxItems: EXHIBIT_BULK_MAX,
      description: `Documents, at most ${EXHIBIT_BULK_MAX}.`,
      examples: [[{ accession_number: "0000320193-26-000010", exhibit: "EX-99.1" }]],
    },
  ),
  format: Type.Optional(format),
  max_chars: Type.Optional(maxChars),
});

const EVENT_TYPES = [
  ...["material_agreement", "agreement_terminated", "bankruptcy", "mine_safety", "cybersecurity_incident"],
  ...[
    "acquisition_disposition",
    "earnings_results",
    "debt_obligation",
    "obligation_acceleration",
    "exit_costs",
  ],
  ...["impairment", "delisting_notice", "unregistered_sale", "holder_rights_change", "auditor_change"],
  ...["non_reliance", "control_change", "management_change", "bylaws_change", "benefit_plan_blackout"],
  ...["ethics_code", "shell_status", "shareholder_vote", "director_nomination", "asset_backed"],
  ...["regulation_fd", "other_event"],
  ...Array.from({ length: 12 }, (_, i) => `legacy_${i + 1}`),
];

export const EventsQuery = Type.Object({
  ...dates,
  days: Type.Optional(
    wholeNumber("Days back from today, instead of dates; 365 with neither.", {
      minimum: 1,
      maximum: 20_000,
      examples: [90],
    }),
  ),
  item: Type.Optional(
    Type.String({
      pattern: "^\\d{1,2}(?:\\.\\d{2})?$",
      description: "Item number. A number of today finds the old item it replaced too: 2.02 finds 12.",
      examples: ["2.02"],
    }),
  ),
  event_type: Type.Optional(oneOf(EVENT_TYPES, "Kind of event.")),
  as_of: Type.Optional(asOf),
  ...paging(100),
  include_content: Type.Optional(flag("false: `content` is null.", true)),
  force_refresh: Type.Optional({
    ...forceRefresh,
    description:
      "Ask the regulator for the list of filings again. Filings that could not be read are not read again by this.",
  }),
});

export const BulkParseRequest = Type.Object({
  tickers: tickerArray(BULK_TICKERS_MAX),
  force_reparse: Type.Optional(flag("Read also what was read before, or could not be.")),
  ...dates,
  limit_per_ticker: Type.Optional(
    wholeNumber("Filings per ticker: those not read yet first, then the newest.", {
      minimum: 1,
      maximum: 500,
      default: 50,
    }),
  ),
});

export const TickerPath = Type.Object({ ticker: tickerField() });
export const AccessionPath = Type.Object({ accession_number: accession });

const filingNumber = Type.String({ description: "The regulator's number of the filing, dashed." });
const filingDate = Type.String({ format: "date", description: "The regulator's date of filing, New York." });
const list = <T extends TSchema>(row: T) => ({
  count: Type.Integer({ description: "Rows in this answer." }),
  total: number("Rows there are; null when that is not known."),
  ...pageFields,
  data: Type.Array(row, { description: "Newest filing first." }),
});
const warnings = Type.Array(Type.String(), { description: "What is missing or may be old, and why." });
const parsedStatus = orNull(
  oneOf(
    ["pending", "succeeded", "failed"],
    "Reading of a current report (8-K) for events; null for other forms, which have none.",
  ),
);
const acceptedAt = text(
  "When the regulator accepted it, RFC 3339 UTC. Null for rows indexed without it, until they are indexed again with force_refresh, and for a moment after indexing where the list leaves two moments open; never guessed.",
);

export const FilingSummary = Type.Object({
  accession_number: filingNumber,
  cik: Type.String({ description: "Filer in whose list it stands, ten digits." }),
  ticker: text("As you sent it; else the filer's main ticker where it is known."),
  company_name: Type.String({ description: "Filer, as the regulator has it now." }),
  form_type: Type.String({ description: "Form, as filed: 10-K, 8-K, 4, …" }),
  filing_date: filingDate,
  report_date: text("Period of report; of an 8-K the date of its earliest event."),
  accepted_at: acceptedAt,
  items: Type.Array(Type.String(), { description: "Item numbers; before August 2004 the old ones." }),
  parsed_status: parsedStatus,
  primary_document: text("File name of the first document."),
  primary_document_url: text("Where it is at the regulator's."),
  filing_url: Type.String({ description: "The filing's page at the regulator's." }),
  size: number("Bytes of the whole submission; null when not reported."),
  is_xbrl: orNull(Type.Boolean({ description: "Null when the index does not tell." })),
  matched_document: Type.Optional(Type.String({ description: "With q: the document that matches." })),
  matched_document_type: Type.Optional(text("With q: its type.")),
});

export const FilingList = Type.Object({ ...list(FilingSummary), warnings });

export const FilingDocuments = Type.Object({
  accession_number: filingNumber,
  form_type: Type.String({ description: "Form, as filed: 10-K, 8-K, 4, …" }),
  filing_date: filingDate,
  accepted_at: text("When the regulator accepted it, RFC 3339 UTC; null when its page does not tell."),
  count: Type.Integer({ description: "Documents in this answer: all there are." }),
  documents: Type.Array(
    Type.Object({
      sequence: number("Place in the filing; null for files the regulator does not number."),
      type: text("EX-99.1, GRAPHIC, …"),
      description: text("As filed."),
      filename: text("Null in filings before 2001, whose documents stand inside the whole submission."),
      size: number("Bytes; null when not told."),
      url: Type.String({ description: "Where it is at the regulator's." }),
    }),
    { description: "In the filing's order; data files last." },
  ),
});

export const Exhibit = Type.Object({
  accession_number: filingNumber,
  exhibit: text("Type of the document."),
  filename: text("Null in filings before 2001."),
  url: text("Where it is at the regulator's."),
  content_type: text("By the file's ending."),
  length: number("Characters of the whole text."),
  truncated: Type.Boolean({ description: "Whether `text` is cut to max_chars." }),
  text: text("Null for what is no text (PDF, pictures): read it at `url`."),
  sha256: text("Hash of the bytes as received; they are kept."),
});

export const BulkExhibitResponse = Type.Object({
  results: Type.Array(
    Type.Composite([
      Exhibit,
      Type.Object({
        success: Type.Boolean({ description: "Whether the document was read; `error` says why not." }),
        error: text('Why it failed; "deadline" when the time of the request was over.'),
        error_code: text("The same as a code."),
      }),
    ]),
    { description: "In the order of the request." },
  ),
});

export const FilingEvent = Type.Object({
  accession_number: filingNumber,
  item_number: Type.String({ description: "As filed: 2.02; 12 before August 2004." }),
  modern_item: text("The number the item has today; null for one without successor."),
  event_type: Type.String({ description: "By item; legacy_1 to legacy_12 for old ones." }),
  event_title: Type.String({ description: "The item's official title." }),
  filing_date: filingDate,
  report_date: text("Date of the earliest event."),
  accepted_at: acceptedAt,
  content: text(
    "Plain text under the item, or of its press release; null when there is none, and without include_content.",
  ),
  content_source: oneOf(
    ["body", "EX-99.1"],
    "Items 2.02, 7.01 and 8.01 take the press release where there is one; 8.01 as the only event takes the body.",
  ),
  content_length: Type.Integer({ description: "Characters of the whole content." }),
  truncated: Type.Boolean({ description: "Whether `content` is cut." }),
  filing_url: Type.String({ description: "The filing's page at the regulator's." }),
});

export const EventsAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  ...list(FilingEvent),
  parsed_now: Type.Integer({ description: "Filings read for this answer." }),
  warnings,
});

export const ParseResultAnswer = Type.Object({
  ticker: text("As you sent it; else the filer's main ticker where it is known."),
  accession_number: text("Null when the ticker's list could not be had."),
  parsed_status: parsedStatus,
  events_created: Type.Integer({ description: "Events of the filing read now; 0 when it was read before." }),
  error: text("Why it failed, or is pending still."),
  problems: Type.Array(Type.String(), {
    description: "What to know about the events: an item without a heading, …",
  }),
});

export const BulkParseResponse = Type.Object({
  total: Type.Integer({ description: "Results." }),
  succeeded: Type.Integer({ description: "Filings read now." }),
  failed: Type.Integer({ description: "Failed, or still pending because they could not be had." }),
  skipped: Type.Integer({ description: "Read before." }),
  results: Type.Array(ParseResultAnswer, {
    description: "By ticker in the order of the request, then by filing.",
  }),
});

export type FilingSummary = Static<typeof FilingSummary>;

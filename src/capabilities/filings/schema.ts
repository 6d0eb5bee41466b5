// Queries, bodies and answers of the filing routes: validation, types and documentation in one place.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX, EXHIBIT_BULK_MAX } from "../../limits.ts";
import { absenceWarnings } from "../../market/absence.ts";
import {
  booleanOrNull,
  dateOrNull,
  integerOrNull,
  orNull,
  pageFields,
  textOrNull,
} from "../../market/answer-fields.ts";
import {
  asOfFields,
  countField,
  dateField,
  flag,
  forceRefresh,
  formatField,
  oneOf,
  skipField,
  tickerArray,
  tickerField,
  wholeNumber,
} from "../../market/params.ts";

const readAt = asOfFields(
  "Only what was public at that moment: a date (the end of that day in New York) or an RFC 3339 instant with zone. " +
    "A filing is visible from its acceptance, from 06:00 of its filing date when it was accepted after hours for the next business day, " +
    "and from the END of its filing date in New York when its acceptance time is unknown. Default: everything.",
);

const accession = Type.String({
  pattern: "^\\d{10}-?\\d{2}-?\\d{6}$",
  description: "Accession number, dashed or as its 18 digits.",
  examples: ["0000320193-26-000010"],
});
const cik = Type.String({
  pattern: "^(?:[Cc][Ii][Kk])?0{0,9}[1-9]\\d{0,9}$",
  description: "The regulator's number of the filer, with or without leading zeros.",
  examples: ["320193"],
});
const filename = Type.String({
  pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$",
  description: "File name from the list of the filing's documents. Takes precedence over `exhibit`.",
  examples: ["press-release.htm"],
});
const exhibit = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9 .()/-]{0,30}$",
  description:
    "Type of the document, exactly as filed: EX-99.1, EX-10.1, 8-K. Default: the press release, EX-99.1, else EX-99.01, else EX-99.",
  examples: ["EX-99.1"],
});
const exhibitFormat = oneOf(["text", "html"], "text: plain text; html: the document as filed.", "text");
const maxChars = wholeNumber("Most characters of text; the rest is cut and `truncated` is true.", {
  minimum: 1,
  examples: [20_000],
});
const dates = {
  start_date: Type.Optional(
    dateField("First filing date, inclusive. Without end_date: all days since.", "2026-01-01"),
  ),
  end_date: Type.Optional(dateField("Last filing date, inclusive; needs start_date.")),
};
const paging = (preset: number) => ({
  limit: countField("Most rows.", 500, preset),
  offset: skipField("Rows to skip.", 1_000_000),
});
const folder = {
  ticker: Type.Optional(tickerField("A party of the filing; helps to locate its folder.")),
  cik: Type.Optional(cik),
};

export const SearchFilingsQuery = Type.Object({
  ticker: Type.Optional(tickerField("The filer. One of ticker, cik and q is needed.")),
  cik: Type.Optional(cik),
  form_type: Type.Optional(
    Type.String({
      maxLength: 400,
      description: "Comma-separated form types, matched exactly: 8-K does not include 8-K/A.",
      examples: ["8-K,8-K/A"],
    }),
  ),
  ...dates,
  q: Type.Optional(
    Type.String({
      maxLength: 300,
      description:
        'Words or a "phrase" in documents since 2001, found by the regulator\'s full-text search (at most 10,000 documents), for one filer when ticker or cik is given. One row per matching document.',
      examples: ['"stock split"'],
    }),
  ),
  ...readAt,
  ...paging(50),
  force_refresh: Type.Optional({
    ...forceRefresh,
    description:
      "Asks the regulator again, and fills in `accepted_at` where it is unknown (for the newest 100 such filings of the selection).",
  }),
  format: formatField(),
});

export const DocumentsQuery = Type.Object({
  accession_number: accession,
  ...folder,
  ...readAt,
  format: formatField(),
});

export const ExhibitQuery = Type.Object({
  accession_number: accession,
  exhibit: Type.Optional(exhibit),
  filename: Type.Optional(filename),
  format: Type.Optional(exhibitFormat),
  max_chars: Type.Optional(maxChars),
  ...folder,
  ...readAt,
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
      description: `At most ${EXHIBIT_BULK_MAX} documents.`,
      examples: [[{ accession_number: "0000320193-26-000010", exhibit: "EX-99.1" }]],
    },
  ),
  format: Type.Optional(exhibitFormat),
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
    wholeNumber("Days back from as_of, or from today without it, instead of dates; 365 with neither.", {
      minimum: 1,
      maximum: 20_000,
      examples: [90],
    }),
  ),
  item: Type.Optional(
    Type.String({
      pattern: "^\\d{1,2}(?:\\.\\d{2})?$",
      description: "Item number. A current number also finds the old item it replaced: 2.02 finds 12.",
      examples: ["2.02"],
    }),
  ),
  event_type: Type.Optional(oneOf(EVENT_TYPES, "Kind of event.")),
  ...readAt,
  ...paging(100),
  include_content: Type.Optional(flag("false: `content` is null.", true)),
  force_refresh: Type.Optional({
    ...forceRefresh,
    description: "Asks the regulator for the list of filings again. Does not parse failed filings again.",
  }),
  format: formatField(),
});

export const BulkParseRequest = Type.Object({
  tickers: tickerArray(BULK_TICKERS_MAX),
  force_reparse: Type.Optional(flag("Also parses filings that were parsed before or failed.")),
  ...dates,
  limit_per_ticker: countField("Filings per ticker: pending ones first, then the newest.", 500, 50),
});

export const AccessionPath = Type.Object({ accession_number: accession });

const filingNumber = Type.String({ description: "The regulator's number of the filing, dashed." });
const filingDate = Type.String({ format: "date", description: "The regulator's date of filing, New York." });
const list = <T extends TSchema>(row: T) => ({
  count: Type.Integer({ description: "Rows in this answer." }),
  total: integerOrNull("Rows that match; null when unknown."),
  ...pageFields,
  data: Type.Array(row, { description: "Newest filing first." }),
});
const parsedStatus = orNull(
  oneOf(
    ["pending", "succeeded", "failed"],
    "State of parsing a current report (8-K) for events; null for other forms, which have none.",
  ),
);
const acceptedAt = textOrNull(
  "When the regulator accepted it, RFC 3339 UTC. Null where the list does not say it, or leaves two times possible, until any part of the service has read the filing's header; never guessed.",
);

export const FilingSummary = Type.Object({
  accession_number: filingNumber,
  cik: Type.String({ description: "The filer whose list has it, ten digits." }),
  ticker: textOrNull("As you sent it, else the filer's main ticker when known."),
  company_name: Type.String({ description: "The filer's current name at the regulator." }),
  form_type: Type.String({ description: "Form, as filed: 10-K, 8-K, 4, …" }),
  filing_date: filingDate,
  report_date: dateOrNull("Period of the report; for an 8-K the date of its earliest event."),
  accepted_at: acceptedAt,
  items: Type.Array(Type.String(), { description: "Item numbers; before August 2004 the old ones." }),
  parsed_status: parsedStatus,
  primary_document: textOrNull("File name of the first document."),
  primary_document_url: textOrNull("Its address at the regulator."),
  filing_url: Type.String({ description: "The filing's page at the regulator." }),
  size: integerOrNull("Bytes of the complete submission; null when not reported."),
  is_xbrl: booleanOrNull("Null when the index does not say."),
  matched_document: Type.Optional(Type.String({ description: "With q: the matching document." })),
  matched_document_type: Type.Optional(textOrNull("With q: its type.")),
});

const acceptance_pending = Type.Optional(
  Type.Integer({
    description:
      "With as_of: filings that may have been public at that moment, whose headers could not be read for this answer. They are left out; ask again. Always 0 without as_of.",
  }),
);

export const FilingList = Type.Object({
  ...list(FilingSummary),
  acceptance_pending,
  warnings: absenceWarnings,
});

export const FilingDocuments = Type.Object({
  accession_number: filingNumber,
  form_type: Type.String({ description: "Form, as filed: 10-K, 8-K, 4, …" }),
  filing_date: filingDate,
  accepted_at: textOrNull("When the regulator accepted it, RFC 3339 UTC; null when its page does not say."),
  parties: Type.Array(
    Type.Object({
      cik: Type.String({ description: "Ten digits." }),
      name: Type.String({ description: "As the filing's header has it." }),
      role: textOrNull(
        "filer; of holdings issuer or subject, and reporting or filed_by; null when not stated.",
      ),
    }),
    { description: "Whose filing it is, and what it is about, in the header's order." },
  ),
  count: Type.Integer({ description: "Number of documents; the answer has all of them." }),
  documents: Type.Array(
    Type.Object({
      sequence: integerOrNull("Position in the filing; null for files the regulator does not number."),
      type: textOrNull("EX-99.1, GRAPHIC, …"),
      description: textOrNull("As filed."),
      filename: textOrNull(
        "Null in filings before 2001, whose documents are inside the complete submission.",
      ),
      size: integerOrNull("Bytes; null when not reported."),
      url: Type.String({ description: "Its address at the regulator." }),
    }),
    { description: "In the filing's order, data files last." },
  ),
});
export type FilingDocuments = Static<typeof FilingDocuments>;

export const Exhibit = Type.Object({
  accession_number: filingNumber,
  exhibit: textOrNull("Type of the document."),
  filename: textOrNull("Null in filings before 2001."),
  url: textOrNull("Its address at the regulator."),
  content_type: textOrNull("Derived from the file name extension."),
  length: integerOrNull("Characters of the whole text."),
  truncated: Type.Boolean({ description: "Whether `text` is cut to max_chars." }),
  text: textOrNull("Null for documents that are not text (PDF, pictures): read them at `url`."),
  sha256: textOrNull("Hash of the bytes as received, which are stored."),
});
export type Exhibit = Static<typeof Exhibit>;

export const BulkExhibitResponse = Type.Object({
  results: Type.Array(
    Type.Composite([
      Exhibit,
      Type.Object({
        success: Type.Boolean({ description: "Whether the document was read; `error` says why not." }),
        error: textOrNull('Why it failed; "deadline" when the request ran out of time.'),
        error_code: textOrNull("The same as a code."),
      }),
    ]),
    { description: "In the order of the request." },
  ),
});

export const FilingEvent = Type.Object({
  accession_number: filingNumber,
  item_number: Type.String({ description: "As filed: 2.02; 12 before August 2004." }),
  modern_item: textOrNull("The item's current number; null for an item without a successor."),
  event_type: Type.String({ description: "Determined by the item; legacy_1 to legacy_12 for old items." }),
  event_title: Type.String({ description: "The item's official title." }),
  filing_date: filingDate,
  report_date: dateOrNull("Date of the earliest event."),
  accepted_at: acceptedAt,
  content: textOrNull(
    "Plain text under the item, or of the press release; null when there is none, and with include_content=false.",
  ),
  content_source: oneOf(
    ["body", "EX-99.1"],
    "Items 2.02, 7.01 and 8.01 use the press release when there is one; 8.01 as the only event uses the body.",
  ),
  content_length: Type.Integer({ description: "Characters of the whole content." }),
  truncated: Type.Boolean({ description: "Whether `content` is cut." }),
  filing_url: Type.String({ description: "The filing's page at the regulator." }),
});
export type FilingEvent = Static<typeof FilingEvent>;

export const EventsAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  ...list(FilingEvent),
  parsed_now: Type.Integer({ description: "Filings parsed for this answer." }),
  acceptance_pending,
  warnings: absenceWarnings,
});

export const ParseResultAnswer = Type.Object({
  ticker: textOrNull("As you sent it, else the filer's main ticker when known."),
  accession_number: textOrNull("Null when the ticker's list could not be read."),
  parsed_status: parsedStatus,
  events_created: Type.Integer({
    description: "Events created by this request; 0 when the filing was parsed before.",
  }),
  error: textOrNull("Why it failed or is still pending."),
  problems: Type.Array(Type.String(), {
    description: "Notes about the events, such as an item without a heading.",
  }),
});

export const BulkParseResponse = Type.Object({
  total: Type.Integer({ description: "Results." }),
  succeeded: Type.Integer({ description: "Filings parsed by this request." }),
  failed: Type.Integer({
    description: "Failed, or still pending because their documents could not be fetched.",
  }),
  skipped: Type.Integer({ description: "Parsed before." }),
  results: Type.Array(ParseResultAnswer, {
    description: "By ticker in the order of the request, then by filing.",
  }),
});

export type FilingSummary = Static<typeof FilingSummary>;

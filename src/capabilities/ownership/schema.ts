// Queries and answers of the ownership routes: the check, the types and the documentation in one place.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { listFields } from "../../market/answer-fields.ts";
import { asOfField, forceRefresh, oneOf, tickerField, wholeNumber } from "../../market/params.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => orNull(Type.String({ description }));
const date = (description: string) => orNull(Type.String({ format: "date", description }));
const figure = (description: string) => orNull(Type.Number({ description }));

const VISIBLE =
  "Only what anybody could have read at that moment: a date (the end of that day in New York) or an RFC 3339 instant with zone.";

const form = oneOf(["13D", "13G", "all"], "Only Schedules 13D, or 13G.", "all");
const limit = Type.Optional(wholeNumber("Rows at most.", { minimum: 1, maximum: 1_000, default: 100 }));
const offset = Type.Optional(wholeNumber("Rows to skip.", { minimum: 0, maximum: 1_000_000, default: 0 }));

export const TickerPath = Type.Object({ ticker: tickerField() });

export const HoldersQuery = Type.Object({
  as_of: { ...asOfField, description: VISIBLE },
  limit,
  offset,
  form: Type.Optional(form),
  force_refresh: Type.Optional({
    ...forceRefresh,
    description: "Read the company's list at the SEC again, and once more what could not be read.",
  }),
});

export const ActiveQuery = Type.Object({
  as_of: Type.Optional({ ...asOfField, description: `${VISIBLE} Default: now.` }),
  min_pct: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description:
        "Positions of at least this percentage of the class (7.5 is 7.5 %); those whose percentage is not known are then left out.",
      examples: [7.5],
    }),
  ),
  form: Type.Optional(form),
  limit,
  offset,
});

const ReportingPerson = Type.Object({
  name: Type.String({ description: "As filed." }),
  cik: text("Ten digits; null where the filing names none."),
  ownership_pct: figure("Percent of the class, 5.1 for 5.1 %; null when not told or above 100."),
  shares_owned: figure("Shares owned beneficially."),
});

export const HolderEvent = Type.Object({
  accession_number: Type.String({ description: "The SEC's number of the filing, dashed." }),
  form_type: Type.String({ description: "As filed: SCHEDULE 13D/A, SC 13G." }),
  filing_date: Type.String({ format: "date", description: "The SEC's date of filing." }),
  accepted_at: text("When the SEC accepted it, RFC 3339 UTC; null when that is not known to the second."),
  event_date: date("Day of the event that made it due."),
  issuer_name: text("The company, as filed; null while the filing is not read."),
  issuer_cik: text("Its CIK, ten digits."),
  ticker: text("As you sent it; in the list of all companies its main symbol today, null without one."),
  holder_name: text("The first who files."),
  holder_cik: text("Ten digits."),
  ownership_pct: figure(
    "Percent of the class held, 5.1 for 5.1 %: the largest among the reporting persons, who count the same shares. Null when not told or above 100.",
  ),
  shares_owned: figure("Shares, the largest among the reporting persons."),
  reporting_persons: Type.Array(ReportingPerson, { description: "Everybody who reports in this filing." }),
  is_amendment: Type.Boolean({ description: "Whether the filing amends an earlier one." }),
  is_exit: orNull(
    Type.Boolean({
      description:
        "It reports zero, or that the holder has fallen to five percent or below; null while not read.",
    }),
  ),
  is_activist: orNull(
    Type.Boolean({
      description:
        "By Item 4 of a 13D: whether the holder acts on the company; false for 13G; null where it is not known.",
    }),
  ),
  activist_reason: text("The sentence of Item 4 that decided."),
  enrichment_status: oneOf(
    ["pending", "succeeded", "failed"],
    "Whether the filing is read: figures are null until it is. failed: it cannot be.",
  ),
  enrichment_error: text("Why it could not be read."),
  filing_url: Type.String({ description: "The filing's page at the SEC." }),
});
export type HolderEvent = Static<typeof HolderEvent>;

export const Metadata = Type.Object(
  {
    auto_fetched: Type.Boolean({
      description: "Nothing was stored of the company, so the SEC was asked for this answer.",
    }),
    fetched_count: Type.Integer({ description: "Filings fetched and read for this answer." }),
    data_from: date("First filing date from which nothing is missing."),
    data_to: date("Last filing date up to which nothing is missing; of today only what was filed by now."),
    pending_count: Type.Integer({ description: "Filings of these days that are indexed and not read." }),
  },
  { description: "What was fetched for this answer, and what is stored." },
);
const warnings = Type.Array(Type.String(), { description: "What is missing or may be old, and why." });

export const HolderEvents = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  as_of: Type.String({ description: "The moment asked, a date or an RFC 3339 instant, as you sent it." }),
  ...listFields,
  data: Type.Array(HolderEvent, { description: "Newest first." }),
  metadata: Metadata,
  warnings,
});
export type HolderEvents = Static<typeof HolderEvents>;

export const ActivePositions = Type.Object({
  as_of: Type.String({
    description: "The moment asked, as you sent it, else that of the answer, RFC 3339 UTC.",
  }),
  ...listFields,
  data: Type.Array(
    Type.Composite([
      HolderEvent,
      Type.Object({
        newer_unread: Type.Boolean({
          description:
            "A later filing on this company that is, or may be, this holder's is not read (yet) or cannot be: the position may have changed.",
        }),
      }),
    ]),
    { description: "Newest first." },
  ),
  metadata: Type.Object(
    {
      data_from: date(
        "First filing date from which everybody's filings are in, without a gap up to data_to.",
      ),
      data_to: date("Last filing date up to which everybody's filings are in."),
      pending_count: Type.Integer({ description: "Filings that are indexed and not read." }),
    },
    { description: "Which days of everybody's filings are stored." },
  ),
  warnings,
});
export type ActivePositions = Static<typeof ActivePositions>;
export type HoldersQuery = Static<typeof HoldersQuery>;
export type ActiveQuery = Static<typeof ActiveQuery>;

// Queries and answers of the ownership routes: validation, types and documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { booleanOrNull, listFields, numberOrNull, orNull, textOrNull } from "../../market/answer-fields.ts";
import { coverageFields } from "../../market/coverage.ts";
import {
  asOfField,
  asOfFields,
  countField,
  forceRefresh,
  formatField,
  oneOf,
  skipField,
} from "../../market/params.ts";

const dateOrNull = (description: string) => orNull(Type.String({ format: "date", description }));

const VISIBLE =
  "Answers with what was public at that moment: a date (the end of that day in New York) or an RFC 3339 instant with zone.";

const form = oneOf(["13D", "13G", "all"], "Only Schedules 13D, or only 13G.", "all");
const limit = countField("Maximum rows.", 1_000, 100);
const offset = skipField("Rows to skip.", 1_000_000);
const format = formatField(
  "Shape of the answer; ndjson, csv, parquet and records have one row per filing, with reporting_persons as JSON text. The Accept header has the same effect.",
);

export const HoldersQuery = Type.Object({
  ...asOfFields(),
  as_of: asOfField(VISIBLE),
  limit,
  offset,
  form: Type.Optional(form),
  force_refresh: Type.Optional({
    ...forceRefresh,
    description: "Reads the company's list at the SEC again, and retries filings that could not be read.",
  }),
  format,
});

export const ActiveQuery = Type.Object({
  ...asOfFields(`${VISIBLE} Default: now.`),
  min_pct: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description:
        "Minimum percentage of the class (7.5 is 7.5 %). Positions whose percentage is unknown are then left out.",
      examples: [7.5],
    }),
  ),
  activist: Type.Optional(
    oneOf(
      ["only", "all"],
      "only: Schedules 13D whose holder intends to influence the company (is_activist); all: every holder, also passive ones and those whose intention is unknown.",
      "only",
    ),
  ),
  form: Type.Optional({
    ...form,
    description: "Only Schedules 13D, or only 13G; those are passive and need activist=all.",
  }),
  limit,
  offset,
  format,
});

const ReportingPerson = Type.Object({
  name: Type.String({ description: "As filed." }),
  cik: textOrNull("Ten digits; null if the filing gives none."),
  ownership_pct: numberOrNull("Percent of the class, 5.1 for 5.1 %; null if not reported or above 100."),
  shares_owned: numberOrNull("Shares owned beneficially."),
});

export const HolderEvent = Type.Object({
  accession_number: Type.String({ description: "The SEC's number of the filing, with dashes." }),
  form_type: Type.String({ description: "As filed: SCHEDULE 13D/A, SC 13G." }),
  filing_date: Type.String({ format: "date", description: "The SEC's filing date." }),
  accepted_at: textOrNull("When the SEC accepted it, RFC 3339 UTC; null if not known to the second."),
  event_date: dateOrNull("Day of the event that required the filing."),
  issuer_name: textOrNull("The company, as filed; null until the filing is read."),
  issuer_cik: textOrNull("The company's CIK, ten digits."),
  ticker: textOrNull(
    "As you sent it; in the list of all companies, the company's main symbol today, or null without one.",
  ),
  class_title: textOrNull(
    "The class of the shares, as filed, such as Class B Common Stock; null if not stated.",
  ),
  cusip: textOrNull(
    "CUSIP of the class, as filed; several, separated by commas, if the filing covers several classes.",
  ),
  holder_name: textOrNull("The first filer."),
  holder_cik: textOrNull("The first filer's CIK, ten digits."),
  ownership_pct: numberOrNull(
    "Percent of the class held, 5.1 for 5.1 %: the largest among the reporting persons, who count the same shares. Null if not reported or above 100.",
  ),
  shares_owned: numberOrNull("Shares, the largest among the reporting persons."),
  reporting_persons: Type.Array(ReportingPerson, { description: "All reporting persons of this filing." }),
  is_amendment: Type.Boolean({ description: "Whether the filing amends an earlier one." }),
  is_exit: booleanOrNull(
    "Reports zero, or that the holder has fallen to five percent or below; null until it is read.",
  ),
  is_activist: booleanOrNull(
    "By Item 4 of a 13D: whether the holder intends to influence the company; false for 13G; null if unknown.",
  ),
  activist_reason: textOrNull("The sentence of Item 4 that decided."),
  enrichment_status: oneOf(
    ["pending", "succeeded", "failed"],
    "Whether the filing is read. Figures are null until it is. failed: it cannot be read.",
  ),
  enrichment_error: textOrNull("Why it could not be read."),
  filing_url: Type.String({ description: "The filing's page at the SEC." }),
});
export type HolderEvent = Static<typeof HolderEvent>;

const Metadata = coverageFields("No filing of the company was stored, so the SEC was asked for this answer.");
const warnings = Type.Array(Type.String(), {
  description: "What is missing or may be out of date, and why.",
});

export const HolderEvents = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  as_of: Type.String({ description: "The requested moment, a date or an RFC 3339 instant, as you sent it." }),
  ...listFields,
  data: Type.Array(HolderEvent, { description: "Newest first." }),
  metadata: Metadata,
  warnings,
});
export type HolderEvents = Static<typeof HolderEvents>;

export const ActivePositions = Type.Object({
  as_of: Type.String({
    description: "The requested moment, as you sent it; without one the moment of the answer, RFC 3339 UTC.",
  }),
  ...listFields,
  data: Type.Array(
    Type.Composite([
      HolderEvent,
      Type.Object({
        newer_unread: Type.Boolean({
          description:
            "A later filing about this company, from this holder or possibly from it, is not read yet or cannot be: the position may have changed.",
        }),
      }),
    ]),
    { description: "Newest first." },
  ),
  metadata: Type.Object(
    {
      data_from: dateOrNull("First filing date indexed for all companies, without a gap up to data_to."),
      data_to: dateOrNull("Last filing date indexed for all companies."),
      pending_count: Type.Integer({ description: "Filings that are indexed but not read yet." }),
    },
    { description: "Which days are stored for all companies." },
  ),
  warnings,
});
export type ActivePositions = Static<typeof ActivePositions>;
export type HoldersQuery = Static<typeof HoldersQuery>;
export type ActiveQuery = Static<typeof ActiveQuery>;

// Request and answer fields of the ledger of changes.
import { type Static, Type } from "@sinclair/typebox";
import { absenceWarnings } from "../../market/absence.ts";
import { orNull, textOrNull } from "../../market/answer-fields.ts";
import { formatField, oneOf, tickerField, wholeNumber } from "../../market/params.ts";

export const OPS = ["insert", "revise", "reread", "withdraw"] as const;

const generation = (description: string, example: number) =>
  wholeNumber(description, { minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [example] });

const datasetField = Type.Optional(
  Type.String({
    description: "Only changes of this dataset, a name of GET /database/info.",
    maxLength: 100,
    examples: ["bars_daily"],
  }),
);

const symbolField = Type.Optional(tickerField());

export const ChangesQuery = Type.Object({
  since: Type.Optional(
    generation(
      "Cursor of an earlier answer: only changes after it. 0, the default, begins with the oldest.",
      0,
    ),
  ),
  dataset: datasetField,
  symbol: symbolField,
  op: Type.Optional(oneOf(OPS, "Only changes of this kind.")),
  limit: Type.Optional(
    wholeNumber(
      "Rows after which the page ends with the commit it is in; a commit is never divided, so a page may be longer.",
      { minimum: 1, maximum: 10_000, default: 1_000 },
    ),
  ),
  format: Type.Optional(formatField),
});

const anyColumns = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description, additionalProperties: true });

const OP_DESCRIPTION =
  "insert: the first row of its key. revise: the world gave a later value, which is a row with a later known_at. reread: the same row with the same known_at was read again, because the source corrected its file or this service its reader. withdraw: the row no longer holds.";

const ChangeRow = Type.Object({
  cursor: Type.Integer({
    description:
      "Pass it as since once you have handled this row: what follows is sent, some rows perhaps again, none is left out.",
  }),
  data_version: Type.Integer({ description: "The generation of the store whose commit made the change." }),
  recorded_at: textOrNull("The time of that commit, RFC 3339 UTC; null where it was not noted."),
  dataset: Type.String({ description: "The dataset." }),
  op: Type.String({ description: OP_DESCRIPTION }),
  symbol: textOrNull("The symbol that the row is about; null where it has none."),
  known_at: textOrNull("When the world could know the row, RFC 3339 UTC; null for datasets without that."),
  key: anyColumns("The columns that identify the row."),
  before: orNull(anyColumns("The row before, by column; null for insert.")),
  after: orNull(anyColumns("The row after, by column; null where a row was taken out.")),
});
export type ChangeRow = Static<typeof ChangeRow>;

export const ChangesAnswer = Type.Object({
  count: Type.Integer({ description: "Rows in this answer." }),
  limit: Type.Integer({ description: "Rows asked for." }),
  cursor: Type.Integer({ description: "The since of the next page: all changes up to it have been sent." }),
  has_more: Type.Boolean({ description: "Whether commits follow." }),
  data_version: Type.Integer({ description: "The newest generation of the store." }),
  oldest_version: Type.Integer({
    description:
      "Rows of releases that did not record generations all count as one commit of generation 0. They are not in the ledger.",
  }),
  warnings: absenceWarnings,
  data: Type.Array(ChangeRow, { description: "In the order of data_version, dataset and key." }),
});
export type ChangesAnswer = Static<typeof ChangesAnswer>;

export const SummaryQuery = Type.Object({
  from_version: Type.Optional(
    generation("Changes after this data version. 0, the default, begins with the oldest.", 1),
  ),
  to_version: Type.Optional(generation("Changes up to and including this one; default: the newest.", 2)),
  dataset: datasetField,
  symbol: symbolField,
  top: Type.Optional(
    wholeNumber("How many of the most affected symbols to name.", {
      minimum: 0,
      maximum: 1_000,
      default: 20,
    }),
  ),
  format: Type.Optional(formatField),
});

export const SummaryAnswer = Type.Object({
  from_version: Type.Integer({ description: "Changes after this data version." }),
  to_version: Type.Integer({ description: "Up to and including this one." }),
  total: Type.Integer({ description: "Changes in all." }),
  warnings: absenceWarnings,
  data: Type.Array(
    Type.Object({
      dataset: Type.String({ description: "The dataset." }),
      op: Type.String({ description: OP_DESCRIPTION }),
      changes: Type.Integer({ description: "Changes of this kind." }),
    }),
    { description: "By dataset and kind." },
  ),
  symbols: Type.Array(
    Type.Object({
      symbol: Type.String({ description: "Symbol." }),
      changes: Type.Integer({ description: "Changes of rows about it." }),
    }),
    { description: "The most affected first." },
  ),
});
export type SummaryAnswer = Static<typeof SummaryAnswer>;

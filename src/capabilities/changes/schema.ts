// Request and answer fields of the ledger of changes.
import { type Static, Type } from "@sinclair/typebox";
import { LEDGER_ROWS_MAX } from "../../limits.ts";
import { absenceWarnings } from "../../market/absence.ts";
import { orNull, storeField, textOrNull } from "../../market/answer-fields.ts";
import { countField, flag, formatField, oneOf, tickerField, wholeNumber } from "../../market/params.ts";
import { CAUSE_NAMES, CAUSES } from "../../platform/lake/lake.ts";

export const OPS = ["insert", "revise", "reread", "withdraw"] as const;

const CAUSE_DESCRIPTION = `Whether the world changed or this service did. ${Object.entries(CAUSES)
  .map(([name, meaning]) => `${name}: ${meaning}.`)
  .join(" ")}`;

const generation = (description: string, example: number) =>
  wholeNumber(description, { minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [example] });

const filterFields = {
  dataset: Type.Optional(
    Type.String({
      description: "Only changes of this dataset, a name of GET /database/info.",
      maxLength: 100,
      examples: ["bars_daily"],
    }),
  ),
  symbol: Type.Optional(
    tickerField(
      "Only rows about this symbol, in any common spelling: rows that name it and, where a dataset names companies by CIK (filings, reported figures, insiders' trades, large holders), rows of the company that has it by the SEC's lists that this store has read. Of a company that had it before, only rows that were known before it lost the symbol. Datasets with neither have no part in the answer, and a warning names them.",
    ),
  ),
};

export const ChangesQuery = Type.Object({
  since: Type.Optional(
    generation(
      "Cursor of an earlier answer: only changes after it. 0, the default, begins with the oldest.",
      0,
    ),
  ),
  after_row: Type.Optional(
    wholeNumber(
      "after_row of the page before: leaves out so many rows after since. In JSON, without compact.",
      {
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        examples: [0],
      },
    ),
  ),
  ...filterFields,
  op: Type.Optional(oneOf(OPS, "Only changes of this kind.")),
  cause: Type.Optional(oneOf(CAUSE_NAMES, "Only changes of this cause.")),
  compact: Type.Optional(
    flag(
      "Only the last change of each key: what is left of the key now, instead of how it came about. Over all pages each key comes once.",
    ),
  ),
  limit: countField(
    "Rows of a page. In JSON it may end inside a commit, and at 20 MB. In row formats and with compact it ends with the commit it is in, so it may be longer. Above 10,000 in row formats only.",
    LEDGER_ROWS_MAX,
    1_000,
  ),
  format: formatField(),
});

const anyColumns = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description, additionalProperties: true });

const OP_DESCRIPTION =
  "insert: the first row of its key, or one that is older than those of its key. revise: a later value. reread: the same row or document was read again, because the source corrected its file or this service its reader. withdraw: the row no longer holds.";

export const ChangeRow = Type.Object({
  cursor: Type.Integer({
    description:
      "Pass it as since once you have handled this row: what follows is sent, some rows perhaps again, none is left out.",
  }),
  data_version: Type.Integer({ description: "The generation of the store whose commit made the change." }),
  recorded_at: textOrNull("The time of that commit, RFC 3339 UTC; null where it was not noted."),
  dataset: Type.String({ description: "The dataset." }),
  op: Type.String({ description: OP_DESCRIPTION }),
  cause: textOrNull(`${CAUSE_DESCRIPTION} Null where the commit noted none.`),
  source: textOrNull(
    "What gave the row: a provider, or the source that the row itself names; null where none is named.",
  ),
  symbol: textOrNull("The symbol that the row is about; null where it has none."),
  known_at: textOrNull("When the world could know the row, RFC 3339 UTC; null for datasets without that."),
  key: anyColumns("The columns that identify what the row is about."),
  before: orNull(anyColumns("The row before, by column; null for insert.")),
  after: orNull(anyColumns("The row after, by column; null where a row was taken out.")),
});
export type ChangeRow = Static<typeof ChangeRow>;

export const ChangesAnswer = Type.Object({
  count: Type.Integer({ description: "Rows in this answer." }),
  limit: Type.Integer({ description: "Rows asked for." }),
  cursor: Type.Integer({ description: "The since of the next page: all changes up to it have been sent." }),
  after_row: Type.Integer({
    description: "The after_row of the next page: how many changes after the cursor have been sent too.",
  }),
  has_more: Type.Boolean({ description: "Whether changes follow." }),
  data_version: Type.Integer({ description: "The newest generation of the store." }),
  store: storeField,
  oldest_version: Type.Integer({
    description:
      "Rows of releases that did not record generations all count as one commit of generation 0. They are not in the ledger.",
  }),
  warnings: absenceWarnings,
  data: Type.Array(ChangeRow, { description: "In the order of data_version, dataset and key." }),
});
export type ChangesQuery = Static<typeof ChangesQuery>;
export type ChangesAnswer = Static<typeof ChangesAnswer>;

/** A version by its number or its name. */
const VERSION_PATTERN = "^(?:[0-9]{1,15}|[a-z][a-z0-9._-]{0,63})$";

const versionField = (description: string, examples: string[]) =>
  Type.String({ pattern: VERSION_PATTERN, description, examples });

export const SummaryQuery = Type.Object({
  from_version: Type.Optional(
    versionField(
      "Changes after this data version, a number or a name. 0, the default, begins with the oldest.",
      ["1", "q3-paper"],
    ),
  ),
  to_version: Type.Optional(
    versionField("Changes up to and including this one, a number or a name; default: the newest.", ["2"]),
  ),
  ...filterFields,
  top: Type.Optional(
    wholeNumber("How many of the most affected symbols to name.", {
      minimum: 0,
      maximum: 1_000,
      default: 20,
    }),
  ),
  format: formatField(),
});

const ByCause = Type.Object({
  cause: textOrNull(`${CAUSE_DESCRIPTION} Null where the commit noted none.`),
  changes: Type.Integer({ description: "Changes of this cause." }),
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
      ...ByCause.properties,
    }),
    { description: "By dataset, kind and cause." },
  ),
  causes: Type.Array(ByCause, { description: "The most frequent first." }),
  symbols: Type.Array(
    Type.Object({
      symbol: Type.String({ description: "Symbol." }),
      changes: Type.Integer({ description: "Changes of rows about it." }),
    }),
    { description: "The most affected first." },
  ),
});
export type SummaryQuery = Static<typeof SummaryQuery>;
export type SummaryAnswer = Static<typeof SummaryAnswer>;

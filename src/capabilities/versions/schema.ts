// Request and answer fields of the versions of the stored data.
import { type Static, Type } from "@sinclair/typebox";
import { absenceWarnings } from "../../market/absence.ts";
import { listFields, orNull, storeField, textOrNull } from "../../market/answer-fields.ts";
import { countField, flag, formatField, skipField, wholeNumber } from "../../market/params.ts";
import { NAME_PATTERN } from "./names.ts";

export const VersionsQuery = Type.Object({
  named: Type.Optional(flag("Only versions that have a name.")),
  limit: countField("Versions to list.", 1_000, 100),
  offset: skipField("Versions to skip.", Number.MAX_SAFE_INTEGER),
  format: formatField(),
});

const nameFields = {
  name: Type.String({ description: "The name.", pattern: NAME_PATTERN, examples: ["q3-paper"] }),
  note: textOrNull("What it was named for; null without a note."),
  named_at: Type.String({ description: "When it was named, RFC 3339 UTC." }),
};

const Version = Type.Object({
  data_version: Type.Integer({ description: "The generation of the store." }),
  store: storeField,
  recorded_at: textOrNull("The time of its commit, RFC 3339 UTC; null where it was not noted."),
  rows: orNull(
    Type.Record(Type.String(), Type.Integer(), {
      description:
        "Rows that the commit wrote, by dataset: empty where it only moved rows between files or took rows out; null where it was not noted.",
    }),
  ),
  names: Type.Array(Type.Object(nameFields), { description: "The names of this version." }),
});
export type Version = Static<typeof Version>;

export const VersionsAnswer = Type.Object({
  ...listFields,
  data_version: Type.Integer({ description: "The newest version: what is stored now." }),
  store: storeField,
  oldest_version: Type.Integer({
    description: "The oldest version that can be read: rows of releases before it carry no generation.",
  }),
  warnings: absenceWarnings,
  data: Type.Array(Version, { description: "The newest version first." }),
});
export type VersionsAnswer = Static<typeof VersionsAnswer>;

export const NameRequest = Type.Object({
  name: Type.String({
    pattern: NAME_PATTERN,
    description: "A name that is not taken. It begins with a letter, since a number is a version itself.",
    examples: ["q3-paper"],
  }),
  data_version: Type.Optional(
    wholeNumber("The version to name. Default: the newest.", {
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [4127],
    }),
  ),
  note: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: "What it is named for.",
      examples: ["Figures of table 2."],
    }),
  ),
});

export const NameAnswer = Type.Object({
  ...nameFields,
  data_version: Type.Integer({ description: "The version that the name stands for from now on." }),
  store: storeField,
});

// OpenAPI descriptions of the versions of the stored data.
import { documented } from "../../platform/route-doc.ts";
import { NameAnswer, VersionsAnswer } from "./schema.ts";

export const VERSIONS = documented({
  tag: "changes",
  summary: "Versions of the stored data, with their names",
  description:
    "Each commit of the store makes a version, which is its generation. Lists them with the time of the commit, the rows it wrote by dataset, and the names given to it. Names that were given to versions before this store recorded generations do not exist.",
  answer: VersionsAnswer,
  rows: "data",
  answerDescription: "The versions.",
});

export const NAME = documented({
  tag: "changes",
  summary: "Name a version of the stored data",
  description:
    "Gives a name to a version, by default the newest, so that a study can cite it. A name is never moved or removed: the same name for the same version again answers as before, for another version 409.",
  answer: NameAnswer,
  answerDescription: "The name and its version.",
  errors: [400, 401, 403, "name_taken"],
  errorDescriptions: { 400: "The version is older than the oldest or beyond the newest." },
});

// The versions of the stored data and their names.
import { type AnyElysia, Elysia, type Static } from "elysia";
import { ifEmpty } from "../../market/absence.ts";
import { pageOf } from "../../market/answer-fields.ts";
import type { Services } from "../../market/services.ts";
import { documented } from "../../platform/route-doc.ts";
import type { VersionNames } from "./names.ts";
import { NameAnswer, NameRequest, VersionsAnswer, VersionsQuery } from "./schema.ts";

const VERSIONS = documented({
  tag: "changes",
  summary: "Versions of the stored data, with their names",
  description:
    "Each commit of the store makes a version, which is its generation. Lists them with the time of the commit, the rows it wrote by dataset, and the names given to it. Names that were given to versions before this store recorded generations do not exist.",
  answer: VersionsAnswer,
  rows: "data",
  answerDescription: "The versions.",
});

const NAME = documented({
  tag: "changes",
  summary: "Name a version of the stored data",
  description:
    "Gives a name to a version, by default the newest, so that a study can cite it. A name is never moved or removed: the same name for the same version again answers as before, for another version 409.",
  answer: NameAnswer,
  answerDescription: "The name and its version.",
  errors: [400, 401, 403, "name_taken", "other_lineage"],
  errorDescriptions: {
    400: "The version is older than the oldest or beyond the newest, or the name is `latest` or `now`.",
  },
});

export { type VersionName, type VersionNames, versionNames } from "./names.ts";

export interface VersionsDeps extends Pick<Services, "lake"> {
  readonly names: VersionNames;
  /** Guards the admin routes. */
  readonly admin: AnyElysia;
}

/** Builds the routes below /versions. */
export function versions({ lake, names, admin }: VersionsDeps) {
  const list = async (
    { named = false, limit = 100, offset = 0 }: Static<typeof VersionsQuery>,
    signal: AbortSignal,
  ): Promise<VersionsAnswer> => {
    const [newest, oldest] = [await lake.generation(), lake.oldestVersion()];
    const byVersion = Map.groupBy(names.list(), ({ data_version }) => data_version);
    const only = named ? [...byVersion.keys()] : undefined;
    const { commits, total } = await lake.commits({ only, limit, offset }, { signal });
    return {
      ...pageOf(commits.length, total, { limit, offset }),
      data_version: newest,
      store: lake.lineOf(newest),
      oldest_version: oldest,
      warnings: ifEmpty(
        commits,
        "nothing_there",
        "No version here has a name, or the page lies beyond the last.",
      ),
      data: commits.map(({ generation, recorded_at, rows }) => ({
        data_version: generation,
        store: lake.lineOf(generation),
        recorded_at,
        rows,
        names: (byVersion.get(generation) ?? []).map(({ name, note, named_at }) => ({
          name,
          note,
          named_at,
        })),
      })),
    };
  };
  const guarded = new Elysia({ name: "versions-admin" })
    .use(admin)
    .post("/admin/names", ({ body }) => names.give(body), { body: NameRequest, detail: NAME });
  const routes = new Elysia({ name: "versions", prefix: "/versions" })
    .use(guarded)
    .get("", ({ query, request }) => list(query, request.signal), { query: VersionsQuery, detail: VERSIONS });
  return { routes };
}

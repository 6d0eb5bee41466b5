// Names of data versions: each is given once and never moved, so that a study can cite it.
import { asc, eq } from "drizzle-orm";
import { otherLineage, refuseOtherLine } from "../../market/data-version.ts";
import type { Services } from "../../market/services.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { instantText, shownInstant } from "../../platform/instant-text.ts";
import { version_names } from "./tables.ts";

/** Names that would read as the newest version, whatever it is. */
const RESERVED: readonly string[] = ["latest", "now"];
/** Begins with a letter, so that no name reads as a number. */
export const NAME_PATTERN = "^[a-z][a-z0-9._-]{0,63}$";

export interface VersionName {
  readonly name: string;
  /** The generation it stands for. */
  readonly data_version: number;
  /** The line of history that it is of; null where an earlier release gave the name. */
  readonly store: string | null;
  readonly note: string | null;
  /** RFC 3339 UTC. */
  readonly named_at: string;
}

/** The generation to name, or the newest one. */
export interface NameRequest {
  readonly name: string;
  readonly data_version?: number | undefined;
  readonly note?: string | undefined;
}

const shown = ({
  name,
  generation,
  store,
  note,
  named_at,
}: typeof version_names.$inferSelect): VersionName => ({
  name,
  data_version: generation,
  store,
  note,
  named_at: shownInstant(named_at),
});

/** Opens the names of data versions. */
export function versionNames({ sqlite, lake, clock }: Pick<Services, "sqlite" | "lake" | "clock">) {
  const find = (name: string): VersionName | null => {
    const [row] = sqlite.use((db) =>
      db.select().from(version_names).where(eq(version_names.name, name)).all(),
    );
    return row ? shown(row) : null;
  };
  const isHere = ({ data_version, store }: VersionName): boolean => {
    const line = lake.lineOf(data_version);
    return line !== null && (store ?? line) === line;
  };
  return {
    /**
     * The generation that a name stands for; null when there is no such name. Throws NotFound `other_lineage`
     * for a name that was given on a line of history that this store does not have.
     */
    generationOf(name: string): number | null {
      const found = find(name);
      if (found && !isHere(found)) throw otherLineage(`The version that ${name} names`);
      return found?.data_version ?? null;
    },
    /** All names of versions that this store has, those of the oldest version first. */
    list: (): VersionName[] =>
      sqlite
        .use((db) =>
          db
            .select()
            .from(version_names)
            .orderBy(asc(version_names.generation), asc(version_names.name))
            .all(),
        )
        .map(shown)
        .filter(isHere),
    /**
     * Names a version. The same name for the same version again gives what is stored; for another version it
     * throws InvalidRequest `name_taken`. Throws InvalidRequest for a name of another form and for a version
     * that is not there, and NotFound `other_lineage` for one of a line of history that is not here.
     */
    async give({ name, data_version, note }: NameRequest): Promise<VersionName> {
      if (!new RegExp(NAME_PATTERN).test(name))
        throw new InvalidRequest("bad_request", `A name has the form ${NAME_PATTERN}.`, {
          hint: "For example q3-paper. A name begins with a letter, since a number is a version itself.",
        });
      if (RESERVED.includes(name))
        throw new InvalidRequest(
          "bad_request",
          `${name} is no name for one version, as it reads as the newest.`,
        );
      const [newest, oldest] = [await lake.generation(), lake.oldestVersion()];
      const generation = data_version ?? newest;
      refuseOtherLine(`The data version ${generation}`, generation, { newest, lineOf: lake.lineOf });
      const store = lake.lineOf(generation);
      if (generation < oldest || store === null)
        throw new InvalidRequest(
          "bad_request",
          `The data version ${generation} is not there: they reach from ${oldest} to ${newest}.`,
        );
      const fresh = { name, generation, store, note: note ?? null, named_at: instantText(clock.nowMs()) };
      const stored = sqlite.write((db) => {
        db.insert(version_names).values(fresh).onConflictDoNothing().run();
        return db.select().from(version_names).where(eq(version_names.name, name)).all()[0] ?? fresh;
      });
      const own = shown(stored);
      if (own.data_version === generation && (note === undefined || note === own.note)) return own;
      throw new InvalidRequest(
        "name_taken",
        `The name ${name} stands for the data version ${own.data_version} since ${own.named_at}; a name is never moved.`,
        { hint: "Take another name." },
      );
    },
  };
}

export type VersionNames = ReturnType<typeof versionNames>;

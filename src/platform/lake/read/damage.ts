// Damaged files: which files a read uses, as far as its text and values tell, and what is said of those that
// are lost.

import { LRUCache } from "lru-cache";
import { currentReading, type DamagedFile, damaged } from "../../reading.ts";
import type { Dataset, Macro } from "../dataset.ts";
import type { Params } from "../duckdb.ts";
import { CIK_COLUMNS, type LakeFile, type LostFile } from "../manifest.ts";
import type { Snapshot } from "../snapshot.ts";
import { metadataOf } from "../views.ts";
import type { LakeParts } from "../write/commit.ts";
import { canHold, type DaysRead } from "./day-views.ts";

/** The rows that a read uses: those of some datasets (and macros), perhaps of some days or symbols alone. */
export interface LakeUse {
  readonly datasets: ReadonlySet<string>;
  readonly days?: DaysRead | undefined;
  /** Symbols; null or undefined for all. */
  readonly symbols?: readonly string[] | null | undefined;
  /** CIKs; null or undefined for all. */
  readonly ciks?: readonly string[] | null | undefined;
}

/** Whether the rows that a loss takes are missing from a version; without one, from the newest rows. */
const isMissing = (
  { kind, recorded, since, until, isReturned }: LostFile,
  version: number | undefined,
): boolean =>
  version === undefined
    ? until === undefined && kind !== "history"
    : ((isReturned ? since : recorded?.[0]) ?? 0) <= version && (until === undefined || version < until);

/** Whether a file can have a row of the days that a read uses. */
const isOfDays = (file: LakeFile, days: DaysRead | undefined): boolean =>
  days === undefined || canHold(file, days);

/**
 * Whether a file can have a row of the companies. Only datasets that are kept by symbol or CIK are asked: a
 * fund's holdings name the symbols of others, and a read of one symbol looks at all of them.
 */
// Made up: rows of CIKs 0000000007 to 0000000009 are lost. Statements of 0000000008 may lack some, those of
// 0000000010 do not.
function isOfCompanies(file: LakeFile, dataset: Dataset | undefined, { symbols, ciks }: LakeUse): boolean {
  const asked = [["symbol", symbols] as const, ...CIK_COLUMNS.map((name) => [name, ciks] as const)];
  const known = asked.flatMap(([name, wanted]) => {
    const range = file.ranges[name];
    const isKey = name === "issuer_cik" || dataset?.key.includes(name);
    return isKey && range && wanted ? [wanted.some((each) => range[0] <= each && each <= range[1])] : [];
  });
  return known.length === 0 || known.includes(true);
}

const spanOf = ([name, [first, last]]: [string, readonly [string, string]]) =>
  `${name} ${first === last ? first : `${first} to ${last}`}`;

/** Whether rows of a file count at moments before they were public. */
// Made up: the newest basis of any bar is 4 September. A lost dividend with ex date 20 September scales none.
function countsBefore({ ranges }: LostFile, changes: Dataset["changes"], snapshot: Snapshot): boolean {
  const { countsBefore: rule = false } = changes ?? {};
  if (typeof rule === "boolean") return rule;
  const newest = [...snapshot.files, ...snapshot.history, ...snapshot.lost]
    .flatMap((file) => file.ranges[rule.upTo]?.[1] ?? [])
    .sort()
    .at(-1);
  const first = ranges[rule.column]?.[0];
  return first === undefined || (newest !== undefined && first <= newest);
}

/**
 * The first moment from which a row of a file could count: the earliest that `publicFrom` of its dataset, or
 * known_at beside it, allows. Undefined where rows count before, and where the file has no range of either.
 */
// Bars of 4 and 5 March that were fetched in July: the first is public on 4 March.
function publicFromOf(
  file: LostFile,
  changes: Dataset["changes"],
  snapshot: Snapshot,
): Temporal.Instant | undefined {
  if (countsBefore(file, changes, snapshot)) return undefined;
  const { ranges } = file;
  const names = new Set(["known_at", ...(changes?.publicFrom?.match(/[a-z_]+/g) ?? [])]);
  const starts = [...names].flatMap((name) => ranges[name]?.[0] ?? []);
  // A day begins in New York at 04:00 or 05:00 UTC, before anything of it is public.
  const [first] = starts.map((start) => (start.includes("T") ? start : `${start}T05:00:00Z`)).sort();
  return first === undefined ? undefined : Temporal.Instant.from(first);
}

/** A lost file with its partition and ranges. */
function damagedFile(file: LostFile, of: Dataset | undefined, snapshot: Snapshot): DamagedFile {
  const { path, dataset, partition, ranges, description } = file;
  const spans = Object.entries(ranges).filter(([, [first]]) => !first.includes("T"));
  return {
    path,
    dataset,
    of: [partition, ...spans.map(spanOf)].filter(Boolean).join(", "),
    publicFrom: publicFromOf(file, of?.changes, snapshot),
    description,
  };
}

/** Characters of SQL whose names are kept. A query over 10,000 symbols that names each has 100,000. */
const CHARS_MAX = 4_000_000;

/** Finds the datasets that texts of SQL read, also through macros. A column of the same name counts too. */
function datasetsRead({ datasets, macros }: Pick<LakeParts, "datasets" | "macros">) {
  const byName = new Map<string, Macro>(macros.map((macro) => [macro.name, macro]));
  const known = new LRUCache<string, readonly string[]>({
    maxSize: CHARS_MAX,
    sizeCalculation: (_, text) => text.length + 1,
  });
  const namesIn = (text: string): readonly string[] => {
    const before = known.get(text);
    if (before) return before;
    const words = new Set(text.toLowerCase().match(/[a-z_]\w*/g));
    const names = [...words].filter((word) => datasets.has(word) || byName.has(word));
    known.set(text, names);
    return names;
  };
  /** The text of each macro in a snapshot. */
  const bodies = new WeakMap<Snapshot, Map<string, string>>();
  const bodyOf = (snapshot: Snapshot, macro: Macro): string => {
    const ofSnapshot = bodies.get(snapshot) ?? new Map<string, string>();
    bodies.set(snapshot, ofSnapshot);
    // Of the lost files too: without them a macro may not name their dataset at all.
    const body = ofSnapshot.get(macro.name) ?? macro.body(metadataOf([...snapshot.files, ...snapshot.lost]));
    ofSnapshot.set(macro.name, body);
    return body;
  };
  return (snapshot: Snapshot, sql: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const add = (text: string) => {
      for (const name of namesIn(text)) {
        if (seen.has(name)) continue;
        seen.add(name);
        const macro = byName.get(name);
        if (macro) add(bodyOf(snapshot, macro));
      }
    };
    add(sql);
    return seen;
  };
}

/** The values of parameters; null where a read has none of them. */
function valuesOf(params: Params, ...names: readonly string[]): readonly string[] | null {
  const found = names.flatMap((name) => [params[name] ?? []].flat().map(String));
  return found.length > 0 ? found : null;
}

export function lakeUses(parts: LakeParts) {
  const read = datasetsRead(parts);
  /** The files of sets of datasets in a snapshot: the same list is looked at but once a second. */
  const kept = new WeakMap<Snapshot, Map<string, readonly LakeFile[]>>();
  const lostOf = ({ lost }: Snapshot, use: LakeUse, version?: number) =>
    lost.filter(
      (file) =>
        use.datasets.has(file.dataset) &&
        isMissing(file, version) &&
        isOfDays(file, use.days) &&
        isOfCompanies(file, parts.datasets.get(file.dataset), use),
    );
  const named = (file: LostFile, snapshot: Snapshot) =>
    damagedFile(file, parts.datasets.get(file.dataset), snapshot);
  return {
    /** Finds the rows that a statement uses. */
    of: (
      snapshot: Snapshot,
      sql: string,
      params: Params = {},
      of: Pick<LakeUse, "days" | "symbols"> = {},
    ): LakeUse => ({
      datasets: read(snapshot, sql),
      days: of.days,
      symbols: of.symbols ?? valuesOf(params, "symbol", "symbols"),
      ciks: valuesOf(params, "cik", "ciks", "issuers"),
    }),
    /** The files that a read opens. */
    files(snapshot: Snapshot, { datasets, days }: LakeUse): readonly LakeFile[] {
      const ofSnapshot = kept.get(snapshot) ?? new Map<string, readonly LakeFile[]>();
      kept.set(snapshot, ofSnapshot);
      const key = [...datasets].sort().join(" ");
      const own =
        ofSnapshot.get(key) ??
        [...snapshot.files, ...snapshot.history].filter(({ dataset }) => datasets.has(dataset));
      ofSnapshot.set(key, own);
      return days === undefined ? own : own.filter((file) => isOfDays(file, days));
    },
    /** Notes with the current request which lost files the read could have had rows of. */
    note(snapshot: Snapshot, use: LakeUse, version = currentReading()?.replay?.version): void {
      if (snapshot.lost.length === 0) return;
      currentReading()?.noteDamage(lostOf(snapshot, use, version).map((file) => named(file, snapshot)));
    },
    /** Throws where rows of the use are lost, current or replaced: its answer would be none without them. */
    refuse(snapshot: Snapshot, use: LakeUse): void {
      const [first] = lostOf(snapshot, use, Number.POSITIVE_INFINITY);
      if (first) throw damaged([named(first, snapshot)]);
    },
  };
}

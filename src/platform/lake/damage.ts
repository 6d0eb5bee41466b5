// Damaged files: which files a read uses, as far as its text and values tell, and what is said of those that
// are lost.

import { LRUCache } from "lru-cache";
import { currentReading, damaged } from "../reading.ts";
import type { LakeParts } from "./commit.ts";
import type { Dataset, Macro } from "./dataset.ts";
import { canHold, type DaysRead } from "./day-views.ts";
import type { Param, Params } from "./duckdb.ts";
import type { LakeFile, LostFile } from "./manifest.ts";
import type { Snapshot } from "./snapshot.ts";
import { metadataOf } from "./views.ts";

/** The rows that a read uses: those of some datasets (and macros), perhaps of some days or symbols alone. */
export interface LakeUse {
  readonly datasets: ReadonlySet<string>;
  readonly days?: DaysRead | undefined;
  /** Symbols; null for all. */
  readonly symbols: readonly string[] | null;
}

/** Whether the rows that a loss takes are missing from a version; without one, from the newest rows. */
const isMissing = ({ kind, recorded, until }: LostFile, version: number | undefined): boolean =>
  version === undefined
    ? until === undefined && kind !== "history"
    : (recorded?.[0] ?? 0) <= version && (until === undefined || version < until);

/** Whether a file can have a row of the days that a read uses. */
const isOfDays = (file: LakeFile, days: DaysRead | undefined): boolean =>
  days === undefined || file.dataset !== days.dataset.name || canHold(file, days);

/**
 * Whether a file can have a row of the symbols. Only datasets that are kept by symbol are asked: a fund's
 * holdings name the symbols of others, and a read of one symbol looks at all of them.
 */
function isOfSymbols(file: LakeFile, dataset: Dataset | undefined, symbols: LakeUse["symbols"]): boolean {
  const [first, last] = file.ranges.symbol ?? [];
  if (symbols === null || first === undefined || last === undefined) return true;
  return !dataset?.key.includes("symbol") || symbols.some((each) => first <= each && each <= last);
}

const spanOf = ([name, [first, last]]: [string, readonly [string, string]]) =>
  `${name} ${first === last ? first : `${first} to ${last}`}`;

/** The warning of an answer that could have had a row of a lost file. */
function warningOf({ dataset, partition, ranges, description }: LostFile): string {
  const spans = Object.entries(ranges).filter(([, [first]]) => !first.includes("T"));
  const of = [partition, ...spans.map(spanOf)].filter(Boolean).join(", ");
  return `damaged: rows of ${dataset}${of && ` (${of})`} may be missing, because their file ${description}.`;
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

/** The values of the parameters `symbol` and `symbols`; null where a read has neither. */
function symbolsIn({ symbol, symbols }: Params): readonly string[] | null {
  const textsOf = (value: Param | undefined) => [value ?? []].flat().map(String);
  const found = [...textsOf(symbol), ...textsOf(symbols)];
  return found.length > 0 ? found : null;
}

export function lakeUses(parts: LakeParts) {
  const read = datasetsRead(parts);
  /** The files of sets of datasets in a snapshot: the same list is looked at but once a second. */
  const kept = new WeakMap<Snapshot, Map<string, readonly LakeFile[]>>();
  const lostOf = ({ lost }: Snapshot, { datasets, days, symbols }: LakeUse, version?: number) =>
    lost.filter(
      (file) =>
        datasets.has(file.dataset) &&
        isMissing(file, version) &&
        isOfDays(file, days) &&
        isOfSymbols(file, parts.datasets.get(file.dataset), symbols),
    );
  return {
    /** Finds the rows that a statement uses. */
    of: (snapshot: Snapshot, sql: string, params: Params = {}, days?: DaysRead): LakeUse => ({
      datasets: read(snapshot, sql),
      days,
      symbols: symbolsIn(params),
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
      currentReading()?.noteDamage(lostOf(snapshot, use, version).map(warningOf));
    },
    /** Throws where rows of the use are lost, current or replaced: its answer would be none without them. */
    refuse(snapshot: Snapshot, use: LakeUse): void {
      const [first] = lostOf(snapshot, use, Number.POSITIVE_INFINITY);
      if (first) throw damaged(warningOf(first));
    },
  };
}

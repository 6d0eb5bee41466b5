// The actions of a Delta log, and the state that a log's actions add up to (github.com/delta-io/delta,
// PROTOCOL.md).

import { type Dataset, RECORDED, SUPERSEDED, storedColumns } from "../dataset.ts";
import { lineOf } from "../lineage.ts";
import { type LakeFile, type Manifest, rangedColumns, type Schema, schemaOf } from "../manifest.ts";

export interface AddAction {
  readonly path: string;
  readonly partitionValues: Readonly<Record<string, string>>;
  readonly size: number;
  readonly modificationTime: number;
  readonly dataChange: boolean;
  readonly stats: string;
}

export interface RemoveAction {
  readonly path: string;
  readonly deletionTimestamp: number;
  readonly dataChange: boolean;
  readonly extendedFileMetadata: true;
  readonly partitionValues: Readonly<Record<string, string>>;
  readonly size: number;
}

export interface MetaDataAction {
  readonly id: string;
  readonly name: string;
  readonly format: { readonly provider: "parquet"; readonly options: Readonly<Record<string, string>> };
  readonly schemaString: string;
  readonly partitionColumns: readonly string[];
  readonly configuration: Readonly<Record<string, string>>;
  readonly createdTime: number;
}

export interface Action {
  readonly protocol?: { readonly minReaderVersion: number; readonly minWriterVersion: number };
  readonly metaData?: MetaDataAction;
  readonly add?: AddAction;
  readonly remove?: RemoveAction;
  readonly txn?: { readonly appId: string; readonly version: number; readonly lastUpdated?: number };
  readonly commitInfo?: Readonly<Record<string, unknown>>;
}

/** The application of `txn` actions; their version is the generation of the manifest. */
export const APP_ID = "asof";
/** The engine of our commits; a log entry without it was written by another program. */
export const ENGINE = "Asof";
export const PROTOCOL = { minReaderVersion: 1, minWriterVersion: 2 } as const;

/** The sum of a log's entries up to `version`. */
export interface DeltaState {
  /** The newest entry; -1 for a log without any. */
  version: number;
  /** The newest that is our own. */
  metaData: MetaDataAction | null;
  /** Whether another program has replaced our metadata. */
  isMetaDataForeign: boolean;
  /** The live files by path. */
  readonly files: Map<string, AddAction>;
  /** Paths of live files that another program added last: their statistics and size are not ours. */
  readonly foreignFiles: Set<string>;
  readonly removed: Map<string, RemoveAction>;
  /** The generation of the newest entry. */
  generation: number;
  /** Entries that another program wrote. */
  readonly foreign: number[];
}

export const emptyState = (): DeltaState => ({
  version: -1,
  metaData: null,
  isMetaDataForeign: false,
  files: new Map(),
  foreignFiles: new Set(),
  removed: new Map(),
  generation: -1,
  foreign: [],
});

/** Applies the actions of one entry, or of a checkpoint. */
export function apply(state: DeltaState, actions: readonly Action[], isForeign = false): void {
  for (const { metaData, add, remove, txn } of actions) {
    if (metaData) {
      if (!isForeign) state.metaData = metaData;
      state.isMetaDataForeign = isForeign;
    }
    if (txn?.appId === APP_ID) state.generation = txn.version;
    if (remove) {
      state.files.delete(remove.path);
      state.foreignFiles.delete(remove.path);
      state.removed.set(remove.path, remove);
    }
    if (add) {
      state.files.set(add.path, add);
      if (isForeign) state.foreignFiles.add(add.path);
      else state.foreignFiles.delete(add.path);
      state.removed.delete(add.path);
    }
  }
}

/** The newest entry that is our own; -1 without any. What another program wrote before it was taken back. */
export function ownVersion({ version, foreign }: DeltaState): number {
  let own = version;
  while (foreign.includes(own)) own--;
  return own;
}

const TYPES = {
  DATE: "date",
  TIMESTAMPTZ: "timestamp",
  DOUBLE: "double",
  BIGINT: "long",
  INTEGER: "integer",
  VARCHAR: "string",
  BOOLEAN: "boolean",
} as const;

/**
 * The schema as Delta writes it. Every column may be null, because files of earlier releases lack newer
 * columns.
 */
export const schemaString = (schema: Schema): string =>
  JSON.stringify({
    type: "struct",
    fields: Object.entries(schema).map(([name, type]) => ({
      name,
      type: TYPES[type],
      nullable: true,
      metadata: {},
    })),
  });

/** The newest schema of a dataset's current files; undefined where none was written. */
export const newestSchema = (manifest: Manifest, dataset: string): Schema | undefined =>
  manifest.schemas[dataset]?.findLast((schema) => !(SUPERSEDED in schema));

const NEEDS_ENCODING = /[^\w./=-]/;

/** The path of a file relative to its table, as a URI. Delta's own writers leave "=" as it is. */
export function pathInTable({ path, dataset }: LakeFile): string {
  const own = path.slice(dataset.length + 1);
  return NEEDS_ENCODING.test(own) ? encodeURI(own).replaceAll(":", "%3A") : own;
}

/** The current files of a dataset by path in the table; history files are no part of it. */
export function tableFiles(manifest: Manifest, dataset: string): Map<string, LakeFile> {
  const files = new Map<string, LakeFile>();
  for (const file of manifest.files)
    if (file.dataset === dataset && file.kind !== "history") files.set(pathInTable(file), file);
  return files;
}

/** The property of a table that lists the columns with statistics. */
const STATS_COLUMNS = "delta.dataSkippingStatsColumns";

/**
 * The columns with statistics: those with ranges that are never null. The table names them, because deltalake
 * finds no rows where it filters by a column of which only some have statistics, or of which nulls are not
 * counted.
 */
export function statsColumns(dataset: Dataset): string[] {
  const columns = storedColumns(dataset);
  // Files of earlier releases have no range of CIKs.
  const isStated = (name: string) => !(columns[name]?.nullable || name.endsWith("cik"));
  return [...rangedColumns(schemaOf(dataset)).filter(isStated), RECORDED];
}

/**
 * Returns the statistics by which a reader may skip a file. A column that the file was written without is
 * null in all its rows.
 */
function statsOf({ rows, ranges, recorded, schema }: LakeFile, { manifest, dataset, stats }: Target): string {
  const minValues: Record<string, unknown> = {};
  const maxValues: Record<string, unknown> = {};
  const nullCount: Record<string, number> = {};
  const written = manifest.schemas[dataset]?.[schema] ?? {};
  for (const name of stats) {
    const range = name === RECORDED ? recorded : ranges[name];
    if (range) {
      [minValues[name], maxValues[name]] = range;
      nullCount[name] = 0;
    } else if (!(name in written)) nullCount[name] = rows;
  }
  return JSON.stringify({ numRecords: rows, minValues, maxValues, nullCount });
}

const rowsIn = (adds: readonly AddAction[]): number =>
  adds.reduce((sum, { stats }) => sum + Number(JSON.parse(stats).numRecords), 0);

export interface Target {
  readonly manifest: Manifest;
  readonly dataset: string;
  readonly schema: Schema;
  /** The columns with statistics. */
  readonly stats: readonly string[];
  readonly nowMs: number;
  /** Whether the commit only moved rows between files. */
  readonly isRowless: boolean;
}

/**
 * Whether a log names this file by `path`. False for a path that had to be encoded, which costs only time.
 */
const isNamed = ({ path, dataset }: LakeFile, named: string) =>
  path.length === dataset.length + 1 + named.length && path.endsWith(named);

interface Differences {
  /** Files of the log that the manifest does not have. */
  readonly gone: readonly AddAction[];
  /**
   * Files of the manifest that the log lacks, that another program added to it, or all, by path in the table.
   */
  readonly fresh: readonly (readonly [path: string, file: LakeFile])[];
}

/**
 * Compares a log with the manifest. Both list files in the order in which they were committed, so nearly all
 * of them are compared one by one; only what is out of step is looked up by its path, which is slow for
 * thousands of files. `isRestated` asks for the files that both have, too.
 */
function differences(state: DeltaState, { manifest, dataset }: Target, isRestated: boolean): Differences {
  const inLog = state.files.keys();
  const passed = new Set<string>();
  const fresh: [string, LakeFile][] = [];
  const unmatched: LakeFile[] = [];
  const match = (path: string, file: LakeFile) => {
    if (isRestated || state.foreignFiles.has(path)) fresh.push([path, file]);
  };
  for (const file of manifest.files) {
    if (file.dataset !== dataset || file.kind === "history") continue;
    let next = inLog.next();
    while (!next.done && !isNamed(file, next.value)) {
      passed.add(next.value);
      next = inLog.next();
    }
    if (next.done) unmatched.push(file);
    else match(next.value, file);
  }
  for (const rest of inLog) passed.add(rest);
  for (const file of unmatched) {
    const path = pathInTable(file);
    if (passed.delete(path)) match(path, file);
    else fresh.push([path, file]);
  }
  return { gone: [...passed].flatMap((path) => state.files.get(path) ?? []), fresh };
}

/**
 * The actions that bring a log to the files and the schema of the manifest; empty where it has them already.
 */
export function actionsTo(state: DeltaState, target: Target): Action[] {
  const { manifest, nowMs, isRowless } = target;
  const metaData = newMetaData(state, target);
  // Files get statistics of other columns together with the list of these columns.
  const isRestated =
    metaData !== null && !Bun.deepEquals(metaData.configuration, state.metaData?.configuration);
  const { gone, fresh } = differences(state, target, isRestated);
  if (gone.length === 0 && fresh.length === 0 && metaData === null) return [];
  const isKnown = (path: string) => state.files.has(path) && !state.foreignFiles.has(path);
  const added = fresh.filter(([path]) => !isKnown(path));
  const addedRows = added.reduce((sum, [, { rows }]) => sum + rows, 0);
  const dataChange = !(isRowless && addedRows === rowsIn(gone));
  const operation =
    added.length === 0 && gone.length === 0 ? "SET METADATA" : dataChange ? "WRITE" : "OPTIMIZE";
  const { generation } = manifest;
  return [
    {
      commitInfo: {
        timestamp: nowMs,
        operation,
        operationParameters: {},
        engineInfo: ENGINE,
        generation,
        store: lineOf(manifest, generation),
        sha256: "",
      },
    },
    ...(state.version < 0 ? [{ protocol: PROTOCOL }] : []),
    ...(metaData ? [{ metaData }] : []),
    ...gone.map(({ path, partitionValues, size }) => ({
      remove: {
        path,
        deletionTimestamp: nowMs,
        dataChange,
        extendedFileMetadata: true as const,
        partitionValues,
        size,
      },
    })),
    ...fresh.map(([path, file]) => ({
      add: {
        path,
        partitionValues: {},
        size: file.bytes,
        modificationTime: nowMs,
        dataChange: dataChange && !isKnown(path),
        stats: statsOf(file, target),
      },
    })),
    { txn: { appId: APP_ID, version: generation, lastUpdated: nowMs } },
  ];
}

function newMetaData(
  { metaData, isMetaDataForeign }: DeltaState,
  { dataset, schema, stats, nowMs }: Target,
): MetaDataAction | null {
  const text = schemaString(schema);
  const configuration: Record<string, string> = stats.length > 0 ? { [STATS_COLUMNS]: stats.join(",") } : {};
  const isSame = metaData?.schemaString === text && Bun.deepEquals(metaData.configuration, configuration);
  if (isSame && !isMetaDataForeign) return null;
  return {
    id: metaData?.id ?? crypto.randomUUID(),
    name: dataset,
    format: { provider: "parquet", options: {} },
    schemaString: text,
    partitionColumns: [],
    configuration,
    createdTime: metaData?.createdTime ?? nowMs,
  };
}

const sha256Text = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const hashField = (hash: string) => `"sha256":"${hash}"`;

/** An entry as text: one action a line. That of a commit has the hash of the text without it. */
export function entryText(actions: readonly Action[]): string {
  const text = actions.map((action) => `${JSON.stringify(action)}\n`).join("");
  return text.replace(hashField(""), () => hashField(sha256Text(text)));
}

/**
 * Whether the text of an entry is not the one that its hash is of. Entries of earlier releases have none. The
 * hash is known by its length in the first line, since its name may be what has changed.
 */
export function isChanged(text: string): boolean {
  const hash = /^.*":"([^"]{64})"/.exec(text)?.[1];
  return hash !== undefined && sha256Text(text.replace(`"${hash}"`, '""')) !== hash;
}

// Keeps what the operational database says about a subject in the lake, as far as answers depend on it, so
// that an earlier version can give the same answer. A row is written when an answer uses a state that the
// lake does not have yet.
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { LRUCache } from "lru-cache";
import { batcher } from "../batcher.ts";
import type { Clock } from "../clock.ts";
import { instantText } from "../instant-text.ts";
import type { Dataset } from "../lake/dataset.ts";
import type { Lake } from "../lake/lake.ts";
import { isReplaying, refuseInReplay, unnoted } from "../reading.ts";
import type { CopiedRows } from "./one-version.ts";
import type { Db, Store } from "./sqlite.ts";
import { addVersionRows, isFirstLoad, type StateRow, tableName } from "./version-tables.ts";

/** The rows of one table about a subject. Columns that change without changing an answer are left out. */
export interface StateTable {
  readonly table: SQLiteTable;
  rowsOf(db: Db, subject: string): readonly StateRow[];
  /** The rows of the table, where `rowsOf` gives a shorter form of them. */
  restored?(rows: readonly StateRow[]): StateRow[];
}

/** The tables that one kind of answers depends on. */
export interface StateKind {
  readonly kind: string;
  readonly tables: readonly StateTable[];
}

export interface RecordedStateDeps {
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly dataset: Dataset;
}

export interface RecordedStates extends CopiedRows {
  /**
   * Loads the states of subjects of the version that the request is answered from; returns those that it has.
   */
  load(subjects: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Loads the state of a subject without which a request cannot be answered. Throws `not_replayable` where
   * the version has none.
   */
  require(subject: string, what: string): Promise<void>;
}

/** The newest stored state of a subject: a hash, and the number of its changes. */
interface Newest {
  readonly hash: number | bigint;
  readonly revision: number;
}

type Stored = { readonly subject: string; readonly revision: number; readonly state: string };
type Written = Stored & { readonly kind: string; readonly known_at: string };

/** Rows that wait to be written. */
interface Pending {
  readonly dataset: Dataset;
  rows(): Promise<readonly Written[]>;
  written(rows: readonly Written[]): void;
}

/** Subjects whose newest state is cached. */
const CACHED_MAX = 20_000;
const NONE: Newest = { hash: 0, revision: 0 };

const writers = new WeakMap<Lake, (pending: Pending) => Promise<void>>();

/** Writes states to a lake: those that arrive together in one commit, and one commit after the other. */
function writerOf(lake: Lake): (pending: Pending) => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const store = async (pending: readonly Pending[]): Promise<void> => {
    const found = [];
    for (const one of pending) found.push({ one, rows: await one.rows() });
    // One row of each state, where several requests bring up the same.
    const rows = new Map(
      found.flatMap((each) => each.rows.map((row) => [`${row.kind} ${row.subject}`, row] as const)),
    );
    const [first] = pending;
    if (rows.size === 0 || !first) return;
    await lake.append([{ dataset: first.dataset, rows: [...rows.values()], replacement: undefined }]);
    for (const each of found) each.one.written(each.rows);
  };
  const { add } = batcher<Pending, null>({
    async run(pending) {
      const turn = running.catch(() => undefined).then(() => store(pending));
      running = turn;
      await turn;
      return pending.map(() => null);
    },
  });
  const writer = writers.get(lake) ?? (async (pending: Pending) => void (await add(pending)));
  writers.set(lake, writer);
  return writer;
}

/** Reads the newest state of subjects, of the version that the request is answered from if any. */
function newestReader({ lake, dataset }: RecordedStateDeps, kind: string) {
  const sql = `SELECT subject, revision, state FROM ${dataset.name} WHERE kind = $kind AND subject = ANY($subjects)
    QUALIFY row_number() OVER (PARTITION BY subject ORDER BY revision DESC, known_at DESC) = 1`;
  return async (subjects: readonly string[]) =>
    subjects.length === 0 ? [] : lake.query<Stored>(sql, { kind, subjects });
}

/** The states of now: which of them the lake has, and those that it lacks. */
function presentStates(deps: RecordedStateDeps, { kind, tables }: StateKind) {
  const newest = newestReader(deps, kind);
  const known = new LRUCache<string, Newest>({ max: CACHED_MAX });
  const stateOf = (subject: string): string =>
    deps.sqlite.use((db) =>
      JSON.stringify(
        Object.fromEntries(tables.map(({ table, rowsOf }) => [tableName(table), rowsOf(db, subject)])),
      ),
    );
  const isStored = (subject: string): boolean => known.get(subject)?.hash === Bun.hash(stateOf(subject));

  /** Reads what the lake has of subjects that this process has not met. */
  const readUnknown = async (subjects: readonly string[]): Promise<void> => {
    const unknown = subjects.filter((subject) => !known.has(subject));
    const rows = new Map((await unnoted(() => newest(unknown))).map((row) => [row.subject, row]));
    for (const subject of unknown) {
      const row = rows.get(subject);
      known.set(subject, row ? { hash: Bun.hash(row.state), revision: row.revision } : NONE);
    }
  };

  return {
    isStored,

    async unstored(subjects: readonly string[]): Promise<Written[]> {
      await readUnknown(subjects);
      const known_at = instantText(deps.clock.nowMs());
      return subjects.flatMap((subject) => {
        if (isStored(subject)) return [];
        const { revision } = known.get(subject) ?? NONE;
        return [{ subject, kind, revision: revision + 1, state: stateOf(subject), known_at }];
      });
    },

    written(rows: readonly Written[]): void {
      for (const { subject, state, revision } of rows)
        known.set(subject, { hash: Bun.hash(state), revision });
    },
  };
}

export function recordedStates(deps: RecordedStateDeps, states: StateKind): RecordedStates {
  const { kind, tables } = states;
  const { dataset } = deps;
  const newest = newestReader(deps, kind);
  const { isStored, unstored, written } = presentStates(deps, states);
  const write = writerOf(deps.lake);

  const load = async (subjects: readonly string[]): Promise<ReadonlySet<string>> => {
    for (const { table } of tables) addVersionRows(table, []);
    const found = await newest(subjects);
    for (const { subject, state } of found) {
      if (!isFirstLoad(`${kind} ${subject}`)) continue;
      const parts = JSON.parse(state) as Record<string, StateRow[]>;
      for (const { table, restored } of tables) {
        const rows = parts[tableName(table)] ?? [];
        addVersionRows(table, restored?.(rows) ?? rows);
      }
    }
    return new Set(found.map(({ subject }) => subject));
  };

  return {
    load,

    async require(subject, what) {
      if (!isReplaying()) return;
      if (!(await load([subject])).has(subject)) refuseInReplay(what);
    },

    isReady: (subjects) => subjects.every(isStored),

    bringUp: (subjects) => write({ dataset, rows: () => unstored(subjects), written }),
  };
}

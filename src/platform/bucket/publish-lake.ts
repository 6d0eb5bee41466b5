// Copies the lake into a bucket, where a reader sees a whole version at any moment, also when the copying
// process dies.
//
// Data files go first, then entries and checkpoints of the Delta logs with the pointers last, then
// manifest.json. What no version names any more is deleted once it has not been needed for the retention,
// counted from the first publication without it. A second run sends only what the bucket lacks.
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Clock } from "../clock.ts";
import { StorageUnavailable } from "../errors.ts";
import { sha256Of } from "../lake/disk.ts";
import type { Lake } from "../lake/lake.ts";
import { DELTA_LOG, type LakeFile, type Manifest, OWN_FILE } from "../lake/manifest.ts";
import type { LogFile, Publication } from "../lake/publication.ts";
import { type Bucket, type BucketObject, hasEtag } from "./bucket.ts";
import { entriesOf, POINTER, sendingOrder, versionedFiles } from "./log-order.ts";

const MANIFEST = "manifest.json";
/** Notes of a publication for the next one. */
const NOTES = "_published.json";
/** Data files sent at once. */
const SENT_AT_ONCE = 6;

interface Notes {
  readonly format: 1;
  /** The id of each Delta table, by dataset. */
  readonly tables: Readonly<Record<string, string>>;
  /** Since when the newest version does without an object, RFC 3339, by path. */
  readonly unneeded: Readonly<Record<string, string>>;
}

export interface PublishOptions {
  readonly clock: Clock;
  /** How long the bucket keeps what its newest version does without. */
  readonly retentionMs: () => number;
  readonly signal?: AbortSignal;
}

/** The result of one publication. */
export interface Published {
  readonly generation: number;
  readonly sent: number;
  readonly bytes: number;
  readonly removed: number;
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
}

/** The contents of the bucket when a publication begins. */
interface There {
  readonly objects: ReadonlyMap<string, BucketObject>;
  readonly manifest: string | null;
  /** The hash of each file that the manifest in the bucket names. */
  readonly sums: ReadonlyMap<string, string>;
  readonly notes: Notes;
}

interface Round extends PublishOptions {
  readonly bucket: Bucket;
  readonly there: There;
  readonly here: Publication;
  /** Everything sent so far, with its size. */
  readonly sent: Map<string, number>;
}

const refuse = (message: string, cause?: unknown) =>
  new StorageUnavailable("database_unavailable", message, { cause });

function parsed<T>(text: string | null): Partial<T> {
  try {
    return (JSON.parse(text ?? "{}") ?? {}) as Partial<T>;
  } catch {
    return {};
  }
}

async function look(bucket: Bucket): Promise<There> {
  const objects = new Map((await bucket.list()).map((object) => [object.path, object]));
  const read = (path: string) => (objects.has(path) ? bucket.read(path) : null);
  const manifest = await read(MANIFEST);
  const { tables = {}, unneeded = {} } = parsed<Notes>(await read(NOTES));
  const files = parsed<Manifest>(manifest).files ?? [];
  const sums = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  return { objects, manifest, sums, notes: { format: 1, tables, unneeded } };
}

async function send(round: Round, path: string, from: string): Promise<void> {
  round.signal?.throwIfAborted();
  const { size } = await stat(from);
  await round.bucket.writeFile(path, from);
  round.sent.set(path, size);
}

/** Whether the bucket has a data file, given the hash of its bytes where it is known. */
async function hasFile(
  { there, here }: Round,
  path: string,
  bytes: number,
  sha256?: string,
): Promise<boolean> {
  const object = there.objects.get(path);
  if (object?.bytes !== bytes) return false;
  if (
    sha256 === undefined
      ? path in there.notes.unneeded || there.sums.has(path)
      : there.sums.get(path) === sha256
  )
    return true;
  // It was sent by a publication that did not reach its end.
  return hasEtag(join(here.lakeDir, path), object.etag);
}

/** Sends a live file, after its bytes were compared with the manifest. */
async function sendLive(round: Round, { path, bytes, sha256 }: LakeFile): Promise<void> {
  const from = join(round.here.lakeDir, path);
  if (await hasFile(round, path, bytes, sha256)) return;
  if ((await sha256Of(from)) !== sha256)
    throw refuse(`${path} has other bytes than were written; run \`bun run cli doctor\` before publishing.`);
  await send(round, path, from);
}

async function sendData(round: Round): Promise<void> {
  const work = [
    ...round.here.files.map((file) => () => sendLive(round, file)),
    ...round.here.replaced.map(({ path }) => async () => {
      const from = join(round.here.lakeDir, path);
      const found = await stat(from).catch(() => null);
      if (found && !(await hasFile(round, path, found.size))) await send(round, path, from);
    }),
  ].values();
  const errors: unknown[] = [];
  const worker = async () => {
    try {
      for (const each of work) {
        if (errors.length > 0) return;
        await each();
      }
    } catch (error) {
      errors.push(error);
    }
  };
  // Sending under way ends before the error is passed on: nothing runs on behind it.
  await Promise.all(Array.from({ length: SENT_AT_ONCE }, worker));
  if (errors.length > 0) throw errors[0];
}

const logPath = (dataset: string, name: string) => `${dataset}/${DELTA_LOG}/${name}`;

/** The names of a dataset's log in the bucket. */
function namesThere({ objects }: There, dataset: string): Set<string> {
  const folder = logPath(dataset, "");
  const names = [...objects.keys()].filter((path) => path.startsWith(folder));
  return new Set(names.map((path) => path.slice(folder.length)));
}

async function isSame({ bucket, there }: Round, path: string, from: string): Promise<boolean> {
  const object = there.objects.get(path);
  if (!object) return false;
  return (await hasEtag(from, object.etag)) || (await bucket.read(path)) === (await Bun.file(from).text());
}

/** Whether the log in the bucket is an earlier state of this one. */
async function continues(round: Round, dataset: string, log: readonly LogFile[]): Promise<boolean> {
  const { there, here } = round;
  const known = there.notes.tables[dataset];
  if (known !== undefined && known !== here.tables.get(dataset)) return false;
  const present = entriesOf(namesThere(there, dataset));
  if (present === null) return true;
  const own = entriesOf(log.map(({ name }) => name));
  if (own === null || own.newest < present.newest) return false;
  const newest = log.find(
    ({ name }) => versionedFiles([name])[0]?.version === present.newest && name.endsWith(".json"),
  );
  // An entry that is deleted here already can only be known by the table's id.
  return newest ? isSame(round, logPath(dataset, newest.name), newest.from) : known !== undefined;
}

async function checkLogs(round: Round, logs: ReadonlyMap<string, readonly LogFile[]>): Promise<void> {
  for (const [dataset, log] of logs)
    if (!(await continues(round, dataset, log)))
      throw refuse(
        `${round.bucket.name}${dataset} is no earlier state of this lake: another lake was published there, or this one was restored or repaired since. Nothing was changed. Publish to another prefix, or delete this one first.`,
      );
}

async function sendLog(round: Round, dataset: string, log: readonly LogFile[]): Promise<void> {
  const files = new Map(log.map(({ name, from }) => [name, from]));
  const there = namesThere(round.there, dataset);
  for (const [name, from] of files) {
    // A checkpoint of the same version may have been written again.
    const bytes = round.there.objects.get(logPath(dataset, name))?.bytes;
    if (name.endsWith(".parquet") && bytes !== undefined && bytes !== (await stat(from)).size)
      there.delete(name);
  }
  for (const name of sendingOrder(files.keys(), there))
    await send(round, logPath(dataset, name), files.get(name) ?? "");
  const pointer = files.get(POINTER);
  const path = logPath(dataset, POINTER);
  if (pointer !== undefined && !(await isSame(round, path, pointer))) await send(round, path, pointer);
}

/** The objects of the bucket that the newest version does without, and since when. */
function unneededObjects({ there, here, sent, clock }: Round): Map<string, Temporal.Instant> {
  const needed = new Set([
    ...here.files.map(({ path }) => path),
    ...here.logs.map(({ dataset, name }) => logPath(dataset, name)),
  ]);
  const unneeded = new Map<string, Temporal.Instant>();
  for (const path of new Set([...there.objects.keys(), ...sent.keys()])) {
    const isOurs =
      OWN_FILE.test(basename(path)) ||
      (path.includes(`/${DELTA_LOG}/`) && versionedFiles([basename(path)]).length > 0);
    if (!isOurs || needed.has(path)) continue;
    const since = there.notes.unneeded[path];
    unneeded.set(path, since === undefined ? clock.now() : Temporal.Instant.from(since));
  }
  return unneeded;
}

async function writeText(round: Round, path: string, text: string): Promise<void> {
  round.signal?.throwIfAborted();
  await round.bucket.writeText(path, text);
  round.sent.set(path, Buffer.byteLength(text));
}

/** Notes what is unneeded, replaces the manifest, and deletes what was not needed for the retention. */
async function finish(round: Round): Promise<number> {
  const { there, here, bucket, clock, retentionMs } = round;
  const unneeded = unneededObjects(round);
  const notes: Notes = {
    format: 1,
    tables: { ...there.notes.tables, ...Object.fromEntries(here.tables) },
    unneeded: Object.fromEntries([...unneeded].map(([path, since]) => [path, since.toString()])),
  };
  if (!Bun.deepEquals(notes, there.notes)) await writeText(round, NOTES, JSON.stringify(notes));
  if (there.manifest !== here.manifest) await writeText(round, MANIFEST, here.manifest);
  const keptMs = retentionMs();
  const replaced = new Set(here.replaced.map(({ path }) => path));
  let removed = 0;
  for (const [path, since] of unneeded) {
    if (replaced.has(path) || clock.nowMs() - since.epochMilliseconds < keptMs) continue;
    await bucket.remove(path);
    removed++;
  }
  return removed;
}

/**
 * Brings the bucket to the present state of the lake. Throws before it changes anything where another lake
 * lies there.
 */
export async function publishLake(
  lake: Pick<Lake, "publication">,
  bucket: Bucket,
  options: PublishOptions,
): Promise<Published> {
  const there = await look(bucket);
  const here = await lake.publication();
  try {
    const round: Round = { ...options, bucket, there, here, sent: new Map() };
    const logs = Map.groupBy(here.logs, ({ dataset }) => dataset);
    await checkLogs(round, logs);
    await sendData(round);
    for (const [dataset, log] of logs) await sendLog(round, dataset, log);
    const removed = await finish(round);
    return {
      generation: here.generation,
      sent: round.sent.size,
      bytes: [...round.sent.values()].reduce((sum, bytes) => sum + bytes, 0),
      removed,
      warnings: here.problems.map(({ dataset, description }) => `${dataset}: ${description}`),
    };
  } finally {
    await here.discard();
  }
}

// Lost files that are put back: a file that was set aside, and has the bytes again that were written.

import { statSync } from "node:fs";
import { join } from "node:path";
import { type Dataset, identityOf, quoted, RECORDED, SUPERSEDED } from "../dataset.ts";
import { sha256Of } from "../disk.ts";
import { readOn } from "../duckdb.ts";
import {
  FORMAT_WITH_HISTORY,
  historySchemaOf,
  type LakeFile,
  type LostFile,
  type Manifest,
  pathInLake,
  schemaNumber,
  schemaOf,
  stampOf,
} from "../manifest.ts";
import { ulid } from "../ulid.ts";
import { locateIn, selectFiles } from "../views.ts";
import { commit, discard, type LakeParts, nextManifest, type StagedFile } from "./commit.ts";
import { stageCounted } from "./replace.ts";
import { setBrokenAside } from "./write.ts";

/** The folder below the lake's to which `repair` moves damaged files. */
const QUARANTINE = "_quarantine";

/** The place of a file in quarantine, relative to the lake folder. */
export const quarantined = (path: string): string => join(QUARANTINE, path.replaceAll("/", "_"));

/** Where a file that was set aside may lie, relative to the lake folder. */
export const placesOf = (path: string): readonly string[] => [path, quarantined(path)];

export const isOpen = ({ until }: LostFile): boolean => until === undefined;

/** Path, inode, size and time of files of other bytes, which are not hashed again. */
const differing = new Set<string>();

/** The place of a lost file whose bytes are there again, relative to the lake folder. */
async function placeOf(
  { lakeDir }: LakeParts,
  { path, bytes, sha256 }: LostFile,
): Promise<string | undefined> {
  for (const place of placesOf(path)) {
    const whole = join(lakeDir, place);
    if (statSync(whole, { throwIfNoEntry: false })?.size !== bytes) continue;
    const stamp = `${whole} ${stampOf(whole)}`;
    if (differing.has(stamp)) continue;
    if ((await sha256Of(whole)) === sha256) return place;
    differing.add(stamp);
  }
  return undefined;
}

interface Work {
  readonly parts: LakeParts;
  readonly connection: Parameters<typeof readOn>[0];
  readonly dataset: Dataset;
  readonly manifest: Manifest;
  readonly file: LostFile;
}

/** Stages rows of a lost file under another name: those that are current, or those that were replaced. */
async function stageRows(work: Work, select: string, isHistory: boolean): Promise<StagedFile[]> {
  const { parts, connection, dataset, manifest, file } = work;
  const { partition, recorded = [0, 0] } = file;
  const range = isHistory ? `, min(${SUPERSEDED}), max(${SUPERSEDED})` : "";
  const { columns } = await readOn(connection, `SELECT count(*)${range} FROM (${select})`);
  const [rows = 0, oldest, newest] = columns.map(([value]) => Number(value));
  if (rows === 0) return [];
  const kind = isHistory ? "history" : "delta";
  const place = { kind, dataset: dataset.name, partition } as const;
  if (isHistory) manifest.format = FORMAT_WITH_HISTORY;
  const staged = await stageCounted(work, select, {
    ...place,
    path: pathInLake(place, `${kind}-${ulid(parts.clock.nowMs())}`),
    rows,
    schema: schemaNumber(manifest, dataset, isHistory ? historySchemaOf(dataset) : schemaOf(dataset)),
    ranges: {},
    recorded,
    ...(isHistory && { superseded: [oldest ?? 0, newest ?? 0] as const }),
  });
  return [staged];
}

/**
 * Stages the rows of a lost file. One that was stored again since is replaced by that; one whose key is
 * stored from before stays out, and the versions then stay without the file.
 */
// Made up: at 7 a file with A and B of generation 3 is set aside, at 9 A is stored again. B is current again,
// recorded at 3, and the old A is that of versions 3 to 6 (to 8, but those were answered without B).
async function stageReturned(work: Work, place: string) {
  const { parts, dataset, manifest, file } = work;
  const isNear = (each: LakeFile) => each.dataset === file.dataset && each.partition === file.partition;
  const { files, history } = parts.snapshots.last();
  await parts.snapshots.verify([...files, ...history].filter(isNear));
  const sound = await parts.snapshots.current();
  const schemas = manifest.schemas[dataset.name] ?? [];
  const locate = locateIn(parts.lakeDir);
  const target = file.kind === "history" ? historySchemaOf(dataset) : schemaOf(dataset);
  const lost = selectFiles(dataset, [{ ...file, path: place }], schemas, locate, target);
  if (file.kind === "history") return stageRows(work, lost, true);
  const since = file.since ?? (file.recorded?.[1] ?? 0) + 1;
  const stored = selectFiles(dataset, sound.files.filter(isNear), schemas, locate);
  const replaced = selectFiles(dataset, sound.history.filter(isNear), schemas, locate);
  const identity = identityOf(dataset).map(quoted).join(", ");
  const same = (dataset.replacedBy ?? identityOf(dataset)).map(quoted).join(", ");
  const again = `(SELECT ${same}, min(${RECORDED}) AS ${SUPERSEDED} FROM (${stored} UNION ALL ${replaced})
    WHERE ${RECORDED} >= ${since} GROUP BY ${same})`;
  const fresh = await stageRows(
    work,
    `SELECT * FROM (${lost}) ANTI JOIN ${again} USING (${same}) ANTI JOIN (${stored}) USING (${identity})`,
    false,
  );
  const before = `SELECT l.*, ${SUPERSEDED} FROM (${lost}) l JOIN ${again} USING (${same})`;
  return [...fresh, ...(await stageRows(work, before, true))];
}

async function takeFileBack(parts: LakeParts, { path }: LostFile): Promise<void> {
  await parts.db.useToWrite((connection) =>
    parts.lock.hold(async () => {
      await parts.staging.ensure();
      const { manifest } = await nextManifest(parts);
      const file = manifest.set_aside.find((each) => isOpen(each) && each.path === path);
      const dataset = parts.datasets.get(file?.dataset ?? "");
      const place = file && (await placeOf(parts, file));
      if (!file || !dataset || place === undefined) return;
      const fresh = await stageReturned({ parts, connection, dataset, manifest, file }, place);
      try {
        const { generation } = manifest;
        setBrokenAside(parts, manifest, fresh);
        const rows = fresh.reduce((sum, each) => sum + each.file.rows, 0);
        Object.assign(file, { until: generation, ...(rows === file.rows && { isReturned: true }) });
        const retired_at = parts.clock.now().toString();
        if (place === path) manifest.retired.push({ path, retired_at, generation, bytes: file.bytes });
        await commit(parts, manifest, fresh, { rows: new Map([[dataset.name, rows]]), causes: new Map() });
      } finally {
        await discard(parts, fresh);
      }
    }),
  );
}

/** Takes the rows of lost files back whose bytes are there again, newest rows first. */
export async function takeBack(parts: LakeParts): Promise<void> {
  const newest = ({ recorded }: LostFile) => recorded?.[1] ?? 0;
  const open = (await parts.snapshots.current()).manifest.set_aside.filter(isOpen);
  for (const file of open.sort((a, b) => newest(b) - newest(a)))
    if ((await placeOf(parts, file)) !== undefined) await takeFileBack(parts, file);
}

// The check behind `doctor`: reads every file whole and compares it with the manifest.

import { existsSync, statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Dataset, identityOf, quoted, RECORDED, storedColumns } from "./dataset.ts";
import { deltaProblems } from "./delta/delta.ts";
import { sha256Of } from "./disk.ts";
import {
  CIK_COLUMNS,
  DELTA_LOG,
  datasetOfPath,
  type LakeFile,
  type LostFile,
  type Manifest,
  parquetFilesBelow,
  type RetiredFile,
  rangedColumns,
  schemaOf,
} from "./manifest.ts";
import { fileProblem } from "./snapshot.ts";
import { rangeTexts, readParquet } from "./views.ts";
import type { LakeParts } from "./write/commit.ts";
import { commit, nextManifest } from "./write/commit.ts";
import { COMMIT_LOG, logProblems } from "./write/commit-log.ts";
import { settleLosses } from "./write/losses.ts";
import { isOpen, quarantined } from "./write/returned.ts";
import { isOwn, listedRetired } from "./write/sweep.ts";

export interface LakeProblem {
  dataset: string;
  /** Relative to the lake folder. */
  path: string;
  description: string;
}

export interface Finding extends LakeProblem {
  severity: "error" | "warning";
  /** Says how `repair` mended it. */
  repaired?: string;
}

export interface LakeReport {
  /** True when no finding is an error that is not repaired. */
  ok: boolean;
  files: number;
  rows: number;
  bytes: number;
  findings: Finding[];
  /** The files whose rows are lost still. */
  lost: readonly LostFile[];
}

export interface CheckOptions {
  readonly repair?: boolean;
  /** Paths of lost files that are done without. */
  readonly waived?: readonly string[];
}

/** The files that the manifest lists, or has set aside, and that are not served. */
export function problemsOf(parts: LakeParts): LakeProblem[] {
  const { manifest } = parts.snapshots.last();
  const broken = manifest.files.flatMap(({ dataset, path }) => {
    const description = parts.snapshots.broken().get(path);
    return description === undefined ? [] : [{ dataset, path, description }];
  });
  return [
    ...broken,
    ...manifest.set_aside.filter(isOpen).map(({ dataset, path, rows, description }) => ({
      dataset,
      path,
      description: `${description}; its ${rows} rows are not served`,
    })),
  ];
}

/** Runs a query whose result is one row. */
async function firstRow(parts: LakeParts, sql: string): Promise<unknown[]> {
  const { columns } = await parts.db.read(sql);
  return columns.map((column) => column[0]);
}

async function schemaProblem(
  parts: LakeParts,
  path: string,
  expected: Record<string, string>,
): Promise<string | null> {
  const { columns } = await parts.db.read(`DESCRIBE SELECT * FROM ${readParquet([path])}`);
  const found = Object.fromEntries(
    (columns[0] ?? []).map((name, row) => [String(name), String(columns[1]?.[row])]),
  );
  const describe = (schema: Record<string, string>) =>
    Object.entries(schema).map(
      ([name, type]) => `${name} ${type === "TIMESTAMPTZ" ? "TIMESTAMP WITH TIME ZONE" : type}`,
    );
  const [actualText, expectedText] = [describe(found).join(", "), describe(expected).join(", ")];
  return actualText === expectedText ? null : `has the columns (${actualText}) instead of (${expectedText})`;
}

/**
 * Problems of the column `recorded`: its generations must be those that the manifest states, which views rely
 * on.
 */
async function generationProblems(parts: LakeParts, path: string, file: LakeFile): Promise<string[]> {
  const [from, to] = file.recorded ?? [0, 0];
  const [oldest, newest] = await firstRow(
    parts,
    `SELECT min(${RECORDED}), max(${RECORDED}) FROM ${readParquet([path])}`,
  );
  if (Number(oldest) >= from && Number(newest) <= to) return [];
  return [`${RECORDED} ranges from ${oldest} to ${newest}, outside of ${from} to ${to}`];
}

/** Problems in the content of a file whose bytes are intact. */
async function contentProblems(
  parts: LakeParts,
  dataset: Dataset,
  file: LakeFile,
  manifest: Manifest,
): Promise<string[]> {
  const path = join(parts.lakeDir, file.path);
  const schema = manifest.schemas[file.dataset]?.[file.schema] ?? schemaOf(dataset);
  const wrongSchema = await schemaProblem(parts, path, schema);
  if (wrongSchema) return [wrongSchema];
  const errors: string[] = [];
  const columns = storedColumns(dataset);
  const required = Object.keys(schema).filter((name) => columns[name] && !columns[name].nullable);
  const nulls = required.map((name) => `count(*) - count(${quoted(name)})`);
  const ranged = rangedColumns(schema);
  const [rows, ...figures] = await firstRow(
    parts,
    `SELECT ${["count(*)", ...nulls, ...rangeTexts(schema)]} FROM ${readParquet([path])}`,
  );
  if (rows !== file.rows) errors.push(`has ${rows} rows instead of ${file.rows}`);
  for (const [index, name] of required.entries())
    if (figures[index] !== 0) errors.push(`has ${figures[index]} nulls in ${name}`);
  for (const [index, name] of ranged.entries()) {
    const at = nulls.length + index * 2;
    const actual = [figures[at], figures[at + 1]];
    if (CIK_COLUMNS.includes(name) && !(name in file.ranges)) continue;
    const recorded = file.ranges[name] ?? [null, null];
    if (actual[0] !== recorded[0] || actual[1] !== recorded[1])
      errors.push(`${name} ranges from ${actual.join(" to ")} instead of ${recorded.join(" to ")}`);
  }
  if (schema[RECORDED]) errors.push(...(await generationProblems(parts, path, file)));
  const order = `row(${dataset.sort.map(quoted).join(", ")})`;
  const [unsorted] = await firstRow(
    parts,
    `SELECT count(*) FROM (SELECT ${order} AS own, lag(${order}) OVER (ORDER BY file_row_number) AS previous
     FROM ${readParquet([path])}) WHERE own < previous`,
  );
  if (unsorted !== 0) errors.push(`has ${unsorted} rows out of order`);
  return errors;
}

async function fileProblems(parts: LakeParts, file: LakeFile, manifest: Manifest): Promise<string[]> {
  const path = join(parts.lakeDir, file.path);
  const problem = fileProblem(path, file.bytes);
  if (problem) return [problem];
  if ((await sha256Of(path)) !== file.sha256) return ["has other bytes than were written"];
  const dataset = parts.datasets.get(file.dataset);
  if (!dataset) return [];
  try {
    return await contentProblems(parts, dataset, file, manifest);
  } catch (error) {
    return [`cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Finds keys that are stored more than once in a partition. */
async function duplicateFindings(parts: LakeParts, files: readonly LakeFile[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  const current = files.filter(({ kind }) => kind !== "history");
  for (const [place, group] of Map.groupBy(current, (file) => `${file.dataset}/${file.partition}`)) {
    const dataset = parts.datasets.get(group[0]?.dataset ?? "");
    if (!dataset) continue;
    const keys = identityOf(dataset).map(quoted).join(", ");
    const source = readParquet(group.map((file) => join(parts.lakeDir, file.path)));
    const [twice] = await firstRow(
      parts,
      `SELECT count(*) FROM (SELECT 1 FROM ${source} GROUP BY ${keys} HAVING count(*) > 1)`,
    );
    if (twice !== 0)
      findings.push({
        severity: "error",
        dataset: dataset.name,
        path: place,
        description: `has ${twice} keys more than once`,
      });
  }
  return findings;
}

/** The files below the lake folder that neither the manifest nor the list of replaced files names. */
async function straysOf(parts: LakeParts, manifest: Manifest, listed: readonly RetiredFile[]) {
  const known = new Set(
    [...manifest.files, ...manifest.retired, ...listed, ...manifest.set_aside].map((file) => file.path),
  );
  return (await parquetFilesBelow(parts.lakeDir)).filter((path) => !known.has(path));
}

const LIST_FILE = "retired.sqlite";

/** Returns the findings about the list of replaced files. */
function listFindings(parts: LakeParts): Finding[] {
  const damage = parts.retired.damage();
  if (damage === null) return [];
  const description = `the list of replaced files is damaged (${damage}), so writes that replace files fail; stop the service and run doctor --repair`;
  return [{ severity: "error", dataset: "", path: LIST_FILE, description }];
}

/**
 * Moves a damaged list of replaced files to the quarantine folder, and lists every file that the manifest
 * does not name as replaced now: none of them is deleted before its retention is over.
 */
async function renewList(parts: LakeParts, findings: readonly Finding[]): Promise<void> {
  await parts.lock.hold(async () => {
    if (parts.retired.damage() === null) return;
    const { manifest } = await parts.snapshots.current();
    const strays = await straysOf(parts, manifest, []);
    const own = strays.filter((path) => isOwn(parts, path));
    const target = quarantined(LIST_FILE);
    const folder = join(parts.lakeDir, dirname(target));
    await parts.disk.makeFolder(folder);
    parts.retired.moveTo(folder);
    const retired_at = parts.clock.now().toString();
    const { generation } = manifest;
    parts.retired.add(
      own.map((path) => ({
        path,
        retired_at,
        generation,
        bytes: statSync(join(parts.lakeDir, path), { throwIfNoEntry: false })?.size ?? 0,
      })),
    );
    for (const finding of findings)
      finding.repaired = `moved to ${target}; ${own.length} replaced files are listed again, as of now`;
  });
}

/** Finds files that are not in the manifest: in the lake folder, or left in staging by dead processes. */
async function strayFindings(parts: LakeParts, manifest: Manifest, isListed: boolean): Promise<Finding[]> {
  const { stagingRoot } = parts;
  const strays = isListed ? await straysOf(parts, manifest, parts.retired.list()) : [];
  const findings = strays.map((path): Finding => {
    const dataset = datasetOfPath(path);
    return { severity: "warning", dataset, path, description: "is not in the manifest and is not served" };
  });
  for (const name of await readdir(stagingRoot).catch((): string[] => [])) {
    if (join(stagingRoot, name) === parts.staging.path || (await stat(join(stagingRoot, name))).isDirectory())
      continue;
    findings.push({
      severity: "warning",
      dataset: "",
      path: `../_staging/${name}`,
      description: "is a stray file in staging",
    });
  }
  return findings;
}

/**
 * Replaced files that are gone before their time: only readers of earlier versions of the Delta logs notice.
 */
function lostFindings(parts: LakeParts): Finding[] {
  const lost = listedRetired(parts).filter(({ path }) => !existsSync(join(parts.lakeDir, path)));
  return [...Map.groupBy(lost, ({ path }) => datasetOfPath(path))].map(([dataset, files]) => ({
    severity: "warning",
    dataset,
    path: dataset,
    description: `${files.length} replaced files were deleted by another program; earlier versions of its Delta log need them`,
  }));
}

/** A commit without its line has no time, for good: its version is asked for with as_of. */
export const commitLogFindings = async ({ lakeDir, snapshots }: LakeParts): Promise<Finding[]> =>
  (await logProblems(lakeDir, snapshots.last().manifest)).map((description) => ({
    severity: "warning",
    dataset: "",
    path: COMMIT_LOG,
    description,
  }));

/** Compares the Delta logs with the manifest; `repair` brings them to it. */
export async function deltaFindings(parts: LakeParts, repair: boolean): Promise<Finding[]> {
  const { delta, lock, snapshots } = parts;
  if (!delta) return [];
  return lock.hold(async () => {
    const { manifest } = await snapshots.current();
    const findings = parts.retired.damage() === null ? lostFindings(parts) : [];
    for (const { dataset, description, isPast, isMissed } of await deltaProblems(parts, manifest)) {
      const finding: Finding = {
        severity: isPast || isMissed ? "warning" : "error",
        dataset,
        path: `${dataset}/${DELTA_LOG}`,
        description,
      };
      if (repair && !isPast) {
        await delta.reconcile(manifest, dataset);
        finding.repaired = "brought to the manifest";
      }
      findings.push(finding);
    }
    return findings;
  });
}

/**
 * Sets broken files aside and moves what is left of them to the quarantine folder. The manifest keeps naming
 * them: their rows are lost until they are stored again.
 */
async function setAside(parts: LakeParts, findings: readonly Finding[]): Promise<void> {
  const byPath = Map.groupBy(findings, (finding) => finding.path);
  await parts.lock.hold(async () => {
    await parts.staging.ensure();
    const { manifest } = await nextManifest(parts);
    const removed = manifest.files.filter((file) => byPath.has(file.path));
    manifest.files = manifest.files.filter((file) => !byPath.has(file.path));
    for (const file of removed) {
      const description = (byPath.get(file.path) ?? []).map((finding) => finding.description).join("; ");
      manifest.set_aside.push({ ...file, description, since: manifest.generation });
    }
    if (removed.length > 0) await commit(parts, manifest, []);
    for (const { path } of manifest.set_aside) {
      const target = join(parts.lakeDir, quarantined(path));
      await parts.disk.makeFolder(dirname(target));
      if (existsSync(join(parts.lakeDir, path))) await parts.disk.rename(join(parts.lakeDir, path), target);
      for (const finding of byPath.get(path) ?? []) finding.repaired = `set aside in ${quarantined(path)}`;
    }
  });
}

/** Returns a finding for each loss, which says whether it has ended, and for each path that is none. */
async function lossFindings(parts: LakeParts, waived: readonly string[]): Promise<Finding[]> {
  const { set_aside } = (await parts.snapshots.current()).manifest;
  const left = new Set((await settleLosses(parts, waived)).map(({ path }) => path));
  const losses = set_aside.filter(isOpen).map(
    ({ dataset, path, rows, description }): Finding => ({
      severity: "error",
      dataset,
      path,
      description: `${description}; its ${rows} rows are not served`,
      ...(left.has(path) ? {} : { repaired: waived.includes(path) ? "waived" : "the rows are stored again" }),
    }),
  );
  const unknown = waived.filter((each) => set_aside.every(({ path }) => path !== each));
  const description = "is none of the files that were set aside, so that nothing is waived";
  return [
    ...losses,
    ...unknown.map((path): Finding => ({ severity: "warning", dataset: "", path, description })),
  ];
}

/**
 * Reads every file and reports problems; `repair` moves broken files to quarantine. What it then lacks stays
 * an error until the rows are there again or `waived` names the file.
 */
export async function checkLake(
  parts: LakeParts,
  { repair = false, waived = [] }: CheckOptions = {},
): Promise<LakeReport> {
  return parts.snapshots.hold(async ({ manifest }) => {
    const findings: Finding[] = [];
    const sound: LakeFile[] = [];
    for (const file of manifest.files) {
      const errors = await fileProblems(parts, file, manifest);
      if (errors.length === 0) sound.push(file);
      for (const description of errors)
        findings.push({ severity: "error", dataset: file.dataset, path: file.path, description });
    }
    const broken = [...findings];
    findings.push(...(await duplicateFindings(parts, sound)));
    const ofList = listFindings(parts);
    findings.push(...ofList);
    // Without the list, a replaced file cannot be distinguished from a stray one.
    findings.push(...(await strayFindings(parts, manifest, ofList.length === 0)));
    findings.push(...(await commitLogFindings(parts)));
    if (repair && ofList.length > 0) await renewList(parts, ofList);
    if (repair) await setAside(parts, broken);
    findings.push(...(await lossFindings(parts, waived)));
    findings.push(...(await deltaFindings(parts, repair)));
    return {
      ok: findings.every(({ severity, repaired }) => severity !== "error" || repaired !== undefined),
      files: manifest.files.length,
      rows: manifest.files.reduce((sum, file) => sum + file.rows, 0),
      bytes: manifest.files.reduce((sum, file) => sum + file.bytes, 0),
      findings,
      lost: parts.snapshots.last().manifest.set_aside.filter(isOpen),
    };
  });
}

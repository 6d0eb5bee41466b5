// The check of what lies on disk, for the doctor: every file is read whole and compared with what the manifest says.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { LakeParts } from "./commit.ts";
import { commit, nextManifest } from "./commit.ts";
import { type Dataset, identityOf, quoted } from "./dataset.ts";
import { sha256Of } from "./disk.ts";
import { type LakeFile, type Manifest, parquetFilesBelow, rangedColumns, schemaOf } from "./manifest.ts";
import { faultOf } from "./snapshot.ts";
import { rangeTexts, readParquet } from "./views.ts";

export interface LakeProblem {
  dataset: string;
  /** Relative to the lake. */
  path: string;
  description: string;
}

export interface Finding extends LakeProblem {
  severity: "error" | "warning";
  /** What was done about it, when repair was asked for. */
  repaired?: string;
}

export interface LakeReport {
  /** No finding is an error. */
  ok: boolean;
  files: number;
  rows: number;
  bytes: number;
  findings: Finding[];
}

const QUARANTINE = "_quarantine";

/** The files that are named, or were, and are not served. */
export function problemsOf(parts: LakeParts): LakeProblem[] {
  const { manifest } = parts.snapshots.last();
  const broken = manifest.files.flatMap(({ dataset, path }) => {
    const description = parts.snapshots.broken().get(path);
    return description === undefined ? [] : [{ dataset, path, description }];
  });
  return [
    ...broken,
    ...manifest.set_aside.map(({ dataset, path, description }) => ({ dataset, path, description })),
  ];
}

/** A question about one file whose answer is one row. */
async function ask(parts: LakeParts, sql: string): Promise<unknown[]> {
  const { columns } = await parts.db.read(sql);
  return columns.map((column) => column[0]);
}

async function schemaFault(
  parts: LakeParts,
  path: string,
  wanted: Record<string, string>,
): Promise<string | null> {
  const { columns } = await parts.db.read(`DESCRIBE SELECT * FROM ${readParquet([path])}`);
  const found = Object.fromEntries(
    (columns[0] ?? []).map((name, row) => [String(name), String(columns[1]?.[row])]),
  );
  const told = (schema: Record<string, string>) =>
    Object.entries(schema).map(
      ([name, type]) => `${name} ${type === "TIMESTAMPTZ" ? "TIMESTAMP WITH TIME ZONE" : type}`,
    );
  const [has, needs] = [told(found).join(", "), told(wanted).join(", ")];
  return has === needs ? null : `has the columns (${has}) instead of (${needs})`;
}

/** What is wrong inside a sound-looking file. */
async function contentFaults(
  parts: LakeParts,
  dataset: Dataset,
  file: LakeFile,
  manifest: Manifest,
): Promise<string[]> {
  const path = join(parts.lakeDir, file.path);
  const schema = manifest.schemas[file.dataset]?.[file.schema] ?? schemaOf(dataset);
  const wrongSchema = await schemaFault(parts, path, schema);
  if (wrongSchema) return [wrongSchema];
  const errors: string[] = [];
  const required = Object.keys(schema).filter(
    (name) => dataset.columns[name] && !dataset.columns[name].nullable,
  );
  const nulls = required.map((name) => `count(*) - count(${quoted(name)})`);
  const ranged = rangedColumns(schema);
  const [rows, ...figures] = await ask(
    parts,
    `SELECT ${["count(*)", ...nulls, ...rangeTexts(schema)]} FROM ${readParquet([path])}`,
  );
  if (rows !== file.rows) errors.push(`holds ${rows} rows instead of ${file.rows}`);
  for (const [index, name] of required.entries())
    if (figures[index] !== 0) errors.push(`has ${figures[index]} nulls in ${name}`);
  for (const [index, name] of ranged.entries()) {
    const at = nulls.length + index * 2;
    const [found, said] = [[figures[at], figures[at + 1]], file.ranges[name] ?? [null, null]];
    if (found[0] !== said[0] || found[1] !== said[1])
      errors.push(`${name} is ${found.join(" to ")} instead of ${said.join(" to ")}`);
  }
  const order = `row(${dataset.sort.map(quoted).join(", ")})`;
  const [unsorted] = await ask(
    parts,
    `SELECT count(*) FROM (SELECT ${order} AS own, lag(${order}) OVER (ORDER BY file_row_number) AS previous
     FROM ${readParquet([path])}) WHERE own < previous`,
  );
  if (unsorted !== 0) errors.push(`has ${unsorted} rows out of order`);
  return errors;
}

async function fileFaults(parts: LakeParts, file: LakeFile, manifest: Manifest): Promise<string[]> {
  const path = join(parts.lakeDir, file.path);
  const fault = faultOf(path, file.bytes);
  if (fault) return [fault];
  if ((await sha256Of(path)) !== file.sha256) return ["has other bytes than were written"];
  const dataset = parts.datasets.get(file.dataset);
  if (!dataset) return [];
  try {
    return await contentFaults(parts, dataset, file, manifest);
  } catch (error) {
    return [`cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Keys that stand twice in a partition. */
async function duplicateFindings(parts: LakeParts, files: readonly LakeFile[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [place, group] of Map.groupBy(files, (file) => `${file.dataset}/${file.partition}`)) {
    const dataset = parts.datasets.get(group[0]?.dataset ?? "");
    if (!dataset) continue;
    const keys = identityOf(dataset).map(quoted).join(", ");
    const source = readParquet(group.map((file) => join(parts.lakeDir, file.path)));
    const [twice] = await ask(
      parts,
      `SELECT count(*) FROM (SELECT 1 FROM ${source} GROUP BY ${keys} HAVING count(*) > 1)`,
    );
    if (twice !== 0)
      findings.push({
        severity: "error",
        dataset: dataset.name,
        path: place,
        description: `holds ${twice} keys more than once`,
      });
  }
  return findings;
}

/** Files nobody names: in the lake under foreign names, or left in staging by dead processes. */
async function strayFindings(parts: LakeParts, manifest: Manifest): Promise<Finding[]> {
  const { stagingRoot } = parts;
  const known = new Set(
    [...manifest.files, ...manifest.retired, ...manifest.set_aside].map((file) => file.path),
  );
  const strays = (await parquetFilesBelow(parts.lakeDir)).filter((path) => !known.has(path));
  const findings = strays.map((path): Finding => {
    const dataset = path.split("/")[0] ?? "";
    return { severity: "warning", dataset, path, description: "is not named by the manifest and not served" };
  });
  for (const name of await readdir(stagingRoot).catch((): string[] => [])) {
    if (join(stagingRoot, name) === parts.staging.path || (await stat(join(stagingRoot, name))).isDirectory())
      continue;
    findings.push({
      severity: "warning",
      dataset: "",
      path: `../_staging/${name}`,
      description: "lies in staging",
    });
  }
  return findings;
}

/** Takes broken files out of the manifest and moves what is left of them to the quarantine. */
async function setAside(parts: LakeParts, findings: readonly Finding[]): Promise<void> {
  const byPath = Map.groupBy(findings, (finding) => finding.path);
  await parts.lock.hold(async () => {
    await parts.staging.ensure();
    const { manifest } = await nextManifest(parts);
    const leaving = [...manifest.files, ...manifest.set_aside].filter((file) => byPath.has(file.path));
    if (leaving.length === 0) return;
    manifest.files = manifest.files.filter((file) => !byPath.has(file.path));
    manifest.set_aside = manifest.set_aside.filter((file) => !byPath.has(file.path));
    await commit(parts, manifest, []);
    await parts.disk.makeFolder(join(parts.lakeDir, QUARANTINE));
    for (const { path } of leaving) {
      const target = join(QUARANTINE, path.replaceAll("/", "_"));
      const moved = await parts.disk.rename(join(parts.lakeDir, path), join(parts.lakeDir, target)).then(
        () => true,
        () => false,
      );
      for (const finding of byPath.get(path) ?? [])
        finding.repaired = moved ? `moved to ${target}` : "no longer named by the manifest";
    }
  });
}

/** Reads every file and reports; `repair` sets broken files aside. */
export async function checkLake(parts: LakeParts, repair: boolean): Promise<LakeReport> {
  return parts.snapshots.hold(async ({ manifest }) => {
    const findings: Finding[] = [];
    const sound: LakeFile[] = [];
    for (const file of manifest.files) {
      const errors = await fileFaults(parts, file, manifest);
      if (errors.length === 0) sound.push(file);
      for (const description of errors)
        findings.push({ severity: "error", dataset: file.dataset, path: file.path, description });
    }
    for (const { dataset, path, rows, description } of manifest.set_aside)
      findings.push({
        severity: "error",
        dataset,
        path,
        description: `${description}; its ${rows} rows are not served`,
      });
    const broken = [...findings];
    findings.push(...(await duplicateFindings(parts, sound)));
    findings.push(...(await strayFindings(parts, manifest)));
    if (repair && broken.length > 0) await setAside(parts, broken);
    return {
      ok: findings.every(({ severity, repaired }) => severity !== "error" || repaired !== undefined),
      files: manifest.files.length,
      rows: manifest.files.reduce((sum, file) => sum + file.rows, 0),
      bytes: manifest.files.reduce((sum, file) => sum + file.bytes, 0),
      findings,
    };
  });
}

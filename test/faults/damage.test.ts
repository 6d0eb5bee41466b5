// Damaged files: a bit flips or a file is cut off. No answer then differs from that of the whole store
// without saying so, and each damage is found. RUNS sets how many.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readManifest } from "../../src/platform/lake/manifest.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { openVault, type Vault } from "../../src/platform/vault.ts";
import { seedOf } from "../support/seed.ts";
import { openSampleService, openService, type SampleService, type TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

/** Each copy of the store has a damage of each kind. */
const KINDS = ["parquet", "delta", "commits", "vault", "manifest"] as const;
const RUNS = Number(process.env.RUNS ?? KINDS.length);
/** Statements take as long to read as all the others, so that each check goes without. */
const STATEMENTS = RUNS > KINDS.length ? ["/api/v1/financial/data/ZORP?format=ndjson"] : [];
const MANIFEST = "lake/manifest.json";
const ENV = { SEC_USER_AGENT: "Asof tests tests@asof.example" };
/** Where no provider answers: what is asked comes from the store. */
const UNREACHABLE = "http://127.0.0.1:9";

let source: SampleService;
let whole: string;
let version: string;
const folders: string[] = [];

beforeAll(async () => {
  source = await openSampleService({ env: ENV });
  await source.get("/api/v1/price/data?tickers=ZORP,AMBT&start_date=2025-06-02&end_date=2026-09-04");
  for (const path of STATEMENTS) await source.fetch(path);
  await source.post("/api/v1/shortvolume/admin/ingest", { date: "2026-09-04" });
  await source.app().jobs.runNow("short-interest").done;
  const { headers } = await source.get(
    "/api/v1/price/data?tickers=ZORP&start_date=2026-08-03&end_date=2026-09-04",
  );
  version = headers.get("x-data-version") ?? "";
  // Closes the stores, so that all is in their files.
  await source.reopen();
  whole = await copyOf(source.dataDir);
  const from = { url: "https://asof.example/made-up", receivedAt: source.clock.now() };
  await withVault(whole, (vault) => vault.put(Buffer.from("A document. ".repeat(50)), from));
});
afterAll(async () => {
  await source.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** Questions of every kind of store, with the field of their rows. */
const QUESTIONS = () => [
  "/api/v1/price/data?tickers=ZORP&start_date=2026-08-03&end_date=2026-09-04&format=ndjson",
  `/api/v1/price/data?tickers=ZORP&start_date=2026-08-03&end_date=2026-09-04&format=csv&data_version=${version}`,
  ...STATEMENTS,
  "/api/v1/shortvolume/ZORP?format=csv",
  "/api/v1/shortvolume/pit-panel?start_date=2026-09-04&end_date=2026-09-04&format=csv",
  "/api/v1/shortvolume/short-interest/ZORP?format=ndjson",
  "/api/v1/changes?since=0&limit=1000&format=ndjson",
];

interface Answered {
  readonly rows: string;
  readonly isNamed: boolean;
}

/**
 * Errors that are no silent answer: of damage, of a version whose line of the log of commits is damaged, and
 * of a provider that is asked for what the store lost.
 */
const CODES = /"code":"(damaged|database_unavailable|not_replayable|upstream_error)"/;

const answersOf = async (service: TestService): Promise<Answered[]> => {
  const answers: Answered[] = [];
  for (const path of QUESTIONS()) {
    const response = await service.fetch(path);
    const rows = `${response.status} ${await response.text()}`.replace(/"request_id":"[^"]*"/, "");
    const warnings = response.headers.get("x-warnings") ?? "";
    // The version has the rows that such an answer lacks.
    if (warnings.includes("damaged: ")) expect(response.headers.get("x-data-version")).toBeNull();
    answers.push({
      rows,
      isNamed: warnings.includes("damaged: ") || CODES.test(rows),
    });
  }
  return answers;
};

const copyOf = async (store: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "asof-damage-"));
  folders.push(folder);
  await cp(store, folder, { recursive: true });
  return folder;
};

/** Draws numbers below `n` from a seed. */
function drawer(seed: number) {
  let state = seed >>> 0;
  return (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** The files of the store that a damage can meet, by kind. */
async function targetsIn(folder: string): Promise<Record<(typeof KINDS)[number], string[]>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => !name.startsWith("_staging"));
  const like = (pattern: RegExp) => names.filter((name) => pattern.test(name)).sort();
  return {
    parquet: like(/^lake\/[a-z][^/]*\/(?!_delta_log).*\.parquet$/),
    vault: like(/^vault\/.*\.zst$/),
    manifest: [MANIFEST],
    delta: like(/_delta_log\/\d+\.json$/),
    commits: ["lake/commits.csv"],
  };
}

/** Flips a bit of a file, or cuts it off. */
async function damage(path: string, draw: (n: number) => number): Promise<string> {
  const bytes = await readFile(path);
  // A log without the line end of its last line has lost nothing.
  const at = draw(bytes.length - 1);
  if (draw(4) === 0) {
    await writeFile(path, bytes.subarray(0, at));
    return `cut off at ${at}`;
  }
  bytes[at] = (bytes[at] ?? 0) ^ (1 << draw(8));
  await writeFile(path, bytes);
  return `a bit of byte ${at} flipped`;
}

/** Runs `work` on the vault of a folder. */
async function withVault<T>(folder: string, work: (vault: Vault) => Promise<T>): Promise<T> {
  const store = openSqlite(join(folder, "ops.sqlite"));
  try {
    return await work(await openVault(join(folder, "vault"), { store, clock: source.clock }));
  } finally {
    store.close();
  }
}

/** The answers of a store, and what it finds of its damage. */
async function look(dataDir: string) {
  const service = await openService({ upstream: UNREACHABLE, env: ENV, dataDir, clock: source.clock });
  const answers = await answersOf(service);
  await service.app().lake.inspect();
  const found = JSON.stringify([service.app().lake.problems(), service.log.lines]);
  await service.stop();
  return { answers, found };
}

test(`${RUNS} damages: each is found, and named in every answer that it changes`, async () => {
  const seed = seedOf();
  const draw = drawer(seed);
  const before = await look(await copyOf(whole));
  expect(JSON.parse(before.found)).toEqual([[], []]);
  expect(before.answers.map(({ isNamed, rows }) => [isNamed, rows.slice(0, 3)])).toEqual(
    QUESTIONS().map(() => [false, "200"]),
  );
  const manifest = await readManifest(join(whole, MANIFEST));
  for (let run = 0; run < RUNS; run += KINDS.length) {
    const copy = await copyOf(whole);
    const said: string[] = [`SEED=${seed}`];
    const targets = await targetsIn(copy);
    const harm = async (kind: (typeof KINDS)[number]) => {
      const name = targets[kind][draw(targets[kind].length)] ?? "";
      said.push(`${name}, ${await damage(join(copy, name), draw)}`);
      return name;
    };
    const parquet = await harm("parquet");
    const log = await harm("delta");
    await harm("commits");
    const { answers, found } = await look(copy);
    const silent = answers.flatMap(({ rows, isNamed }, at) =>
      isNamed || rows === before.answers[at]?.rows ? [] : [QUESTIONS()[at]],
    );
    expect([...said, ...silent]).toEqual(said);
    // A damaged Delta log is written again some seconds after the start, and the service's log says so.
    const dataset = log.split("/")[1] ?? "";
    const wanted = [
      parquet.slice("lake/".length),
      `${dataset}/_delta_log|Delta log of ${dataset}`,
      "commits\\.csv",
    ];
    expect([...said, ...wanted.filter((name) => !new RegExp(name).test(found))]).toEqual(said);
    const document = await harm("vault");
    const reading = withVault(copy, (vault) => vault.get(document.slice(-68, -4)));
    await expect(reading, said.join("; ")).rejects.toMatchObject({ code: "database_unavailable" });
    await harm("manifest");
    const read = await readManifest(join(copy, MANIFEST)).catch(() => "refused");
    // Of a bit in the name of the checksum nothing is lost.
    expect([...said, read === "refused" || Bun.deepEquals(Object(read).files, manifest.files)]).toEqual([
      ...said,
      true,
    ]);
    await rm(copy, { recursive: true, force: true });
  }
});

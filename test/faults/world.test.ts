// A history checker: drawn steps on a small market whose two providers disagree and correct. Every answer is
// kept with its version and line of history. Asked again it is equal, or the ledger explains the difference
// by a row that was known in time, or it is an error. RUNS sets how many.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dial } from "../../sample/faults.ts";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import type { ChangesAnswer } from "../../src/capabilities/changes/schema.ts";
import { DATASETS } from "../../src/datasets/index.ts";
import { restoreBackup, takeBackup } from "../../src/platform/backup.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { movableClock } from "../support/clock.ts";
import { drawnFor, seedOf } from "../support/seed.ts";
import { openService, type TestService } from "../support/service.ts";
import { ingest } from "../support/short-volume-world.ts";

setDefaultTimeout(1_200_000);

const RUNS = Number(process.env.RUNS ?? 1);
/** Each check takes half of them, once. */
const STEPS = RUNS > 1 ? 12 : 6;
const BEGIN = "2026-09-09T21:00:00Z";
const SYMBOLS = ["ZORP", "KRONK", "SMPLF"] as const;
/** Sessions that are settled whenever they are asked for. */
const DAYS = [10, 11, 12, 13, 14, 17, 18, 19, 20, 21].map((day) => `2026-08-${day}`);
const ENV = {
  SEC_USER_AGENT: "Asof tests tests@asof.example",
  MARKETFEED_API_KEY: "k",
  MARKETFEED_SECRET_KEY: "s",
};

const clock = movableClock(BEGIN);
let sample: SampleServer;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "asof-world-"));
  sample = await serveSample({ clock });
});
afterAll(async () => {
  await sample.stop();
  await rm(root, { recursive: true, force: true });
});

interface Kept {
  readonly path: string;
  /** The symbol that it is about; null for all. */
  readonly symbol: string | null;
  readonly asOf: string | null;
  readonly text: string;
  readonly version: number;
  readonly store: string;
}

/** Whether all lines that another answer lacks are marked as fetched after the moment that was asked for. */
function areBackfilled(text: string, other: string): boolean {
  const [header = "", ...lines] = text.split("\n");
  const at = header.split(",").indexOf("backfilled");
  const earlier = new Set(other.split("\n"));
  const fresh = lines.filter((line) => !earlier.has(line));
  return fresh.length > 0 && fresh.every((line) => line.split(",")[at] === "true");
}

/** One history, of which every step is noted. */
function world(seed: number) {
  const draw = drawnFor("world", seed);
  const below = (n: number) => Math.floor(draw() * n);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const steps: string[] = [];
  const kept: Kept[] = [];
  const backups: { readonly from: string; wasHurt: boolean }[] = [];
  const dials: Dial[] = [];
  let flipped: { readonly path: string; readonly bytes: Buffer } | null = null;
  /** Whether a byte was ever flipped: a write may have set the file aside, also where it is put back. */
  let isHurt = false;
  let dataDir = join(root, `${seed}`);
  let service: TestService;
  let folders = 0;
  const folder = () => join(root, `${seed}-${folders++}`);

  const open = async (dir: string) => {
    dataDir = dir;
    service = await openService({ upstream: sample.url, clock, env: ENV, dataDir });
  };
  const get = async (path: string) => {
    const response = await service.fetch(`/api/v1${path}`);
    const [version, store] = ["x-data-version", "x-store"].map((name) => response.headers.get(name));
    const warnings = response.headers.get("x-warnings") ?? "";
    const lines = (await response.text()).split("\n").map((line) => line.split(","));
    // It says how an answer came about, and may differ (docs/contract.md).
    const through = lines[0]?.findIndex((name) => name.trim() === "adjusted_through") ?? -1;
    const text = lines.map((line) => line.filter((_, at) => at !== through).join(",")).join("\n");
    if (response.status === 500) throw new Error(`${path} is 500 ${text}`);
    return { status: response.status, text, version, store, warnings };
  };
  const span = () => {
    const [start = "", end = ""] = [one(DAYS), one(DAYS)].sort();
    return `start_date=${start}&end_date=${end}`;
  };
  const question = (): Pick<Kept, "path" | "symbol"> => {
    const symbol = one(SYMBOLS);
    // Each names its days: a relative window ends with the version's own moment (docs/contract.md).
    const [path, about] = one([
      [`/price/data/${symbol}?${span()}&adjustment=${one(["raw", "split", "all"])}`, symbol],
      [`/price/data?tickers=${SYMBOLS.join(",")}&${span()}`, null],
      [`/shortvolume/${symbol}?${span()}`, symbol],
      [`/shortvolume/pit-panel?${span()}`, null],
      [`/dividends/calendar/${symbol}?limit=50`, symbol],
    ] as const);
    return { path: `${path}&format=csv`, symbol: about };
  };

  /** Whether an error is one that a flipped byte may cause: no other is excused by it. */
  const isOfDamage = (text: string) => isHurt && /"code":"(damaged|not_replayable)"/.test(text);

  /** Says what is wrong with an answer that is given again; null where nothing is. */
  async function problemOf({ path, symbol, asOf, text, version, store }: Kept): Promise<string | null> {
    const { lake } = service.app();
    const again = await get(`${path}&data_version=${version}`);
    if (lake.lineOf(version) !== store) {
      const isRefused =
        (again.status === 410 && again.text.includes("other_lineage")) || again.status === 404;
      return isRefused ? null : `${path} of the lost version ${version} is ${again.status}`;
    }
    if (again.status === 200 && again.text !== text)
      return `${path} of version ${version} differs:\n${text}\n${again.text}`;
    if (again.status === 200 && again.store !== store)
      return `${path} of version ${version} is of ${again.store}`;
    if (again.status !== 200 && !isOfDamage(again.text))
      return `${path} of version ${version} is ${again.status} ${again.text}`;
    if (asOf === null) return null;
    const now = await get(path);
    if (now.status === 200 && (now.text === text || now.warnings.includes("damaged:"))) return null;
    if (now.status !== 200) return isOfDamage(now.text) ? null : `${path} is ${now.status} ${now.text}`;
    const ledger = await get(`/changes?since=${version}&limit=10000`);
    if (ledger.status !== 200)
      return isOfDamage(ledger.text) ? null : `the ledger is ${ledger.status} ${ledger.text}`;
    const { data } = JSON.parse(ledger.text) as ChangesAnswer;
    const isExplained = data.some(
      (row) =>
        (symbol === null || row.symbol === null || row.symbol === symbol) &&
        (row.op === "reread" ||
          row.op === "withdraw" ||
          row.known_at === null ||
          row.known_at <= asOf ||
          (row.cause === "backfilled" && areBackfilled(now.text, text))),
    );
    return isExplained
      ? null
      : `${path} differs from version ${version}, and no row explains it:\n${text}\n${now.text}`;
  }

  const STEP: Record<string, () => Promise<string>> = {
    async ask() {
      const { path, symbol } = question();
      const asOf =
        draw() < 0.6
          ? clock
              .now()
              .subtract({ hours: below(24 * 12) })
              .toString()
          : null;
      const asked = asOf === null ? path : `${path}&as_of=${asOf}`;
      const { status, text, version, store } = await get(asked);
      // Version 0 is no commit: it has no moment that counts as now.
      if (status === 200 && Number(version) > 0 && store)
        kept.push({ path: asked, symbol, asOf, text, version: Number(version), store });
      return `${asked} → ${status}, version ${version}`;
    },
    async write() {
      const [symbol, date] = [one(SYMBOLS), one(DAYS)];
      const kind = one(["correct", "correct", "feed", "panel", "merge"]);
      if (kind === "merge") return `merged ${(await service.app().lake.compact({ force: true })).length}`;
      if (kind === "panel")
        return `panel of ${date} → ${(await ingest(service, { date, force: draw() < 0.5 })).status}`;
      if (kind === "correct") dials.push({ fault: "revised", symbol, date, close: 50 + below(100) / 4 });
      sample.dials.set(dials);
      const source = kind === "feed" ? `/price/data?tickers=${SYMBOLS.join(",")}` : `/price/data/${symbol}?`;
      const path = `${source}&start_date=${date}&end_date=2026-08-28&force_refresh=true&format=csv`;
      return `${kind} ${symbol} ${date} → ${(await get(path)).status}`;
    },
    async backup() {
      const to = folder();
      const store = openSqlite(join(dataDir, "ops.sqlite"));
      const taken = await takeBackup(dataDir, to, { store, datasets: DATASETS, clock }).finally(() =>
        store.close(),
      );
      backups.push({ from: to, wasHurt: isHurt });
      if ((taken.damaged?.length ?? 0) > 0 && !isHurt) throw new Error(JSON.stringify(taken.damaged));
      return `version ${taken.data_version} as ${to.slice(root.length + 1)}`;
    },
    async restore() {
      const { from, wasHurt } =
        backups.length > 0 && draw() < 0.7 ? one(backups) : { from: null, wasHurt: isHurt };
      const to = folder();
      await service.stop();
      if (from !== null) await restoreBackup(from, to, { isPartEnough: true, clock });
      else await cp(dataDir, to, { recursive: true });
      isHurt = wasHurt;
      if (from !== null) flipped = null;
      else if (flipped) flipped = { ...flipped, path: flipped.path.replace(dataDir, to) };
      await open(to);
      if (from === null) await service.app().lake.fork();
      return `${from === null ? "forked" : from.slice(root.length + 1)}, ${await service.app().lake.generation()}`;
    },
    async flip() {
      if (flipped) {
        await writeFile(flipped.path, flipped.bytes);
        flipped = null;
        await service.reopen();
        return "put back";
      }
      const files = (await readdir(join(dataDir, "lake"), { recursive: true })).filter((name) =>
        /^[a-z].*\.parquet$/.test(name),
      );
      if (files.length === 0) return "nothing there";
      const path = join(dataDir, "lake", one(files.sort()));
      const bytes = await readFile(path);
      flipped = { path, bytes: Buffer.from(bytes) };
      isHurt = true;
      // A backup has links to the same files.
      for (const backup of backups) backup.wasHurt = true;
      const at = below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
      await writeFile(path, bytes);
      return `byte ${at} of ${path.slice(dataDir.length + 1)}`;
    },
  };
  const KINDS = ["ask", "ask", "ask", "ask", "write", "write", "write", "backup", "restore", "flip"];
  return {
    steps,
    async run() {
      clock.set(BEGIN);
      sample.dials.set([]);
      await open(dataDir);
      try {
        for (let at = 0; at < STEPS; at++) {
          const kind = one(KINDS);
          steps.push(`${clock.now()} ${kind}: ${await STEP[kind]?.()}`);
          clock.set(
            clock
              .now()
              .add({ hours: 1 + below(48) })
              .toString(),
          );
          // The newest answer again after each step, all of them at the end.
          for (const each of at === STEPS - 1 ? kept : kept.slice(-1)) {
            const problem = await problemOf(each);
            if (problem) throw new Error(problem);
          }
        }
        return kept.length;
      } finally {
        await service.stop();
      }
    },
  };
}

test(`${RUNS} drawn histories: what was answered is answered again, explained or refused`, async () => {
  const first = seedOf();
  let answers = 0;
  for (let seed = first; seed < first + RUNS; seed++) {
    const drawn = world(seed);
    answers += await drawn.run().catch((error: unknown) => {
      throw new Error(`SEED=${seed}:\n${drawn.steps.join("\n")}\n${Bun.inspect(error)}`);
    });
  }
  expect(answers).toBeGreaterThan(RUNS);
});

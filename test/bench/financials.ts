// Statements: reading the regulator's files of figures, a bulk request from store, and the nightly archive's
// memory.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { crc32 } from "node:zlib";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { openStores } from "../../src/composition/context.ts";
import { readConfig } from "../../src/config.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { normaliseFacts } from "../../src/providers/edgar/index.ts";
import { captureLog } from "../support/capture-log.ts";
import { forEachSequential, type Measurement, ms, timed } from "./measure.ts";
import { startService } from "./service-process.ts";

const root = resolve(import.meta.dir, "../..");
const WHO = { SEC_USER_AGENT: "Asof bench bench@example.com" };

interface Listed {
  readonly cik_str: number;
  readonly ticker: string;
}

/** Filers of the sample market with a file of figures. */
async function filersOf(
  upstream: SampleServer,
  count: number,
): Promise<{ ticker: string; cik: string; text: string }[]> {
  const ask = (path: string) =>
    fetch(`${upstream.url}/${path}`, { headers: { "user-agent": WHO.SEC_USER_AGENT } });
  const listed = (await (await ask("www.sec.gov/files/company_tickers.json")).json()) as Record<
    string,
    Listed
  >;
  const found = new Map<string, { ticker: string; cik: string; text: string }>();
  for (const { cik_str, ticker } of Object.values(listed)) {
    if (found.size >= count) break;
    const cik = String(cik_str).padStart(10, "0");
    if (found.has(cik)) continue;
    const answer = await ask(`data.sec.gov/api/xbrl/companyfacts/CIK${cik}.json`);
    if (answer.status === 200) found.set(cik, { ticker, cik, text: await answer.text() });
  }
  return [...found.values()];
}

const RECORDINGS = join(process.env.CONFORMANCE_DIR ?? resolve(root, "../shared/real"), "edgar/companyfacts");

interface FileOfFigures {
  readonly cik: string;
  readonly text: string;
}

function recordedFiles(): FileOfFigures[] {
  const names = readdirSync(RECORDINGS).filter((name) => name.endsWith(".json"));
  return names.map((name) => {
    const text = readFileSync(join(RECORDINGS, name), "utf8");
    return { cik: String((JSON.parse(text) as { cik: number }).cik).padStart(10, "0"), text };
  });
}

/** Reading the parsed files into facts, against parsing them. */
async function normalised(files: readonly FileOfFigures[], quick: boolean) {
  const [ours, theirs] = await forEachSequential(
    Array.from({ length: quick ? 8 : 20 }, (_, i) => i),
    4,
    async () => {
      const bodies = files.map(({ text }) => JSON.parse(text) as unknown);
      return timed(async () => {
        for (const [i, { cik }] of files.entries())
          normaliseFacts(bodies[i], { cik, acceptedAt: () => null });
      });
    },
    () =>
      timed(async () => {
        for (const { text } of files) JSON.parse(text);
      }),
  );
  const bytes = files.reduce((sum, { text }) => sum + text.length, 0);
  return {
    what: `${ms(ours)} for ${files.length} filers, ${(bytes / 1e6).toFixed(0)} MB`,
    against: `${ms(theirs)} of JSON.parse of the same`,
    ratio: ours / theirs,
  };
}

export const normalise: Measurement = {
  name: "normalise",
  description: "the sample market's files of figures, of which every tag is served, read into facts",
  goal: { kind: "at most", ratio: 2.5 },
  async run({ quick }) {
    const upstream = await serveSample({});
    try {
      return [await normalised(await filersOf(upstream, 30), quick)];
    } finally {
      await upstream.stop();
    }
  },
};

export const normaliseRecorded: Measurement = {
  name: "normalise-recorded",
  description: "recorded files of figures, most tags of which are not served, read into facts",
  goal: { kind: "at most", ratio: 2 },
  async run({ quick, tell }) {
    if (existsSync(RECORDINGS)) return [await normalised(recordedFiles(), quick)];
    tell(`normalise-recorded: left out, as ${RECORDINGS} is not there`);
    return [];
  },
};

const FACTS_OF =
  "SELECT * FROM financial_facts WHERE cik = ANY($ciks) ORDER BY known_at NULLS FIRST, filed_date, accession_number";

export const financialBulk: Measurement = {
  name: "financial-bulk",
  description: "100 tickers' statements from store over HTTP",
  goal: { kind: "at most", ratio: 1.5 },
  async run({ quick, tell }) {
    const dataDir = await mkdtemp(join(tmpdir(), "asof-bench-"));
    const upstream = await serveSample({ symbols: 220 });
    const env = { DATA_DIR: dataDir, UPSTREAM_GATEWAY: upstream.url, JOBS: "off", ...WHO };
    try {
      const filers = await filersOf(upstream, quick ? 20 : 100);
      const body = JSON.stringify({
        tickers: filers.map(({ ticker }) => ticker),
        period: "max",
        include_metrics: false,
      });
      const post = (url: string) =>
        fetch(`${url}/api/v1/financial/data/bulk`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
        });
      tell(`collecting the figures of ${filers.length} filers`);
      const filling = await startService(env);
      for (let left = filers.length; left > 0; ) {
        const { failed } = (await (await post(filling.url)).json()) as { failed: number };
        if (failed === left) throw new Error(`${failed} filers cannot be collected`);
        left = failed;
      }
      await filling.stop();
      const stores = await openStores({ config: readConfig(env), clock: systemClock, log: captureLog() });
      const ciks = filers.map(({ cik }) => cik);
      const [ours, theirs] = await forEachSequential(
        Array.from({ length: quick ? 3 : 5 }, (_, i) => i),
        1,
        async () => {
          // Starts a new process each time, so that the cache of an earlier request does not count.
          const service = await startService(env);
          await (await fetch(`${service.url}/api/v1/financial/data/${filers[0]?.ticker}`)).text();
          const took = await timed(async () => void (await (await post(service.url)).text()));
          await service.stop();
          return took;
        },
        () => timed(() => stores.lake.query(FACTS_OF, { ciks })),
      );
      await stores.lake.close();
      stores.sqlite.close();
      return [
        {
          what: `${ms(ours)} for ${filers.length} tickers, all periods, process just started`,
          against: `${ms(theirs)} of the query of their figures`,
          ratio: ours / theirs,
        },
      ];
    } finally {
      await upstream.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** Writes an archive of stored entries, one text at a time. */
async function writeArchive(path: string, files: Iterable<{ name: string; text: string }>): Promise<number> {
  const out = await open(path, "w");
  const list: Buffer[] = [];
  let offset = 0;
  let count = 0;
  for (const { name, text } of files) {
    const data = Buffer.from(text);
    const title = Buffer.from(name);
    const sum = crc32(data);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    for (const [head, at] of [
      [local, 14],
      [entry, 16],
    ] as const) {
      head.writeUInt32LE(sum, at);
      head.writeUInt32LE(data.length, at + 4);
      head.writeUInt32LE(data.length, at + 8);
    }
    entry.writeUInt16LE(title.length, 28);
    entry.writeUInt32LE(offset, 42);
    list.push(entry, title);
    for (const part of [local, title, data]) await out.write(part);
    offset += local.length + title.length + data.length;
    count += 1;
  }
  const contents = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(contents.length, 12);
  end.writeUInt32LE(offset, 16);
  await out.write(contents);
  await out.write(end);
  await out.close();
  return offset;
}

/** Files of `bytes` each: a sample filer's figures under other CIKs, padded with tags that are not read. */
function* madeFiles(text: string, count: number, bytes: number): Generator<{ name: string; text: string }> {
  const body = JSON.parse(text) as { cik: number; facts: Record<string, unknown> };
  const one = { label: null, description: "x".repeat(400), units: { USD: [] } };
  const filling = Math.max(0, Math.floor((bytes - text.length) / 470));
  const facts = {
    ...body.facts,
    filer: Object.fromEntries(Array.from({ length: filling }, (_, i) => [`Made${i}`, one])),
  };
  for (let i = 0; i < count; i++) {
    const cik = 8_000_000 + i;
    yield { name: `CIK${String(cik).padStart(10, "0")}.json`, text: JSON.stringify({ ...body, cik, facts }) };
  }
}

const RESIDENT_MAX = 500e6;

export const financialArchive: Measurement = {
  name: "archive",
  description: "resident memory while an archive of figures of 1 GB is taken in",
  goal: { kind: "at most", ratio: 1 },
  async run({ quick, tell }) {
    const dataDir = await mkdtemp(join(tmpdir(), "asof-bench-"));
    const upstream = await serveSample({});
    try {
      const [filer] = await filersOf(upstream, 1);
      if (!filer) throw new Error("the sample market has no figures");
      const path = join(dataDir, "companyfacts.zip");
      const bytes = await writeArchive(path, madeFiles(filer.text, quick ? 30 : 300, 3_500_000));
      tell(`taking in ${(bytes / 1e9).toFixed(2)} GB`);
      const child = Bun.spawn(
        [process.execPath, "scripts/cli.ts", "backfill", "financials", "--bulk", path],
        {
          cwd: root,
          env: { ...process.env, DATA_DIR: dataDir, UPSTREAM_GATEWAY: upstream.url, ...WHO },
          stdio: ["ignore", "ignore", "inherit"],
        },
      );
      let most = 0;
      let code: number | null = null;
      void child.exited.then((ended) => {
        code = ended;
      });
      const took = await timed(async () => {
        while (code === null) {
          const status = await Bun.file(`/proc/${child.pid}/status`)
            .text()
            .catch(() => "");
          most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
          await Bun.sleep(100);
        }
      });
      if (code !== 0) throw new Error(`the archive was not taken in: exit code ${code}`);
      return [
        {
          what: `${(most / 1e6).toFixed(0)} MB at most, ${(took / 1000).toFixed(0)} s for ${(bytes / 1e9).toFixed(2)} GB`,
          against: `${RESIDENT_MAX / 1e6} MB`,
          ratio: most / RESIDENT_MAX,
        },
      ];
    } finally {
      await upstream.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

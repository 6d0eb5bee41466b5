// `bun run bench`: ratios of the service to what it is made of, each within one run, as a markdown table.
import { Database } from "bun:sqlite";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { besideStream } from "./beside-stream.ts";
import { clients } from "./clients.ts";
import { coldFetch, coldFirst } from "./cold-fetch.ts";
import { consolePages } from "./console.ts";
import { doors } from "./doors.ts";
import { eightk } from "./eightk.ts";
import { financialArchive, financialBulk, normalise, normaliseRecorded } from "./financials.ts";
import { form4 } from "./form4.ts";
import { indexDay } from "./index-day.ts";
import { largeRows, largeRowsFirst, largeRowsMemory } from "./large-rows.ts";
import {
  isMet,
  type Measurement,
  ms,
  type Setting,
  type StoredMarket,
  takeProcessorTimes,
} from "./measure.ts";
import { memory } from "./memory.ts";
import { insiderBuying, ownershipDay, ownershipFirst } from "./ownership.ts";
import { pandasVersions, panelPandas, screenPandas } from "./pandas.ts";
import { panelDay, panelDayPlain, panelMonth, shortVolumeDay } from "./panel.ts";
import { panelMemory, panelStreams } from "./panel-memory.ts";
import { peerDay, peerMany, peerSymbolYear } from "./peers/bars.ts";
import { peerVersions } from "./peers/environment.ts";
import { peerEightK, peerFacts, peerForm4 } from "./peers/filings.ts";
import { peerYahoo } from "./peers/yahoo.ts";
import { quote } from "./quote.ts";
import { ledgerStream, replayedReads } from "./replay.ts";
import { start } from "./start.ts";
import { storedMarket } from "./stored-market.ts";
import { manySymbols, symbolYear, symbolYearRaw } from "./stored-reads.ts";
import { universeScreen } from "./universe.ts";

const MEASUREMENTS: readonly Measurement[] = [
  symbolYear,
  symbolYearRaw,
  manySymbols,
  besideStream,
  replayedReads,
  ledgerStream,
  largeRows,
  largeRowsFirst,
  largeRowsMemory,
  clients,
  doors,
  quote,
  coldFetch,
  coldFirst,
  start,
  consolePages,
  memory,
  eightk,
  form4,
  indexDay,
  universeScreen,
  normalise,
  normaliseRecorded,
  financialBulk,
  financialArchive,
  insiderBuying,
  ownershipDay,
  ownershipFirst,
  panelDay,
  panelDayPlain,
  panelMonth,
  panelMemory,
  panelStreams,
  shortVolumeDay,
  panelPandas,
  screenPandas,
];
/** Beside the libraries that people use instead; they need Python and are measured with `--peers` alone. */
const PEERS: readonly Measurement[] = [
  peerSymbolYear,
  peerDay,
  peerMany,
  peerYahoo,
  peerFacts,
  peerForm4,
  peerEightK,
];
const ALL = [...MEASUREMENTS, ...PEERS];
const FULL = { symbols: 11_000, years: 10 };
const QUICK = { symbols: 1_000, years: 2 };
const FOLDER = resolve(import.meta.dir, "../../data/bench");

const tell = (line: string) => void process.stderr.write(`${line}\n`);

function usage(description: string): never {
  tell(`${description}\n\nbun run bench [--quick] [--peers] [--only NAME]…\n`);
  for (const { name, description } of ALL) tell(`  ${name.padEnd(18)}${description}`);
  process.exit(2);
}

function readArguments(args: readonly string[]): { quick: boolean; chosen: readonly Measurement[] } {
  const chosen: Measurement[] = [];
  let quick = false;
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "--quick") quick = true;
    else if (args[i] === "--peers") chosen.push(...PEERS);
    else if (args[i] === "--only") {
      i += 1;
      const found = ALL.find(({ name }) => name === args[i]);
      chosen.push(found ?? usage(`There is no measurement "${args[i] ?? ""}".`));
    } else usage(`"${args[i]}" is not understood.`);
  }
  return { quick, chosen: chosen.length > 0 ? chosen : MEASUREMENTS };
}

/** The commit of the measured sources, and whether they were changed since. */
function commit(): string {
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", ...args], { cwd: import.meta.dir })
      .stdout.toString()
      .trim();
  const hash = git("rev-parse", "--short", "HEAD");
  return hash === "" ? "unknown" : git("status", "--porcelain") === "" ? hash : `${hash}, changed`;
}

/** Names the versions with which the figures were taken: they say nothing without them. */
async function versions(): Promise<string> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const duckdb = (await connection.runAndReadAll("SELECT version()")).getRows()[0]?.[0];
  connection.disconnectSync();
  instance.closeSync();
  const sqlite = new Database(":memory:");
  const row = sqlite.query("SELECT sqlite_version() AS version").get() as { version: string };
  sqlite.close();
  const [cpu] = cpus();
  const made = [
    `Bun ${Bun.version}`,
    `DuckDB ${duckdb}`,
    `SQLite ${row.version}`,
    chosen.some((one) => PEERS.includes(one))
      ? await peerVersions(tell)
      : ((await pandasVersions()) ?? "no pandas"),
  ];
  return `${made.join(", ")}, ${cpus().length} cores (${cpu?.model.trim()}), commit ${commit()}`;
}

async function rowsOf(measurement: Measurement, setting: Setting): Promise<string[]> {
  const { name, description, goal } = measurement;
  tell(`${name}: ${description}`);
  const wanted = `${goal.kind === "at most" ? "≤" : "≥"} ${goal.ratio}`;
  try {
    takeProcessorTimes();
    const started = performance.now();
    const results = await measurement.run(setting);
    const pairs = takeProcessorTimes();
    tell(`${name}: ${Math.round((performance.now() - started) / 1000)} s in all`);
    return results.map(({ what, against, ratio }, at) => {
      // Several lines of one comparison, such as asked first and asked again, share its processor time.
      const [ours, theirs] = pairs[Math.floor((at * pairs.length) / results.length)] ?? [];
      const cpu = ours === undefined || theirs === undefined ? "" : `${ms(ours)}, ${ms(theirs)}`;
      return `| ${name} | ${description}: ${what} | ${against} | ${ratio.toFixed(2)} | ${cpu} | ${wanted} | ${isMet(goal, ratio) ? "yes" : "no"} |`;
    });
  } catch (error) {
    tell(Bun.inspect(error));
    return [`| ${name} | ${description} | (failed) | | | ${wanted} | no |`];
  }
}

const { quick, chosen } = readArguments(process.argv.slice(2));
const size = quick ? QUICK : FULL;
let opened: Promise<StoredMarket> | undefined;
const setting: Setting = {
  quick,
  tell,
  market: () => {
    opened ??= storedMarket(FOLDER, size, tell);
    return opened;
  },
};
const rows: string[] = [];
for (const measurement of chosen) rows.push(...(await rowsOf(measurement, setting)));
process.stdout.write(`
${await versions()}
Lake: ${size.symbols.toLocaleString("en-US")} symbols × ${size.years} years${quick ? " (quick)" : ""}

| name | what | against | ratio | CPU a round | goal | met |
|---|---|---|---|---|---|---|
${rows.join("\n")}
`);
process.exit(0);

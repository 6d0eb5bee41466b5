import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { readTickers } from "./arguments.ts";
import { cliProgram } from "./program.ts";

/** Every command below `command`, itself included. */
const allCommands = (command: Command): Command[] => [command, ...command.commands.flatMap(allCommands)];

/** Parses `words` without running anything: the values the command would get, or the parser's complaint. */
async function parse(...words: string[]): Promise<unknown> {
  const program = cliProgram();
  const complaints: string[] = [];
  let result: unknown;
  for (const command of allCommands(program)) {
    command.exitOverride().configureOutput({ writeErr: (text) => complaints.push(text) });
    if (command.commands.length === 0)
      command.action((...given: unknown[]) => {
        result = given.slice(0, -1);
      });
  }
  return program.parseAsync(words, { from: "user" }).then(
    () => result,
    () => complaints[0]?.trim(),
  );
}

test("options and arguments reach the command with their types", async () => {
  expect(await parse("backfill", "prices", "--tickers", "AAPL,MSFT", "--start=2020-01-02")).toEqual([
    { tickers: "AAPL,MSFT", start: "2020-01-02", interval: "1d", source: "yahoo" },
  ]);
  expect(await parse("backfill", "pit", "--no-resume", "--symbols", "A, B,,")).toEqual([
    { resume: false, symbols: ["A", "B"] },
  ]);
  expect(await parse("parse", "--limit", "5")).toEqual([{ limit: 5 }]);
  expect(await parse("sql", "from bars(NULL)", "--format", "csv")).toEqual([
    "from bars(NULL)",
    { format: "csv", timeout: 300 },
  ]);
  expect(await parse("sql", "from filings", "--data-version", "q3-paper")).toEqual([
    "from filings",
    { format: "table", timeout: 300, dataVersion: "q3-paper" },
  ]);
  for (const bad of ["", "-1", "1.5", "Q3", "q3 paper"])
    expect(await parse("sql", "from filings", `--data-version=${bad}`)).toContain("a version, such as 4127");
  expect(await parse("sql", "--", "-- a comment\nselect 1")).toEqual([
    "-- a comment\nselect 1",
    { format: "table", timeout: 300 },
  ]);
});

test("an unknown option, a missing value, a word too many", async () => {
  expect(await parse("backfill", "prices", "--tickers", "AAPL", "--strat", "2020-01-01")).toBe(
    "error: unknown option '--strat'\n(Did you mean --start?)",
  );
  expect(await parse("backfill", "prices", "-t", "AAPL")).toStartWith("error: unknown option '-t'");
  expect(await parse("backfill", "prices", "--tickers")).toBe(
    "error: option '--tickers <list>' argument missing",
  );
  expect(await parse("backfill", "prices", "--tickers", "AAPL", "MSFT")).toStartWith(
    "error: too many arguments for 'prices'",
  );
  expect(await parse("backfill", "insiders")).toStartWith("error: required option '--bulk <paths>'");
});

test("values of the wrong form are named with what they must be", async () => {
  expect(await parse("backfill", "prices", "--start", "2026-02-30")).toContain(
    "argument '2026-02-30' is invalid. It must be an existing day as YYYY-MM-DD.",
  );
  expect(await parse("universe", "snapshots", "--start", "2026-13")).toContain("a month as YYYY-MM");
  expect(await parse("universe", "discover", "--market-cap-min", "-1")).toContain("at least 0");
  expect(await parse("ingest", "shortvolume", "--days", "1.5")).toContain("a whole number from 1 to 9999");
  expect(await parse("sample", "--port", "70000")).toContain("a whole number from 0 to 65535");
  expect(await parse("backfill", "prices", "--source", "google")).toContain(
    "Allowed choices are yahoo, marketfeed.",
  );
});

test("an unknown command, and a group without its command", async () => {
  expect(await parse("backfil")).toStartWith("error: unknown command 'backfil'\n(Did you mean backfill?)");
  expect(await parse("backfill")).toContain("Usage: bun run cli backfill");
});

test("tickers come from a list or from a file, and what is no ticker is named", async () => {
  const folder = mkdtempSync(join(tmpdir(), "asof-tickers-"));
  try {
    const path = join(folder, "symbols.txt");
    writeFileSync(path, "aapl\nMSFT, brk-b\n\n");
    const symbols = async (given: string) => (await readTickers(given)).map(({ symbol }) => symbol);
    expect(await symbols(`@${path}`)).toEqual(["AAPL", "MSFT", "BRK.B"]);
    expect(await symbols("aapl,AAPL,msft")).toEqual(["AAPL", "MSFT"]);
    expect(symbols("AAPL,$$$")).rejects.toThrow("--tickers holds what is no ticker: $$$");
    expect(symbols(",")).rejects.toThrow("--tickers names no symbol.");
    expect(symbols(`@${join(folder, "absent")}`)).rejects.toThrow("no such file");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("no command imports the tests at start: an installation has none", async () => {
  const folder = join(import.meta.dir, "commands");
  for (const name of readdirSync(folder))
    expect([name, await Bun.file(join(folder, name)).text()]).toEqual([
      name,
      expect.not.stringMatching(/^import [^\n]*"\.\.\/\.\.\/test\//m),
    ]);
});

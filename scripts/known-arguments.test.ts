import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "citty";
import { checkArguments } from "./known-arguments.ts";

const command = defineCommand({
  subCommands: {
    fill: defineCommand({
      subCommands: {
        prices: () =>
          Promise.resolve(
            defineCommand({
              args: {
                tickers: { type: "string" },
                start: { type: "string" },
                resume: { type: "boolean", default: true },
              },
            }),
          ),
      },
    }),
    sql: defineCommand({ args: { query: { type: "positional" }, format: { type: "string" } } }),
  },
});
const fault = (...words: string[]) =>
  checkArguments(command, words).then(
    () => null,
    (error: Error) => `${error.name}: ${error.message}`,
  );

test("what a command takes is let through", async () => {
  const prices = ["fill", "prices"];
  expect(await fault(...prices, "--tickers", "AAPL,MSFT", "--start=2020-01-01", "--no-resume")).toBeNull();
  expect(await fault(...prices, "--tickers", "-5", "--resume", "--resume=false")).toBeNull();
  expect(await fault("sql", "from bars(NULL)", "--format", "csv")).toBeNull();
  expect(await fault("sql", "--", "-- a comment\nselect 1")).toBeNull();
});

test("an option no command has, a value left out, a word too many", async () => {
  expect(await fault("fill", "prices", "--tickers", "AAPL", "--strat", "2020-01-01")).toBe(
    "RangeError: There is no --strat here; options of this command: --tickers, --start, --resume.",
  );
  expect(await fault("fill", "prices", "-t", "AAPL")).toContain("There is no -t here");
  expect(await fault("fill", "prices", "--no-start")).toContain("There is no --no-start here");
  expect(await fault("fill", "prices", "--tickers")).toBe(
    "RangeError: --tickers needs a value: --tickers <tickers>.",
  );
  expect(await fault("fill", "prices", "--tickers", "--resume")).toContain("--tickers needs a value");
  expect(await fault("fill", "prices", "--tickers", "AAPL", "MSFT")).toBe(
    'RangeError: "MSFT" is one word too many; lists are written with commas and without spaces.',
  );
});

test("commands that are not there, or not named", async () => {
  expect(await fault("fil")).toBe("RangeError: There is no command fil; there are fill, sql.");
  expect(await fault("constructor")).toContain("There is no command constructor");
  expect(await fault("fill")).toBe("RangeError: Say which: prices.");
});

test("no command needs the tests to be told of: an installation has none", async () => {
  const folder = join(import.meta.dir, "commands");
  for (const name of readdirSync(folder))
    expect([name, await Bun.file(join(folder, name)).text()]).toEqual([
      name,
      expect.not.stringMatching(/^import [^\n]*"\.\.\/\.\.\/test\//m),
    ]);
});

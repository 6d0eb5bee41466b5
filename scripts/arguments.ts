// Values of command-line options, checked where they are read: a wrong one ends the command with one line
// that names it.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { isDataVersion } from "../src/market/data-version.ts";
import { isDate } from "../src/market/date.ts";
import { parseTickers, type TickerRequest } from "../src/market/ticker.ts";

/** Throws RangeError where the folder holds no data of this service. */
export function requireData(dataDir: string): void {
  const folder = resolve(dataDir);
  if (!["ops.sqlite", "lake"].some((name) => existsSync(join(folder, name))))
    throw new RangeError(`${folder} holds no data of this service; set DATA_DIR to the folder that does.`);
}

/** An existing day, YYYY-MM-DD. */
export function day(text: string): string {
  if (isDate(text)) return text;
  throw new InvalidArgumentError("It must be an existing day as YYYY-MM-DD.");
}

/** A month, YYYY-MM. */
export function month(text: string): string {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError("It must be a month as YYYY-MM.");
}

/** A whole number within bounds, both included. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };

/** A version of the stored data: a number, or a name. */
export function dataVersion(text: string): string {
  if (isDataVersion(text)) return text;
  throw new InvalidArgumentError(
    "It must be the number of a version, such as 4127, or a name, such as q3-paper.",
  );
}

/** A number of at least 0. */
export function amount(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0) return value;
  throw new InvalidArgumentError("It must be a number of at least 0.");
}

/** Parts of a comma list, empty ones left out. */
export const commaList = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/**
 * Symbols of `--tickers`: a comma list, or `@file` with one on each line. Throws RangeError naming what is no
 * ticker.
 */
export async function readTickers(given: string): Promise<readonly TickerRequest[]> {
  const isFile = given.startsWith("@");
  const list = isFile ? (await readFile(given.slice(1), "utf8")).split(/[\s,]+/).join(",") : given;
  const { tickers, invalid } = parseTickers(list);
  if (invalid.length > 0)
    throw new RangeError(`--tickers holds what is no ticker: ${invalid.slice(0, 10).join(" ")}`);
  if (tickers.length === 0) throw new RangeError("--tickers names no symbol.");
  return tickers;
}

/** Throws RangeError unless exactly one of the two ways was given. */
export function requireOne(first: unknown, second: unknown, hint: string): void {
  if ((first === undefined) === (second === undefined)) throw new RangeError(hint);
}

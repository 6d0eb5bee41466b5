// How a ratio is measured: both sides in turn within one run, so that a busy machine slows both alike.
import { processorMs } from "./processor.ts";

/** One line of the table. A ratio travels from machine to machine, milliseconds do not. */
export interface Result {
  /** Says what the service took or did, in words with a unit. */
  readonly what: string;
  /** Says what it is compared with, in words with a unit. */
  readonly against: string;
  readonly ratio: number;
}

/** Which ratio is wanted. */
export interface Goal {
  readonly kind: "at most" | "at least";
  readonly ratio: number;
}

export interface Measurement {
  /** For `--only`. */
  readonly name: string;
  readonly description: string;
  readonly goal: Goal;
  run(setting: Setting): Promise<Result[]>;
}

/** The setting of every measurement. */
export interface Setting {
  /** Smaller data, fewer rounds. */
  readonly quick: boolean;
  /** Opens the stored market, generating it first if need be; only measurements that use it wait for it. */
  market(): Promise<StoredMarket>;
  /** Prints the progress on the terminal. */
  tell(line: string): void;
}

/** A data folder with a whole market in it. */
export interface StoredMarket {
  readonly dataDir: string;
  readonly symbols: readonly string[];
  /** Whole years stored, ascending. */
  readonly years: readonly number[];
}

export function isMet({ kind, ratio }: Goal, found: number): boolean {
  return kind === "at most" ? found <= ratio : found >= ratio;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Processor time of either side in one round, client included: one entry for each pair that was compared. */
const compared: [number, number][] = [];

/** Returns what was compared since the last call, and forgets it. */
export const takeProcessorTimes = (): [number, number][] => compared.splice(0);

/**
 * Runs both sides in turn, `rounds` times, after `warmups` that do not count; who goes first changes each
 * round, for the second finds the files in the system's cache. Gives the medians.
 */
export async function forEachSequential<T>(
  inputs: readonly T[],
  warmups: number,
  a: (input: T) => Promise<number>,
  b: (input: T) => Promise<number>,
): Promise<[number, number]> {
  const took: [number[], number[]] = [[], []];
  const used: [number, number] = [0, 0];
  for (const [round, input] of inputs.entries())
    for (const side of round % 2 === 1 ? ([1, 0] as const) : ([0, 1] as const)) {
      const before = processorMs() ?? Number.NaN;
      const milliseconds = await (side === 0 ? a : b)(input);
      if (round < warmups) continue;
      used[side] += ((processorMs() ?? Number.NaN) - before) / (inputs.length - warmups);
      took[side].push(milliseconds);
    }
  compared.push(used);
  return [median(took[0]), median(took[1])];
}

/** A sequence of numbers in [0, 1) that is the same in every run (mulberry32). */
export function steadyRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `count` of `items`, each once, in a random order. */
export function sample<T>(items: readonly T[], count: number, random: () => number): T[] {
  const left = [...items];
  const taken: T[] = [];
  while (taken.length < count && left.length > 0)
    taken.push(...left.splice(Math.floor(random() * left.length), 1));
  return taken;
}

export const ms = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;

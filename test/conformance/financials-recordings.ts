// The recorded companyfacts, raw beside normalised, and what is the same for all tests of them.
import { type NormalisedFacts, normaliseFacts } from "../../src/providers/edgar/index.ts";
import { has, hasRecordings, listed, textOf } from "./edgar-recordings.ts";

export interface RawFact {
  readonly start?: string;
  readonly end: string;
  readonly val: number;
  readonly accn: string;
  readonly form: string;
  readonly filed: string;
}
export interface RawCompany {
  readonly cik: number | string;
  readonly facts: Record<string, Record<string, { readonly units: Record<string, RawFact[]> }>>;
}
/** A recorded fact with its tag and unit. */
export interface TaggedFact extends RawFact {
  readonly tag: string;
  readonly unit: string;
}

export interface Recording extends NormalisedFacts {
  readonly file: string;
  readonly raw: RawCompany;
}

export const hasFinancials = hasRecordings && has("companyfacts");
export const recordedFiles = listed("companyfacts", /\.json$/);

const normalised = new WeakMap<object, NormalisedFacts>();
/** Returns the normalised facts of a company's file, read once a file. */
export const normalisedOf = (file: Parameters<typeof normaliseFacts>[0] & object): NormalisedFacts =>
  normalised.getOrInsertComputed(file, () => normaliseFacts(file));

const opened = new Map<string, Recording>();
/** A recording, read once. */
export function recording(file: string): Recording {
  return opened.getOrInsertComputed(file, () => {
    const raw = JSON.parse(textOf(file)) as RawCompany;
    return { file, raw, ...normaliseFacts(raw) };
  });
}

export const fileOf = (name: string): string | undefined => recordedFiles.find((file) => file.includes(name));

/** Every recorded fact; tags as `us-gaap:Assets`. */
export function* rawFacts({ facts }: RawCompany): Generator<TaggedFact> {
  for (const [taxonomy, concepts] of Object.entries(facts))
    for (const [name, { units }] of Object.entries(concepts))
      for (const [unit, rows] of Object.entries(units))
        for (const row of rows) yield { ...row, tag: `${taxonomy}:${name}`, unit };
}

/** The file as it was on the evening of a day: without what was filed later. */
export function filedUntil(raw: RawCompany, day: string): RawCompany {
  const facts: RawCompany["facts"] = {};
  for (const [taxonomy, concepts] of Object.entries(raw.facts)) {
    const kept = Object.entries(concepts).map(([name, { units }]) => {
      const rows = Object.entries(units).map(([unit, all]) => [
        unit,
        all.filter(({ filed }) => filed <= day),
      ]);
      return [name, { units: Object.fromEntries(rows) }];
    });
    facts[taxonomy] = Object.fromEntries(kept);
  }
  return { ...raw, facts };
}

/** Numbers from 0 to 1, the same in every run. */
export function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

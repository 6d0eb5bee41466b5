// Lines of history. Restoring a backup and `cli store fork` begin another line of a lake, whose numbers no
// other line has: a cursor or a version of what was lost is known as such.

import { randomInt } from "node:crypto";
import type { Line, Manifest } from "./manifest.ts";

/** Each line of history begins behind a multiple of this: one restored at 243 goes on from 1,017,000, say. */
export const LINE_STEP = 1_000_000;
/** A line begins this many thousands beyond a full million at most, so that no two of them meet. */
// Of two restores of one backup, each with 100,000 commits after it, numbers meet once in 5,000 times.
const THOUSANDS_MAX = 1_000_000;

export const newLine = (from: number): Line => ({ id: crypto.randomUUID(), from });

/** A copy of the manifest for the next generation. */
export function following(manifest: Manifest): Manifest & { lines: Line[] } {
  const { generation, oldest_version = generation, lines = [newLine(0)] } = manifest;
  return structuredClone({ ...manifest, generation: generation + 1, oldest_version, lines });
}

/** A copy of the manifest that begins another line, with a generation that has the same rows. */
// 243 is followed by 1,000,000 and a random number of thousands, such as 518,204,000.
export function forked(manifest: Manifest): Manifest & { lines: Line[] } {
  const next = following(manifest);
  const { generation } = manifest;
  next.generation =
    (Math.floor(generation / LINE_STEP) + 1) * LINE_STEP + randomInt(1, THOUSANDS_MAX) * 1_000;
  const [last] = next.lines.splice(-1);
  if (last) next.lines.push({ ...last, to: generation }, newLine(next.generation));
  return next;
}

/** The lines of a manifest; one without an id where an earlier release wrote it last. */
export const linesOf = ({ lines = [{ id: "", from: 0 }] }: Pick<Manifest, "lines">): readonly Line[] => lines;

/** The id of the line that a generation is of; null where it is of none that this lake has. */
export function lineOf(manifest: Pick<Manifest, "generation" | "lines">, generation: number): string | null {
  const isOf = ({ from, to = manifest.generation }: Line) => from <= generation && generation <= to;
  return linesOf(manifest).find(isOf)?.id ?? null;
}

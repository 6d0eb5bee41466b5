// Where the recorded answers of EDGAR lie, and a provider that is answered with one of them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { edgar } from "../../src/providers/edgar/index.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { type FakeReply, fakeUpstream, fakeVault } from "../support/fake-edgar.ts";

const FOLDER = join(process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"), "edgar");

export const hasRecordings = existsSync(FOLDER);

export const bytesOf = (file: string): Uint8Array => new Uint8Array(readFileSync(join(FOLDER, file)));
export const textOf = (file: string): string => readFileSync(join(FOLDER, file), "utf8");
export const has = (file: string): boolean => existsSync(join(FOLDER, file));

/** Recorded files of a part, as `part/name`; none where there is no such part. */
export function listed(part: string, pattern = /./): string[] {
  if (!has(part)) return [];
  return readdirSync(join(FOLDER, part))
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => `${part}/${name}`);
}

/** EDGAR answering everything with `reply`. */
export function answering(reply: FakeReply | ((url: URL) => FakeReply)) {
  const clock = fakeClock("2026-11-20T15:00:00Z");
  const upstream = fakeUpstream(clock, (url) => (typeof reply === "function" ? reply(url) : reply));
  return edgar({ upstream, vault: fakeVault(), clock, userAgent: "Conformance test@example.com" });
}

/** The clock in New York at an instant, as EDGAR's headers write it. */
export function stampOf(instant: string | null): string | null {
  if (!instant) return null;
  const wall = Temporal.Instant.from(instant).toZonedDateTimeISO("America/New_York").toPlainDateTime();
  return wall.toString({ smallestUnit: "second" }).replaceAll(/\D/g, "");
}

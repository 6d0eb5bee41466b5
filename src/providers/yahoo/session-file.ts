// The session as it lies on disk, for its owner alone, so that a new process need not open another one.
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isCookieJar } from "./cookies.ts";
import { isCrumb, type Session, type Strategy } from "./handshake.ts";

/** A session with how and when it was opened. */
export interface StoredSession extends Session {
  readonly strategy: Strategy;
  readonly obtainedAtMs: number;
}

function isKept(value: unknown): value is StoredSession {
  if (typeof value !== "object" || value === null) return false;
  const v: Partial<Record<keyof StoredSession, unknown>> = value;
  const hasStrategy = v.strategy === "basic" || v.strategy === "consent";
  return hasStrategy && isCrumb(v.crumb) && isCookieJar(v.cookies) && Number.isFinite(v.obtainedAtMs);
}

/** Reads what a former process left; null when there is nothing usable. */
export async function readSessionFile(path: string): Promise<StoredSession | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return isKept(value) ? value : null;
  } catch {
    return null;
  }
}

/** Writes so that no other user may read it and no crash leaves half of it. Rejects when the folder does not let it. */
export async function writeSessionFile(path: string, kept: StoredSession): Promise<void> {
  const staged = `${path}.new`;
  await mkdir(dirname(path), { recursive: true });
  // Whoever made a file of that name may hold it open, or have given it to all.
  await rm(staged, { force: true });
  await writeFile(staged, JSON.stringify(kept), { mode: 0o600 });
  await chmod(staged, 0o600);
  await rename(staged, path);
}

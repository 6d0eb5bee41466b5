// Stores the session on disk, readable only by its owner, so that a new process need not open another one.
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isCookieJar } from "./cookies.ts";
import { isCrumb, type Session, type Strategy } from "./handshake.ts";

/** A session, with the strategy that opened it and the time. */
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

/** Reads the session an earlier process stored; null when there is no usable one. */
export async function readSessionFile(path: string): Promise<StoredSession | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return isKept(value) ? value : null;
  } catch {
    return null;
  }
}

/** Writes the session atomically, readable only by the owner. Rejects when the folder is not writable. */
export async function writeSessionFile(path: string, session: StoredSession): Promise<void> {
  const staged = `${path}.new`;
  await mkdir(dirname(path), { recursive: true });
  // An existing file of that name may be open elsewhere or readable by others.
  await rm(staged, { force: true });
  await writeFile(staged, JSON.stringify(session), { mode: 0o600 });
  await chmod(staged, 0o600);
  await rename(staged, path);
}

// The Yahoo session that quotes need: opened once for all callers, stored on disk, renewed when refused.

import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "../../platform/clock.ts";
import {
  UpstreamFailed,
  UpstreamRateLimited,
  UpstreamRefused,
  UpstreamTimeout,
} from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Upstream } from "../../platform/upstream/policy.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import { isCookieJar } from "./cookies.ts";
import { isCrumb, openSession, type Session, type Strategy } from "./handshake.ts";

/** A session, with the strategy that opened it and the time. */
interface StoredSession extends Session {
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
async function readSessionFile(path: string): Promise<StoredSession | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return isKept(value) ? value : null;
  } catch {
    return null;
  }
}

/** Writes the session atomically, readable only by the owner. Rejects when the folder is not writable. */
async function writeSessionFile(path: string, session: StoredSession): Promise<void> {
  const staged = `${path}.new`;
  await mkdir(dirname(path), { recursive: true });
  // An existing file of that name may be open elsewhere or readable by others.
  await rm(staged, { force: true });
  await writeFile(staged, JSON.stringify(session), { mode: 0o600 });
  await chmod(staged, 0o600);
  await rename(staged, path);
}

/** The log of this module. Cookies and crumbs are never logged. */
export type YahooLog = Pick<Log, "info" | "warn">;

export interface CredentialsDeps {
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly log: YahooLog;
  /** File that stores the session. */
  readonly path: string;
}

export interface Credentials {
  /**
   * The session; opens one first when there is none. Rejects with the signal's reason when that aborts first.
   */
  get(signal?: AbortSignal): Promise<Session>;
  /** A session newer than `refused`. Callers with the same refused session share one new session. */
  renew(refused: Session, signal?: AbortSignal): Promise<Session>;
  /** Reports that a renewed session was refused too; no new one is opened for a while. */
  giveUp(refused: Session): void;
}

/** Pause of the handshake after Yahoo answered "too many requests" or refused the session it had given. */
const REST_BLOCKED_MS = 60_000;
/** Pause after another failure of the handshake, so that a burst of quotes causes one handshake, not many. */
// Of a hundred quotes in the ten seconds after a failure none opens a session; each gets that failure.
const REST_FAILED_MS = 10_000;
/** A session refused sooner than this has not expired: the strategy that opened it does not work here. */
// Refused after four minutes: the other strategy opens the next session. After six: the same one does.
const YOUNG_MS = 300_000;
/** Key of the single flight: there is one session, so one handshake at a time. */
const FLIGHT = "session";

/** Failures of a handshake that the other strategy may avoid. */
type Fault = UpstreamFailed | UpstreamRefused | UpstreamTimeout;

function isFault(error: unknown): error is Fault {
  return [UpstreamFailed, UpstreamRefused, UpstreamTimeout].some((kind) => error instanceof kind);
}

const other = (strategy: Strategy): Strategy => (strategy === "basic" ? "consent" : "basic");

/** Opens a session with the `first` strategy, else with the other. */
async function openEitherWay(
  { upstream, clock, log }: CredentialsDeps,
  first: Strategy,
  signal: AbortSignal,
): Promise<StoredSession> {
  const open = async (strategy: Strategy) => {
    const session = await openSession(upstream, strategy, signal);
    log.info("yahoo session opened", { strategy });
    return { ...session, strategy, obtainedAtMs: clock.nowMs() };
  };
  try {
    return await open(first);
  } catch (error) {
    // A block applies to the address, with either strategy; so does a full queue on our side.
    if (!isFault(error)) throw error;
    log.warn("yahoo session could not be opened this way", { strategy: first, error });
  }
  return open(other(first));
}

/**
 * The pause of the handshake. While it lasts, callers get the error that started it, with the remaining time.
 */
function resting(clock: Clock) {
  let rest: { readonly untilMs: number; readonly error: Fault | UpstreamRateLimited } | null = null;
  return {
    begin(ms: number, error: Fault | UpstreamRateLimited) {
      rest = { untilMs: clock.nowMs() + ms, error };
    },
    check() {
      const leftMs = rest === null ? 0 : rest.untilMs - clock.nowMs();
      if (rest === null || leftMs <= 0) return;
      const { message, facts } = rest.error;
      const kinds = [UpstreamRateLimited, UpstreamRefused, UpstreamTimeout, UpstreamFailed];
      const Kind = kinds.find((kind) => rest?.error instanceof kind) ?? UpstreamFailed;
      throw new Kind("yahoo", message, { ...facts, retryAfterS: Math.ceil(leftMs / 1000) });
    },
  };
}

/**
 * The session of this process, stored in the file at `path` (mode 600). Tries both strategies for opening
 * one, the last successful one first. After "too many requests" it tries neither for 60 seconds, and every
 * caller gets UpstreamRateLimited at once.
 */
export function yahooCredentials(needs: CredentialsDeps): Credentials {
  const { clock, log, path } = needs;
  const flights = singleFlight<StoredSession>();
  const rest = resting(clock);
  let stored: StoredSession | null = null;
  let first: Strategy = "basic";
  let loaded: Promise<void> | null = null;

  async function load(): Promise<void> {
    stored = await readSessionFile(path);
    first = stored?.strategy ?? first;
  }

  async function open(signal: AbortSignal): Promise<StoredSession> {
    try {
      const opened = await openEitherWay(needs, first, signal);
      stored = opened;
      first = opened.strategy;
      await writeSessionFile(path, opened).catch((error: unknown) =>
        log.warn("yahoo session could not be stored on disk", { error }),
      );
      return opened;
    } catch (error) {
      if (error instanceof UpstreamRateLimited)
        rest.begin(Math.max(REST_BLOCKED_MS, (error.facts.retryAfterS ?? 0) * 1000), error);
      else if (isFault(error)) rest.begin(REST_FAILED_MS, error);
      throw error;
    }
  }

  async function session(refused: Session | null, signal: AbortSignal | undefined): Promise<StoredSession> {
    loaded ??= load();
    await loaded;
    // Compared as objects: a new session may have the same crumb as the old one.
    if (stored !== null && stored !== refused) return stored;
    if (!flights.has(FLIGHT)) {
      rest.check();
      if (stored !== null && clock.nowMs() - stored.obtainedAtMs < YOUNG_MS) first = other(first);
      stored = null;
    }
    return flights.run(FLIGHT, signal, open);
  }

  return {
    get: (signal) => session(null, signal),
    renew: (refused, signal) => session(refused, signal),
    giveUp: (refused) => {
      if (stored === refused) stored = null;
      rest.begin(
        REST_BLOCKED_MS,
        new UpstreamRefused("yahoo", "yahoo does not accept the session it gave us"),
      );
    },
  };
}

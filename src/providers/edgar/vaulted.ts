// Fetches the files of filings once and stores them in the vault. Later requests read them from there.
import type { Clock } from "../../platform/clock.ts";
import {
  AsofError,
  InvalidRequest,
  NotFound,
  StorageUnavailable,
  UpstreamFailed,
  UpstreamTimeout,
} from "../../platform/errors.ts";
import { isReplaying } from "../../platform/reading.ts";
import { BodyTooLarge } from "../../platform/upstream/body-limit.ts";
import type { Upstream, UpstreamAnswer } from "../../platform/upstream/policy.ts";
import type { Vault } from "../../platform/vault.ts";
import { accessionNumber, fileName } from "./accession.ts";
import { fileUrl, isInFolder } from "./address.ts";
import { isAbsent } from "./ask.ts";
import type { DocumentOptions, FilingRef, Receipted } from "./records.ts";

/**
 * Runs `work` with a signal that is aborted after `ms` milliseconds (UpstreamTimeout) or with the caller's
 * own.
 */
async function withinDeadline<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const timer = new AbortController();
  clock.sleep(ms, timer.signal).then(
    () => stop.abort(new UpstreamTimeout("edgar", `EDGAR did not send the document within ${ms / 1000} s`)),
    () => {},
  );
  try {
    return await work(signal ? AbortSignal.any([signal, stop.signal]) : stop.signal);
  } finally {
    timer.abort();
  }
}

export interface VaultedDeps {
  readonly upstream: Upstream;
  readonly vault: Vault;
  readonly clock: Clock;
}

export interface Limits {
  readonly bytesMax: number;
  readonly deadlineMs: number;
}

/**
 * How the keys of a filing's files begin in the vault. They name the filing, since the address differs with
 * the party's CIK.
 */
export const vaultFolder = (accession: string): string => `edgar:${accessionNumber(accession)}/`;
const vaultKey = (ref: FilingRef, name: string): string =>
  `${vaultFolder(ref.accession_number)}${fileName(name)}`;

/**
 * Whether there is no such file: EDGAR has none, or an earlier version, for which EDGAR is not asked, has
 * none stored.
 */
export const isNoFile = (error: unknown): boolean =>
  error instanceof NotFound ||
  (isReplaying() && error instanceof AsofError && error.code === "not_replayable");

const tooLarge = (name: string, bytesMax: number) =>
  new InvalidRequest("exhibit_too_large", `${name} is larger than ${bytesMax} bytes`, {
    hint: "Read it at EDGAR itself.",
  });

/** Reads a file from the vault; null when it is missing, damaged or unreadable. EDGAR still has it then. */
async function fromVault<T>(vault: Vault, key: string, read: (bytes: Uint8Array) => T) {
  const sha256 = vault.find(key);
  if (!sha256) return null;
  try {
    const bytes = await vault.get(sha256);
    return { bytes, sha256, content: read(bytes) };
  } catch (error) {
    if (error instanceof NotFound || error instanceof StorageUnavailable || error instanceof UpstreamFailed)
      return null;
    throw error;
  }
}

async function fetchFile(
  upstream: Upstream,
  ref: FilingRef,
  name: string,
  { bytesMax, deadlineMs }: Limits,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  const request = { url: fileUrl(ref, name), bytesMax, attemptMsMax: deadlineMs, signal };
  const shareKey = `${request.url}#${bytesMax}`;
  const answer = await upstream.ask({ ...request, shareKey }).catch((error: unknown) => {
    throw error instanceof UpstreamFailed && error.cause instanceof BodyTooLarge
      ? tooLarge(name, bytesMax)
      : error;
  });
  if (isAbsent(answer))
    throw new NotFound("not_found", `EDGAR has no file ${name} in filing ${ref.accession_number}`, {
      upstream: "edgar",
    });
  // A redirect may stay on the host and still lead to another filing, or out of the archive.
  if (!isInFolder(ref, answer.url))
    throw new UpstreamFailed(
      "edgar",
      `EDGAR redirected from ${name} of filing ${ref.accession_number} to another place`,
    );
  return answer;
}

/** A file of a filing with its content as read. */
export interface ReadFile<T> extends Receipted {
  readonly content: T;
}

/**
 * Returns the file `name` of a filing from the vault, or else from EDGAR. A file for which `read` throws is
 * not stored, so that a truncated download does not stay in the vault. Throws InvalidRequest (an impossible
 * name, or `exhibit_too_large`), NotFound, UpstreamTimeout past the deadline, UpstreamFailed,
 * UpstreamRateLimited, and what `read` throws.
 */
export async function filingFile<T>(
  { upstream, vault, clock }: VaultedDeps,
  ref: FilingRef,
  name: string,
  read: (bytes: Uint8Array) => T,
  defaults: Limits,
  options: DocumentOptions = {},
): Promise<ReadFile<T>> {
  const { refresh = false, signal, bytesMax = defaults.bytesMax, deadlineMs = defaults.deadlineMs } = options;
  const [url, key] = [fileUrl(ref, name), vaultKey(ref, name)];
  const stored = refresh ? null : await fromVault(vault, key, read);
  if (stored) {
    if (stored.bytes.byteLength > bytesMax) throw tooLarge(name, bytesMax);
    return { ...stored, url, from_vault: true };
  }
  const answer = await withinDeadline(clock, deadlineMs, signal, (stop) =>
    fetchFile(upstream, ref, name, { bytesMax, deadlineMs }, stop),
  );
  const { bytes, receivedAt, headers } = answer;
  const content = read(bytes);
  const contentType = headers.get("content-type") ?? undefined;
  const { sha256 } = await vault.put(bytes, { url: key, receivedAt, contentType });
  return { bytes, sha256, url, from_vault: false, content };
}

// Stores raw bytes as a provider sent them, forever, under the hash of their content: the evidence for every
// figure.
import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { desc, eq } from "drizzle-orm";
import type { Clock } from "./clock.ts";
import { NotFound, StorageUnavailable } from "./errors.ts";
import { instantText } from "./instant-text.ts";
import { realDisk } from "./lake/disk.ts";
import type { Store } from "./sqlite/sqlite.ts";
import { vault_objects } from "./sqlite/tables.ts";

/** Where bytes came from. */
export interface VaultSource {
  readonly url: string;
  readonly receivedAt: Temporal.Instant;
  readonly contentType?: string | undefined;
}

export interface VaultReceipt {
  /** Hash of the content, 64 hexadecimal digits. */
  readonly sha256: string;
  readonly bytes: number;
  /** On disk, compressed. */
  readonly storedBytes: number;
  /** False when the same bytes were already stored. */
  readonly created: boolean;
}

export interface Vault {
  /** Stores `bytes`; the same bytes again change nothing. They are synced to disk when this resolves. */
  put(bytes: Uint8Array, source: VaultSource): Promise<VaultReceipt>;
  /** The bytes, checked against their hash. Throws NotFound; StorageUnavailable when the file is damaged. */
  get(sha256: string): Promise<Uint8Array>;
  /** Hash of the bytes last received from `url`; null when there are none. */
  find(url: string): string | null;
}

const STAGING = "_staging";
const SHA256 = /^[0-9a-f]{64}$/;

export const hashOf = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
const isMissing = (error: unknown): boolean => (error as { code?: unknown })?.code === "ENOENT";

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code !== "string" || !/^E[A-Z]+$/.test(code)) throw cause;
    const why = code === "ENOSPC" || code === "EDQUOT" ? "the disk is full" : "the disk cannot be used";
    throw new StorageUnavailable("database_unavailable", `The vault cannot be used: ${why}`, { cause });
  }
}

/** The decompressed bytes; null when they do not match their hash. */
export function verified(stored: Uint8Array, sha256: string): Uint8Array | null {
  try {
    const bytes = Bun.zstdDecompressSync(stored as Uint8Array<ArrayBuffer>);
    return hashOf(bytes) === sha256 ? bytes : null;
  } catch {
    return null;
  }
}

/** Writes a draft, syncs and renames it: after a crash or power loss the file is complete or absent. */
async function place(staging: string, path: string, content: Uint8Array): Promise<void> {
  const draft = join(staging, randomUUID());
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await realDisk.makeFolder(dirname(path));
    await rename(draft, path);
    await realDisk.sync(dirname(path));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

const readStored = (path: string): Promise<Uint8Array | null> =>
  readFile(path).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });

function note(store: Store, receipt: VaultReceipt, source: VaultSource, nowMs: number): void {
  const { sha256, bytes, storedBytes } = receipt;
  const content = { bytes, stored_bytes: storedBytes, content_type: source.contentType ?? null };
  const received_at = instantText(source.receivedAt.epochMilliseconds);
  const row = { sha256, url: source.url, ...content, received_at, stored_at: instantText(nowMs) };
  store.use((db) =>
    db
      .insert(vault_objects)
      .values(row)
      .onConflictDoUpdate({ target: [vault_objects.sha256, vault_objects.url], set: { received_at } })
      .run(),
  );
}

/**
 * Opens the vault in `folder`, which is created if absent, and deletes drafts left by a crash. Throws
 * StorageUnavailable.
 */
export async function openVault(
  folder: string,
  needs: { readonly store: Store; readonly clock: Clock },
): Promise<Vault> {
  const { store, clock } = needs;
  const staging = join(folder, STAGING);
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256.slice(2, 4), `${sha256}.zst`);
  await guarded(async () => {
    await mkdir(staging, { recursive: true });
    for (const draft of await readdir(staging)) await rm(join(staging, draft), { force: true });
  });

  return {
    put: (bytes, source) =>
      guarded(async () => {
        const sha256 = hashOf(bytes);
        const path = pathOf(sha256);
        const there = await readStored(path);
        // A put replaces a damaged file of the same content.
        const created = !there || verified(there, sha256) === null;
        const content = created ? Bun.zstdCompressSync(bytes as Uint8Array<ArrayBuffer>) : there;
        if (created) await place(staging, path, content);
        const receipt = { sha256, bytes: bytes.byteLength, storedBytes: content.byteLength, created };
        // Written after the file: a row must never name bytes that are not stored.
        note(store, receipt, source, clock.nowMs());
        return receipt;
      }),
    get: (sha256) =>
      guarded(async () => {
        // Checked before it becomes part of a path.
        const stored = SHA256.test(sha256) ? await readStored(pathOf(sha256)) : null;
        if (!stored) throw new NotFound("not_found", "The vault has no such content");
        const bytes = verified(stored, sha256);
        if (bytes) return bytes;
        throw new StorageUnavailable("database_unavailable", "A file of the vault is damaged", {
          hint: "Fetch the document again: the vault then replaces the file.",
        });
      }),
    find: (url) =>
      store.use((db) =>
        db
          .select({ sha256: vault_objects.sha256 })
          .from(vault_objects)
          .where(eq(vault_objects.url, url))
          .orderBy(desc(vault_objects.received_at))
          .limit(1)
          .get(),
      )?.sha256 ?? null,
  };
}

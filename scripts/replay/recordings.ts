// A folder of recordings: its index.json, the sidecars beside the bodies, and the bodies themselves, read
// when asked for.
import { basename, resolve, sep } from "node:path";
import { LRUCache } from "lru-cache";

/** One recorded answer. */
export interface Recording {
  /** Name in index.json. */
  readonly name: string;
  readonly path: string;
  readonly method: string;
  readonly url: URL;
  /** The URL's path, decoded: `%5EGSPC` and `^GSPC` are one. */
  readonly decodedPath: string;
  readonly status: number;
  /** Place in index.json: the later of two is the newer one where no time says otherwise. */
  readonly order: number;
  /** Milliseconds since the epoch; null when it was not recorded. */
  readonly recordedAtMs: number | null;
  /** Response headers of the sidecar, names in lower case; empty without one. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * The facts of a body that matter for nearness: the time it covers (epoch seconds, both included) and its bar
 * width.
 */
export interface BodyFacts {
  readonly span: readonly [from: number, to: number] | null;
  readonly interval: string | null;
}

export interface Recordings {
  readonly all: readonly Recording[];
  body(recording: Recording): Promise<Uint8Array>;
  facts(recording: Recording): Promise<BodyFacts>;
}

interface IndexEntry {
  file: string;
  method?: string | null;
  url?: string | null;
  status?: number | null;
  recorded_at?: string | null;
}

interface Sidecar {
  recordedAt?: unknown;
  response?: { headers?: Record<string, unknown> };
}

const BODY_CACHE_BYTES = 64_000_000;

/**
 * Milliseconds since the epoch of a written date: RFC 3339, HTTP, `20250826T200001Z`; null when it is none.
 */
export function readMoment(text: unknown): number | null {
  if (typeof text !== "string") return null;
  const compact = /(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?Z/.exec(text);
  const [, year, month, day, hour, minute, second = "00"] = compact ?? [];
  const written = compact ? `${year}-${month}-${day}T${hour}:${minute}:${second}Z` : text;
  const ms = Date.parse(written);
  return Number.isNaN(ms) ? null : ms;
}

/** The path of a URL as it is compared. */
export function decodedPathOf(url: URL): string {
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return url.pathname;
  }
}

/** Headers that can be sent again. */
function headersOf(sidecar: Sidecar): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(sidecar.response?.headers ?? {})) {
    if (typeof value === "string") headers[name.toLowerCase()] = value;
    else if (Array.isArray(value)) headers[name.toLowerCase()] = value.map(String);
  }
  return headers;
}

async function readSidecar(path: string): Promise<Sidecar> {
  try {
    return ((await Bun.file(`${path}.meta.json`).json()) ?? {}) as Sidecar;
  } catch {
    return {};
  }
}

function isEntry(item: unknown): item is IndexEntry {
  return item !== null && typeof item === "object" && typeof (item as IndexEntry).file === "string";
}

async function readIndex(folder: string): Promise<unknown[]> {
  const file = Bun.file(resolve(folder, "index.json"));
  if (!(await file.exists())) throw new RangeError(`${folder} holds no index.json`);
  let index: unknown;
  try {
    index = await file.json();
  } catch {
    throw new Error(`index.json of ${folder} is not JSON`);
  }
  if (!Array.isArray(index))
    throw new Error(`index.json of ${folder} is not a list of {file, method, url, status}`);
  return index;
}

/**
 * One line of the index as a recording; text says why it cannot be one, null that it has no URL to answer to.
 */
async function readEntry(folder: string, item: unknown, order: number): Promise<Recording | string | null> {
  if (!isEntry(item)) return `entry ${order} of index.json names no file`;
  if (!item.url) return null;
  const url = URL.parse(item.url);
  if (!url) return `${item.file}: its URL cannot be read`;
  const path = resolve(folder, item.file);
  if (!path.startsWith(resolve(folder) + sep)) return `${item.file}: lies outside the folder`;
  if (!(await Bun.file(path).exists())) return `${item.file}: the body is missing`;
  const sidecar = await readSidecar(path);
  return {
    name: item.file,
    path,
    method: (item.method ?? "GET").toUpperCase(),
    url,
    decodedPath: decodedPathOf(url),
    status: item.status ?? 200,
    order,
    recordedAtMs:
      readMoment(sidecar.recordedAt) ??
      readMoment(item.recorded_at) ??
      readMoment(basename(item.file).match(/\d{8}T\d{4,6}Z/)?.[0]),
    headers: headersOf(sidecar),
  };
}

/** True for gzip data, whatever its name says. */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function bodyFacts(bytes: Uint8Array): BodyFacts {
  try {
    const json = JSON.parse(new TextDecoder().decode(bytes)) as {
      chart?: { result?: { timestamp?: unknown; meta?: { dataGranularity?: unknown } }[] };
    };
    const result = json.chart?.result?.[0];
    const times = Array.isArray(result?.timestamp)
      ? result.timestamp.filter((t) => typeof t === "number")
      : [];
    const granularity = result?.meta?.dataGranularity;
    const ends = times.reduce<[number, number]>(
      ([low, high], t) => [Math.min(low, t), Math.max(high, t)],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    );
    return {
      span: times.length > 0 ? ends : null,
      interval: typeof granularity === "string" ? granularity : null,
    };
  } catch {
    return { span: null, interval: null };
  }
}

/**
 * Opens a folder. What cannot be replayed is left out, `warn` naming the file. Error when there is no
 * readable index.json.
 */
export async function openRecordings(folder: string, warn: (line: string) => void): Promise<Recordings> {
  const index = await readIndex(folder);
  const read = await Promise.all(index.map((item, order) => readEntry(folder, item, order)));
  for (const entry of read) if (typeof entry === "string") warn(`left out ${entry}`);
  const bodies = new LRUCache<string, Uint8Array>({
    maxSize: BODY_CACHE_BYTES,
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
  });
  const facts = new Map<string, BodyFacts>();
  const body = async ({ path }: Recording): Promise<Uint8Array> => {
    const known = bodies.get(path);
    if (known) return known;
    const raw = await Bun.file(path).bytes();
    const bytes = isGzip(raw) ? Bun.gunzipSync(raw) : raw;
    bodies.set(path, bytes);
    return bytes;
  };
  return {
    all: read.filter((entry) => entry !== null && typeof entry !== "string"),
    body,
    async facts(recording) {
      const known = facts.get(recording.path);
      if (known) return known;
      const found = bodyFacts(await body(recording));
      facts.set(recording.path, found);
      return found;
    },
  };
}

// Compresses answers above a minimum size for clients that accept it; streams are compressed while they are
// sent.
import { promisify } from "node:util";
import { createGzip, gzip as gzipCallback, zstdCompress as zstdCallback } from "node:zlib";
import { COMPRESS_BYTES_MIN } from "../limits.ts";
import { EVENT_STREAM_TYPE } from "../platform/event-stream.ts";

type Encoding = "zstd" | "gzip";

const gzip = promisify(gzipCallback);
const zstd = promisify(zstdCallback);
const GZIP_LEVEL = 4;
/** Up to this size, compressing on this thread is faster than using another one. */
// An answer of 20 kB is compressed here; one of 2 MB elsewhere, so that other requests are not held up.
const INLINE_BYTES_MAX = 32_768;

/** Statuses that never have a body. */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The best encoding of an Accept-Encoding header, honouring q=0. */
export function encodingOf(accept: string | null): Encoding | null {
  if (!accept) return null;
  const offered = new Map<string, number>();
  for (const part of accept.toLowerCase().split(",")) {
    const [name, ...params] = part.trim().split(";");
    const q = params.map((p) => /^\s*q=([\d.]+)/.exec(p)?.[1]).find((v) => v !== undefined);
    if (name) offered.set(name, q === undefined ? 1 : Number(q));
  }
  const allows = (name: Encoding) => (offered.get(name) ?? offered.get("*") ?? 0) > 0;
  return allows("zstd") ? "zstd" : allows("gzip") ? "gzip" : null;
}

/** Events are not: a compressor would hold them back. */
const isCompressible = (type: string | null) =>
  type !== null && /json|csv|text|javascript|svg/.test(type) && !type.startsWith(EVENT_STREAM_TYPE);

async function compressed(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: Encoding,
): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes.byteLength <= INLINE_BYTES_MAX)
    return new Uint8Array(
      encoding === "gzip" ? Bun.gzipSync(bytes, { level: GZIP_LEVEL }) : Bun.zstdCompressSync(bytes),
    );
  return new Uint8Array(encoding === "gzip" ? await gzip(bytes, { level: GZIP_LEVEL }) : await zstd(bytes));
}

async function whole(response: Response, encoding: Encoding): Promise<Response> {
  const { status, headers } = response;
  const bytes = await response.bytes();
  if (bytes.byteLength < COMPRESS_BYTES_MIN) return new Response(bytes, { status, headers });
  headers.set("content-encoding", encoding);
  return new Response(await compressed(bytes, encoding), { status, headers });
}

/**
 * Compresses a stream on other threads, one chunk at a time. `CompressionStream` compresses on this one,
 * where other requests wait for each chunk.
 */
function gzipped(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const compressor = createGzip({ level: GZIP_LEVEL });
  const made: Uint8Array[] = [];
  compressor.on("data", (chunk: Uint8Array) => void made.push(chunk));
  // Each failure also rejects the write or the end that met it.
  compressor.on("error", () => {});
  const write = (chunk: Uint8Array) =>
    new Promise<void>((resolve, reject) =>
      compressor.write(chunk, (error) => (error ? reject(error) : resolve())),
    );
  const finish = () =>
    new Promise<void>((resolve, reject) => {
      compressor.once("end", resolve);
      compressor.once("error", reject);
      compressor.end();
    });
  /** Reads on until something is compressed; true at the end of the stream. */
  const readOn = async (): Promise<boolean> => {
    while (made.length === 0) {
      const { done, value } = await reader.read();
      if (done) {
        await finish();
        return true;
      }
      await write(value);
    }
    return false;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const isOver = await readOn();
        for (const chunk of made.splice(0)) controller.enqueue(chunk);
        if (isOver) controller.close();
      } catch (error) {
        compressor.destroy();
        await reader.cancel(error).catch(() => {});
        throw error;
      }
    },
    async cancel(reason) {
      compressor.destroy();
      await reader.cancel(reason);
    },
  });
}

/**
 * Compresses a response where that is useful and accepted. `streamed` bodies are never collected in memory.
 */
export function compress(
  response: Response,
  accept: string | null,
  streamed: boolean,
): Response | Promise<Response> {
  const { status, headers } = response;
  if (NO_BODY.has(status) || !isCompressible(headers.get("content-type"))) return response;
  if (headers.has("content-encoding")) return response;
  headers.append("vary", "Accept-Encoding");
  const encoding = encodingOf(accept);
  // Reading `body` turns a text that Bun would send in one write into a stream, so it is read only for
  // streams.
  if (!encoding) return response;
  if (!streamed) return whole(response, encoding);
  if (!response.body) return response;
  headers.set("content-encoding", "gzip");
  return new Response(gzipped(response.body), { status, headers });
}

// Recordings as a server behind UPSTREAM_GATEWAY: `/<host>/<path>?<query>` is answered by the nearest
// recording.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { nearest } from "./nearest.ts";
import { openRecordings, type Recording, type Recordings } from "./recordings.ts";

export interface ReplayOptions {
  /** Holds index.json and what it names. */
  readonly folder: string;
  readonly hostname: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Takes one line: a recording left out at start, a request that was not recorded. */
  readonly log: (line: string) => void;
}

export interface ReplayServer {
  readonly url: string;
  readonly port: number;
  /** How many recordings can be answered with. */
  readonly recordings: number;
  stop(): Promise<void>;
}

/** Headers that belong to the recorded connection, not to the answer. */
const NOT_SENT = new Set([
  "content-length",
  "content-encoding",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "date",
  "age",
  "expires",
  "strict-transport-security",
  "alt-svc",
]);
const TYPES: Readonly<Record<string, string>> = {
  ".json": "application/json;charset=utf-8",
  ".html": "text/html;charset=utf-8",
  ".htm": "text/html;charset=utf-8",
  ".xml": "application/xml;charset=utf-8",
  ".csv": "text/csv;charset=utf-8",
  ".txt": "text/plain;charset=utf-8",
  ".idx": "text/plain;charset=utf-8",
  ".pdf": "application/pdf",
  ".zip": "application/zip",
};

/** A content type by the file's name, else by how the body begins. */
export function guessType(name: string, body: Uint8Array): string {
  const known = TYPES[extname(name.replace(/\.gz$/i, "")).toLowerCase()];
  if (known) return known;
  const start = new TextDecoder().decode(body.subarray(0, 256)).trimStart();
  if (/^[{[]/.test(start)) return "application/json;charset=utf-8";
  if (start.startsWith("<?xml")) return "application/xml;charset=utf-8";
  if (start.startsWith("<")) return "text/html;charset=utf-8";
  return body.includes(0) ? "application/octet-stream" : "text/plain;charset=utf-8";
}

async function send(
  response: ServerResponse,
  recordings: Recordings,
  recording: Recording,
  withBody: boolean,
): Promise<void> {
  const body = await recordings.body(recording);
  for (const [name, value] of Object.entries(recording.headers))
    if (!NOT_SENT.has(name)) response.setHeader(name, typeof value === "string" ? value : [...value]);
  if (!response.hasHeader("content-type"))
    response.setHeader("content-type", guessType(recording.name, body));
  response.setHeader("content-length", body.length);
  response.writeHead(recording.status);
  response.end(withBody ? body : undefined);
}

function sendProblem(response: ServerResponse, status: number, title: string, detail: string): void {
  response.writeHead(status, { "content-type": "application/problem+json" });
  response.end(JSON.stringify({ type: "about:blank", title, status, detail }));
}

async function handle(
  message: IncomingMessage,
  response: ServerResponse,
  recordings: Recordings,
  log: (line: string) => void,
) {
  const method = message.method === "HEAD" ? "GET" : (message.method ?? "GET");
  message.resume();
  const url = URL.parse(`https:/${message.url ?? ""}`);
  const found = url && (await nearest({ method, url }, recordings.all, recordings.facts));
  if (found) return send(response, recordings, found, message.method !== "HEAD");
  // A crumb is a credential, even a replayed one.
  const shown = `${method} https:/${message.url ?? ""}`.replace(/([?&]crumb=)[^&]*/g, "$1…");
  log(`no recording: ${shown}`);
  sendProblem(response, 404, "Not Found", `No recording of ${shown}`);
}

/** Serves a folder. Rejects when index.json cannot be read or the port is taken. */
export async function serveReplay({ folder, hostname, port, log }: ReplayOptions): Promise<ReplayServer> {
  const recordings = await openRecordings(folder, log);
  const server = createServer((message, response) => {
    handle(message, response, recordings, log).catch((error: unknown) => {
      log(`replay failed: ${error instanceof Error ? error.message : String(error)}`);
      if (response.headersSent) response.destroy();
      else sendProblem(response, 500, "Internal Server Error", "The recording could not be read");
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  const shown = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${shown}:${bound}`,
    port: bound,
    recordings: recordings.all.length,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

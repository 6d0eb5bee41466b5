// The sample upstream as a server behind UPSTREAM_GATEWAY: in one process with a test, or on its own.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exchangeCalendar } from "../src/market/calendar.ts";
import { type Clock, systemClock } from "../src/platform/clock.ts";
import { createEdgar, type Edgar } from "./edgar/index.ts";
import { createDials, type Dial, type Dials, faultyReply } from "./faults.ts";
import { createMarket, type Market, NAMED_LISTINGS } from "./market.ts";
import { tamper } from "./tampering.ts";
import { createTraffic, type Traffic } from "./traffic.ts";
import { createUpstreams } from "./upstreams.ts";
import type { SampleUpstream } from "./wire.ts";
import { jsonReply, type Reply, type SampleRequest } from "./wire.ts";
import { createYahoo, type Yahoo } from "./yahoo/index.ts";

export interface SampleOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  readonly hostname?: string;
  /** The clock of the market; latencies and statistics are real time all the same. */
  readonly clock?: Clock;
  readonly symbols?: number;
  readonly years?: number;
  readonly seed?: number;
}

export interface SampleServer {
  /** For UPSTREAM_GATEWAY, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly market: Market;
  readonly dials: Dials;
  traffic(): Traffic;
  resetTraffic(): void;
  /** Cuts every connection and frees the port. */
  stop(): Promise<void>;
}

const BODY_BYTES_MAX = 1_000_000;
const HUGE_BYTES = 200_000_000;
const CHUNK_BYTES = 1 << 20;

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new RangeError(`a body of more than ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function writeHead(response: ServerResponse, reply: Reply, bytes: number): void {
  for (const [name, value] of Object.entries(reply.headers))
    response.setHeader(name, typeof value === "string" ? value : [...value]);
  response.setHeader("content-length", bytes);
  response.writeHead(reply.status);
}

const bodyOf = ({ body, bytes }: Reply): Buffer => Buffer.from(bytes ?? body);

function send(response: ServerResponse, reply: Reply): void {
  const body = bodyOf(reply);
  writeHead(response, reply, body.length);
  response.end(body);
}

/** A body of spaces that no reader should read to its end; stops when the reader goes. */
function sendHuge(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { "content-type": "application/json;charset=utf-8" });
  const chunk = Buffer.alloc(CHUNK_BYTES, " ");
  let left = bytes;
  const pump = () => {
    while (left > 0 && !response.destroyed) {
      left -= CHUNK_BYTES;
      if (!response.write(chunk)) return void response.once("drain", pump);
    }
    response.end("{}");
  };
  pump();
}

/**
 * Sends the start of the right answer, then nothing: the connection is cut (`truncated`) or left hanging
 * (`stall`).
 */
function sendPart(response: ServerResponse, reply: Reply, dial: Dial): void {
  const body = bodyOf(reply);
  const part = body.subarray(0, dial.bytes ?? (dial.fault === "stall" ? 0 : Math.floor(body.length / 2)));
  if (part.length === 0 && dial.fault === "stall") return;
  writeHead(response, reply, body.length + 1);
  response.write(part, () => {
    if (dial.fault === "truncated") setTimeout(() => response.destroy(), 20);
  });
}

/** Carries out a fault in place of `reply`; `own` is how the host itself words it, where it does. */
function strikeInstead(
  response: ServerResponse,
  dial: Dial,
  own: Reply | null,
  { reply, nowMs }: { reply(): Reply; nowMs: number },
): void {
  const faulty = own ?? faultyReply(dial, nowMs);
  if (faulty) send(response, faulty);
  else if (dial.fault === "reset") response.socket?.destroy();
  else if (dial.fault === "huge") sendHuge(response, dial.bytes ?? HUGE_BYTES);
  else sendPart(response, reply(), dial);
}

/** `/_dials`, `/_stats`, `/_symbols` and `/`: what people and tests ask of the sample itself. */
function ownReply(method: string, path: string, body: string, parts: Parts): Reply {
  const { dials, traffic, market } = parts;
  if (path === "/_dials") {
    if (method === "POST") {
      try {
        dials.set(JSON.parse(body) as Dial[]);
      } catch (error) {
        return jsonReply(400, { error: error instanceof Error ? error.message : String(error) });
      }
    } else if (method === "DELETE") dials.clear();
    else if (method !== "GET") return jsonReply(405, { error: "GET, POST or DELETE" });
    return jsonReply(200, dials.list());
  }
  if (path === "/_stats") {
    if (method === "DELETE") traffic.reset();
    return jsonReply(200, traffic.read());
  }
  if (path === "/_symbols") return jsonReply(200, market.symbols());
  const description =
    "The sample market. Set UPSTREAM_GATEWAY to this address; see /_symbols, /_dials, /_stats.";
  return jsonReply(path === "/" ? 200 : 404, { description });
}

interface Parts {
  readonly clock: Clock;
  readonly market: Market;
  readonly yahoo: Yahoo;
  readonly edgar: Edgar;
  readonly dials: Dials;
  readonly traffic: ReturnType<typeof createTraffic>;
  readonly upstreams: readonly SampleUpstream[];
}

function answer(request: SampleRequest, parts: Parts): Reply {
  const { yahoo, edgar, dials, upstreams } = parts;
  const tampering = { correct: dials.correct, europe: dials.europe() };
  const own = yahoo.answer(request, tampering) ?? edgar.answer(request);
  if (own) return own;
  for (const upstream of upstreams) {
    const reply = upstream.answer(request);
    if (reply) return reply;
  }
  return jsonReply(404, { error: `The sample market does not speak for ${request.host}` });
}

async function handle(message: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const url = new URL(`http://sample${message.url ?? "/"}`);
  const method = message.method ?? "GET";
  const body = method === "GET" ? "" : await readBody(message);
  const [, host = "", rest = ""] = /^\/([^/]*)(.*)$/.exec(url.pathname) ?? [];
  if (!host.includes(".")) return send(response, ownReply(method, url.pathname, body, parts));
  const { traffic, dials } = parts;
  traffic.begin(systemClock.nowMs(), method, `${host}${rest}`, url.searchParams.toString());
  response.once("close", traffic.end);
  const path = rest || "/";
  const request = { method, host, path, query: url.searchParams, headers: message.headers, body };
  const strike = dials.strike(request);
  if (strike.waitMs > 0) await systemClock.sleep(strike.waitMs);
  if (response.destroyed) return;
  if (strike.instead) {
    const own = parts.edgar.refuse(request, strike.instead);
    const rest = { reply: () => answer(request, parts), nowMs: parts.clock.nowMs() };
    return strikeInstead(response, strike.instead, own, rest);
  }
  send(response, tamper(answer(request, parts), strike.inside));
}

function listen(server: Server, port: number, hostname: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, () => resolve());
  });
}

/**
 * Starts the sample upstream. RangeError for options out of range; the listening error when the port is
 * taken.
 */
export async function serveSample(options: SampleOptions = {}): Promise<SampleServer> {
  const { port = 0, hostname = "127.0.0.1", clock = systemClock } = options;
  const { symbols = NAMED_LISTINGS, years = 5, seed = 1 } = options;
  const market = createMarket({ clock, calendar: exchangeCalendar(), symbols, years, seed });
  const yahoo = createYahoo(market);
  const edgar = createEdgar(market, Math.max(0, symbols - NAMED_LISTINGS));
  const dials = createDials(yahoo.expireCrumbs);
  const traffic = createTraffic();
  const upstreams = createUpstreams(market);
  const parts = { clock, market, yahoo, edgar, dials, traffic, upstreams };
  const server = createServer((message, response) => {
    handle(message, response, parts).catch((error: unknown) => {
      const description = error instanceof Error ? error.message : String(error);
      if (!response.headersSent)
        send(response, jsonReply(500, { error: `The sample market failed: ${description}` }));
      else response.destroy();
    });
  });
  await listen(server, port, hostname);
  const bound = (server.address() as AddressInfo).port;
  const shown = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${shown}:${bound}`,
    port: bound,
    market,
    dials,
    traffic: traffic.read,
    resetTraffic: traffic.reset,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

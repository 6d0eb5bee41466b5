// An upstream that misbehaves on command: speaks raw HTTP so that it can break off, lie about lengths and
// drip.
import net from "node:net";
import { gzipSync } from "node:zlib";

export interface ChaosRequest {
  readonly method: string;
  /** Host and path as the gateway gets them, without the query: "api.example/ok". */
  readonly target: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How often this target was asked before. */
  readonly before: number;
}

export type Dial = (socket: net.Socket, request: ChaosRequest) => void;

/** A whole answer with a right length. */
export function reply(status: number, body: string, headers: Record<string, string> = {}): Dial {
  return (socket) => {
    const lines = Object.entries({ "content-length": String(Buffer.byteLength(body)), ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.end(`HTTP/1.1 ${status} X\r\nconnection: close\r\n${head}\r\n${body}`);
  };
}

/** The first `times` requests get `first`, later ones `then`. */
export const firstly =
  (times: number, first: Dial, then: Dial): Dial =>
  (socket, request) =>
    (request.before < times ? first : then)(socket, request);

/** Takes the request and never says anything. */
export const silence: Dial = () => {};

export const reset: Dial = (socket) => {
  socket.resetAndDestroy();
};

/** Promises a hundred bytes, sends five and hangs up. */
export const truncated: Dial = (socket) => {
  socket.end('HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":');
};

/** A byte at a time, for ever. */
export const drip: Dial = (socket) => {
  socket.write("HTTP/1.1 200 X\r\ncontent-length: 1000000\r\n\r\n");
  const timer = setInterval(() => socket.write("x"), 5);
  socket.on("close", () => clearInterval(timer));
};

const bomb = gzipSync(Buffer.alloc(50_000_000));

/** 50 MB of zeros in 49 KB, with the small length in its header. */
export const gzipBomb: Dial = (socket) => {
  socket.write(`HTTP/1.1 200 X\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
  socket.write(bomb);
};

/** Sends a body without end and without a length for as long as the client reads. */
export const endless: Dial = (socket) => {
  socket.write("HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n");
  const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", more);
  more();
};

export interface Chaos extends Disposable {
  /** The address for UPSTREAM_GATEWAY. */
  readonly gateway: string;
  readonly requests: readonly ChaosRequest[];
  hits(target: string): number;
  /** Requests whose connection the other side closed. */
  readonly closed: readonly string[];
}

/** Starts it on a free port of loopback; `dials` by target, anything else is a 404. */
export async function startChaos(dials: Readonly<Record<string, Dial>>): Promise<Chaos> {
  const requests: ChaosRequest[] = [];
  const closed: string[] = [];
  const sockets = new Set<net.Socket>();
  const hits = (target: string) => requests.filter((r) => r.target === target).length;
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    let head = "";
    const onData = (data: Buffer) => {
      head += data.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      socket.off("data", onData);
      socket.resume();
      const [first = "", ...lines] = head.slice(0, head.indexOf("\r\n\r\n")).split("\r\n");
      const [method = "", path = ""] = first.split(" ");
      const [address = "", query = ""] = path.slice(1).split("?");
      const headers = Object.fromEntries(
        lines.map((l) => [l.slice(0, l.indexOf(":")).toLowerCase(), l.slice(l.indexOf(":") + 1).trim()]),
      );
      const request = { method, target: address, query, headers, before: hits(address) };
      requests.push(request);
      socket.on("close", () => closed.push(address));
      (dials[address] ?? reply(404, "no such dial"))(socket, request);
    };
    socket.on("data", onData);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as net.AddressInfo;
  return {
    gateway: `http://127.0.0.1:${address.port}`,
    requests,
    hits,
    closed,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

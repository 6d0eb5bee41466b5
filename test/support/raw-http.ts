// HTTP as bytes over a socket: what no client library would send, and what came back.
import { connect, type Socket } from "node:net";

export interface RawAnswer {
  /** Statuses of all answers on the connection, interim ones left out. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** Whether the server closed the connection. */
  readonly closed: boolean;
}

/** Bytes written one after the other; text is taken as one byte a character. */
export type Pieces = string | Uint8Array | readonly (string | Uint8Array)[];

const bytesOf = (piece: string | Uint8Array) =>
  typeof piece === "string" ? Buffer.from(piece, "latin1") : piece;
const listOf = (pieces: Pieces): readonly (string | Uint8Array)[] =>
  typeof pieces === "string" || pieces instanceof Uint8Array ? [pieces] : pieces;

const STATUS_LINE = /HTTP\/1\.[01] (\d{3}) [^\r\n]*\r\n/g;

function statusesIn(text: string): number[] {
  return [...text.matchAll(STATUS_LINE)]
    .map(([, status]) => Number(status))
    .filter((status) => status >= 200);
}

/** Opens a connection that stays open after its bytes until the test ends it. */
export async function hang(url: string, pieces: Pieces): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  for (const piece of listOf(pieces)) socket.write(bytesOf(piece));
  return socket;
}

/** Sends bytes and takes what comes until the server closes, or until it has been silent for `silentMs`. */
export function sendRaw(url: string, pieces: Pieces, silentMs = 2_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const end = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString("latin1");
      resolve({ statuses: statusesIn(text), text, closed });
    };
    const timer = setTimeout(() => end(false), silentMs);
    socket.on("data", (data) => {
      chunks.push(Buffer.from(data));
      timer.refresh();
    });
    socket.on("close", () => end(true));
    socket.on("error", () => {});
    socket.on("connect", () => {
      for (const piece of listOf(pieces)) socket.write(bytesOf(piece));
    });
  });
}

/** The bytes as a line for a shell, against a server at `base`. */
export function netcatLine(pieces: Pieces, base = "http://127.0.0.1:8000"): string {
  const { hostname, port } = new URL(base);
  const bytes = Buffer.concat(listOf(pieces).map(bytesOf));
  const text = [...bytes]
    .map((byte) =>
      byte >= 0x20 && byte < 0x7f && byte !== 0x25 && byte !== 0x27 && byte !== 0x5c
        ? String.fromCharCode(byte)
        : `\\${byte.toString(8).padStart(3, "0")}`,
    )
    .join("");
  return `printf '${text}' | nc ${hostname} ${port}`;
}

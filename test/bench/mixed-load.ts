// Requests of every kind a client sends, in a steady mix, from several clients that each wait for their
// answer.
import { steadyRandom } from "./measure.ts";

/** A client's next request; with a body it is a POST. */
export interface Ask {
  readonly path: string;
  readonly body?: unknown;
}

/** One answer as the client met it. */
export interface Met {
  readonly status: number;
  readonly path: string;
  readonly body: string;
}

export interface LoadOptions {
  /** Clients at once. */
  readonly clients: number;
  next(random: () => number): Ask;
  /** Called for each answer whose status is not 2xx. */
  refused(met: Met): void;
  /** Pause of a client between two requests, in ms. */
  readonly pauseMs: number;
}

export interface RunningLoad {
  answered(): number;
  /** The answer that took longest, in ms. */
  longest(): { readonly ms: number; readonly path: string };
  stop(): Promise<void>;
}

const postOf = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** Starts the clients. */
export function startLoad(url: string, { clients, next, refused, pauseMs }: LoadOptions): RunningLoad {
  let isEnding = false;
  let answered = 0;
  let longest = { ms: 0, path: "" };
  const client = async (number: number) => {
    const random = steadyRandom(number + 1);
    while (!isEnding) {
      const { path, body: sent } = next(random);
      const askedAt = performance.now();
      try {
        const response = await fetch(url + path, sent === undefined ? {} : postOf(sent));
        const body = await response.bytes();
        if (!response.ok) refused({ status: response.status, path, body: new TextDecoder().decode(body) });
      } catch (error) {
        if (!isEnding) refused({ status: 0, path, body: String(error) });
      }
      answered += 1;
      const ms = performance.now() - askedAt;
      if (ms > longest.ms) longest = { ms, path };
      await Bun.sleep(pauseMs * (0.5 + random()));
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return {
    answered: () => answered,
    longest: () => longest,
    async stop() {
      isEnding = true;
      await running;
    },
  };
}

// The ledger as server-sent events: what is there since a cursor, then each commit as it is made.
import { CHANGES_HEARTBEAT_S, CHANGES_RETRY_MS, CHANGES_STREAM_PAGE_ROWS } from "../../limits.ts";
import type { Services } from "../../market/services.ts";
import { Answer } from "../../platform/answer.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { streamOfParts } from "../../platform/event-stream.ts";
import { streamOfFile } from "../../platform/lake/read/file-stream.ts";
import type { ChangeRequests, ChangesDeps } from "./requests.ts";
import type { ChangesQuery } from "./schema.ts";

/** The cursor with which a client comes back; null for a client that comes for the first time. */
function lastEventId({ headers }: Request): number | null {
  const given = headers.get("last-event-id")?.trim() ?? "";
  if (given === "") return null;
  if (/^[0-9]{1,15}$/.test(given)) return Number(given);
  throw new InvalidRequest("bad_request", "Last-Event-ID is no cursor of this ledger.", {
    hint: "Send the id of the last event that you handled, or none with since=0.",
  });
}

/** Lines of JSON that begin with their cursor, as events. A line end within a text is escaped in JSON. */
const eventsOf = (lines: string) =>
  Buffer.from(
    lines.replaceAll("\n", "\n\n").replace(/^\{"cursor":(\d+)/gm, 'id: $1\ndata: {"cursor":$1'),
    "latin1",
  );

/** Yields the events of a file of changes, a part of the file at a time, and removes it. */
async function* fileEvents(file: Parameters<typeof streamOfFile>[0]): AsyncGenerator<Uint8Array> {
  const reader = streamOfFile(file).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // As text of one byte a character, which copies whole runs at once: the bytes searched for are no part
      // of another character.
      const text = rest + Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("latin1");
      const end = text.lastIndexOf("\n") + 1;
      rest = text.slice(end);
      if (end > 0) yield eventsOf(text.slice(0, end));
    }
  } finally {
    await reader.cancel();
  }
}

type StreamDeps = Pick<ChangesDeps, "lake"> & Pick<Services, "clock">;

/** Waits for a commit after `from`; true when the time of a heartbeat came first. */
async function waitForCommit(
  { lake, clock }: StreamDeps,
  from: number,
  signal: AbortSignal,
): Promise<boolean> {
  const waiting = new AbortController();
  const unsubscribe = lake.onCommit(() => waiting.abort());
  try {
    if ((await lake.generation()) > from) return false;
    await clock.sleep(CHANGES_HEARTBEAT_S * 1_000, AbortSignal.any([signal, waiting.signal]));
    return true;
  } catch (error) {
    if (waiting.signal.aborted || signal.aborted) return false;
    throw error;
  } finally {
    unsubscribe();
  }
}

/** Answers GET /changes with events; `ending` aborts when the service stops. */
export function changeStream(deps: StreamDeps, requests: ChangeRequests, ending: AbortSignal) {
  const { lake } = deps;
  /** The events of the changes after `since`, then of every commit as it is made. */
  async function* events(
    since: number,
    query: ChangesQuery,
    signal: AbortSignal,
  ): AsyncGenerator<string | Uint8Array> {
    yield `retry: ${CHANGES_RETRY_MS}\n\n`;
    const { op, cause, compact = false } = query;
    let from = since;
    let warned = "[]";
    while (!signal.aborted) {
      // Asked again for each page: the symbol may have gone to another company.
      const { rows, warnings } = requests.askedRows(query);
      const warning = JSON.stringify(warnings);
      // An event of its own name, so that it is not taken for a row.
      if (warning !== warned) yield `event: warning\ndata: {"warnings":${warning}}\n\n`;
      warned = warning;
      const range = { ...rows, from };
      const { to, newest } = await lake.ledgerEnd({ ...range, rows: CHANGES_STREAM_PAGE_ROWS }, { signal });
      if (to > from) {
        const page = { ...range, to, op, cause, lastUpTo: compact ? newest : undefined };
        const file = await lake.ledgerOut(page, { format: "ndjson", objects: "JSON" }, { signal });
        if (file) yield* fileEvents(file);
        // An id without data moves the client's cursor over commits without such a row.
        yield `id: ${to}\n\n`;
        from = to;
      }
      if (to === newest && (await waitForCommit(deps, from, signal))) yield ": heartbeat\n\n";
    }
  }

  return async (query: ChangesQuery, request: Request): Promise<Answer<null>> => {
    const since = lastEventId(request) ?? query.since ?? 0;
    await requests.demandVersion("since", since);
    // Refuses what the request cannot be asked with before the stream begins.
    requests.askedRows(query);
    const signal = AbortSignal.any([request.signal, ending]);
    return new Answer(() => null, {
      events: streamOfParts((ended) => events(since, query, ended), signal),
    });
  };
}

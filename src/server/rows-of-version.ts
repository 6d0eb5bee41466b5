// Rows that are read while they are sent: all of them from one version of the store, which the headers name
// before the first row.
import { currentReading, Reading } from "../platform/reading.ts";
import { isStreamed } from "./streamed.ts";

/** The functions of the store that the rows of an answer need. */
export interface RowVersions {
  generation(): Promise<number>;
  isRowless(generation: number): boolean;
}

/** The stream, whose every part is made under a reading. */
function under(reading: Reading, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reading.run(() => reader.read());
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/**
 * Makes a response with rows of one version: the one that the request replays or has read so far, else the
 * newest.
 */
export async function rowsOfOneVersion(
  versions: RowVersions | undefined,
  make: () => Promise<Response>,
): Promise<Response> {
  const request = currentReading();
  if (!request || !versions) return make();
  const version =
    request.replay?.version ?? request.version(versions.isRowless) ?? (await versions.generation());
  const rows = new Reading(request.replay, request.asOf);
  rows.pinned = version;
  rows.refusesDamage = request.refusesDamage;
  const made = await rows.run(make).finally(() => request.noteDamage(rows.damage.values()));
  rows.isNamed = true;
  // The body of a response that is not streamed is made already.
  const response = isStreamed(made.headers) && made.body ? new Response(under(rows, made.body), made) : made;
  if (rows.hasRead() && rows.damage.size === 0) response.headers.set("x-data-version", String(rows.pinned));
  return response;
}

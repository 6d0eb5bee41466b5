// A streamed answer leaves room for others between its chunks, and does not wait for a client that stopped
// reading.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { streamOfFile } from "../platform/lake/read/file-stream.ts";
import { sendStream } from "./send-stream.ts";

setDefaultTimeout(1_200_000);

function counted(chunks: number) {
  let made = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (made === chunks) return controller.close();
        made += 1;
        controller.enqueue(new Uint8Array([made]));
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, made: () => made };
}

/** Notes what happens while a stream is sent; `late` passes the time of the client by hand. */
function notes() {
  const noted: string[] = [];
  let due: (() => void) | undefined;
  return {
    noted,
    late: () => due?.(),
    isWaiting: () => due !== undefined,
    release: () => void noted.push("released"),
    stalled: () => void noted.push("stalled"),
    failed: (error: unknown) => void noted.push(`failed: ${error}`),
    startDeadline: (late: () => void) => {
      due = late;
      return () => {
        due = undefined;
      };
    },
  };
}

/** How a stream ended. Bun prints what a stream is aborted with, so it must be nothing. */
const endOf = (closed: Promise<unknown>) =>
  closed.then(
    () => "closed",
    (error: unknown) => (error === undefined ? "aborted without an error" : `aborted with ${error}`),
  );

describe("a streamed answer", () => {
  test("lets others be answered between any two chunks", async () => {
    const order: string[] = [];
    const send = notes();
    let isOpen = true;
    const others = (async () => {
      while (isOpen) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        order.push("other");
      }
    })();
    for await (const [chunk] of sendStream(counted(20).stream, send)) order.push(`chunk ${chunk}`);
    isOpen = false;
    await others;
    const chunks = order.filter((each) => each !== "other");
    expect(chunks).toEqual(Array.from({ length: 20 }, (_, i) => `chunk ${i + 1}`));
    for (let i = 1; i < 20; i++)
      expect(order.slice(order.indexOf(`chunk ${i}`), order.indexOf(`chunk ${i + 1}`))).toContain("other");
    expect([send.noted, send.isWaiting()]).toEqual([["released"], false]);
  });

  test("makes no further chunk before the client takes the last", async () => {
    const source = counted(1_000);
    const reader = sendStream(source.stream, notes()).getReader();
    await reader.read();
    for (let i = 0; i < 50; i++) await new Promise<void>((resolve) => setImmediate(resolve));
    // One is on its way while the client works on the first.
    expect(source.made()).toBe(2);
    await reader.cancel();
  });

  test("is aborted, not closed, when its client stops reading; its place is free and its file is gone", async () => {
    const folder = await mkdtemp(join(tmpdir(), "asof-stalled-"));
    const path = join(folder, "answer");
    await Bun.write(path, "x".repeat(5_000_000));
    const send = notes();
    const file = { path, discard: () => rm(path, { force: true }) };
    const reader = sendStream(streamOfFile(file), send).getReader();
    await reader.read();
    while (!send.isWaiting()) await new Promise<void>((resolve) => setImmediate(resolve));
    send.late();
    expect(send.noted).toEqual(["released", "stalled"]);
    expect(await endOf(reader.closed)).toBe("aborted without an error");
    while (existsSync(path)) await new Promise<void>((resolve) => setImmediate(resolve));
    await rm(folder, { recursive: true });
  });

  test("that cannot be made to its end is aborted, and its error is reported once", async () => {
    const send = notes();
    let made = 0;
    const source = new ReadableStream<Uint8Array>({
      pull(controller) {
        made += 1;
        if (made === 2) throw new Error("the disk does not answer");
        controller.enqueue(new Uint8Array([made]));
      },
    });
    const reader = sendStream(source, send).getReader();
    await reader.read();
    expect(await endOf(reader.closed)).toBe("aborted without an error");
    expect(send.noted).toEqual(["failed: Error: the disk does not answer", "released"]);
  });

  test("that is aborted is cut off at the client, and prints nothing beside the log", async () => {
    const script = `
      import { sendStream } from ${JSON.stringify(join(import.meta.dir, "send-stream.ts"))};
      let end;
      const source = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1000)) });
      const send = { release() {}, stalled() {}, failed() {}, startDeadline: (late) => ((end = late), () => {}) };
      const server = Bun.serve({ port: 0, fetch: () => new Response(sendStream(source, send)) });
      const { body } = await fetch(server.url);
      const reader = body.getReader();
      await reader.read();
      end();
      await reader.read().then(({ done }) => console.log(done ? "whole" : "more"), () => console.log("cut off"));
      await server.stop(true);
    `;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
    const [said, printed] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect([said, printed]).toEqual(["cut off\n", ""]);
  });
});

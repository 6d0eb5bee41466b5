import { expect, test } from "bun:test";
import { backgroundQueue } from "./background-queue.ts";
import { type AsofError, UpstreamFailed } from "./errors.ts";
import { currentReading, Reading } from "./reading.ts";

/** A queue whose items end when the test says so. */
function open(workers = 2, itemsMax = 10) {
  const begun: string[] = [];
  const ends = new Map<string, (outage: AsofError | null) => void>();
  const outages: number[] = [];
  let ended = 0;
  const queue = backgroundQueue({
    workers,
    itemsMax,
    run(item) {
      begun.push(currentReading() ? `${item} within a request` : item);
      return new Promise((resolve) => ends.set(item, resolve));
    },
    onOutage: (_, dropped) => outages.push(dropped),
    onEnd: () => ended++,
  });
  const end = async (item: string, outage: AsofError | null = null) => {
    ends.get(item)?.(outage);
    await Bun.sleep(0);
  };
  return { queue, begun, outages, end, ended: () => ended };
}

test("a few items at once, in their order, each once", async () => {
  const { queue, begun, end, ended } = open();
  queue.add(["a", "b", "c"]);
  queue.add(["c", "d"]);
  expect(begun).toEqual(["a", "b"]);
  await end("a");
  expect(begun).toEqual(["a", "b", "c"]);
  for (const item of ["b", "c", "d"]) await end(item);
  await queue.idle();
  expect(begun).toEqual(["a", "b", "c", "d"]);
  expect(queue.isBusy()).toBe(false);
  expect(ended()).toBe(2);
});

test("an outage drops what waits; later items are worked on", async () => {
  const { queue, begun, outages, end } = open(1);
  queue.add(["a", "b", "c"]);
  await end("a", new UpstreamFailed("edgar", "down"));
  await queue.idle();
  expect(outages).toEqual([3]);
  queue.add(["d"]);
  await end("d");
  expect(begun).toEqual(["a", "d"]);
});

test("items that do not fit are dropped", async () => {
  const { queue, begun, end } = open(1, 2);
  queue.add(["a", "b", "c"]);
  for (const item of ["a", "b", "c"]) await end(item);
  await queue.idle();
  expect(begun).toEqual(["a", "b"]);
});

test("stopping waits for what is under way and begins nothing", async () => {
  const { queue, begun, end } = open(1);
  queue.add(["a", "b"]);
  const stopped = queue.stop();
  queue.add(["c"]);
  await end("a");
  await stopped;
  expect(begun).toEqual(["a"]);
});

test("nothing that it reads belongs to the request that added an item", async () => {
  const { queue, begun, end } = open();
  new Reading().run(() => queue.add(["a"]));
  expect(begun).toEqual(["a"]);
  await end("a");
});

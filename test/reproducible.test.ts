// The page about studies that can be run again does what it says: its blocks are run in order, and the store
// moves on in between.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SUGGESTED } from "../sample/market.ts";
import { openSampleService, type SampleService } from "./support/service.ts";

setDefaultTimeout(1_200_000);

const [A = "", B = ""] = SUGGESTED;
const text = await Bun.file(join(import.meta.dir, "../docs/reproducible.md")).text();
const blocks = [...text.matchAll(/```(\w+)(?: \w+)?\n([\s\S]*?)```/g)].map(
  ([, language = "", code = ""]) => ({
    language,
    code,
  }),
);

let service: SampleService;
let server: ReturnType<typeof Bun.serve>;
let folder: string;
/** Asks for the bars of the study, so that missing days are fetched and stored. */
const fetchBars = async () => {
  const { status } = await service.get(
    `/api/v1/price/data?tickers=${A},${B}&start_date=2026-08-03&end_date=2026-09-16`,
  );
  expect(status).toBe(200);
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "asof-study-"));
  service = await openSampleService();
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    fetch: (request) => service.app().edge.fetch(request, "127.0.0.1"),
  });
});
afterAll(async () => {
  await server?.stop(true);
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function run({ language, code }: (typeof blocks)[number]): Promise<string> {
  const own = code
    .replaceAll("AAPL", A)
    .replaceAll("MSFT", B)
    .replaceAll("http://127.0.0.1:8000", server.url.href.replace(/\/$/, ""));
  const command = language === "sh" ? ["bash", "-c", own] : ["python3", "-c", own];
  const child = Bun.spawn(command, { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([own, await child.exited, error]).toEqual([own, 0, ""]);
  return out;
}

describe("docs/reproducible.md", () => {
  if (!["curl", "bash", "python3"].every((name) => Bun.which(name))) {
    test.skip("skipped: no curl, bash or python3 on this machine", () => {});
    return;
  }
  test("a study is run, run again from its version, and its difference to now is explained", async () => {
    const [name, study, again, now, why, rows, ...more] = blocks;
    if (!name || !study || !again || !now || !why || !rows) throw new Error("blocks are missing");
    expect(more).toEqual([]);
    const named = JSON.parse(await run(name));
    expect(named).toMatchObject({ name: "momentum-2026", note: "Table 2 of the paper." });
    expect(await run(study)).toContain("2026-08-03");
    expect(Number(await Bun.file(join(folder, "version.txt")).text())).toBe(named.data_version);
    // A week passes, and the new days are fetched.
    service.clock.set("2026-09-17T21:00:00Z");
    await fetchBars();
    expect(await run(again)).toBe("The rows are the same.\n");
    expect(await run(now)).toContain("2026-09-16");
    const explained = await run(why);
    for (const symbol of [A, B]) expect(explained).toMatch(new RegExp(`${symbol} has [1-9]\\d* changes`));
    expect(explained).toContain("bars_daily insert published");
    const [first = ""] = (await run(rows)).split("\n");
    expect(JSON.parse(first)).toMatchObject({ symbol: A, op: "insert" });
  });
});

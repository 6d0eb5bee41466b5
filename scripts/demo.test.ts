// The demo as a newcomer runs it: what it prints works.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type ServiceProcess, startProcess } from "../test/support/process.ts";

setDefaultTimeout(1_200_000);

let demo: ServiceProcess;
beforeAll(async () => {
  demo = await startProcess({}, "scripts/demo.ts");
  while (!demo.stdout().includes("Ctrl-C stops it.")) await Bun.sleep(10);
});
afterAll(async () => {
  demo.kill("SIGTERM");
  await demo.ended();
  await demo.clean();
});

/** The printed lines that begin with `start`, without their indent. */
const printed = (start: string) =>
  demo
    .stdout()
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith(start));

async function shell(line: string) {
  const { stdout, exited } = Bun.spawn(
    ["sh", "-c", line.replaceAll("bun run cli", `${process.execPath} scripts/cli.ts`)],
    {
      env: { PATH: process.env.PATH ?? "" },
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  return { text: await new Response(stdout).text(), code: await exited };
}

test("the three calls answer", async () => {
  const calls = printed("curl ").map((line) => /'(.+)'/.exec(line)?.[1] ?? "");
  expect(calls).toHaveLength(3);
  for (const url of calls) {
    const response = await fetch(url);
    expect([url, response.status]).toEqual([url, 200]);
    expect((await response.text()).length).toBeGreaterThan(100);
  }
});

test("a company is found by its name soon after the start", async () => {
  const address = /(http:\S+)\/ /.exec(printed("Console")[0] ?? "")?.[1] ?? "";
  const found = async () => {
    const answer = await fetch(`${address}/api/v1/universe/registry?q=zorp+dynamics`);
    return ((await answer.json()) as { data: { ticker: string }[] }).data.map(({ ticker }) => ticker);
  };
  while ((await found()).length === 0) await Bun.sleep(50);
  expect(await found()).toContain("ZORP");
});

test("the commands of the second terminal work on the demo's data while it runs", async () => {
  const settings = printed("export ").at(0) ?? "";
  const [sql = "", backfill = ""] = printed("bun run cli ");
  const filled = await shell(`${settings}; ${backfill}`);
  expect(filled.code).toBe(0);
  const rows = await shell(`${settings}; ${sql}`);
  expect(rows.code).toBe(0);
  expect(rows.text.match(/\d{4}-\d{2}-\d{2}/g)).toHaveLength(3);
});

// The recipes and the example client do what they say: each block is run against the sample market.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SUGGESTED } from "../sample/market.ts";
import { openCatalogue } from "../src/platform/lake/lake.ts";
import { openSampleService, type SampleService } from "./support/service.ts";

setDefaultTimeout(1_200_000);

const ROOT = join(import.meta.dir, "..");
const [A = "", B = ""] = SUGGESTED;
const text = await Bun.file(join(ROOT, "docs/recipes.md")).text();
const blocks = [...text.matchAll(/```(\w+)( \w+)?\n([\s\S]*?)```/g)].map(
  ([, language, needs, code = ""]) => ({
    language: language ?? "",
    needs: needs?.trim() ?? "pandas",
    code,
  }),
);
const ofKind = (language: string) => blocks.filter((block) => block.language === language);

let service: SampleService;
let server: ReturnType<typeof Bun.serve>;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "asof-recipes-"));
  service = await openSampleService({ env: { SEC_USER_AGENT: "Asof tests tests@asof.example" } });
  for (const ticker of [A, B]) await service.get(`/api/v1/price/data/${ticker}?period=2y`);
  await service.get(`/api/v1/financial/data/${A}`);
  const shorts = service.app().jobs.runNow("short-volume");
  await shorts.done;
  await service.app().lake.publish();
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

const QUIET = { stdout: "ignore", stderr: "ignore" } as const;
const here = (code: string) =>
  code
    .replaceAll("AAPL", A)
    .replaceAll("MSFT", B)
    .replaceAll("http://127.0.0.1:8000/", server.url.href)
    .replaceAll("data/lake", join(service.dataDir, "lake"));

async function run(command: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn(command, { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

test("there are recipes of each kind", () => {
  expect(["sh", "sql", "python"].map((language) => ofKind(language).length)).toEqual([4, 4, 2]);
});

describe("curl", () => {
  if (!(Bun.which("curl") && Bun.which("bash"))) {
    test.skip("skipped: no curl or no bash on this machine", () => {});
    return;
  }
  for (const [i, { code }] of ofKind("sh").entries())
    test(code.split("\n")[0] ?? "", async () => {
      const { code: exit, out, err } = await run(["bash", "-o", "pipefail", "-c", here(code)]);
      // head closes the pipe once it has enough: 23 is curl's word for that.
      expect([exit === 23 ? 0 : exit, err]).toEqual([0, ""]);
      if (i === 3) expect(await Bun.file(join(folder, "panel.parquet")).slice(0, 4).text()).toBe("PAR1");
      else expect(out.length).toBeGreaterThan(60);
    });
});

describe("DuckDB", () => {
  for (const { code } of ofKind("sql"))
    test(code.split("\n")[0] ?? "", async () => {
      const catalogue = await openCatalogue(service.dataDir);
      try {
        const found = await catalogue.query(here(code).trim().replace(/;$/, ""));
        expect(found.rowCount).toBeGreaterThan(0);
        expect(found.columns.filter(([first]) => first !== null).length).toBeGreaterThan(1);
      } finally {
        catalogue.close();
      }
    });
});

describe("Python", () => {
  for (const { code, needs } of ofKind("python")) {
    // The system's own beside the first on the path: packages of the distribution are there.
    const python = ["python3", "/usr/bin/python3"].find(
      (path) => Bun.which(path) && Bun.spawnSync([path, "-c", `import ${needs}`], QUIET).success,
    );
    if (!python) {
      test.skip(`skipped: Python without ${needs} on this machine`, () => {});
      continue;
    }
    test(`with ${needs}`, async () => {
      const { code: exit, out, err } = await run([python, "-c", here(code)]);
      expect([exit, err]).toEqual([0, ""]);
      expect(out).toContain(A);
    });
  }
});

test("the example client", async () => {
  const address = server.url.href.replace(/\/$/, "");
  const { code, out, err } = await run([process.execPath, join(ROOT, "examples/client.ts"), address, A]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/\d{10}-\d{2}-\d{6}/);
  // Three bars and a statement, each begun by its day as text: a Date would print as an instant.
  expect(out.split("\n").filter((line) => /^\d{4}-\d{2}-\d{2} /.test(line))).toHaveLength(4);
});

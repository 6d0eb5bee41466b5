// docs/tutorial.md does what it says: its blocks are run in order, and print what stands below them. The
// first calls of the front page are those of the tutorial.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSampleService, type SampleService } from "./support/service.ts";

setDefaultTimeout(1_200_000);

const ROOT = join(import.meta.dir, "..");
const textOf = (path: string) => Bun.file(join(ROOT, path)).text();
/** Blocks of a page with what each prints, where a block without a language follows. */
const blocksOf = (text: string) =>
  [...text.matchAll(/^```(sh|python)\n([\s\S]*?)^```\n(?:```\n([\s\S]*?)^```\n)?/gm)].map(
    ([, language = "", code = "", printed = ""]) => ({ language, code, printed }),
  );

let service: SampleService;
let server: ReturnType<typeof Bun.serve>;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "asof-tutorial-"));
  service = await openSampleService({ env: { SEC_USER_AGENT: "Asof tests tests@asof.example" } });
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

const here = (code: string) =>
  code
    .replaceAll("http://127.0.0.1:8000", server.url.href.replace(/\/$/, ""))
    .replaceAll(
      "DATA_DIR=data/demo bun run cli",
      `DATA_DIR=${service.dataDir} ${process.execPath} ${ROOT}/scripts/cli.ts`,
    );

async function run(code: string): Promise<string> {
  const child = Bun.spawn(["bash", "-c", here(code)], { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([code, await child.exited, error]).toEqual([code, 0, ""]);
  return out.replaceAll("\r\n", "\n");
}

if (["curl", "bash", "python3"].every((name) => Bun.which(name)))
  test("each block of the tutorial prints what stands below it", async () => {
    const blocks = blocksOf(await textOf("docs/tutorial.md"));
    expect(blocks.map(({ language }) => language)).toEqual([
      "sh",
      "sh",
      "sh",
      "python",
      "sh",
      "sh",
      "sh",
      "sh",
    ]);
    for (const { language, code, printed } of blocks)
      if (language === "python") await Bun.write(join(folder, "study.py"), here(code));
      else {
        if (code.includes("cli sql")) await service.app().lake.publish();
        expect([code, await run(code)]).toEqual([code, printed]);
      }
  });
else test.skip("skipped: no curl, bash or python3 on this machine", () => {});

test("the calls of the front page are those of the tutorial", async () => {
  const tutorial = await textOf("docs/tutorial.md");
  const answered = blocksOf(await textOf("README.md")).filter(({ printed }) => printed !== "");
  expect(answered).toHaveLength(2);
  for (const { code, printed } of answered) expect(tutorial).toContain(`${code}\`\`\`\n\`\`\`\n${printed}`);
});

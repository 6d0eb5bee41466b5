// `bun run engines` names the tests that it cannot run and what is missing.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "asof-check-python-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the tests with Spark that are skipped where nothing but Python and `programs` is installed. */
async function skippedWith(name: string, programs: Readonly<Record<string, string>>): Promise<string[]> {
  const path = join(folder, name);
  await Bun.write(join(path, "keep"), "");
  // Stands for a Python that could make an environment, which the test does not reach.
  for (const [program, text] of Object.entries({ python3: "", ...programs }))
    writeFileSync(join(path, program), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  symlinkSync("/bin/sh", join(path, "sh"));
  const script = `
    const { ENGINES, runPython } = await import("./scripts/check-python.ts");
    const spark = ENGINES.filter(({ tests }) => tests.includes("test_spark.py"));
    console.log(JSON.stringify((await runPython(spark, ${JSON.stringify(path)})).skipped));`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    cwd: join(import.meta.dir, ".."),
    env: { PATH: path },
    stderr: "inherit",
  });
  const lines = (await new Response(child.stdout).text()).trim().split("\n");
  return JSON.parse(lines.at(-1) ?? "");
}
const NOT_RUN = "so the tests of test/engines/delta test_spark.py test_spark_views.py were not run.";
const java = (version: string) => `echo 'openjdk version "${version}" 2025-04-15' >&2`;

test("the test with Spark is skipped by name without Java or Maven", async () => {
  expect(await skippedWith("none", {})).toEqual([
    `java and mvn (Java 17 or newer, and Maven) are missing, ${NOT_RUN}`,
  ]);
  expect(await skippedWith("java", { java: java("17.0.15") })).toEqual([
    `mvn (Java 17 or newer, and Maven) is missing, ${NOT_RUN}`,
  ]);
});

test("the test with Spark is skipped by name with an older Java", async () => {
  expect(await skippedWith("old", { java: java("11.0.2"), mvn: "" })).toEqual([
    `Java 17 or newer is missing, ${NOT_RUN}`,
  ]);
});

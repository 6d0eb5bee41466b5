// The bundle that is run in place of the sources: never an older one, never a broken one, and the same
// service.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundlesOf, madeBundle } from "../src/platform/bundle.ts";
import { CONNECTIONS } from "../src/platform/lake/duckdb.ts";
import { startProcess } from "../test/support/process.ts";
import { makeBundle } from "./bundle.ts";

setDefaultTimeout(1_200_000);

const ROOT = resolve(import.meta.dir, "..");
/** Ends a process that hangs, as the guard of other tests does. */
const ANSWERS_WITHIN_MS = 1_200_000;
/** The type of `arguments`: a bundle has them, a source has none. */
const [SOURCES, BUNDLE] = [" undefined", " object"];

describe("a small project", () => {
  let root = "";
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  /** Runs its src/main.ts, which is ours, and gives what its src/process.ts says. */
  const run = () => {
    const { stdout, stderr } = Bun.spawnSync([process.execPath, "src/main.ts"], {
      cwd: root,
      timeout: ANSWERS_WITHIN_MS,
    });
    return { said: stdout.toString().trim(), complaint: stderr.toString() };
  };
  const sources = (word: string) =>
    `import { says } from "./platform/says.ts";\nprocess.stdout.write([${JSON.stringify(word)}, says(), typeof arguments].join(" "));\n`;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "asof-bundle-")));
    mkdirSync(join(root, "src", "platform"), { recursive: true });
    for (const name of ["src/main.ts", "src/config.ts", "src/platform/bundle.ts"])
      cpSync(join(ROOT, name), join(root, name));
    write("src/platform/says.ts", "export const says = () => import.meta.dir;\n");
    write("src/process.ts", sources("one"));
    write("bun.lock", "{}");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  test("is run from its sources until a bundle is made, then from that", async () => {
    const folder = join(root, "src", "platform");
    expect(run()).toEqual({ said: `one ${folder} undefined`, complaint: "" });
    const script = await makeBundle(root);
    expect(madeBundle(root)).toBe(script);
    // Files beside a source are looked for where the source lies, not where the bundle does.
    expect(run()).toEqual({ said: `one ${folder} object`, complaint: "" });
  });

  test("has worker threads left while each connection of the engine blocks one", async () => {
    write(
      "src/process.ts",
      `import { closeSync, openSync } from "node:fs";
       import { open, stat } from "node:fs/promises";
       const pipe = ${JSON.stringify(join(root, "pipe"))};
       if (Bun.spawnSync(["mkfifo", pipe]).exitCode !== 0) throw new Error("no pipe");
       // Opening it blocks a worker thread until it is opened for writing.
       const blocked = Array.from({ length: ${CONNECTIONS} }, () => open(pipe));
       await stat(pipe);
       process.stdout.write("free");
       const writing = openSync(pipe, "w");
       for (const file of await Promise.all(blocked)) await file.close();
       closeSync(writing);\n`,
    );
    expect(run()).toEqual({ said: "free", complaint: "" });
  });

  test("never runs a bundle of other sources", async () => {
    await makeBundle(root);
    for (const [name, text] of [
      ["src/process.ts", sources("two")],
      ["src/platform/added.ts", "export {};\n"],
      ["bun.lock", "{ }"],
      ["package.json", "{}"],
    ] as const) {
      write(name, text);
      expect(madeBundle(root)).toBeNull();
      expect(run().said).toEndWith(SOURCES);
      await makeBundle(root);
      expect(run().said).toStartWith("two ");
      expect(run().said).toEndWith(BUNDLE);
    }
    // A file that is no part of the service changes nothing.
    write("src/platform/says.test.ts", "export {};\n");
    expect(madeBundle(root)).not.toBeNull();
    // The one that was made first is found again.
    rmSync(join(root, "src/platform/added.ts"));
    rmSync(join(root, "package.json"));
    write("bun.lock", "{}");
    write("src/process.ts", sources("one"));
    expect(run().said).toStartWith("one ");
  });

  test.each(["process.js", "process.js.jsc", "seal"])(
    "is run from its sources where %s is broken, until it is made again",
    async (part) => {
      const script = await makeBundle(root);
      const path = join(script, "..", part);
      const bytes = await Bun.file(path).bytes();
      for (const broken of [bytes.subarray(0, bytes.length >> 1), bytes.map((byte) => byte ^ 1)]) {
        writeFileSync(path, broken);
        expect(madeBundle(root)).toBeNull();
        expect(run().said).toEndWith(SOURCES);
      }
      rmSync(path);
      expect(madeBundle(root)).toBeNull();
      expect(await makeBundle(root)).toBe(script);
      expect(run().said).toEndWith(BUNDLE);
    },
  );

  test("two makers at once leave one bundle and nothing else", async () => {
    const [a, b] = await Promise.all([makeBundle(root), makeBundle(root)]);
    expect(a).toBe(b);
    expect(run().said).toEndWith(BUNDLE);
    expect(readdirSync(bundlesOf(root))).toHaveLength(1);
  });

  test("sources that do not fit together, or a folder that takes no file, leave no bundle behind", async () => {
    write("src/process.ts", 'import "./missing.ts";\n');
    await expect(makeBundle(root)).rejects.toThrow();
    expect(readdirSync(bundlesOf(root))).toEqual([]);
    write("src/process.ts", sources("one"));
    rmSync(bundlesOf(root), { recursive: true });
    writeFileSync(bundlesOf(root), "");
    await expect(makeBundle(root)).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(run().said).toEndWith(SOURCES);
  });

  test("an error names its place in the sources", async () => {
    write(
      "src/process.ts",
      '// A line.\nthrow new Error("on the third line");\n'.replace("throw", "\nthrow"),
    );
    await makeBundle(root);
    expect(run().complaint).toContain(`${join(root, "src", "process.ts")}:3:`);
  });
});

test("the service is the same from the bundle as from the sources", async () => {
  const answersOf = async (script: string) => {
    const service = await startProcess({ LOG_LEVEL: "error" }, script);
    try {
      const paths = [
        "/api/v1/openapi.json",
        "/",
        "/console/ticker.js",
        "/docs/reference.js",
        "/api/v1/price/data/x!",
      ];
      const answers = paths.map(async (path) => {
        const response = await fetch(service.url + path, { headers: { "x-request-id": "same" } });
        // Each data folder has a line of history of its own.
        const headers = [...response.headers].filter(([name]) => name !== "date" && name !== "x-store");
        return { path, status: response.status, headers, body: await response.text() };
      });
      return await Promise.all(answers);
    } finally {
      await service.clean();
    }
  };
  const script = await makeBundle(ROOT);
  const [bundled, plain] = [await answersOf(script), await answersOf(join(ROOT, "src", "process.ts"))];
  expect(plain.map(({ status }) => status)).toEqual([200, 200, 200, 200, 422]);
  expect(bundled).toEqual(plain);
});

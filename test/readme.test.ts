// The README and the pages of settings and packages say what the code does: they are checked against it.
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { cataloguePage } from "../scripts/catalogue-page.ts";
import { envExample, VARIABLES } from "../src/config.ts";

setDefaultTimeout(1_200_000);

const textOf = (path: string) => Bun.file(new URL(`../${path}`, import.meta.url)).text();
const readme = await textOf("README.md");
const manifest = (await Bun.file(new URL("../package.json", import.meta.url)).json()) as {
  packageManager: string;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

test("the configuration table is the one of config.ts", async () => {
  const page = await textOf("docs/configuration.md");
  for (const { name, default: preset, description } of VARIABLES)
    expect(page).toContain(`| \`${name}\` | ${preset === "" ? "" : `\`${preset}\``} | ${description} |`);
});

test("the README stays short", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(151);
});

test("every package is there with a reason, and no other", async () => {
  const named = [...(await textOf("docs/packages.md")).matchAll(/^\| (`.+?`) \|/gm)].flatMap(
    ([, cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
  expect(named.sort()).toEqual(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).sort());
});

/** The anchors of a page: GitHub's names of its headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

test("every link of the pages leads to a file, and to a heading of it where it names one", async () => {
  const root = new URL("..", import.meta.url);
  const pages = ["*.md", "docs/*.md", "python/*.md", "src/*.md"].flatMap((of) => [
    ...new Bun.Glob(of).scanSync({ cwd: root.pathname }),
  ]);
  for (const page of pages)
    for (const [, path = "", anchor] of (await textOf(page)).matchAll(
      /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g,
    )) {
      const target = path === "" ? page : path;
      const file = path === "" ? new URL(page, root) : new URL(path, new URL(page, root));
      expect([page, target, existsSync(file)]).toEqual([page, target, true]);
      if (anchor !== undefined)
        expect([page, target, anchorsOf(await Bun.file(file).text())]).toEqual([
          page,
          target,
          expect.arrayContaining([anchor]),
        ]);
    }
});

test("every script that is named exists, and Bun's version is the pinned one", () => {
  for (const [, script] of readme.matchAll(/bun run ([a-z]+)/g))
    expect(Object.keys(manifest.scripts)).toContain(script ?? "");
  const pinned = manifest.packageManager.replace("bun@", "");
  for (const [, version] of readme.matchAll(/bun@(\d+\.\d+\.\d+)/g)) expect(version).toBe(pinned);
});

test(".env.example is made of config.ts", async () => {
  expect(await textOf(".env.example")).toBe(envExample());
});

test("docs/catalogue.md is made of the datasets (bun run cli catalogue)", async () => {
  expect(await textOf("docs/catalogue.md")).toBe(cataloguePage());
});

// The README says what the code does: its tables are checked against it.
import { expect, setDefaultTimeout, test } from "bun:test";
import { cataloguePage } from "../scripts/catalogue-page.ts";
import { envExample, VARIABLES } from "../src/config.ts";

setDefaultTimeout(1_200_000);

const readme = await Bun.file(new URL("../README.md", import.meta.url)).text();
const packages = await Bun.file(new URL("../docs/packages.md", import.meta.url)).text();
const manifest = (await Bun.file(new URL("../package.json", import.meta.url)).json()) as {
  packageManager: string;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
};

test("the configuration table is the one of config.ts", () => {
  for (const { name, default: preset, description } of VARIABLES)
    expect(readme).toContain(`| \`${name}\` | ${preset === "" ? "" : `\`${preset}\``} | ${description} |`);
});

test("the README stays short", () => {
  expect(readme.split("\n").length).toBeLessThan(200);
});

test("every package is there with a reason", () => {
  for (const name of Object.keys(manifest.dependencies).filter((n) => n !== "openapi-types"))
    expect(packages).toContain(`\`${name}\``);
});

test("every script that is named exists, and Bun's version is the pinned one", () => {
  for (const [, script] of readme.matchAll(/bun run ([a-z]+)/g))
    expect(Object.keys(manifest.scripts)).toContain(script ?? "");
  const pinned = manifest.packageManager.replace("bun@", "");
  for (const [, version] of readme.matchAll(/bun@(\d+\.\d+\.\d+)/g)) expect(version).toBe(pinned);
});

test(".env.example is made of config.ts", async () => {
  expect(await Bun.file(new URL("../.env.example", import.meta.url)).text()).toBe(envExample());
});

test("docs/catalogue.md is made of the datasets (bun run cli catalogue)", async () => {
  expect(await Bun.file(new URL("../docs/catalogue.md", import.meta.url)).text()).toBe(cataloguePage());
});

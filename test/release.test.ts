// A release has one version: in package.json, the Python package, the changelog and /health.
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { openService } from "./support/service.ts";

setDefaultTimeout(1_200_000);

const textOf = (path: string) => Bun.file(join(import.meta.dir, "..", path)).text();

test("package.json, the Python package and the changelog name one version", async () => {
  const [project, pyasof, changelog] = await Promise.all(
    ["python/pyproject.toml", "python/src/pyasof/__init__.py", "CHANGELOG.md"].map(textOf),
  );
  expect({
    pyproject: /^version = "(.+)"$/m.exec(project ?? "")?.[1],
    pyasof: /^__version__ = "(.+)"$/m.exec(pyasof ?? "")?.[1],
    changelog: /^## \[(\d.*?)\] - \d{4}-\d{2}-\d{2}$/m.exec(changelog ?? "")?.[1],
  }).toEqual({ pyproject: manifest.version, pyasof: manifest.version, changelog: manifest.version });
  expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
});

test("the changelog begins with what is not released, and its releases go back in order", async () => {
  const headings = [...(await textOf("CHANGELOG.md")).matchAll(/^## \[(.+?)\]/gm)].map(
    ([, name]) => name ?? "",
  );
  expect(headings[0]).toBe("Unreleased");
  const releases = headings.slice(1);
  expect(releases).toEqual(releases.toSorted((a, b) => Bun.semver.order(b, a)));
});

test("/health says the version of the release", async () => {
  const service = await openService({ upstream: "http://127.0.0.1:9" });
  try {
    expect((await service.get("/api/v1/health")).body.version).toBe(manifest.version);
  } finally {
    await service.stop();
  }
});

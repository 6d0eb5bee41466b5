// Serves the console: web pages without any external request.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Elysia } from "elysia";

const FOLDER = join(import.meta.dir, "../console");

/** Nothing may be loaded from other hosts; the chart sets inline styles. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'";

const outside = { detail: { hide: true, "x-outside-concurrency-limit": true, "x-open": true } };

/** Pages that consist of a script alone, each a file of the console of that name. */
const PAGES = [
  { name: "company", title: "Company", path: "/ticker/:ticker/:page" },
  { name: "data", title: "Data", path: "/data/:page" },
  { name: "filing", title: "Filing", path: "/filing/:accession" },
  { name: "market", title: "Market", path: "/market/:page" },
  { name: "sql", title: "SQL", path: "/sql" },
] as const;

const SCRIPTS = ["overview", "ticker", ...PAGES.map(({ name }) => name)];

const HEADERS = { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY };
const page = (name: string) => new Response(Bun.file(join(FOLDER, name)), { headers: HEADERS });

/** The page around a script. */
async function shell({ name, title }: (typeof PAGES)[number]): Promise<Response> {
  const text = await Bun.file(join(FOLDER, "page.html")).text();
  return new Response(text.replaceAll("{title}", title).replaceAll("{script}", name), { headers: HEADERS });
}

/** The source of a page's script. */
const sourceOf = (name: string): string => {
  const path = join(FOLDER, `${name}.ts`);
  return existsSync(path) ? path : `${path}x`;
};

/** Bundles the script of a page with its imports into one file. Throws when the build fails. */
async function bundle(name: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [sourceOf(name)],
    target: "browser",
    minify: true,
  });
  const [script] = built.outputs;
  if (!script) throw new Error(`bundling the script of page ${name} gave no output`);
  return script.text();
}

/** Routes of the console. Scripts are bundled on first request. */
export function consoleRoutes() {
  const made = new Map<string, Promise<string>>();
  const scriptOf = (name: string) => {
    const known = made.get(name) ?? bundle(name);
    made.set(name, known);
    return known;
  };
  const routes = new Elysia({ name: "console" })
    .get("/", () => page("index.html"), outside)
    .get("/ticker/:ticker", () => page("ticker.html"), outside)
    .get(
      "/console/style.css",
      () =>
        new Response(Bun.file(join(FOLDER, "style.css")), {
          headers: { "content-type": "text/css; charset=utf-8" },
        }),
      outside,
    );
  for (const each of PAGES) routes.get(each.path, () => shell(each), outside);
  for (const name of SCRIPTS)
    routes.get(
      `/console/${name}.js`,
      async () =>
        new Response(await scriptOf(name), { headers: { "content-type": "text/javascript; charset=utf-8" } }),
      outside,
    );
  return routes;
}

// The console: two pages for people, every byte of them from this machine.
import { join } from "node:path";
import { Elysia } from "elysia";

const FOLDER = join(import.meta.dir, "../console");

/** Nothing may be loaded from elsewhere; the chart writes its own styles. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'";

const outside = { detail: { hide: true, "x-outside-concurrency-limit": true, "x-open": true } };
const SCRIPTS = ["overview", "ticker"] as const;

const page = (name: string) =>
  new Response(Bun.file(join(FOLDER, name)), {
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY },
  });

/** A page's script with all it imports, as one file. Throws where the sources do not fit together. */
async function bundle(name: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(FOLDER, `${name}.ts`)],
    target: "browser",
    minify: true,
  });
  const [script] = built.outputs;
  if (!script) throw new Error(`the script of the page ${name} was not made`);
  return script.text();
}

/** Routes of the console. Scripts are bundled when they are first asked for. */
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
  for (const name of SCRIPTS)
    routes.get(
      `/console/${name}.js`,
      async () =>
        new Response(await scriptOf(name), { headers: { "content-type": "text/javascript; charset=utf-8" } }),
      outside,
    );
  return routes;
}

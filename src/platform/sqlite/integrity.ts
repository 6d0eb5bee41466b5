// Checks the file of the operational database as a whole. That takes seconds for a large one, and SQLite
// works in the thread of its caller: a process of its own does it.

const CHECK = `import { Database } from "bun:sqlite";
const db = new Database(process.argv[1], { readonly: true });
db.run("PRAGMA busy_timeout = 5000");
console.log(db.query("PRAGMA integrity_check(1)").get().integrity_check);`;

/** The first fault of the pages and indexes of a database; null where there is none. */
export async function integrityProblem(path: string): Promise<string | null> {
  const child = Bun.spawn([process.execPath, "-e", CHECK, path], {
    stdout: "pipe",
    stderr: "pipe",
    env: { NODE_ENV: "production" },
  });
  const [said, failed] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) === 0) return said.trim() === "ok" ? null : said.trim();
  return /SQLiteError: (.*)/.exec(failed)?.[1] ?? "it cannot be checked";
}

// `bun run cli catalogue`: writes docs/catalogue.md from the datasets.
import { resolve } from "node:path";
import { cataloguePage } from "../catalogue-page.ts";

export async function run(): Promise<void> {
  const path = resolve(import.meta.dir, "../../docs/catalogue.md");
  await Bun.write(path, cataloguePage());
  console.log(path);
}

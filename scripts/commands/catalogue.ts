// `bun run cli catalogue`: writes docs/catalogue.md anew from the datasets.
import { resolve } from "node:path";
import { defineCommand } from "citty";
import { cataloguePage } from "../catalogue-page.ts";

export default defineCommand({
  meta: { name: "catalogue", description: "Write docs/catalogue.md anew from the datasets" },
  async run() {
    const path = resolve(import.meta.dir, "../../docs/catalogue.md");
    await Bun.write(path, cataloguePage());
    console.log(path);
  },
});

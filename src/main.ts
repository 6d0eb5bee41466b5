// The entry point: runs the bundle of these sources if there is one, which starts faster, otherwise the sources.
import { resolve } from "node:path";
import { useProduction } from "./config.ts";
import { madeBundle } from "./platform/bundle.ts";

useProduction();
await import(madeBundle(resolve(import.meta.dir, "..")) ?? "./process.ts");

// What is run: the bundle of these very sources where one was made, since that starts sooner, else the sources.
import { resolve } from "node:path";
import { madeBundle } from "./platform/bundle.ts";

await import(madeBundle(resolve(import.meta.dir, "..")) ?? "./process.ts");

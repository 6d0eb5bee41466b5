// What a command that looks after the data folder needs first: that there is one.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** Opening an absent folder would make an empty one, and find it in order. Throws RangeError. */
export function requireKept(dataDir: string): void {
  const folder = resolve(dataDir);
  if (!["ops.sqlite", "lake"].some((name) => existsSync(join(folder, name))))
    throw new RangeError(`${folder} holds nothing of this service; set DATA_DIR to the folder that does.`);
}

// Counts the bytes in a folder by the first part of each file's path.
import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/**
 * The bytes below `root` by the name directly below it. A file that goes while it is counted counts nothing.
 */
export async function folderBytes(root: string): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const [name = ""] = relative(root, path).split(sep);
    const bytes = await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
    found.set(name, (found.get(name) ?? 0) + bytes);
  }
  return found;
}

// The order of the rooms of a folder: a room imports from those before it, and from files beside the rooms
// that do not lead to a later one.
import { dirname } from "node:path";
import { importsOf } from "./source-text.ts";
import { type SourceFile, targetOf } from "./style-rules.ts";

/** Folders whose own folders are held in an order, the lowest first. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  "src/platform/lake": ["delta", "write", "series", "read", "versions"],
  "src/providers/edgar/parse": ["documents", "ownership", "funds", "facts", "ex27"],
  "src/capabilities/price": ["request", "store", "fetch", "answer"],
};

/** The imports by which a file of a room reaches a later one, through files beside the rooms too. */
export function upwardImports(
  folder: string,
  order: readonly string[],
  files: readonly SourceFile[],
): string[] {
  const own = new Map(
    files.filter(({ path }) => path.startsWith(`${folder}/`)).map((file) => [file.path, file]),
  );
  const roomOf = (path: string) => order.indexOf(dirname(path).slice(folder.length + 1));
  const targetsOf = (file: SourceFile) =>
    importsOf(file).flatMap((one) => own.get(targetOf(file.path, one) ?? "") ?? []);
  /** The first way from a file into a room after `room`, as the files on it; undefined without one. */
  const wayUp = (file: SourceFile, room: number, seen: Set<string>): string[] | undefined => {
    for (const target of targetsOf(file)) {
      if (roomOf(target.path) > room) return [file.path, target.path];
      if (roomOf(target.path) >= 0 || seen.has(target.path)) continue;
      seen.add(target.path);
      const rest = wayUp(target, room, seen);
      if (rest) return [file.path, ...rest];
    }
    return undefined;
  };
  return [...own.values()].flatMap((file) => {
    const room = roomOf(file.path);
    const way = room < 0 || /\.test\.ts$/.test(file.path) ? undefined : wayUp(file, room, new Set());
    return way ? [way.join(" → ")] : [];
  });
}

// Refuses words of the command line that no command takes: citty passes over them, and a mistyped option would then do
// more than was asked, or something else.
import type { ArgsDef, CommandDef, Resolvable } from "citty";

/** What is asked of a command here, whatever its arguments are. */
type Command = Pick<CommandDef, "args" | "subCommands">;

const settled = async <T>(value: Resolvable<T>): Promise<T> =>
  typeof value === "function" ? (value as () => T | Promise<T>)() : value;

const listed = (words: readonly string[]) => (words.length === 0 ? "none" : words.join(", "));

/** Holds the words against the options and places of one command. */
function checkWords(args: ArgsDef, words: readonly string[]): void {
  const named = new Map(Object.entries(args).filter(([, { type }]) => type !== "positional"));
  const places = Object.keys(args).length - named.size;
  const isSwitch = (name: string) => named.get(name)?.type === "boolean";
  const given: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    if (word === "--") {
      given.push(...words.slice(i + 1));
      break;
    }
    if (!word.startsWith("-")) {
      given.push(word);
      continue;
    }
    const [flag = "", value] = word.split("=", 2);
    const name = flag.replace(/^--/, "");
    if (isSwitch(name) || (value === undefined && flag.startsWith("--no-") && isSwitch(name.slice(3))))
      continue;
    if (!flag.startsWith("--") || !named.has(name))
      throw new RangeError(
        `There is no ${flag} here; options of this command: ${listed([...named.keys()].map((known) => `--${known}`))}.`,
      );
    if (value !== undefined) continue;
    i += 1;
    if (words[i] === undefined || words[i]?.startsWith("--"))
      throw new RangeError(`${flag} needs a value: ${flag} <${name}>.`);
  }
  const extra = given[places];
  if (extra !== undefined)
    throw new RangeError(
      `"${extra}" is one word too many; lists are written with commas and without spaces.`,
    );
}

/** Throws RangeError for the first word that `command`, or the command below it that is named, does not take. */
export async function checkArguments(command: Command, words: readonly string[]): Promise<void> {
  const below = await settled(command.subCommands);
  if (below === undefined) return checkWords((await settled(command.args)) ?? {}, words);
  const [name, ...rest] = words;
  const names = Object.keys(below).join(", ");
  if (name === undefined) throw new RangeError(`Say which: ${names}.`);
  const next = Object.hasOwn(below, name) ? below[name] : undefined;
  if (next === undefined) throw new RangeError(`There is no command ${name}; there are ${names}.`);
  await checkArguments(await settled(next), rest);
}

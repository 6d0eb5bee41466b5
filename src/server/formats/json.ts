// JSON around rows: a list of them under each of some names, written while the rows are made.
import type { ListedRows } from "../../platform/answer.ts";

/** Characters written before others have their turn. */
const TURN_CHARS = 262_144;

/** The body as JSON. */
export async function* jsonChunks({
  opening,
  closing,
  lists,
}: ListedRows): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let [text, separator] = [opening, ""];
  for await (const [name, rows] of lists()) {
    text += `${separator}${JSON.stringify(name)}:${JSON.stringify(rows)}`;
    separator = ",";
    if (text.length < TURN_CHARS) continue;
    yield encoder.encode(text);
    text = "";
  }
  yield encoder.encode(text + closing);
}

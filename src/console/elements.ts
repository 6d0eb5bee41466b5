// Builds page elements. Text is inserted as text, never as markup.

type Child = Node | string | number | null | undefined;

/** Makes an element with attributes and children; null children are left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  for (const child of children)
    if (child !== null && child !== undefined) made.append(child instanceof Node ? child : String(child));
  return made;
}

/** The element with an id. Throws when the page has none. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

export type Cell = Child | readonly Child[];

/** Columns whose name starts with `>` are numeric. */
function tableIn(
  box: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  empty: string,
): HTMLElement {
  if (rows.length === 0) return element("p", { class: "state empty" }, empty);
  const kinds = columns.map((name) => (name.startsWith(">") ? "figure" : ""));
  const names = columns.map((name) => name.replace(">", ""));
  const head = element("tr", {}, ...names.map((name, i) => element("th", { class: kinds[i] ?? "" }, name)));
  const body = rows.map((row) =>
    element(
      "tr",
      {},
      ...row.map((cell, i) =>
        element(
          "td",
          { class: kinds[i] ?? "", "data-name": names[i] ?? "" },
          ...(Array.isArray(cell) ? (cell as Child[]) : [cell as Child]),
        ),
      ),
    ),
  );
  return element(
    "div",
    { class: box },
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)),
  );
}

/** A table in a box that scrolls sideways on narrow screens. */
export const table = (
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  empty = "Nothing yet.",
): HTMLElement => tableIn("scroll", columns, rows, empty);

/** A table whose rows become paragraphs on a phone: each cell after the name of its column. */
export const listTable = (
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  empty = "Nothing yet.",
): HTMLElement => tableIn("scroll stacked", columns, rows, empty);

/** A label in the colour of a state. */
export const badge = (label: string, colour: "good" | "bad" | "warn" | "quiet") =>
  element("span", { class: `badge ${colour}` }, label);

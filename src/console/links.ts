// Links between the pages. Each carries the clock, as_of and data_version, so that the whole console shows
// one state.

/** The parameters of the address that together are the clock. */
export const CLOCK = ["as_of", "data_version"] as const;

/** The clock of the shown page, as its address gives it; null: now, the newest version. */
export function clockOf(search = location.search): Record<(typeof CLOCK)[number], string | null> {
  const query = new URLSearchParams(search);
  return { as_of: query.get("as_of") || null, data_version: query.get("data_version") || null };
}

/** A link to a page of the console under the clock of the shown page, or another one. */
export function linkTo(
  path: string,
  query: Readonly<Record<string, string>> = {},
  clock: ReturnType<typeof clockOf> = clockOf(),
): string {
  const all = new URLSearchParams(query);
  for (const [name, value] of Object.entries(clock)) if (value !== null) all.set(name, value);
  const text = all.toString();
  return text === "" ? path : `${path}?${text}`;
}

export const tickerLink = (ticker: string, page = "") =>
  linkTo(`/ticker/${encodeURIComponent(ticker)}${page === "" ? "" : `/${page}`}`);

/** The address of the shown page with other values of parameters; null removes one. */
export function withParameters(values: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values))
    if (value === null) query.delete(name);
    else query.set(name, value);
  const text = query.toString();
  return text === "" ? location.pathname : `${location.pathname}?${text}`;
}

/** The address of the shown page with another value of a parameter; null removes it. */
export const withParameter = (name: string, value: string | null): string =>
  withParameters({ [name]: value });

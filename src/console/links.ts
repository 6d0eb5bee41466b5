// Links between the pages. Each carries the as-of date, so that the whole console shows one moment.

/** A link to a page of the console as of the date of the shown page. */
export function linkTo(path: string, query: Readonly<Record<string, string>> = {}): string {
  const asOf = new URLSearchParams(location.search).get("as_of");
  const all = new URLSearchParams({ ...query, ...(asOf === null ? {} : { as_of: asOf }) }).toString();
  return all === "" ? path : `${path}?${all}`;
}

export const tickerLink = (ticker: string, page = "") =>
  linkTo(`/ticker/${encodeURIComponent(ticker)}${page === "" ? "" : `/${page}`}`);

/** The address of the shown page with another value of a parameter; null removes it. */
export function withParameter(name: string, value: string | null): string {
  const query = new URLSearchParams(location.search);
  if (value === null) query.delete(name);
  else query.set(name, value);
  const text = query.toString();
  return text === "" ? location.pathname : `${location.pathname}?${text}`;
}

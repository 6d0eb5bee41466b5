// The ticker in the path of a company's page.

/** The segment after /ticker/, decoded where that is possible. */
export function tickerAt(path: string): string {
  const segment = path.split("/")[2] ?? "";
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

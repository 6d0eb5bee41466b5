// The ticker in the path of a company's page.

const TICKER = /^[A-Za-z0-9.\-/^=]{1,15}$/;

/** Whether a text can be a ticker; the service refuses all others. */
export const isTicker = (text: string): boolean => TICKER.test(text) && /[A-Za-z0-9]/.test(text);

/** A ticker typed in small letters is in capitals. In mixed case it stays: ABRpD is not ABRPD. */
export const capitals = (text: string): string =>
  isTicker(text) && text === text.toLowerCase() ? text.toUpperCase() : text;

/** The segment after /ticker/, decoded where that is possible. */
export function tickerAt(path: string): string {
  const segment = path.split("/")[2] ?? "";
  try {
    return capitals(decodeURIComponent(segment));
  } catch {
    return segment;
  }
}

/** Said on the pages of what is no ticker. */
export const NO_TICKER =
  "This is no ticker: one has up to 15 letters, digits, dots and hyphens. Search for the name above.";

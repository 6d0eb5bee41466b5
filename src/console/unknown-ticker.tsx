// Stands in place of a company's panels where nothing is known under the ticker.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { fetchJson, type List, pathOf, RequestFailed } from "./api.ts";
import { monthsBefore } from "./as-of.ts";
import { clockOf, tickerLink } from "./links.ts";
import { findListings, type Listing } from "./listings.ts";
import { StateLine } from "./state-line.tsx";

const isUnknown = (error: unknown): boolean =>
  error instanceof RequestFailed && error.code === "unknown_ticker";

/** Whether a request says that its ticker is unknown; every other answer leaves that open. */
const saysUnknown = (path: string): Promise<boolean> =>
  fetchJson(path).then(
    () => false,
    (error: unknown) => isUnknown(error),
  );

/**
 * Whether neither the regulator nor the price provider knows a ticker at the page's clock. An outage leaves
 * that open: then each panel says what it lacks.
 */
export async function isUnknownTicker(ticker: string, day: string): Promise<boolean> {
  const at = encodeURIComponent(ticker);
  const clock = clockOf();
  // Companies are known of now alone; a delisted one may still be found by its filings.
  const isOfNow = clock.as_of === null && clock.data_version === null;
  if (isOfNow && !(await saysUnknown(`/company/${at}`))) return false;
  if (!(await saysUnknown(pathOf("/filings/search", { ticker, limit: 1, ...clock })))) return false;
  // Of a single day the provider may have nothing to say.
  const span = { start_date: monthsBefore(day, 1), end_date: day };
  return await saysUnknown(pathOf(`/price/data/${at}`, { ...span, ...clock }));
}

/** How many letters are left of a text for which listings are looked for. */
// For ZORPPP it looks for ZORPPP, ZORPP, ZORP and ZOR.
const LETTERS_MIN = 2;
const TRIES_MAX = 4;

/** Listings that match the text, or as many of its first letters as any listing does. */
async function listingsLike(text: string): Promise<readonly Listing[]> {
  const shortest = Math.max(LETTERS_MIN, text.length - TRIES_MAX + 1);
  for (let letters = text.length; letters >= shortest; letters--) {
    const { data }: List<Listing> = await findListings(text.slice(0, letters));
    if (data.length > 0) return data;
  }
  return [];
}

export function UnknownTicker({ ticker }: { ticker: string }) {
  const [like, setLike] = useState<readonly Listing[]>([]);
  useEffect(() => void listingsLike(ticker).then(setLike, () => setLike([])), [ticker]);
  const { as_of } = clockOf();
  return (
    <section class="wide" id="unknown-ticker">
      <StateLine
        state="empty"
        text={`No company, fund or price is known under ${ticker}${as_of === null ? "" : ` as of ${as_of}`}.`}
      />
      {like.length === 0 ? (
        <p>Search for a ticker or a name above.</p>
      ) : (
        <>
          <p>Listings with a similar ticker or name:</p>
          <ul>
            {like.map(({ ticker: other, name }) => (
              <li key={other}>
                <a href={tickerLink(other)}>{other}</a> {name ?? ""}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Draws it into a box. */
export const showUnknownTicker = (ticker: string, box: HTMLElement): void =>
  render(<UnknownTicker ticker={ticker} />, box);

// Links between the pages of one company.
import { render } from "preact";
import { byId } from "./elements.ts";
import { tickerLink } from "./links.ts";

const TABS = [
  ["", "Overview"],
  ["filings", "Filings"],
  ["insiders", "Insiders"],
  ["holders", "Holders"],
  ["news", "News"],
  ["dividends", "Dividends"],
  ["short-volume", "Short volume"],
  ["funds", "Funds"],
] as const;

/** `page` is the shown one. */
export function CompanyTabs({ ticker, page }: { ticker: string; page: string }) {
  return (
    <nav class="tabs" aria-label="Pages of the company">
      {TABS.map(([path, name]) => (
        <a key={path} href={tickerLink(ticker, path)} aria-current={path === page ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** Draws the links on a page that is not made of components. */
export const showCompanyTabs = (ticker: string, page: string): void =>
  render(<CompanyTabs ticker={ticker} page={page} />, byId("tabs"));

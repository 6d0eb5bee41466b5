// Links between the pages of one company.
import { render } from "preact";
import { byId } from "./elements.ts";
import { tickerLink } from "./links.ts";
import { Tabs } from "./tabs.tsx";

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
    <Tabs label="Pages of the company" tabs={TABS} page={page} hrefOf={(path) => tickerLink(ticker, path)} />
  );
}

/** Draws the links on a page that is not made of components. */
export const showCompanyTabs = (ticker: string, page: string): void =>
  render(<CompanyTabs ticker={ticker} page={page} />, byId("tabs"));

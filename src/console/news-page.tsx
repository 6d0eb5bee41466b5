// News about a company that the service had at the shown moment.
import type { Article } from "../capabilities/news/schema.ts";
import { underClock } from "./answer.ts";
import { outsideCell } from "./cells.tsx";
import { minute } from "./format.ts";
import { type ListColumn, ListTable, Panel } from "./panel-parts.tsx";

const PAGE_ROWS = 200;
const DAYS = 3_660;

const COLUMNS: readonly ListColumn<Article>[] = [
  { name: "headline", isProse: true, cell: ({ url, headline }) => outsideCell(url, headline) },
  {
    name: "published",
    isExtra: true,
    cell: ({ published_at }) => (published_at ? minute(published_at) : null),
  },
  {
    name: "known here from",
    isExtra: true,
    title: "When this service first read the article in this version",
    cell: ({ known_at }) => minute(known_at),
  },
  { name: "source", isExtra: true, cell: ({ source, provider }) => source ?? provider },
  { name: "about", isExtra: true, cell: ({ tickers }) => tickers.join(", ") },
];

export function NewsPage({ ticker }: { ticker: string }) {
  const path = underClock(`/news/${encodeURIComponent(ticker)}`, { days: DAYS, limit: PAGE_ROWS });
  return (
    <Panel id="news" title="News">
      <ListTable
        label="News"
        path={path}
        columns={COLUMNS}
        empty="The service had no article about it at this moment."
      />
    </Panel>
  );
}

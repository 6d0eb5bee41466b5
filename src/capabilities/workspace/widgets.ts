// The widgets of OpenBB Workspace: what it shows, the fields it asks the user for, and the route that answers
// each widget.
import { type Field, ticker, type Widget } from "./widget.ts";

const choice = (
  paramName: string,
  label: string,
  description: string,
  preset: string,
  options: Readonly<Record<string, string>>,
): Field => ({
  paramName,
  type: "text",
  label,
  description,
  value: preset,
  show: true,
  options: Object.entries(options).map(([value, name]) => ({ label: name, value })),
});

const PERIODS = { "1m": "1 month", "6m": "6 months", "1y": "1 year", "5y": "5 years", max: "All" };

/** Columns that say where a figure of a filing comes from. */
const RECEIPT = [
  { field: "form", headerName: "Form" },
  { field: "filed_date", headerName: "Filed", cellDataType: "dateString" },
  { field: "accession_number", headerName: "Accession number" },
  { field: "known_at", headerName: "Known since (UTC)" },
] as const;
const FILING = [
  { field: "accepted_at", headerName: "Accepted (UTC)" },
  { field: "filing_url", headerName: "Filing" },
] as const;

/** Every widget by its id, which is also the last part of its endpoint. */
export const WIDGETS: Readonly<Record<string, Widget>> = {
  prices: {
    name: "Prices",
    description: "Daily bars on the split basis of the as-of moment, with dividends and splits.",
    category: "Prices",
    height: 14,
    chart: ["date", "close", "adjusted_close"],
    columns: [
      { field: "date", headerName: "Date", cellDataType: "dateString", chartDataType: "time" },
      { field: "open", headerName: "Open" },
      { field: "high", headerName: "High" },
      { field: "low", headerName: "Low" },
      { field: "close", headerName: "Close", chartDataType: "series" },
      { field: "adjusted_close", headerName: "Adjusted close", chartDataType: "series" },
      { field: "volume", headerName: "Volume", formatterFn: "int" },
      { field: "dividend", headerName: "Dividend" },
      { field: "split_ratio", headerName: "Split" },
      { field: "backfilled", headerName: "Fetched later" },
    ],
    fields: [ticker, choice("period", "Period", "How far back from the as-of moment.", "1y", PERIODS)],
    target: ({ ticker: symbol, period }) => [`price/data/${symbol}`, { period: period ?? "1y" }],
  },
  statements: {
    name: "Statements with receipts",
    description: "Every reported figure with the filing it was read from and the moment it became public.",
    category: "Filings",
    height: 16,
    columns: [
      { field: "statement", headerName: "Statement" },
      { field: "line", headerName: "Line" },
      { field: "value", headerName: "Value", formatterFn: "none" },
      { field: "unit", headerName: "Unit" },
      { field: "fiscal_year", headerName: "Year", formatterFn: "none" },
      { field: "fiscal_period", headerName: "Period" },
      { field: "period_end_date", headerName: "Period ends", cellDataType: "dateString" },
      { field: "basis", headerName: "Basis" },
      ...RECEIPT,
    ],
    fields: [
      ticker,
      choice("period_type", "Periods", "Annual or quarterly reports.", "annual", {
        annual: "Annual",
        quarterly: "Quarterly",
        ttm: "Trailing twelve months",
        all: "All",
      }),
      choice("vintage", "Vintage", "Figures as last or as first reported.", "latest", {
        latest: "As last reported",
        first: "As first reported",
      }),
    ],
    target: ({ ticker: symbol, period_type, vintage }) => [
      `financial/data/${symbol}`,
      { period_type: period_type ?? "annual", vintage: vintage ?? "latest" },
    ],
  },
  insiders: {
    name: "Insiders",
    description: "Trades of insiders from Forms 4, with shares and prices as filed; at most 1,000 rows.",
    category: "Ownership",
    height: 12,
    columns: [
      { field: "transaction_date", headerName: "Traded", cellDataType: "dateString" },
      { field: "owner_name", headerName: "Insider" },
      { field: "owner_relationship", headerName: "Relationship" },
      { field: "transaction_type", headerName: "Type" },
      { field: "shares", headerName: "Shares", formatterFn: "int" },
      { field: "price_per_share", headerName: "Price" },
      { field: "transaction_value", headerName: "Value", formatterFn: "int" },
      { field: "shares_owned_after", headerName: "Owned after", formatterFn: "int" },
      ...FILING,
    ],
    fields: [ticker],
    target: ({ ticker: symbol, as_of }) => [`insider/form4/${symbol}`, { as_of, limit: "1000" }],
  },
  holders: {
    name: "Large holders",
    description: "Positions above five percent from Schedules 13D and 13G, as filed; at most 1,000 rows.",
    category: "Ownership",
    height: 12,
    columns: [
      { field: "event_date", headerName: "Event", cellDataType: "dateString" },
      { field: "holder_name", headerName: "Holder" },
      { field: "form_type", headerName: "Form" },
      { field: "ownership_pct", headerName: "Percent of class" },
      { field: "shares_owned", headerName: "Shares", formatterFn: "int" },
      { field: "is_exit", headerName: "Exit" },
      ...FILING,
    ],
    fields: [ticker],
    target: ({ ticker: symbol, as_of }) => [`ownership/13dg/${symbol}`, { as_of, limit: "1000" }],
  },
  events: {
    name: "8-K events",
    description: "The items of a company's current reports of five years, with their text; at most 500 rows.",
    category: "Filings",
    height: 12,
    columns: [
      { field: "filing_date", headerName: "Filed", cellDataType: "dateString" },
      { field: "item_number", headerName: "Item" },
      { field: "event_title", headerName: "Event" },
      { field: "content", headerName: "Text" },
      ...FILING,
    ],
    fields: [ticker],
    target: ({ ticker: symbol }) => [`filings/events/${symbol}`, { days: "1826", limit: "500" }],
  },
  "short-volume": {
    name: "Short volume",
    description: "FINRA's daily short volume, which covers trades off the exchanges in regular hours.",
    category: "Prices",
    height: 12,
    chart: ["date", "short_volume_ratio"],
    columns: [
      { field: "date", headerName: "Date", cellDataType: "dateString", chartDataType: "time" },
      { field: "short_volume_ratio", headerName: "Ratio", chartDataType: "series" },
      { field: "short_volume", headerName: "Short volume", formatterFn: "int" },
      { field: "total_volume", headerName: "Total volume", formatterFn: "int" },
      { field: "market", headerName: "Facilities" },
    ],
    fields: [ticker],
    target: ({ ticker: symbol }) => [`shortvolume/${symbol}`, { days: "366", limit: "1000", order: "asc" }],
  },
  universe: {
    name: "Universe",
    description:
      "The stocks that were listed, from the newest monthly snapshot at or before the as-of moment; at most 5,000 rows.",
    category: "Universe",
    height: 16,
    columns: [
      { field: "symbol", headerName: "Symbol" },
      { field: "name", headerName: "Name" },
      { field: "exchange", headerName: "Exchange" },
      { field: "sector", headerName: "Sector" },
      { field: "market_cap_pit", headerName: "Market value as on file then", formatterFn: "int" },
      { field: "close_price", headerName: "Close" },
      { field: "snapshot_date", headerName: "Snapshot", cellDataType: "dateString" },
      { field: "known_at", headerName: "Known since (UTC)" },
    ],
    fields: [],
    target: ({ day }) => ["universe/screen", { date: day, limit: "5000" }],
  },
};

// A fund's profile and holdings; the funds that hold a share.
import type {
  ExposureRow as Exposure,
  HoldingView as Holding,
  HoldingsResponse as Holdings,
  FundProfile as Profile,
} from "../capabilities/etf/schema.ts";
import { underClock, useAnswer } from "./answer.ts";
import { filingLink, number, percent, tickerCell, whole } from "./cells.tsx";
import { count, minute } from "./format.ts";
import { clockOf } from "./links.ts";
import { Answered, type ListColumn, ListTable, Panel, Rows, Warnings } from "./panel-parts.tsx";
import { StateLine } from "./state-line.tsx";

const HOLDINGS_MAX = 10_000;

const HOLDINGS: readonly ListColumn<Holding>[] = [
  { name: "rank", isFigure: true, isExtra: true, cell: ({ rank }) => whole(rank) },
  { name: "symbol", cell: ({ symbol }) => tickerCell(symbol) },
  { name: "name", cell: ({ name, title }) => name ?? title },
  { name: "weight", isFigure: true, cell: ({ weight_percent }) => percent(weight_percent, 4) },
  { name: "shares", isFigure: true, isExtra: true, cell: ({ shares }) => number(shares) },
  {
    name: "value (USD)",
    isFigure: true,
    isExtra: true,
    cell: ({ market_value }) => whole(market_value),
  },
  { name: "kind", isExtra: true, cell: ({ asset_category }) => asset_category },
  { name: "country", isExtra: true, cell: ({ country }) => country },
];

const EXPOSURE: readonly ListColumn<Exposure>[] = [
  { name: "fund", cell: ({ etf }) => tickerCell(etf) },
  { name: "name", cell: ({ name }) => name },
  { name: "weight in it", isFigure: true, cell: ({ weight_percent }) => percent(weight_percent, 4) },
  { name: "shares", isFigure: true, isExtra: true, cell: ({ shares }) => number(shares) },
  {
    name: "value (USD)",
    isFigure: true,
    isExtra: true,
    cell: ({ market_value }) => whole(market_value),
  },
  { name: "holdings of", isExtra: true, cell: ({ as_of }) => as_of },
  { name: "known from", isExtra: true, cell: ({ known_at }) => minute(known_at) },
];

const amount = (value: number | null, currency: string | null): string =>
  value === null ? "–" : `${value.toLocaleString("en-US", { maximumFractionDigits: 4 })} ${currency ?? ""}`;

function ProfileFacts({ profile }: { profile: Profile }) {
  const { currency } = profile;
  const facts: readonly (readonly [string, string | null])[] = [
    ["Name", profile.name],
    ["Issuer", profile.issuer],
    ["Category", profile.category],
    [
      "Expense ratio",
      profile.expense_ratio === null ? null : `${(100 * profile.expense_ratio).toFixed(2)} %`,
    ],
    ["Assets", amount(profile.aum, currency)],
    ["Net asset value of a share", amount(profile.nav, currency)],
    ["First day", profile.inception_date],
    ["Known from", minute(profile.known_at)],
  ];
  return (
    <>
      <dl>
        {facts.flatMap(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} value`}>{value ?? "–"}</dd>,
        ])}
      </dl>
      <Warnings warnings={profile.warnings} />
    </>
  );
}

/** The profile has no history, so that it is not shown as of a day. */
function ProfilePanel({ at }: { at: string }) {
  const isPast = Object.values(clockOf()).some((value) => value !== null);
  const answer = useAnswer<Profile>(isPast ? null : `/etf/${at}`);
  return (
    <Panel id="fund" title="Fund">
      {isPast ? (
        <StateLine state="empty" text="The profile of a fund is known of now alone: choose Now to see it." />
      ) : (
        <Answered answer={answer.value}>{(profile) => <ProfileFacts profile={profile} />}</Answered>
      )}
    </Panel>
  );
}

function HoldingsPanel({ ticker, at }: { ticker: string; at: string }) {
  const answer = useAnswer<Holdings>(underClock(`/etf/${at}/holdings`, { limit: HOLDINGS_MAX }));
  return (
    <Panel id="holdings" title="Holdings">
      <Answered answer={answer.value}>
        {({ as_of, source, accession_number: accession, net_assets, known_at, data, total, warnings }) => (
          <>
            <p class="quiet">
              {source === "nport" ? "Reported to the SEC" : `The largest, by ${source}`}, of{" "}
              {as_of ?? "an unknown day"}, known from {minute(known_at)}
              {net_assets === null ? "" : `, net assets ${amount(net_assets, "USD")}`}.{" "}
              {accession === null ? "" : <a href={filingLink(accession, ticker)}>{accession}</a>}
            </p>
            {data.length === 0 ? (
              <StateLine state="empty" text="The report has no holdings." />
            ) : (
              <Rows label="Holdings" columns={HOLDINGS} rows={data} />
            )}
            <p class="quiet shown">
              {total === null || total === undefined
                ? `${count(data.length)} rows`
                : `${count(data.length)} of ${count(total)} rows`}
            </p>
            <Warnings warnings={warnings ?? []} />
          </>
        )}
      </Answered>
    </Panel>
  );
}

export function FundsPage({ ticker }: { ticker: string }) {
  const at = encodeURIComponent(ticker);
  return (
    <>
      <ProfilePanel at={at} />
      <HoldingsPanel ticker={ticker} at={at} />
      <Panel id="exposure" title="Funds that hold it">
        <ListTable
          label="Funds that hold it"
          path={underClock(`/etf/exposure/${at}`, { limit: 1_000 })}
          columns={EXPOSURE}
          empty="No stored report of a fund holds it."
        />
      </Panel>
    </>
  );
}

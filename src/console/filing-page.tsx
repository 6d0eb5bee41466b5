// One filing: its items, its documents, and the text of the chosen one. Texts come from the vault and are
// shown as text.

import { useSignal } from "@preact/signals";
import type { Exhibit, FilingDocuments, FilingEvent } from "../capabilities/filings/schema.ts";
import { underClock, useAnswer } from "./answer.ts";
import { CompanyTabs } from "./company-tabs.tsx";
import { bytes, count, minute } from "./format.ts";
import { clockOf, linkTo, tickerLink, withParameter } from "./links.ts";
import type { ListPage } from "./list.ts";
import { Answered, Panel, Warnings } from "./panel-parts.tsx";
import { StateLine } from "./state-line.tsx";
import { capitals } from "./ticker-path.ts";

type Document = FilingDocuments["documents"][number];

/** Longer texts are cut: a page of a megabyte of text is slow to lay out. */
const CHARS_MAX = 400_000;

/** The document that is shown first: the press release of a current report, else the filing itself. */
function firstOf(documents: readonly Document[]): string | null {
  const release = documents.find(({ type }) => /^EX-99(\.0?1)?$/.test(type ?? ""));
  return (release ?? documents[0])?.filename ?? null;
}

function Items({ ticker, filing }: { ticker: string; filing: FilingDocuments }) {
  const day = filing.filing_date;
  const path = underClock(`/filings/events/${encodeURIComponent(ticker)}`, {
    start_date: day,
    end_date: day,
    limit: 500,
  });
  const answer = useAnswer<ListPage<FilingEvent>>(path);
  return (
    <Panel id="items" title="What it reports" isTall>
      <Answered answer={answer.value}>
        {({ data, warnings }) => {
          const own = data.filter(({ accession_number }) => accession_number === filing.accession_number);
          return (
            <>
              {own.length === 0 ? (
                <StateLine state="empty" text={`No item of this report is known for ${ticker}.`} />
              ) : null}
              {own.map((item) => (
                <article key={item.item_number}>
                  <h3>
                    Item {item.item_number} {item.event_title}
                  </h3>
                  <p class="quiet">
                    {item.content_source === null ? "" : `From ${item.content_source}`}
                    {item.truncated ? `, the beginning of ${count(item.content_length ?? 0)} characters` : ""}
                  </p>
                  <pre>{item.content ?? "–"}</pre>
                </article>
              ))}
              <Warnings warnings={warnings ?? []} />
            </>
          );
        }}
      </Answered>
    </Panel>
  );
}

/** The companies that a filing is of or about; all parties where none is such a company. */
function companiesOf({ parties }: FilingDocuments): string {
  const companies = parties.filter(({ role }) => role === "filer" || role === "issuer" || role === "subject");
  const named = companies.length > 0 ? companies : parties;
  return [...new Set(named.map(({ name }) => name))].join(" and ");
}

function DocumentText({ path }: { path: string }) {
  const answer = useAnswer<Exhibit>(path);
  return (
    <Answered answer={answer.value}>
      {({ text, length, truncated, content_type, sha256 }) => (
        <>
          <p class="quiet">
            {content_type ?? "unknown type"},{" "}
            {length === null ? "not a text: read it at the SEC" : `${count(length)} characters as text`}
            {truncated ? `, the first ${count(CHARS_MAX)} are shown` : ""}
            {sha256 === null ? "" : `; SHA-256 of the document in the vault ${sha256}`}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the keyboard scroll it */}
          <section class="text" tabIndex={0} aria-label="Text of the document">
            <pre id="text">{text}</pre>
          </section>
        </>
      )}
    </Answered>
  );
}

function DocumentList({
  documents,
  chosen,
  onChoose,
}: {
  documents: readonly Document[];
  chosen: string | null;
  onChoose: (filename: string) => void;
}) {
  return (
    <ul class="documents">
      {documents.map(({ filename, type, description, size, url }) => (
        <li key={filename ?? url}>
          {filename === null ? (
            (type ?? "–")
          ) : (
            <button type="button" aria-pressed={filename === chosen} onClick={() => onChoose(filename)}>
              {type ?? "–"} <span class="quiet">{filename}</span>
            </button>
          )}{" "}
          {description ?? ""} <span class="quiet">{size === null ? "" : bytes(size)}</span>{" "}
          <a href={url} rel="noreferrer" target="_blank">
            at the SEC
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Links that set the clock to the moment at which the filing became known. */
function AsOfFiling({ filing, ticker }: { filing: FilingDocuments; ticker: string }) {
  // Without an acceptance it counts as known from the end of its day, which is what a date means.
  const moment = filing.accepted_at ?? filing.filing_date;
  if (moment === null) return null;
  const clock = clockOf();
  const to = (page: string, query: Readonly<Record<string, string>> = {}) =>
    linkTo(page, query, { ...clock, as_of: moment });
  const company = `/ticker/${encodeURIComponent(ticker)}`;
  return (
    <p id="as-of-filing" class="facts">
      {clock.as_of === moment ? (
        <span>The clock stands at this filing</span>
      ) : (
        <a href={to(location.pathname, ticker === "" ? {} : { ticker })}>As of this filing</a>
      )}
      {ticker === "" ? null : (
        <>
          {" · "}
          <a href={to(`${company}/insiders`, { buy_only: "true" })}>Insiders who bought before it</a>
          {" · "}
          <a href={`${to(company)}#statements`}>Statements as they were then</a>
        </>
      )}
    </p>
  );
}

function Filing({ filing, ticker }: { filing: FilingDocuments; ticker: string }) {
  const chosen = useSignal(new URLSearchParams(location.search).get("document") ?? firstOf(filing.documents));
  const isCurrentReport = /^8-K/.test(filing.form_type ?? "") && filing.filing_date !== null && ticker !== "";
  return (
    <>
      <p id="filing-facts" class="facts">
        <strong>{filing.form_type ?? "Form unknown"}</strong> filed{" "}
        {filing.filing_date ?? "on an unknown day"}, accepted {minute(filing.accepted_at)}
      </p>
      <AsOfFiling filing={filing} ticker={ticker} />
      <div class="grid">
        {isCurrentReport ? <Items ticker={ticker} filing={filing} /> : null}
        <Panel id="documents" title="Documents">
          <DocumentList
            documents={filing.documents}
            chosen={chosen.value}
            onChoose={(filename) => {
              chosen.value = filename;
              history.replaceState(null, "", withParameter("document", filename));
            }}
          />
          {chosen.value === null ? (
            <StateLine
              state="empty"
              text={
                filing.documents.length === 0
                  ? "The filing lists no documents."
                  : "The documents have no files of their own; read them at the SEC."
              }
            />
          ) : (
            <DocumentText
              path={underClock("/filings/exhibit", {
                accession_number: filing.accession_number,
                filename: chosen.value,
                ticker,
                max_chars: CHARS_MAX,
              })}
            />
          )}
        </Panel>
      </div>
    </>
  );
}

/** The filings of a ticker on the day of a filing; whether it is among them. Null: not known. */
function useIsOfTicker(filing: FilingDocuments | null, ticker: string): boolean | null {
  const day = filing?.filing_date ?? null;
  const path =
    day === null || ticker === ""
      ? null
      : underClock("/filings/search", { ticker, start_date: day, end_date: day, limit: 500 });
  const answer = useAnswer<ListPage<{ readonly accession_number: string }>>(path).value;
  if (path === null || answer.at !== "ready") return null;
  return answer.body.data.some(({ accession_number }) => accession_number === filing?.accession_number);
}

function Heading({
  accession,
  filing,
  ticker,
}: {
  accession: string;
  filing: FilingDocuments | null;
  /** Of a company whose filing it is; empty where none is known. */
  ticker: string;
}) {
  return (
    <h1>
      {ticker === "" ? null : (
        <>
          <a href={tickerLink(ticker, "filings")}>{ticker}</a> ·{" "}
        </>
      )}
      {filing === null ? "" : `${companiesOf(filing)} · `}Filing {accession}
    </h1>
  );
}

export function FilingPage() {
  const accession = location.pathname.split("/")[2] ?? "";
  const given = capitals(new URLSearchParams(location.search).get("ticker") ?? "");
  const answer = useAnswer<FilingDocuments>(
    underClock("/filings/documents", { accession_number: accession, ticker: given }),
  );
  const filing = answer.value.at === "ready" ? answer.value.body : null;
  const isOfTicker = useIsOfTicker(filing, given);
  // Another company's ticker leads nowhere from here.
  const ticker = isOfTicker === false ? "" : given;
  return (
    <>
      <Heading accession={accession} filing={filing} ticker={isOfTicker ? ticker : ""} />
      {ticker === "" ? null : <CompanyTabs ticker={ticker} page="filing" />}
      <div id="filing">
        {isOfTicker === false ? (
          <StateLine state="refused" text={`This is no filing of ${given}: the page shows whose it is.`} />
        ) : null}
        <Answered answer={answer.value}>{(shown) => <Filing filing={shown} ticker={ticker} />}</Answered>
      </div>
    </>
  );
}

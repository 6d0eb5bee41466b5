// The list of a series' filings as a feed: `browse-edgar?action=getcompany` under the number of a series.
import type { Reply } from "../wire.ts";
import { newYorkClock } from "./days.ts";
import { padded, TRUST_CIK } from "./filers.ts";
import { filmNumberOf, undashed } from "./filing.ts";
import { trustFunds } from "./fund-plan.ts";
import type { Register } from "./register.ts";
import { asMarkup } from "./wording.ts";

const COUNT_MAX = 100;

/** The answer for an unknown number: a page with status 200. */
const noMatch = (): Reply => ({
  status: 200,
  headers: { "content-type": "text/html", server: "Apache" },
  body: "<!DOCTYPE html><html><head><title>EDGAR Filer Search</title></head><body>No matching CIK.</body></html>",
});

const numberOf = (text: string | null) => (/^\d{1,6}$/.test(text ?? "") ? Number(text) : 0);

/** The newest filings of a series first; the type is a prefix. */
export function seriesFeed(register: Register, query: URLSearchParams): Reply {
  const fund = trustFunds().find(({ seriesId }) => seriesId === query.get("CIK"));
  const trust = register.filerOf(TRUST_CIK);
  if (!fund || !trust) return noMatch();
  const start = numberOf(query.get("start"));
  const count = Math.min(numberOf(query.get("count")) || 40, COUNT_MAX);
  const filings = register
    .visibleOf(trust)
    .filter(
      (filing) => filing.fund?.seriesId === fund.seriesId && filing.form.startsWith(query.get("type") ?? ""),
    )
    .slice(start, start + count);
  const entries = filings.map((filing) => {
    const { local, offset } = newYorkClock(filing.acceptedAt);
    const href = `https://www.sec.gov/Archives/edgar/data/${trust.cik}/${undashed(filing.accession)}/${filing.accession}-index.htm`;
    return `  <entry>
    <category label="form type" scheme="https://www.sec.gov/" term="${filing.form}" />
    <content type="text/xml">
      <accession-number>${filing.accession}</accession-number>
      <act>40</act>
      <file-number>811-99999</file-number>
      <filing-date>${filing.filingDate}</filing-date>
      <filing-href>${href}</filing-href>
      <filing-type>${filing.form}</filing-type>
      <film-number>${filmNumberOf(filing)}</film-number>
      <form-name>Monthly Portfolio Investments Report on Form N-PORT</form-name>
      <size>1 MB</size>
    </content>
    <id>urn:tag:www.sec.gov,2008:accession-number=${filing.accession}</id>
    <link href="${href}" rel="alternate" type="text/html" />
    <summary type="html"> &lt;b&gt;Filed:&lt;/b&gt; ${filing.filingDate} &lt;b&gt;AccNo:&lt;/b&gt; ${filing.accession}</summary>
    <title>${filing.form}  - Monthly Portfolio Investments Report on Form N-PORT</title>
    <updated>${local}${offset}</updated>
  </entry>
`;
  });
  const { local, offset } = newYorkClock(register.now());
  const body = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <author><email>webmaster@sec.gov</email><name>Webmaster</name></author>
  <company-info>
    <cik>${padded(trust.cik)}</cik>
    <conformed-name>${asMarkup(trust.name)}</conformed-name>
  </company-info>
${entries.join("")}  <id>urn:tag:www.sec.gov:cik=${padded(trust.cik)}</id>
  <title>${asMarkup(trust.name)}  (${padded(trust.cik)})</title>
  <updated>${local}${offset}</updated>
</feed>
`;
  return { status: 200, headers: { "content-type": "application/atom+xml", server: "Apache" }, body };
}

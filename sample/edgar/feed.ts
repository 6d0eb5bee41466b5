// The feed of current filings: newest first, an entry for each filer of a filing, two business days deep.
import { dateOf, dayOf } from "../sessions.ts";
import type { Reply } from "../wire.ts";
import { isBusinessDay, newYorkClock } from "./days.ts";
import { nameOn, padded } from "./filers.ts";
import { type Filing, partiesOf, roleOf, undashed } from "./filing.ts";
import { sizeOf } from "./header.ts";
import { unavailable } from "./refusals.ts";
import type { Register } from "./register.ts";
import { asMarkup } from "./wording.ts";

const COUNT_DEFAULT = 40;
const COUNT_MAX = 100;
/** Beyond it the feed says "unavailable", as if all were down. */
const START_MAX = 5000;
const DEPTH_DAYS = 2;

/** The first business day the feed still reaches. */
function horizon(today: string): string {
  let day = dayOf(today);
  for (let left = DEPTH_DAYS; left > 0; ) {
    day--;
    if (isBusinessDay(day)) left--;
  }
  return dateOf(day);
}

function current(register: Register): Filing[] {
  const today = register.today();
  const since = horizon(today);
  const newYear = `${today.slice(0, 4)}-01-01`;
  const dated =
    since < newYear
      ? [
          ...register.filedBetween(since, dateOf(dayOf(newYear) - 1)),
          ...register.filedBetween(newYear, today),
        ]
      : register.filedBetween(since, today);
  return dated
    .filter(({ publicAt }) => publicAt <= register.now())
    .sort((a, b) => b.acceptedAt - a.acceptedAt);
}

function sizeText(bytes: number): string {
  return bytes < 1 << 20
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${Math.round(bytes / (1 << 20))} MB`;
}

function entriesOf(filing: Filing): (() => string)[] {
  const { local, offset } = newYorkClock(filing.acceptedAt);
  return partiesOf(filing).map((filer) => () => {
    const href = `https://www.sec.gov/Archives/edgar/data/${filer.cik}/${undashed(filing.accession)}/${filing.accession}-index.htm`;
    return `<entry>
<title>${filing.form} - ${asMarkup(nameOn(filer, filing.filingDate))} (${padded(filer.cik)}) (${roleOf(filing, filer)})</title>
<link rel="alternate" type="text/html" href="${href}"/>
<summary type="html">
 &lt;b&gt;Filed:&lt;/b&gt; ${filing.filingDate} &lt;b&gt;AccNo:&lt;/b&gt; ${filing.accession} &lt;b&gt;Size:&lt;/b&gt; ${sizeText(sizeOf(filing))}
</summary>
<updated>${local}${offset}</updated>
<category scheme="https://www.sec.gov/" label="form type" term="${filing.form}"/>
<id>urn:tag:sec.gov,2008:accession-number=${filing.accession}</id>
</entry>
`;
  });
}

const numberOf = (text: string | null, otherwise: number) =>
  /^\d{1,6}$/.test(text ?? "") ? Number(text) : otherwise;

/** `browse-edgar?action=getcurrent`. The type is a prefix: 4 finds 424B2 too. */
export function feedReply(register: Register, query: URLSearchParams): Reply {
  const start = numberOf(query.get("start"), 0);
  if (start > START_MAX) return unavailable(503);
  const count = Math.min(numberOf(query.get("count"), COUNT_DEFAULT) || COUNT_DEFAULT, COUNT_MAX);
  const type = query.get("type") ?? "";
  const entries = current(register)
    .filter(({ form }) => form.startsWith(type))
    .flatMap(entriesOf)
    .slice(start, start + count)
    .map((entry) => entry());
  const { local, offset } = newYorkClock(register.now());
  const shown = Temporal.Instant.fromEpochMilliseconds(register.now() * 1000).toZonedDateTimeISO(
    "America/New_York",
  );
  const day = shown.toLocaleString("en-US", { weekday: "short" });
  const month = shown.toLocaleString("en-US", { month: "short" });
  const zone = offset === "-05:00" ? "EST" : "EDT";
  const body = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Latest Filings - ${day}, ${String(shown.day).padStart(2, "0")} ${month} ${shown.year} ${local.slice(11)} ${zone}</title>
<link rel="alternate" href="/cgi-bin/browse-edgar?action=getcurrent"/>
<link rel="self" href="/cgi-bin/browse-edgar?action=getcurrent"/>
<id>https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent</id>
<author><name>Webmaster</name><email>webmaster@sec.gov</email></author>
<updated>${local}${offset}</updated>
${entries.join("")}</feed>
`;
  return { status: 200, headers: { "content-type": "application/atom+xml", server: "Apache" }, body };
}

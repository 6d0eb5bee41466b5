// A small regulator of hand-made ownership filings, behind the gateway: lists, index files and submissions.
import {
  type FilingForm,
  type MadeFiling,
  type MadeIssuer,
  partiesOf,
  submissionOf,
} from "./ownership-papers.ts";

const FILES = "/www.sec.gov";
const DATA = "/data.sec.gov";

export interface OwnershipWorld {
  readonly url: string;
  /** Paths asked for since the start or the last `forget`. */
  readonly asked: string[];
  forget(): void;
  add(...filings: MadeFiling[]): void;
  /** From now on only these are there. */
  only(filings: readonly MadeFiling[]): void;
  /** From now on every request is answered so; null: as usual. */
  refuse(answer: { status: number; body?: string } | null): void;
  /** From now on the regulator's list of tickers has these; null: the symbols of the issuers. */
  list(issuers: readonly MadeIssuer[] | null): void;
  /** The submission of this number ends in the middle from now on. */
  cutOff(accession: string): void;
  stop(): Promise<void>;
}

const compact = (date: string) => date.replaceAll("-", "");
/** New York's clock as the UTC instant, summer time. */
const utcOf = (wall: string) => new Date(Date.parse(`${wall}-04:00`)).toISOString();

function masterIndex(filings: readonly MadeFiling[], date: string): string {
  const lines = filings.flatMap((filing) =>
    partiesOf(filing).map(
      ({ cik, name }) =>
        `${Number(cik)}|${name}|${filing.form}|${compact(date)}|edgar/data/${Number(cik)}/${filing.accession}.txt`,
    ),
  );
  return `Description:           Daily Index of EDGAR Dissemination Feed\nComments: x\n\nCIK|Company Name|Form Type|Date Filed|File Name\n${"-".repeat(80)}\n${lines.join("\n")}\n`;
}

function submissionsJson(cik: string, name: string, filings: readonly MadeFiling[]): string {
  const rows = filings
    .filter((filing) => partiesOf(filing).some((party) => party.cik === cik))
    .toSorted((a, b) => (a.accepted < b.accepted ? 1 : -1));
  const isIssuer = (filing: MadeFiling) => filing.issuer.cik === cik;
  const number = (filing: MadeFiling) => {
    if (filing.kind === "form") return isIssuer(filing) ? "" : "001-00001";
    return isIssuer(filing) ? "005-00001" : "";
  };
  const each = <T>(value: (filing: MadeFiling) => T) => rows.map(value);
  const recent = {
    accessionNumber: each((f) => f.accession),
    filingDate: each((f) => f.filed),
    reportDate: each(() => ""),
    acceptanceDateTime: each((f) => utcOf(f.accepted)),
    act: each(() => ""),
    form: each((f) => f.form),
    fileNumber: each(number),
    filmNumber: each(() => ""),
    items: each(() => ""),
    size: each(() => 5_000),
    isXBRL: each(() => 0),
    isInlineXBRL: each(() => 0),
    primaryDocument: each(() => "xslF345X05/primary_doc.xml"),
    primaryDocDescription: each(() => ""),
  };
  return JSON.stringify({
    cik: cik.padStart(10, "0"),
    entityType: "operating",
    sic: "",
    sicDescription: "",
    name,
    tickers: [],
    exchanges: [],
    ein: null,
    description: "",
    website: "",
    category: "",
    fiscalYearEnd: "1231",
    stateOfIncorporation: "",
    stateOfIncorporationDescription: "",
    addresses: {},
    phone: "",
    formerNames: [],
    filings: { recent, files: [] },
  });
}

/** The newest filings, an entry a party, in pages. */
function feed(filings: readonly MadeFiling[], query: URLSearchParams): string {
  const type = query.get("type") ?? "";
  const [start, count] = [Number(query.get("start") ?? 0), Number(query.get("count") ?? 40)];
  const entries = filings
    .filter(({ form }) => form.startsWith(type))
    .toSorted((a, b) => (a.accepted < b.accepted ? 1 : -1))
    .flatMap((filing) =>
      partiesOf(filing).map(({ cik, name, is_issuer }) => {
        const role = filing.kind === "form" ? ["Issuer", "Reporting"] : ["Subject", "Filed by"];
        return `<entry><title>${filing.form} - ${name} (${cik}) (${role[is_issuer ? 0 : 1]})</title>
<summary type="html">&lt;b&gt;Filed:&lt;/b&gt; ${filing.filed} &lt;b&gt;AccNo:&lt;/b&gt; ${filing.accession}</summary>
<updated>${filing.accepted}-04:00</updated><category term="${filing.form}"/><id>urn:tag:sec.gov,2008:accession-number=${filing.accession}</id></entry>`;
      }),
    );
  return `<?xml version="1.0" encoding="ISO-8859-1" ?><feed xmlns="http://www.w3.org/2005/Atom"><updated>2026-09-09T12:00:00-04:00</updated>${entries.slice(start, start + count).join("")}</feed>`;
}

/** The 403 of a file that is not there. */
const denied = () =>
  new Response('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', {
    status: 403,
    headers: { "content-type": "application/xml" },
  });
const missing = () =>
  new Response('<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>', {
    status: 404,
    headers: { "content-type": "application/xml" },
  });

/**
 * Serves filings. The index of a day exists as soon as a filing has that date; `emptyDays` have an empty one.
 */
export function serveOwnership(
  initial: readonly MadeFiling[],
  emptyDays: readonly string[] = [],
): OwnershipWorld {
  let filings = [...initial];
  let listed: readonly MadeIssuer[] | null = null;
  let refusal: { status: number; body?: string } | null = null;
  const asked: string[] = [];
  const broken = new Set<string>();
  const names = () => new Map(filings.flatMap(partiesOf).map(({ cik, name }) => [cik, name]));

  const tickers = () => {
    const issuers = new Map(filings.map(({ issuer }) => [issuer.cik, issuer]));
    const rows = (listed ?? [...issuers.values()]).map(({ cik, name, symbol }) => [
      Number(cik),
      name,
      symbol,
      "NYSE",
    ]);
    return JSON.stringify({ fields: ["cik", "name", "ticker", "exchange"], data: rows });
  };

  const dailyIndex = (path: string): Response => {
    const day = /master\.(\d{4})(\d{2})(\d{2})\.idx$/.exec(path);
    const date = day ? `${day[1]}-${day[2]}-${day[3]}` : "";
    const own = filings.filter((filing) => filing.filed === date);
    if (own.length === 0 && !emptyDays.includes(date)) return denied();
    return new Response(masterIndex(own, date));
  };

  const answer = (path: string, query: URLSearchParams): Response => {
    if (path === `${FILES}/cgi-bin/browse-edgar`) return new Response(feed(filings, query));
    if (path === `${FILES}/files/company_tickers_exchange.json`) return new Response(tickers());
    if (path === `${FILES}/files/company_tickers_mf.json`)
      return new Response(
        '{"fields":["cik","seriesId","classId","symbol"],"data":[[9999901,"S000099901","C000099901","ZZFND"]]}',
      );
    if (path.includes("/daily-index/")) return dailyIndex(path);
    const list = /^\/data\.sec\.gov\/submissions\/CIK(\d{10})\.json$/.exec(path);
    if (list && path.startsWith(DATA)) {
      const name = names().get(list[1] ?? "");
      return name === undefined ? missing() : new Response(submissionsJson(list[1] ?? "", name, filings));
    }
    const accession = /\/(\d{10}-\d{2}-\d{6})\.txt$/.exec(path)?.[1];
    const found = filings.find((filing) => filing.accession === accession);
    if (!found) return missing();
    const text = submissionOf(found);
    return new Response(broken.has(found.accession) ? text.slice(0, -200) : text);
  };

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname: path, searchParams } = new URL(request.url);
      asked.push(path);
      if (refusal) return new Response(refusal.body ?? "refused", { status: refusal.status });
      return answer(path, searchParams);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    forget: () => {
      asked.length = 0;
    },
    add(...more) {
      filings = [...filings, ...more];
    },
    only(given) {
      filings = [...given];
    },
    cutOff(accession) {
      broken.add(accession);
    },
    list(issuers) {
      listed = issuers;
    },
    refuse(given) {
      refusal = given;
    },
    stop: () => server.stop(true),
  };
}

const letter = (n: number) => String.fromCharCode(65 + n);
/** The symbol of the so-manieth issuer: ZAA, ZAB, … */
export const symbolOf = (n: number): string => `Z${letter(Math.floor(n / 26))}${letter(n % 26)}`;

const padded = (n: number, width: number) => String(n).padStart(width, "0");

/**
 * A day of filings as busy as a real one: mostly of an issuer and one owner, every tenth of two owners, every
 * fiftieth an amendment, every fortieth a Schedule 13G, every hundredth an unreadable text.
 */
export function busyDay(date: string, count: number): MadeFiling[] {
  return Array.from({ length: count }, (_, i): MadeFiling => {
    const issuer = {
      cik: padded(7_000_000 + (i % 300), 10),
      name: `Issuer ${i % 300}`,
      symbol: symbolOf(i % 300),
    };
    const accession = `0007${padded(i % 7, 6)}-${date.slice(2, 4)}-${padded(i, 6)}`;
    const accepted = `${date}T${padded(7 + Math.floor((i * 14) / count), 2)}:${padded(i % 60, 2)}:${padded((i * 7) % 60, 2)}`;
    const owner = { cik: padded(8_000_000 + i, 10), name: `Owner ${i}` };
    const shared = { accession, accepted, filed: date, issuer };
    if (i % 40 === 39) {
      const persons = [{ name: owner.name, shares: 1_000_000 + i, pct: 5 + (i % 5) }];
      return { ...shared, kind: "schedule", form: "SCHEDULE 13G", filers: [owner], persons, event: date };
    }
    const owners = [
      { ...owner, title: i % 3 === 0 ? "Chief Executive Officer" : "Director of Sales" },
      ...(i % 10 === 9
        ? [{ cik: padded(8_500_000 + i, 10), name: `Trust ${i}`, is_ten_percent_owner: true }]
        : []),
    ];
    const lots = 1 + (i % 3);
    const trades = Array.from({ length: lots }, (_, lot) => ({
      date,
      code: i % 2 === 0 ? "P" : "S",
      shares: 100 + i,
      price: 10 + lot,
      after: 10_000 + i + lot,
    }));
    const made: FilingForm = { ...shared, kind: "form", form: "4", owners, trades };
    if (i % 50 === 49) return { ...made, form: "4/A", original: date };
    return i % 100 === 98 ? { ...made, document: "Form 4 as plain words" } : made;
  });
}

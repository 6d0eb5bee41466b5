// Writes a fund's report of holdings (NPORT-P) in the schema of the regulator.
import { COMPANIES } from "../companies.ts";
import { basketOf, cusipOf, isinOf } from "../fund-basket.ts";
import { printedOn } from "../prices.ts";
import { keyOf, uniform } from "../randomness.ts";
import type { TrustFund } from "./filers.ts";
import { padded } from "./filers.ts";
import type { Filing } from "./filing.ts";
import { valuedOn } from "./fund-plan.ts";
import { asMarkup } from "./wording.ts";

/** A line before it is written. */
export interface FundLine {
  readonly name: string;
  readonly title: string;
  readonly cusip: string;
  readonly isin?: string;
  readonly ticker?: string;
  readonly other?: string;
  readonly balance: number;
  readonly units: "NS" | "PA" | "NC";
  readonly value: number;
  readonly payoff: "Long" | "Short" | "N/A";
  readonly category: string;
  readonly issuer: string;
  /** XML of derivativeInfo. */
  readonly derivative?: string;
}

const cents = (amount: number) => Math.round(amount * 100) / 100;

/** Net assets of a fund, dollars, in the cent. */
const netAssetsOf = (fund: TrustFund, { seed, period }: Filing): number => {
  const listing = COMPANIES.find(({ symbol }) => symbol === fund.symbol);
  const size = (listing?.dollarsADay ?? 1e7) * (6 + 4 * uniform(keyOf(seed, fund.symbol), 0));
  return cents(size * (0.9 + 0.2 * uniform(keyOf(seed, `net ${fund.symbol} ${period}`), 0)));
};

/** One fund leaves the tickers out, as many do: of their shares only the numbers tell which they are. */
const NAMELESS = ["ZDVDF"];

function shares(fund: TrustFund, filing: Filing, net: number): FundLine[] {
  const { seed, period, form } = filing;
  const day = valuedOn(period);
  return basketOf(fund.symbol, seed, period).map(({ listing, weight }, i) => {
    const price = printedOn(listing, seed, day).close;
    // The error that an amendment corrects: the first line had been counted too low.
    const factor =
      i === 0 && fund.symbol === "ZTEKF" && period.endsWith("12-31") && !form.endsWith("/A") ? 0.9 : 1;
    const balance = Math.round((net * weight * factor) / price);
    return {
      name: listing.name,
      title: `${listing.name} Common Stock`,
      cusip: cusipOf(listing.symbol),
      isin: isinOf(listing.symbol),
      ...(NAMELESS.includes(fund.symbol) ? {} : { ticker: listing.symbol }),
      balance,
      units: "NS",
      value: cents(balance * price),
      payoff: "Long",
      category: "EC",
      issuer: "CORP",
    };
  });
}

/** Bonds of companies: their tickers are the companies', though they are no shares. */
function bonds(filing: Filing, net: number): FundLine[] {
  const issuers = COMPANIES.filter(({ type, symbol }) => type === "EQUITY" && /^[A-F]/.test(symbol));
  return issuers.map((listing, i) => {
    const balance = Math.round((net * 0.97) / issuers.length / 1000) * 1000;
    return {
      name: listing.name,
      title: `${listing.symbol} ${3 + (i % 4)}.25 ${2030 + i}`,
      cusip: cusipOf(`${listing.symbol} bond`),
      isin: isinOf(`${listing.symbol} bond`),
      ticker: listing.symbol,
      balance,
      units: "PA",
      value: cents(balance * (0.93 + 0.1 * uniform(filing.key, 20 + i))),
      payoff: "Long",
      category: "DBT",
      issuer: "CORP",
    };
  });
}

const counterparty =
  "<counterparties><counterpartyName>Gibbl Bancorp</counterpartyName><counterpartyLei>N/A</counterpartyLei></counterparties>";

/**
 * Returns an active fund's lines beside its shares: a short position, a future, a written call, a forward.
 */
function ventures(filing: Filing, net: number): FundLine[] {
  const listing = COMPANIES.find(({ symbol }) => symbol === "VROOQ");
  const day = valuedOn(filing.period);
  const price = listing ? printedOn(listing, filing.seed, day).close : 1;
  const short = -Math.round((net * 0.06) / price);
  const plain = { cusip: "000000000", payoff: "N/A", issuer: "CORP" } as const;
  return [
    {
      name: listing?.name ?? "",
      title: `${listing?.name} Common Stock`,
      cusip: cusipOf("VROOQ"),
      isin: isinOf("VROOQ"),
      ticker: "VROOQ",
      balance: short,
      units: "NS",
      value: cents(short * price),
      payoff: "Short",
      category: "EC",
      issuer: "CORP",
    },
    {
      ...plain,
      name: "N/A",
      title: "Sample 50 Index future",
      other: "SMPLH",
      balance: -14,
      units: "NC",
      value: -18_420.5,
      category: "DE",
      derivative: `<futrDeriv derivCat="FUT">${counterparty}<payOffProf>Short</payOffProf><descRefInstrmnt><indexBasketInfo><indexName>Sample 50 Index</indexName><indexIdentifier>SMPL</indexIdentifier></indexBasketInfo></descRefInstrmnt><expDate>2099-03-19</expDate><notionalAmt>-743400</notionalAmt><curCd>USD</curCd><unrealizedAppr>-18420.5</unrealizedAppr></futrDeriv>`,
    },
    {
      ...plain,
      name: "Gibbl Bancorp",
      title: "Call on Zorp Dynamics Inc.",
      other: "ZORPC",
      ticker: "ZORP",
      balance: -120,
      units: "NC",
      value: -31_200,
      category: "DE",
      derivative: `<optionSwaptionWarrantDeriv derivCat="OPT">${counterparty}<putOrCall>Call</putOrCall><writtenOrPur>Written</writtenOrPur><descRefInstrmnt><otherRefInst><issuerName>Zorp Dynamics Inc.</issuerName><issueTitle>Common Stock</issueTitle><identifiers><isin value="${isinOf("ZORP")}"/><ticker value="ZORP"/></identifiers></otherRefInst></descRefInstrmnt><shareNo>100</shareNo><exercisePrice>250</exercisePrice><exercisePriceCurCd>USD</exercisePriceCurCd><expDt>2099-01-15</expDt><delta>XXXX</delta><unrealizedAppr>-4100</unrealizedAppr></optionSwaptionWarrantDeriv>`,
    },
    {
      ...plain,
      name: "Gibbl Bancorp",
      title: "ZED/USD forward",
      other: "FWDZED",
      balance: 1,
      units: "NC",
      value: 912.25,
      category: "DFE",
      derivative: `<fwdDeriv derivCat="FWD">${counterparty}<amtCurSold>100000</amtCurSold><curSold>USD</curSold><amtCurPur>92100</amtCurPur><curPur>ZED</curPur><settlementDt>2099-02-02</settlementDt><unrealizedAppr>912.25</unrealizedAppr></fwdDeriv>`,
    },
  ];
}

/** The lines of a report, and the net assets they are weighed by. */
export function linesOf(filing: Filing, fund: TrustFund): { net: number; lines: readonly FundLine[] } {
  const net = netAssetsOf(fund, filing);
  const lines = [
    ...shares(fund, filing, net),
    ...(fund.symbol === "ZBNDF" ? bonds(filing, net) : []),
    ...(fund.symbol === "ZCAPF" ? ventures(filing, net) : []),
  ];
  return { net, lines };
}

function lineXml(line: FundLine, net: number, tag: (name: string) => string): string {
  const leaf = (name: string, value: string | number) => `<${tag(name)}>${value}</${tag(name)}>`;
  const ids = (["isin", "ticker"] as const).flatMap((name) =>
    line[name] === undefined ? [] : [`<${tag(name)} value="${line[name]}"/>`],
  );
  if (ids.length === 0) ids.push(`<${tag("other")} otherDesc="Internal" value="${line.other ?? "X"}"/>`);
  const prefixed = (xml: string) => xml.replace(/<(\/?)/g, (_, slash: string) => `<${slash}${tag("")}`);
  return [
    `<${tag("invstOrSec")}>`,
    leaf("name", asMarkup(line.name)),
    leaf("lei", "N/A"),
    leaf("title", asMarkup(line.title)),
    leaf("cusip", line.cusip),
    `<${tag("identifiers")}>${ids.join("")}</${tag("identifiers")}>`,
    leaf("balance", line.balance),
    leaf("units", line.units),
    leaf("curCd", "USD"),
    leaf("valUSD", line.value),
    leaf("pctVal", ((line.value / net) * 100).toFixed(10)),
    leaf("payoffProfile", line.payoff),
    leaf("assetCat", line.category),
    leaf("issuerCat", line.issuer),
    leaf("invCountry", "US"),
    leaf("isRestrictedSec", "N"),
    leaf("fairValLevel", line.category === "DBT" ? 2 : 1),
    ...(line.derivative
      ? [`<${tag("derivativeInfo")}>${prefixed(line.derivative)}</${tag("derivativeInfo")}>`]
      : []),
    `</${tag("invstOrSec")}>`,
  ].join("\n");
}

/** `primary_doc.xml`. One fund's filer writes a prefix before every element. */
export function fundXml(filing: Filing, fund: TrustFund): string {
  const prefix = fund.symbol === "ZCAPF" ? "nport:" : "";
  const tag = (name: string) => `${prefix}${name}`;
  const leaf = (name: string, value: string | number) => `<${tag(name)}>${value}</${tag(name)}>`;
  const inside = (name: string, ...content: string[]) =>
    `<${tag(name)}>\n${content.join("\n")}\n</${tag(name)}>`;
  const { net, lines } = linesOf(filing, fund);
  const cik = padded(filing.filer.cik);
  const year = Number(filing.period.slice(0, 4));
  const fiscal = filing.period.slice(5) <= "10-31" ? `${year}-10-31` : `${year + 1}-10-31`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<${tag("edgarSubmission")} xmlns${prefix ? ":nport" : ""}="http://www.sec.gov/edgar/nport" xmlns:com="http://www.sec.gov/edgar/common">
${inside("headerData", leaf("submissionType", filing.form), inside("filerInfo", inside("filer", inside("issuerCredentials", leaf("cik", cik), leaf("ccc", "XXXXXXXX"))), inside("seriesClassInfo", leaf("seriesId", fund.seriesId), leaf("classId", fund.classId))))}
<${tag("formData")}>
${inside("genInfo", leaf("regName", asMarkup(filing.filer.name)), leaf("regFileNumber", "811-99999"), leaf("regCik", cik), leaf("seriesName", asMarkup(fund.name)), leaf("seriesId", fund.seriesId), leaf("repPdEnd", fiscal), leaf("repPdDate", filing.period), leaf("isFinalFiling", "N"))}
${inside("fundInfo", leaf("totAssets", cents(net * 1.004)), leaf("totLiabs", cents(net * 0.004)), leaf("netAssets", net))}
${inside("invstOrSecs", ...lines.map((line) => lineXml(line, net, tag)))}
</${tag("formData")}>
</${tag("edgarSubmission")}>
`;
}

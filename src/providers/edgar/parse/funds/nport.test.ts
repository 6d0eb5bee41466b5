import { describe, expect, test } from "bun:test";
import { isUnread } from "../../ownership-records.ts";
import { NPORT_LIMITS, parseNport } from "./nport.ts";

const line = (inside: string) => `<invstOrSec>${inside}</invstOrSec>`;
const report = (
  lines: string,
  { head = "", series = "S000900002" } = {},
) => `${head}<edgarSubmission xmlns="x">
<headerData><submissionType>NPORT-P</submissionType></headerData>
<formData><genInfo><regName>Sample Series Trust</regName><regCik>0009200900</regCik><seriesId>${series}</seriesId>
<repPdEnd>2026-10-31</repPdEnd><repPdDate>2026-06-30</repPdDate></genInfo>
<fundInfo><netAssets>1000</netAssets></fundInfo><invstOrSecs>${lines}</invstOrSecs></formData></edgarSubmission>`;
const bytes = (text: string) => new TextEncoder().encode(text);

async function holdings(lines: string) {
  const read = await parseNport(bytes(report(lines)));
  if (isUnread(read)) throw new Error(read.message);
  return read.holdings;
}
const failure = async (source: string | Uint8Array, limits = NPORT_LIMITS) => {
  const read = await parseNport(typeof source === "string" ? bytes(source) : source, limits);
  return isUnread(read) ? read.failed : null;
};

describe("holdings", () => {
  test("a short position keeps its signs, words for nothing are null", async () => {
    const [short] = await holdings(
      line(
        '<name>A &amp; B</name><lei>N/A</lei><cusip>000000000</cusip><identifiers><ticker value="ab"/></identifiers><balance>-50</balance><units>NS</units><valUSD>-12.5</valUSD><pctVal>-1.25</pctVal><payoffProfile>Short</payoffProfile><assetCat>EC</assetCat>',
      ),
    );
    expect(short).toMatchObject({ name: "A & B", lei: null, cusip: null, isin: null, ticker: "ab" });
    expect(short).toMatchObject({
      balance: -50,
      value_usd: -12.5,
      weight_percent: -1.25,
      payoff_profile: "Short",
    });
  });

  test("a contract on a share is not the share: what is nested in it is not its own", async () => {
    const [option] = await holdings(
      line(
        '<name>Bank</name><identifiers><other otherDesc="x" value="1"/></identifiers><pctVal>2</pctVal><derivativeInfo><optionSwaptionWarrantDeriv derivCat="OPT"><descRefInstrmnt><nestedDerivInfo><fwdDeriv derivCat="FWD"/></nestedDerivInfo><otherRefInst><name>Zorp</name><identifiers><ticker value="ZORP"/><isin value="US1"/></identifiers></otherRefInst></descRefInstrmnt></optionSwaptionWarrantDeriv></derivativeInfo>',
      ),
    );
    expect(option).toMatchObject({ name: "Bank", ticker: null, isin: null, derivative_kind: "OPT" });
  });

  test("conditional elements tell in attributes, prefixes mean nothing", async () => {
    const [one] = await holdings(
      line(
        '<n:name>X</n:name><n:currencyConditional curCd="EUR" exchangeRt="0.9"/><assetConditional assetCat="OTHER" desc="y"/><issuerConditional issuerCat="OTHER" desc="z"/>',
      ),
    );
    expect(one).toMatchObject({
      name: "X",
      currency: "EUR",
      asset_category: "OTHER",
      issuer_category: "OTHER",
    });
  });

  test("text instead of a figure is null, with a warning", async () => {
    const read = await parseNport(bytes(report(line("<valUSD>XXXX</valUSD><pctVal>N/A</pctVal>"))));
    expect(read).toMatchObject({ warnings: ["valUSD is not a number (1)"] });
    expect(isUnread(read) ? null : read.holdings[0]).toMatchObject({ value_usd: null, weight_percent: null });
  });
});

describe("documents", () => {
  test("the series, the day and not the fiscal year's end", async () => {
    expect(await parseNport(bytes(report(line(""))))).toMatchObject({
      series_id: "S000900002",
      registrant_cik: "0009200900",
      period_end: "2026-06-30",
      fiscal_year_end: "2026-10-31",
      net_assets: 1000,
      is_amendment: false,
    });
    expect(await parseNport(bytes(report("", { series: "N/A" })))).toMatchObject({
      series_id: null,
      holdings: [],
    });
  });

  test("days lose their zone; one that is none makes no report", async () => {
    const zoned = report(line(""))
      .replace("2026-06-30", "2026-06-30-04:00")
      .replace("2026-10-31", "2026-10-31Z");
    expect(await parseNport(bytes(zoned))).toMatchObject({
      period_end: "2026-06-30",
      fiscal_year_end: "2026-10-31",
    });
    expect(await failure(report(line("")).replace("2026-06-30", "2026-06-31"))).toBe("malformed");
  });

  test("a blank before the declaration, another encoding, a piece that ends within a character", async () => {
    const declared = report(line("<name>Ünï</name>"), { head: '\n <?xml version="1.0"?>' });
    expect(await failure(declared)).toBeNull();
    const latin = Uint8Array.from([...report(line("<name>\u00dcn</name>"))].map((c) => c.charCodeAt(0)));
    expect(await parseNport(latin)).toMatchObject({ holdings: [{ name: "Ün" }] });
    const long = report(line("<name>ü</name>").repeat(20_000));
    expect((await parseNport(bytes(long))) as object).toHaveProperty("holdings.19999.name", "ü");
  });

  test("another document, broken XML and declared entities are returned as unread, not thrown", async () => {
    expect(await failure("<html><body>Form NPORT</body></html>")).toBe("rendered_page");
    expect(await failure("<ownershipDocument/>")).toBe("not_this_form");
    expect(await failure("")).toBe("malformed");
    expect(await failure(report(line("")).slice(0, -40))).toBe("malformed");
    expect(await failure(report(line("<name>&bomb;</name>")))).toBe("malformed");
    const bomb = '<!DOCTYPE x [<!ENTITY bomb "bang">]>';
    expect(await failure(report(line("<name>&bomb;</name>"), { head: bomb }))).toBe("forbidden_declaration");
    expect(await failure(report("").replace("2026-06-30", "2026-02-30"))).toBe("malformed");
  });

  test("limits", async () => {
    const three = report(line("").repeat(3));
    expect(await failure(three, { ...NPORT_LIMITS, holdingsMax: 2 })).toBe("too_large");
    expect(await failure(three, { ...NPORT_LIMITS, nodesMax: 5 })).toBe("too_many_nodes");
    expect(await failure(three, { ...NPORT_LIMITS, depthMax: 3 })).toBe("too_deep");
  });

  test("an aborted signal ends the reading", async () => {
    const signal = AbortSignal.abort(new Error("gone"));
    expect(parseNport(bytes(report("")), NPORT_LIMITS, signal)).rejects.toThrow("gone");
  });
});

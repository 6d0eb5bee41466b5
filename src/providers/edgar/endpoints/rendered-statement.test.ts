import { expect, test } from "bun:test";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { type FakeReply, fakeUpstream, fakeVault, missing } from "../../../../test/support/fake-edgar.ts";
import { RENDERED_PAGES_MAX } from "../../../limits.ts";
import { UpstreamFailed, UpstreamMisread } from "../../../platform/errors.ts";
import { edgar } from "../index.ts";

const REF = { accession_number: "0001234567-10-000089", cik: "4711" };
const FOLDER = "https://www.sec.gov/Archives/edgar/data/4711/000123456710000089/";

const summary = (...files: string[]) =>
  `<FilingSummary><MyReports>${files
    .map(
      (file) =>
        `<Report><${file.endsWith("xml") ? "Xml" : "Html"}FileName>${file}</${file.endsWith("xml") ? "Xml" : "Html"}FileName><LongName>04 - Statement - CASH FLOWS</LongName><ShortName>CASH FLOWS</ShortName></Report>`,
    )
    .join("")}</MyReports></FilingSummary>`;
const page = (...elements: string[]) =>
  `<html><table>${elements.map((one) => `<tr><td><a onclick="Show.showAR( this, 'defref_${one}', window );">x</a></td></tr>`).join("")}</table></html>`;
const rows = (...elements: string[]) =>
  `<InstanceReport><Rows>${elements.map((one) => `<Row><ElementName>${one}</ElementName></Row>`).join("")}</Rows></InstanceReport>`;

function open(files: Record<string, FakeReply | string>) {
  const clock = fakeClock("2026-03-10T15:00:00Z");
  const upstream = fakeUpstream(clock, ({ pathname }) => {
    const file = files[pathname.slice(pathname.lastIndexOf("/") + 1)];
    if (file === undefined) return missing(404);
    return typeof file === "string" ? { body: file } : file;
  });
  const vault = fakeVault();
  const provider = edgar({ upstream, vault, clock, userAgent: "Z z@z.example" });
  const asked = () => upstream.requests.map(({ url }) => url.replace(FOLDER, ""));
  return { files, provider, vault, upstream, asked, read: () => provider.cashFlowElements(REF) };
}

test("two requests, then the vault", async () => {
  const { read, asked, vault } = open({
    "FilingSummary.xml": summary("R4.htm"),
    "R4.htm": page("us-gaap_ProfitLoss", "acme_Depreciation"),
  });
  expect(await read()).toEqual(["us-gaap_ProfitLoss", "acme_Depreciation"]);
  expect(await read()).toEqual(["us-gaap_ProfitLoss", "acme_Depreciation"]);
  expect(asked()).toEqual(["FilingSummary.xml", "R4.htm"]);
  expect(vault.keys()).toEqual([
    "edgar:0001234567-10-000089/FilingSummary.xml",
    "edgar:0001234567-10-000089/R4.htm",
  ]);
});

test("renderings in XML, of two companies", async () => {
  const { read } = open({
    "FilingSummary.xml": summary("R4.xml", "R8.xml"),
    "R4.xml": rows("us-gaap_ProfitLoss", "us-gaap_Depreciation"),
    "R8.xml": rows("us-gaap_ProfitLoss"),
  });
  expect(await read()).toEqual(["us-gaap_ProfitLoss"]);
});

test("null when EDGAR has no list, no statement or no page, or too large a one", async () => {
  for (const files of [
    {},
    { "FilingSummary.xml": missing(403) },
    { "FilingSummary.xml": summary() },
    { "FilingSummary.xml": summary("R4.htm") },
    {
      "FilingSummary.xml": summary(
        ...Array.from({ length: RENDERED_PAGES_MAX + 1 }, (_, nth) => `R${nth}.htm`),
      ),
    },
    { "FilingSummary.xml": summary("R4.htm"), "R4.htm": "x".repeat(16_000_001) },
  ])
    expect(await open(files).read()).toBe(null);
});

test("an outage is no absence, and what was read before it is not asked for again", async () => {
  const { files, read, asked } = open({
    "FilingSummary.xml": summary("R4.htm"),
    "R4.htm": { status: 503, body: "<title>Unavailable</title>" },
  });
  expect(await read().catch((error: unknown) => error)).toBeInstanceOf(UpstreamFailed);
  files["R4.htm"] = page("us-gaap_ProfitLoss");
  expect(await read()).toEqual(["us-gaap_ProfitLoss"]);
  expect(asked().filter((name) => name === "FilingSummary.xml")).toHaveLength(1);
});

test("a page that is cut off is not stored", async () => {
  const { files, read, vault } = open({
    "FilingSummary.xml": summary("R4.htm"),
    "R4.htm": page("us-gaap_ProfitLoss").slice(0, -20),
  });
  expect(await read().catch((error: unknown) => error)).toBeInstanceOf(UpstreamMisread);
  expect(vault.keys()).toEqual(["edgar:0001234567-10-000089/FilingSummary.xml"]);
  files["R4.htm"] = page("us-gaap_ProfitLoss");
  expect(await read()).toEqual(["us-gaap_ProfitLoss"]);
});

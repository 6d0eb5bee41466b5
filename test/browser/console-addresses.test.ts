// Addresses of the console that lead somewhere else than they say, or nowhere: each says so once, in words.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SUGGESTED } from "../../sample/market.ts";
import { BROWSER, type BrowserOnService, browse } from "../support/browser.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const [KNOWN = ""] = SUGGESTED;
const READY = "body[data-ready=true]";

interface List<T> {
  readonly data: readonly T[];
}

describe("addresses", () => {
  if (!BROWSER) {
    test.skip("skipped: there is no Chromium on this machine", () => {});
    return;
  }
  let service: SampleService;
  let browser: BrowserOnService;
  beforeAll(async () => {
    service = await openSampleService({ env: { SEC_USER_AGENT: "Asof tests tests@asof.example" } });
    await service.app().jobs.runNow("universe-discover").done;
    browser = await browse(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const opened = async (path: string, view = { width: 1280, height: 900 }) => {
    const watched = await browser.open(view);
    await watched.page.goto(browser.url + path);
    await watched.page.locator(READY).waitFor({ timeout: 60_000 });
    return watched;
  };
  const api = async <T>(path: string) => (await service.get<T>(`/api/v1${path}`)).body;

  test("a filing is named after its own company, whatever ticker the address gives", async () => {
    const [own, other] = [KNOWN, "KRONK"];
    const list = await api<List<{ accession_number: string; company_name: string }>>(
      `/filings/search?ticker=${own}&form_type=8-K&limit=1`,
    );
    const { accession_number: accession = "", company_name: name = "" } = list.data[0] ?? {};
    const { page, elsewhere, errors } = await opened(`filing/${accession}?ticker=${own}`);
    const heading = (text: string) => page.locator("h1", { hasText: text }).textContent();
    expect(await heading(name)).toBe(`${own} · ${name} · Filing ${accession}`);
    expect(await page.locator("#filing .state").count()).toBe(0);

    await page.goto(`${browser.url}filing/${accession}?ticker=${other}`);
    await page.locator("#filing .state.refused", { hasText: `This is no filing of ${other}` }).waitFor();
    await page.locator(READY).waitFor();
    expect(await heading(name)).toBe(`${name} · Filing ${accession}`);
    expect(await page.locator("#tabs, [aria-label='Pages of the company']").count()).toBe(0);
    expect(await page.locator("#items").count()).toBe(0);
    // The documents are the filing's, and so are their addresses.
    const { documents, parties } = await api<{
      documents: { url: string }[];
      parties: { cik: string; role: string }[];
    }>(`/filings/documents?accession_number=${accession}&ticker=${other}`);
    expect(parties.map(({ role }) => role)).toEqual(["filer"]);
    for (const { url } of documents)
      expect(url).toContain(`/data/${Number(parties[0]?.cik)}/${accession.replaceAll("-", "")}/`);
    await page.locator("#text", { hasText: /\S/ }).waitFor();

    await page.goto(`${browser.url}filing/${accession}`);
    await page.locator(READY).waitFor();
    expect(await heading(name)).toBe(`${name} · Filing ${accession}`);
    expect([elsewhere, errors]).toEqual([[], []]);
    await page.close();
  });
});

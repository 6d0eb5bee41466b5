// Takes the pictures of README.md and docs/tutorial.md from the console on the sample market:
// `bun test/browser/readme-picture.ts`.
import { join } from "node:path";
import { BROWSER, browse, startBrowser } from "../support/browser.ts";
import { openSampleService } from "../support/service.ts";

const FOLDER = join(import.meta.dir, "../../docs/pictures");
const READY = "body[data-ready=true]";
/** Each is a page as a window of this height shows it, or one panel up to this height. */
const PICTURES = [
  { name: "company", path: "ticker/ZORP", height: 760 },
  { name: "restated", path: "ticker/NURBL?vintage=both", height: 620, panel: "Statements" },
  { name: "insiders", path: "ticker/ZORP/insiders?as_of=2026-08-31", height: 640 },
] as const;

if (!BROWSER) throw new Error("There is no Chromium on this machine.");
const service = await openSampleService({ env: { SEC_USER_AGENT: "Asof tests tests@asof.example" } });
const chromium = await startBrowser();
const browser = await browse(service, chromium);
await service.app().jobs.runNow("short-volume").done;
for (const picture of PICTURES) {
  const { page, errors } = await browser.open({ width: 1280, height: picture.height });
  await page.goto(browser.url + picture.path);
  await page.locator(READY).waitFor();
  const path = join(FOLDER, `${picture.name}.png`);
  if ("panel" in picture) {
    const panel = page.locator("section", { has: page.getByRole("heading", { name: picture.panel }) });
    const box = await panel.first().boundingBox();
    if (!box) throw new Error(`${picture.path} shows no panel ${picture.panel}`);
    await page.screenshot({ path, fullPage: true, clip: { ...box, height: picture.height } });
  } else await page.screenshot({ path });
  if (errors.length > 0) throw new Error(errors.join("\n"));
  process.stdout.write(`${path}\n`);
}
await browser.close();
await chromium.close();
await service.stop();
process.exit(0);

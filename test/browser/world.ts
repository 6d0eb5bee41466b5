// The world that the tests of the pages share: one service on the sample market, and one Chromium.
import type { Browser } from "playwright-core";
import type { BrowserOnService } from "../support/browser.ts";
import type { SampleService } from "../support/service.ts";

export interface World {
  readonly chromium: Browser;
  /** With two years of prices of one company, five weeks of short volume and the list of companies. */
  readonly service: SampleService;
  readonly browser: BrowserOnService;
}

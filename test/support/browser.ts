// A real browser on the service, and what a page must not do: ask another machine, or fail.
import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import type { TestService } from "./service.ts";

export const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  (path) => existsSync(path),
);

export const BROWSER_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface Watched {
  readonly page: Page;
  /** Requests that went anywhere but to the service. */
  readonly elsewhere: readonly string[];
  /** Errors of the page and on its console. */
  readonly errors: readonly string[];
}

export interface BrowserOnService {
  readonly url: string;
  open(view: { width: number; height: number; dark?: boolean }): Promise<Watched>;
  /** Saved where SCREENSHOTS names a folder. */
  picture(page: Page, name: string): Promise<void>;
  close(): Promise<void>;
}

/** Serves the edge on a free port and starts Chromium. */
export async function browse(service: TestService): Promise<BrowserOnService> {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    fetch: (request) => service.app().edge.fetch(request, "127.0.0.1"),
  });
  const browser: Browser = await chromium.launch({ executablePath: BROWSER ?? "", args: BROWSER_FLAGS });
  const url = server.url.href;
  return {
    url,
    async open({ width, height, dark = false }) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? "dark" : "light",
      });
      const page = await context.newPage();
      const elsewhere: string[] = [];
      const errors: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
          elsewhere.push(request.url());
      });
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      return { page, elsewhere, errors };
    },
    async picture(page, name) {
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
    },
    async close() {
      await browser.close();
      await server.stop(true);
    },
  };
}

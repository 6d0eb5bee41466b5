// A real browser on the service, and what a page must not do: ask another machine, or fail.
import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
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

export const DESK = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

export interface View {
  readonly width: number;
  readonly height: number;
  readonly dark?: boolean;
  /** Whether the page has a storage of its own; other pages share one, and with it a process. */
  readonly apart?: boolean;
}

export interface Watched {
  readonly page: Page;
  /** Requests that went anywhere but to the service. */
  readonly elsewhere: readonly string[];
  /** Errors of the page and on its console. */
  readonly errors: readonly string[];
}

/** Gives an answer to a page's request in place of the service; null leaves it to the service. */
export type Answering = (request: Request) => Response | Promise<Response> | null;

export interface BrowserOnService {
  readonly url: string;
  open(view: View): Promise<Watched>;
  /** Answers requests in place of the service until the next call; null ends it. */
  answer(answering: Answering | null): void;
  /** Saved where SCREENSHOTS names a folder. */
  picture(page: Page, name: string): Promise<void>;
  /** Closes every page and stops serving; the browser runs on. */
  close(): Promise<void>;
}

/** Starts Chromium. No wait of its pages has a limit: that of the whole test holds. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: BROWSER ?? "", args: BROWSER_FLAGS, timeout: 0 });

/** Opens a page of a context and keeps what it must not do. */
async function watch(context: BrowserContext, url: string): Promise<Watched> {
  const page = await context.newPage();
  // Pages of one context would share answers, which a test may have changed.
  const session = await context.newCDPSession(page);
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const elsewhere: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return { page, elsewhere, errors };
}

/** Serves the edge on a free port, for pages of a browser. */
export async function browse(service: TestService, browser: Browser): Promise<BrowserOnService> {
  let answering: Answering | null = null;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    // Without a limit.
    idleTimeout: 0,
    fetch: (request) => answering?.(request) ?? service.app().edge.fetch(request, "127.0.0.1"),
  });
  const url = server.url.href;
  const contexts: BrowserContext[] = [];
  const newContext = async () => {
    const context = await browser.newContext();
    context.setDefaultTimeout(0);
    // On a busy machine a page would take its server for gone.
    await context.addInitScript(() => {
      AbortSignal.timeout = () => new AbortController().signal;
    });
    contexts.push(context);
    return context;
  };
  const shared = await newContext();
  return {
    url,
    async open({ width, height, dark = false, apart = false }) {
      const watched = await watch(apart ? await newContext() : shared, url);
      await watched.page.setViewportSize({ width, height });
      await watched.page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
      return watched;
    },
    answer(next) {
      answering = next;
    },
    async picture(page, name) {
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
    },
    async close() {
      for (const context of contexts) await context.close();
      await server.stop(true);
    },
  };
}

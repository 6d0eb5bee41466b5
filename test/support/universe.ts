// Opens a service with the SEC for tests of the universe, and waits for a build.
import type { ApiDocument } from "./api-document.ts";
import { apiDocument, faultsOfAnswer } from "./api-document.ts";
import { openSampleService, type SampleService } from "./service.ts";

export const U = "/api/v1/universe";
export const SEC = { SEC_USER_AGENT: "Asof tests tests@asof.example" };

export interface Build {
  readonly job_id: string;
  readonly status: string;
  readonly phase: string;
  readonly months: number;
  readonly tickers: number;
  readonly months_done: number;
  readonly rows_written: number;
  readonly errors: number;
  readonly error_list: readonly { readonly ticker: string; readonly error: string }[];
  readonly warnings: readonly string[];
  readonly start_month: string;
  readonly end_month: string;
}

export type Row = Readonly<Record<string, string | number | boolean | null>>;

export interface Screen {
  readonly warnings: readonly string[];
  readonly date: string;
  readonly snapshot_date: string;
  readonly survivorship_bias: boolean;
  readonly listings_known_since: string | null;
  readonly snapshot_rows: number;
  readonly count: number;
  readonly total: number;
  readonly has_more: boolean;
  readonly data: readonly Row[];
}

export interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
  readonly ticker?: string;
}

/** A service on the sample market; every answer asked through it is held against the document. */
export class UniverseService {
  private constructor(
    readonly service: SampleService,
    private readonly document: ApiDocument,
  ) {}

  static async open(options: Parameters<typeof openSampleService>[0] = {}): Promise<UniverseService> {
    const service = await openSampleService({ env: SEC, ...options });
    return new UniverseService(service, await apiDocument(service));
  }

  private async asked<T>(method: "GET" | "POST", path: string, pattern: string, init?: RequestInit) {
    const response = await this.service.fetch(path, init);
    const faults = await faultsOfAnswer(
      this.document,
      this.document.operation(method, pattern),
      response.clone(),
    );
    if (faults.length > 0) throw new Error(`${method} ${path}: ${faults.join("; ")}`);
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  }

  get<T>(path: string, pattern = `${U}${path.split("?")[0]}`) {
    return this.asked<T>("GET", `${U}${path}`, pattern);
  }

  post<T>(path: string, body: unknown) {
    const headers = { "content-type": "application/json" };
    return this.asked<T>("POST", `${U}${path}`, `${U}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
  }

  async screen(query: string): Promise<Screen> {
    const { status, body } = await this.get<Screen>(`/screen?${query}`);
    if (status !== 200) throw new Error(`screen: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** The row of a ticker in the snapshot of a date. */
  async row(date: string, ticker: string, more = ""): Promise<Row> {
    const { data } = await this.screen(`date=${date}&limit=5000${more}`);
    const found = data.find((row) => row.ticker === ticker);
    if (!found) throw new Error(`${ticker} is not in the snapshot of ${date}`);
    return found;
  }

  async status(job_id: string): Promise<Build> {
    const path = `/admin/build-snapshots/${job_id}`;
    return (await this.get<Build>(path, `${U}/admin/build-snapshots/{job_id}`)).body;
  }

  async begin(body: unknown): Promise<Build> {
    const begun = await this.post<Build>("/admin/build-snapshots", body);
    if (begun.status !== 202) throw new Error(`build: ${begun.status} ${JSON.stringify(begun.body)}`);
    return begun.body;
  }

  /**
   * Waits until a build says what `until` wants; real time passes, the service's own twenty times as quick.
   */
  async waitFor(job_id: string, until: (build: Build) => boolean): Promise<Build> {
    for (;;) {
      const build = await this.status(job_id);
      if (until(build)) return build;
      await Bun.sleep(20);
    }
  }

  async build(body: unknown): Promise<Build> {
    const { job_id } = await this.begin(body);
    return this.waitFor(job_id, ({ status }) => status !== "running");
  }

  stop = () => this.service.stop();
}

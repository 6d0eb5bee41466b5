// The point-in-time panel over HTTP against the same join in DuckDB, and a day's file taken in against
// DuckDB's own reading.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DATASETS, MACROS } from "../../src/datasets/index.ts";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { literal } from "../../src/platform/lake/dataset.ts";
import { type Lake, openLake } from "../../src/platform/lake/lake.ts";
import { forEachSequential, type Measurement, ms, type Setting, steadyRandom, timed } from "./measure.ts";
import { type ServiceProcess, startService } from "./service-process.ts";
import { type StoredPanel, storedPanel } from "./stored-panel.ts";

const PLAIN = { headers: { "accept-encoding": "identity" } };
const PANEL = "/api/v1/shortvolume/pit-panel";
const calendar = exchangeCalendar();

interface Span {
  readonly start: string;
  readonly end: string;
}

const during = ({ start, end }: Span) => `date BETWEEN DATE ${literal(start)} AND DATE ${literal(end)}`;
const FIGURES =
  "s.date, s.symbol, s.short_volume, s.short_exempt_volume, s.total_volume, CASE WHEN s.total_volume > 0 THEN s.short_volume / s.total_volume END AS short_volume_ratio";

/**
 * The join by hand, without versions, knowledge or delistings; each price scaled by the product of the
 * actions after its basis.
 */
const adjusted = (
  span: Span,
) => `WITH p AS MATERIALIZED (SELECT symbol, date, adj_close, source, basis_date FROM bars_daily WHERE ${during(span)}),
  f AS (SELECT p.symbol, p.basis_date, product(a.price_factor) AS factor
    FROM (SELECT DISTINCT symbol, basis_date FROM p) p JOIN corporate_actions a
      ON a.symbol = p.symbol AND a.ex_date > p.basis_date AND a.ex_date <= current_date GROUP BY ALL)
  SELECT ${FIGURES}, p.adj_close * coalesce(f.factor, 1) AS adj_close, p.source
  FROM short_volume s LEFT JOIN p ON p.symbol = s.symbol AND p.date = s.date
  LEFT JOIN f ON f.symbol = p.symbol AND f.basis_date = p.basis_date
  WHERE s.${during(span)} ORDER BY s.date, s.symbol`;

/** The panel's SQL with prices as they are stored. */
const unadjusted = (span: Span) => `SELECT ${FIGURES}, p.adj_close, p.source FROM short_volume s
  LEFT JOIN bars_daily p ON p.symbol = s.symbol AND p.date = s.date AND p.${during(span)}
  WHERE s.${during(span)} ORDER BY s.date, s.symbol`;

async function withBoth<T>(
  setting: Setting,
  env: Record<string, string>,
  work: (service: ServiceProcess, lake: Lake, panel: StoredPanel) => Promise<T>,
): Promise<T> {
  const panel = await storedPanel(setting);
  const lake = await openLake({
    dir: panel.dataDir,
    datasets: DATASETS,
    macros: MACROS,
    clock: systemClock,
    memoryLimit: "2GB",
  });
  const service = await startService({ DATA_DIR: panel.dataDir, JOBS: "off", ...env });
  try {
    return await work(service, lake, panel);
  } finally {
    await service.stop();
    await lake.close();
  }
}

/** Spans of so many sessions, spread over the years. */
function spansOf({ years }: StoredPanel, count: number, sessions: number): Span[] {
  const random = steadyRandom(3);
  const all = calendar.sessionsBetween(`${years[0]}-01-01`, `${years.at(-1)}-12-31`);
  return Array.from({ length: count }, () => {
    const from = Math.floor(random() * (all.length - sessions));
    return { start: all[from] ?? "", end: all[from + sessions - 1] ?? "" };
  });
}

async function ask(url: string): Promise<Uint8Array> {
  const response = await fetch(url, PLAIN);
  const body = await response.bytes();
  if (response.status !== 200 || body.byteLength < 10_000)
    throw new Error(`${response.status}: ${new TextDecoder().decode(body.subarray(0, 300))}`);
  return body;
}

const fetchPanel = (service: ServiceProcess, { start, end }: Span, more = "") =>
  ask(`${service.url}${PANEL}?start_date=${start}&end_date=${end}${more}`);

/** Every row of a span as pages of JSON, one after the other by their cursor. */
async function turnPages(service: ServiceProcess, { start, end }: Span): Promise<void> {
  const first = `${service.url}${PANEL}?start_date=${start}&end_date=${end}`;
  for (let url: string | null = first; url !== null; ) {
    const { next_cursor } = (await (await fetch(url, PLAIN)).json()) as { next_cursor: string | null };
    url = next_cursor === null ? null : `${first}&cursor=${next_cursor}`;
  }
}

/** The join as a file, written by the engine and read. */
async function copied(lake: Lake, sql: string, format: "ndjson" | "parquet"): Promise<void> {
  const file = await lake.copyOut(sql, {}, format);
  if ((await Bun.file(file.path).bytes()).byteLength < 10_000) throw new Error("the lake has no such day");
  await file.discard();
}

/** The join as rows, as one text, which is read as its client would. */
async function queryAndWrite(lake: Lake, sql: string): Promise<void> {
  const text = JSON.stringify({ data: await lake.query(sql) });
  if ((JSON.parse(text) as { data: unknown[] }).data.length < 500)
    throw new Error("the lake has no such day");
}

const dayOf = (
  name: string,
  sql: (span: Span) => string,
  ratio: number,
  description: string,
): Measurement => ({
  name,
  description: `every row of one day of the panel, ${description}`,
  goal: { kind: "at most", ratio },
  run: (setting) =>
    withBoth(setting, {}, async (service, lake, panel) => {
      const spans = spansOf(panel, setting.quick ? 16 : 40, 1);
      const [lines, engine] = await forEachSequential(
        spans,
        6,
        (span) => timed(() => fetchPanel(service, span, "&format=ndjson")),
        (span) => timed(() => copied(lake, sql(span), "ndjson")),
      );
      const [pages, rows] = await forEachSequential(
        spans,
        6,
        (span) => timed(() => turnPages(service, span)),
        (span) => timed(() => queryAndWrite(lake, sql(span))),
      );
      return [
        {
          what: `${ms(lines)} over HTTP as ndjson`,
          against: `${ms(engine)} by COPY as ndjson`,
          ratio: lines / engine,
        },
        {
          what: `${ms(pages)} over HTTP as pages of 10,000 by their cursor`,
          against: `${ms(rows)} in DuckDB and JSON`,
          ratio: pages / rows,
        },
      ];
    }),
});

export const panelDay = dayOf("panel-day", adjusted, 1.3, "against the join with adjustment");
export const panelDayPlain = dayOf("panel-day-plain", unadjusted, 1.6, "against the join without adjustment");

export const panelMonth: Measurement = {
  name: "panel-month",
  description: "30 sessions of the panel as Parquet, against COPY of the join with adjustment",
  goal: { kind: "at most", ratio: 1.3 },
  run: (setting) =>
    withBoth(setting, {}, async (service, lake, panel) => {
      const [http, engine] = await forEachSequential(
        spansOf(panel, setting.quick ? 8 : 16, 30),
        2,
        (span) => timed(() => fetchPanel(service, span, "&format=parquet")),
        (span) => timed(() => copied(lake, adjusted(span), "parquet")),
      );
      return [{ what: `${ms(http)} over HTTP`, against: `${ms(engine)} by COPY`, ratio: http / engine }];
    }),
};

/** A day's file of the market's size. */
function fileOf(date: string, symbols: readonly string[]): string {
  const random = steadyRandom(Number(date.replaceAll("-", "")));
  const day = date.replaceAll("-", "");
  const lines = symbols.map((symbol) => {
    const total = 1000 + 2e6 * random();
    return `${day}|${symbol.replace("B", "Z").replaceAll(/\d/g, (d) => "KLMNPQRSTU"[Number(d)] ?? "K")}|${(total * random()).toFixed(6)}|${Math.floor(total * 0.01)}|${total.toFixed(6)}|B,Q,N`;
  });
  return `${["Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market", ...lines, lines.length].join("\r\n")}\r\n`;
}

/** Ingests a day by the admin route; throws unless all its rows are stored. */
async function ingestDay({ url }: ServiceProcess, date: string, rows: number): Promise<void> {
  const response = await fetch(`${url}/api/v1/shortvolume/admin/ingest`, {
    method: "POST",
    body: JSON.stringify({ date }),
  });
  const state = (await response.json()) as { rows_inserted?: number };
  if (state.rows_inserted !== rows) throw new Error(JSON.stringify(state).slice(0, 400));
}

/** Reads a day's file with DuckDB and writes it as Parquet. */
async function copyAsParquet(lake: Lake, path: string): Promise<void> {
  const copied = await lake.copyOut(
    `SELECT * FROM read_csv(${literal(path)}, delim = '|', header = true, null_padding = true, ignore_errors = true)`,
    {},
    "parquet",
  );
  await copied.discard();
}

/** Longer than the provider's pace, so that no wait for it is measured. */
const BETWEEN_MS = 2_500;

export const shortVolumeDay: Measurement = {
  name: "finra-day",
  description:
    "one day's file fetched, checked and stored by the admin route, against DuckDB reading it and writing Parquet",
  goal: { kind: "at most", ratio: 2 },
  async run(setting) {
    const { symbols } = await setting.market();
    const folder = await mkdtemp(join(tmpdir(), "finra-day-"));
    const dataDir = join(folder, "data");
    const texts = new Map<string, string>();
    const upstream = Bun.serve({
      port: 0,
      fetch: (request) => new Response(texts.get(/shvol(\d{8})\.txt$/.exec(request.url)?.[1] ?? "") ?? null),
    });
    const lake = await openLake({ dir: join(folder, "other"), datasets: [], macros: [], clock: systemClock });
    const service = await startService({
      DATA_DIR: dataDir,
      UPSTREAM_GATEWAY: `http://127.0.0.1:${upstream.port}`,
      JOBS: "off",
    });
    const dates = calendar.sessionsBetween("2024-01-02", "2024-12-31").slice(0, setting.quick ? 14 : 30);
    for (const date of dates) {
      texts.set(date.replaceAll("-", ""), fileOf(date, symbols));
      await Bun.write(join(folder, "other", `${date}.txt`), texts.get(date.replaceAll("-", "")) ?? "");
    }
    try {
      const [taken, own] = await forEachSequential(
        dates,
        4,
        async (date) => {
          await Bun.sleep(BETWEEN_MS);
          return timed(() => ingestDay(service, date, symbols.length));
        },
        (date) => timed(() => copyAsParquet(lake, join(folder, "other", `${date}.txt`))),
      );
      return [
        {
          what: `${ms(taken)} for ${symbols.length} lines`,
          against: `${ms(own)} by DuckDB`,
          ratio: taken / own,
        },
      ];
    } finally {
      await service.stop();
      await lake.close();
      await upstream.stop(true);
      await rm(folder, { recursive: true, force: true });
    }
  },
};

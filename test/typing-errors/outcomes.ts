// Runs each made-up typing error through the service's readers and says what became of it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row } from "../../src/capabilities/financial/statements/records.ts";
import { selectStatements } from "../../src/capabilities/financial/statements/select.ts";
import { insiderTrades } from "../../src/capabilities/insider/trades.ts";
import { type TradeRow, tradeRows } from "../../src/capabilities/ownership/trade-rows.ts";
import { INSIDER_PRICE_CHECKS, insiderPriceChecks } from "../../src/datasets/insider-price-checks.ts";
import { insiderTransactions } from "../../src/datasets/insider-transactions.ts";
import { outlierDays } from "../../src/market/outlier.ts";
import type { RowOf } from "../../src/platform/lake/dataset.ts";
import { batchOf } from "../../src/platform/lake/lake.ts";
import { normaliseFacts, type OwnershipFiling, parseOwnershipXml } from "../../src/providers/edgar/index.ts";
import { type MadeFiling, madeCompany } from "../support/company-facts.ts";
import { chartBody, chartOf } from "../support/fake-chart.ts";
import { batch } from "../support/overlay-world.ts";
import { formXml } from "../support/ownership-forms.ts";
import { openWholeLake } from "../support/whole-lake.ts";
import { closes, type FormError, formErrors, soundTrade } from "./forms.ts";
import { at, type Chart, type ListError, listErrors, soundChart } from "./lists.ts";
import { type ReportError, reportErrors, soundUntil, withError } from "./reports.ts";

/** The end of an error, and the sound figures that it made null, other or doubted. */
export interface Outcome {
  readonly name: string;
  readonly kind: "report" | "form" | "list";
  /** corrected: served as if it had not been made. */
  readonly is: "corrected" | "null" | "warned" | "missed";
  readonly wronglyDoubted: readonly string[];
}

function statementsOf(filings: readonly MadeFiling[]) {
  const { facts } = normaliseFacts(madeCompany(filings));
  const { income_statement, balance_sheet, cash_flow, warnings } = selectStatements(facts);
  const figures = new Map<string, number | null>();
  for (const row of [...income_statement, ...balance_sheet, ...cash_flow] as unknown as Row[])
    for (const [line, value] of Object.entries(row.items))
      figures.set([row.statement, row.period_start_date, row.period_end_date, line].join(" "), value);
  return { facts, figures, warnings: new Set(warnings.map(({ detail }) => detail)), all: warnings };
}

function ofReport(error: ReportError): Outcome {
  const [sound, wrong] = [statementsOf(soundUntil(error)), statementsOf(withError(error))];
  const isTyped = ({ tag, taxonomy }: { readonly tag: string; readonly taxonomy: string }) =>
    error.tags.includes(tag) || error.tags.includes(`${taxonomy}:${tag}`);
  const lines = new Set<string>(sound.facts.filter(isTyped).map(({ line }) => line));
  const changed = [...sound.figures].filter(([place, value]) => wrong.figures.get(place) !== value);
  const lineOf = (place: string) => place.split(" ").at(-1) ?? "";
  const typed = changed.filter(([place]) => lines.has(lineOf(place)));
  const news = wrong.all.filter(({ detail }) => !sound.warnings.has(detail));
  const served = typed.filter(([place]) => typeof wrong.figures.get(place) === "number");
  const isWarned = news.some(({ period_end }) => served.some(([place]) => place.includes(` ${period_end} `)));
  return {
    name: error.name,
    kind: "report",
    is: typed.length === 0 ? "corrected" : served.length === 0 ? "null" : isWarned ? "warned" : "missed",
    wronglyDoubted: changed.map(([place]) => place).filter((place) => !lines.has(lineOf(place))),
  };
}

const filed = (accession_number: string) => ({
  accession_number,
  form_type: "4",
  filing_date: "2026-06-05",
  accepted_at: "2026-06-05T20:00:00Z",
  public_from: "2026-06-05T20:00:00Z",
});

/** The row of a form about the nth issuer. */
function rowOf(trade: FormError["typed"], nth: number): TradeRow {
  const issuer_cik = String(nth + 1).padStart(10, "0");
  const xml = formXml({ period: "2026-06-03", trades: [{ ...soundTrade, ...trade }] });
  const form = parseOwnershipXml(new TextEncoder().encode(xml));
  if ("failed" in form) throw new Error(form.failed);
  const filing = { ...form, ...filed(`0000001234-26-${100_000 + nth}`) } as unknown as OwnershipFiling;
  const [row] = tradeRows(filing, { reading: 3, sha256: null });
  if (!row) throw new Error("the form has no trade");
  return { ...row, issuer_cik };
}

/** The closes of an issuer's symbol. */
const closesOf = (symbol: string, known_at: string) =>
  Object.entries(closes).map(([date, close]) => ({
    symbol,
    date,
    open: close,
    high: close,
    low: close,
    close,
    adj_close: close,
    volume: 1,
    basis_date: "2026-06-30",
    known_at,
  }));

const FIELDS = ["transaction_date", "shares", "price_per_share", "transaction_value", "acquired_disposed"];

/** The forms with one error each, beside the sound one, after the closes have been compared. */
async function ofForms(): Promise<Outcome[]> {
  const dir = await mkdtemp(join(tmpdir(), "asof-typing-"));
  const lake = await openWholeLake(dir);
  try {
    const rows = [...formErrors.map(({ typed }) => typed), {}].map(rowOf);
    const known_at = "2026-07-01T14:00:00Z";
    const listed = rows.map(({ issuer_cik: cik }, nth) => ({ symbol: `ZQ${nth}`, cik }));
    await lake.append([
      batch(
        "companies",
        listed.map((one) => ({ ...one, known_at })),
      ),
      batch(
        "action_coverage",
        listed.map(({ symbol }) => ({ symbol, from_date: "2026-01-01", known_at })),
      ),
      batch(
        "bars_daily",
        listed.flatMap(({ symbol }) => closesOf(symbol, known_at)),
      ),
      batchOf(insiderTransactions, rows),
    ]);
    const parameters = { symbols: listed.map(({ symbol }) => symbol), issuers: [] };
    const found = await lake.query<RowOf<typeof insiderPriceChecks>>(INSIDER_PRICE_CHECKS, parameters);
    await lake.append([batchOf(insiderPriceChecks, found)]);
    const trades = insiderTrades(lake);
    const served = async (cik: string) => {
      const { signal } = new AbortController();
      const filter = { ciks: [cik], knownBy: "2026-07-02T00:00:00Z" };
      return trades.list(filter, { limit: 1, offset: 0 }, async () => () => null, signal);
    };
    const answers = await Promise.all(listed.map(({ cik }) => served(cik)));
    const sound = answers.at(-1);
    const doubted = sound?.doubts.warnings ?? [];
    return formErrors.map(({ name, typed }, nth) => {
      const { data, doubts } = answers[nth] ?? {};
      const [row, right] = [data?.[0], sound?.data[0]];
      const isSame = FIELDS.every(
        (field) => Reflect.get(row ?? {}, field) === Reflect.get(right ?? {}, field),
      );
      const isNull = ("date" in typed ? row?.transaction_date : row?.price_per_share) === null;
      const isWarned = (doubts?.warnings ?? []).length > 0;
      const is = isSame ? "corrected" : isNull ? "null" : isWarned ? "warned" : "missed";
      return { name, kind: "form", is, wronglyDoubted: doubted };
    });
  } finally {
    await lake.close();
    await rm(dir, { recursive: true, force: true });
  }
}

const keyed = (events: Chart["events"]) =>
  Object.fromEntries(
    Object.entries(events).map(([name, list]) => [
      name,
      Object.fromEntries(list.map((event, nth) => [event.date ?? at("2026-03-05") + nth, event])),
    ]),
  );

async function ofList({ name, typed }: ListError): Promise<Outcome> {
  const read = (chart: Chart) =>
    chartOf({ body: chartBody({ rows: chart.rows, events: keyed(chart.events) }) });
  const sound = await read(soundChart);
  const wrong = await read(typed).catch((error: Error) => error);
  if (wrong instanceof Error)
    return { name, kind: "list", is: "warned", wronglyDoubted: [`the whole series: ${wrong.message}`] };
  const text = (value: unknown) => JSON.stringify(value);
  const news = wrong.actions.filter((one) => !sound.actions.some((other) => text(one) === text(other)));
  const bars = wrong.bars.filter((bar, nth) => text(bar) !== text(sound.bars[nth]));
  const isNull = bars.some((bar) => [bar.open, bar.high, bar.low, bar.volume].includes(null));
  const isWarned =
    news.some(({ kind, price_factor }) => kind === "unusable" || price_factor === null) ||
    outlierDays(wrong.bars as never).length > 0;
  const is =
    news.length === 0 && bars.length === 0 ? "corrected" : isNull ? "null" : isWarned ? "warned" : "missed";
  const lost = sound.actions.filter(
    ({ kind }) => !wrong.actions.some((one) => one.kind === kind || one.kind === "unusable"),
  );
  return { name, kind: "list", is, wronglyDoubted: lost.map(({ kind }) => `${kind} lost`) };
}

/** Reads all sixty. */
export async function outcomes(): Promise<Outcome[]> {
  return [
    ...reportErrors.map(ofReport),
    ...(await ofForms()),
    ...(await Promise.all(listErrors.map(ofList))),
  ];
}

// FRED's recorded answers: each is read as it is, refusals keep their words, and the proxy changes none of
// it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InvalidRequest } from "../../src/platform/errors.ts";
import type { UpstreamAnswer } from "../../src/platform/upstream/policy.ts";
import {
  classifyFred,
  FRED_ENDPOINTS,
  type FredAnswer,
  type FredEndpoint,
  readAnswer,
} from "../../src/providers/fred/index.ts";
import { type EconProvider, openEcon, openEconProvider } from "../support/econdata-world.ts";
import { fakeClock } from "../support/fake-clock.ts";

setDefaultTimeout(1_200_000);

const FOLDER = join(process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"), "fred");
const KEY = "0123456789abcdef0123456789abcdef";
type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A recording: answers of one endpoint's kind, or refusals. */
interface Recorded {
  readonly file: string;
  readonly collection: string;
  readonly text: string;
  readonly body: Fields;
}
interface Refused {
  readonly file: string;
  readonly status: number;
  readonly body: Fields;
}

const COLLECTIONS = new Set(FRED_ENDPOINTS.map(({ collection }) => collection));
const collectionOf = (body: Fields) => Object.keys(body).find((key) => COLLECTIONS.has(key));

function sorted() {
  const answers: Recorded[] = [];
  const refusals: Refused[] = [];
  const names = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith(".json")) : [];
  for (const file of names.sort()) {
    const text = readFileSync(join(FOLDER, file), "utf8");
    const whole: unknown = JSON.parse(text);
    // A list of refusals with their status, one answer, or several answers under names of their own.
    if (Array.isArray(whole)) {
      for (const item of whole)
        if (isObject(item) && isObject(item.body) && "error_message" in item.body)
          refusals.push({ file, status: Number(item.status), body: item.body });
      continue;
    }
    if (!isObject(whole)) continue;
    if ("error_message" in whole) refusals.push({ file, status: Number(whole.error_code), body: whole });
    const parts = collectionOf(whole) ? [whole] : Object.values(whole).filter(isObject);
    for (const body of parts) {
      const collection = collectionOf(body);
      if (collection)
        answers.push({ file, collection, body, text: body === whole ? text : JSON.stringify(body) });
    }
  }
  return { answers, refusals };
}

const { answers, refusals: recordedRefusals } = sorted();
const refusals = recordedRefusals.filter(({ status }) => status === 400);
const answerOf = (status: number, text: string): UpstreamAnswer => ({
  url: "https://api.stlouisfed.org/fred/x",
  status,
  headers: new Headers(),
  bytes: new TextEncoder().encode(text),
  receivedAt: Temporal.Instant.from("2026-09-09T21:00:00Z"),
});
const endpointsOf = (collection: string) => FRED_ENDPOINTS.filter((each) => each.collection === collection);
/** Observations in columns are read as FRED says that they are. */
const outputTypeOf = (body: Fields) => String(body.output_type ?? 1);
const read = ({ collection, text, body }: Recorded): FredAnswer => {
  const [endpoint] = endpointsOf(collection);
  if (!endpoint) throw new Error(collection);
  return readAnswer(answerOf(200, text), endpoint, KEY, { output_type: outputTypeOf(body) });
};

if (answers.length + refusals.length === 0) test.skip("skipped: no recordings", () => {});
else
  describe("FRED's recordings", () => {
    for (const recorded of answers)
      test(`${recorded.file} is an answer of ${recorded.collection}`, () => {
        const { body, collection, text } = recorded;
        expect(classifyFred(answerOf(200, text)).kind).toBe("ok");
        const answer = read(recorded);
        expect(answer.body).toEqual(body);
        const list = body[collection];
        expect(answer.records).toBe(Array.isArray(list) ? list.length : Object.keys(list as object).length);
        // FRED counts all rows; a page has no more than its limit lets through.
        const { count, offset = 0, limit } = body as Record<string, number | undefined>;
        if (count !== undefined && limit !== undefined)
          expect(answer.records).toBeLessThanOrEqual(Math.max(0, Math.min(limit, count - (offset ?? 0))));
        if (collection === "observations" && outputTypeOf(body) === "1") {
          const rows = list as { date: string; value: string; realtime_start: string }[];
          expect(answer.observations?.map(({ date, value }) => [date, value])).toEqual(
            rows.map(({ date, value }) => [date, value === "." ? null : Number(value)]),
          );
        }
        // Any other endpoint of the same kind reads it alike; one of another kind does not take it.
        for (const endpoint of endpointsOf(collection))
          expect(
            readAnswer(answerOf(200, text), endpoint, KEY, { output_type: outputTypeOf(body) }).records,
          ).toBe(answer.records);
        const other = FRED_ENDPOINTS.find((each) => !(each.collection in body));
        if (other) expect(() => readAnswer(answerOf(200, text), other, KEY)).toThrow(other.collection);
        // Half of it is none of it.
        const [own = FRED_ENDPOINTS[0] as FredEndpoint] = endpointsOf(collection);
        const half = text.slice(0, Math.floor(text.length / 2));
        expect(() => readAnswer(answerOf(200, half), own, KEY)).toThrow();
      });

    test("an error of another status is no refusal of the request, but for what is not there", () => {
      for (const { status, body } of recordedRefusals) {
        const { kind } = classifyFred(answerOf(status, JSON.stringify(body)));
        const expected =
          status === 429 ? "rate_limited" : status === 400 || status === 404 ? "answered" : "failed";
        expect([status, kind]).toEqual([status, expected]);
      }
    });

    for (const { file, status, body } of refusals)
      test(`${file}: "${String(body.error_message).slice(0, 60)}…" is a refusal in FRED's words`, () => {
        const text = JSON.stringify(body);
        const endpoint = endpointsOf("seriess")[0];
        if (!endpoint) throw new Error("no endpoint");
        expect(classifyFred(answerOf(status, text)).kind).toBe("answered");
        try {
          readAnswer(answerOf(status, text), endpoint, KEY);
          throw new Error("it was taken");
        } catch (error) {
          if (!(error instanceof InvalidRequest)) throw error;
          expect(error.message).toBe(String(body.error_message));
          expect(error.facts.upstreamErrorCode).toBe(Number(body.error_code));
          expect(error.facts.hint !== undefined).toBe(/api_key/.test(error.message));
        }
      });

    const having = (id: string) =>
      answers.flatMap(({ body }) => (body.seriess ?? []) as Fields[]).filter((s) => s.id === id);

    test("a series, a release and a category are given as recorded", () => {
      for (const gnp of having("GNPCA"))
        expect(gnp).toMatchObject({ observation_start: "1929-01-01", frequency_short: "A" });
      for (const { body } of answers)
        for (const release of (body.releases ?? []) as Fields[])
          if (release.id === 53)
            expect(release).toMatchObject({ name: "Gross Domestic Product", press_release: true });
      for (const { body } of answers)
        for (const category of (body.categories ?? []) as Fields[])
          if (category.id === 125) expect(category).toMatchObject({ name: "Trade Balance", parent_id: 13 });
    });

    test("a search names its real-time day of Chicago, its count and every series whole", () => {
      for (const { body } of answers.filter(({ body }) => body.order_by !== undefined && body.seriess)) {
        const rows = body.seriess as Fields[];
        for (const row of rows)
          for (const field of ["id", "title", "units", "frequency", "last_updated", "observation_start"])
            expect([row.id, field, typeof row[field]]).toEqual([row.id, field, "string"]);
        expect(rows.every((row) => row.realtime_start === body.realtime_start)).toBe(true);
        expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      }
      const leading = answers.find(({ file }) => file.includes("leading-index"));
      if (!leading) return;
      expect(leading.body).toMatchObject({ count: 16, realtime_start: "2024-10-15" });
      expect((leading.body.seriess as Fields[])[0]?.id).toBe("BBKMCLA");
    });

    describe("through the proxy", () => {
      let provider: EconProvider;
      beforeAll(() => {
        provider = openEconProvider();
      });
      afterAll(() => provider.stop());

      for (const recorded of answers)
        test(`${recorded.file}: ${recorded.collection} comes out as it went in`, async () => {
          const econ = openEcon({ provider, database: ":memory:", clock: fakeClock("2026-09-09T21:00:00Z") });
          provider.answer(() => ({ body: recorded.text }));
          for (const { name, needs } of endpointsOf(recorded.collection)) {
            const query: Record<string, string> = Object.fromEntries(needs.map((need) => [need, "53"]));
            if (name === "series/observations") query.output_type = outputTypeOf(recorded.body);
            const { said, body } = await econ.get(name, query);
            const { _metadata, ...rest } = body;
            expect([name, said, rest]).toEqual([name, "upstream", recorded.body]);
          }
          econ.close();
        });

      for (const { file, status, body } of refusals)
        test(`${file}: a refusal is a 400 with FRED's code`, async () => {
          const econ = openEcon({ provider, database: ":memory:", clock: fakeClock("2026-09-09T21:00:00Z") });
          provider.answer(() => ({ status, body }));
          const { said, fault: error } = await econ.get("series", { series_id: "X" });
          expect([said, error?.message, error?.facts.upstreamErrorCode]).toEqual([
            "bad_request",
            String(body.error_message),
            Number(body.error_code),
          ]);
          econ.close();
        });
    });
  });

// The walk of test/contract/interface-walk.ts, taken once in a run of the tests: what it was answered, and
// services that begin with what it stored.
import { Database } from "bun:sqlite";
import { existsSync, renameSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { acquireForLifetime } from "../../src/platform/lake/lock.ts";
import { openWalk, type Step, take, WALK, WALK_ENV } from "../contract/interface-walk.ts";
import { type ApiDocument, documentOf } from "./api-document.ts";
import { runFolder } from "./run-folder.ts";
import { openSampleService, type SampleService } from "./service.ts";

/** One step of the walk: its request and the answer. */
export interface Walked {
  readonly method: Step["method"];
  readonly route: string;
  readonly path: string;
  readonly body?: unknown;
  /** The status that the step should have. */
  readonly expected: number;
  /** 0 where the step could not be taken; the text says why. */
  readonly status: number;
  readonly headers: [string, string][];
  readonly text: string;
}

interface Kept {
  /** The clock's moment after the last step. */
  readonly at: string;
  readonly document: ApiDocument["json"];
  /** One for each step of the walk. */
  readonly answers: readonly Walked[];
  /** The statements of SQLite that the walk ran, each with the first step that did. */
  readonly statements: Readonly<Record<string, string>>;
}

export interface WalkedMarket extends Omit<Kept, "document"> {
  readonly document: ApiDocument;
  /** The data folder after the walk, its catalogue published. Tests read it; they write to copies. */
  readonly dataDir: string;
}

async function walkedStep(
  service: SampleService,
  step: Step,
  seen: Map<string, Record<string, unknown>>,
): Promise<Walked> {
  const { method, route, status: expected = 200 } = step;
  const known = { method, route, expected };
  try {
    const { body, path, response, text } = await take(service, step, seen);
    return { ...known, body, path, text, status: response.status, headers: [...response.headers] };
  } catch (error) {
    // The steps after it are taken all the same, so that the test of each says what it met.
    return { ...known, path: route, status: 0, headers: [], text: String(error) };
  }
}

/** Notes the statements that any database of this process prepares, with what `label` says then. */
function notedStatements(label: () => string) {
  const statements: Record<string, string> = {};
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function (this: Database, text: string, ...rest: []) {
    statements[text] ??= label();
    return prepare.call(this, text, ...rest);
  } as typeof prepare;
  return {
    statements,
    restore: () => {
      Database.prototype.prepare = prepare;
    },
  };
}

/** Takes the walk, and writes its answers and its data folder into `folder`, which it makes. */
async function takeWalk(folder: string): Promise<void> {
  const dataDir = join(folder, "data");
  await mkdir(dataDir, { recursive: true });
  let label = "start";
  const noted = notedStatements(() => label);
  const service = await openWalk(dataDir);
  const { body: document } = await service.get<ApiDocument["json"]>("/api/v1/openapi.json");
  const seen = new Map<string, Record<string, unknown>>();
  const answers: Walked[] = [];
  for (const step of WALK) {
    label = `${step.method} ${step.route}`;
    answers.push(await walkedStep(service, step, seen));
  }
  noted.restore();
  await service.app().lake.publish();
  const kept: Kept = { at: service.clock.now().toString(), document, answers, statements: noted.statements };
  await Bun.write(join(folder, "kept.json"), JSON.stringify(kept));
  await service.stop();
}

/**
 * Returns the walked market of this run. The first caller of a run takes the walk, and others wait for it. It
 * is made aside and renamed, so that nothing of a walk that was killed is used.
 */
export async function walkedMarket(): Promise<WalkedMarket> {
  const walked = join(runFolder(), "walked");
  while (!existsSync(walked)) {
    const lock = acquireForLifetime(`${walked}.lock`);
    if (lock === undefined) {
      await Bun.sleep(50);
      continue;
    }
    try {
      if (existsSync(walked)) break;
      const draft = `${walked}-${crypto.randomUUID()}`;
      await takeWalk(draft);
      renameSync(draft, walked);
    } finally {
      lock.release();
    }
  }
  const kept = (await Bun.file(join(walked, "kept.json")).json()) as Kept;
  return { ...kept, document: documentOf(kept.document), dataDir: join(walked, "data") };
}

/** A service on the sample market with all that the walk stored, at the moment after it. */
export const openWalked = ({ at, dataDir }: WalkedMarket): Promise<SampleService> =>
  openSampleService({ at, env: WALK_ENV, from: dataDir });

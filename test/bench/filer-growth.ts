// Requests about companies on a store of many, with the processor time of each: filings, events, insiders,
// large holders, figures, short volume and the ledger. Each company is asked once before it counts.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { serveSample } from "../../sample/serve.ts";
import { startService } from "./service-process.ts";
import { storedFilers, symbolOf } from "./stored-filers.ts";

const ASKED = 14;
const AS_OF = "2026-11-26";

/** The path of a request about a company; `day` is another one for each. */
const ROUTES: Readonly<Record<string, (symbol: string, day: string) => string>> = {
  "Forms 4 of 800 days": (symbol) => `insider/form4/${symbol}?window_days=800&as_of=${AS_OF}`,
  "a summary of insiders": (symbol) => `insider/summary/${symbol}?as_of=${AS_OF}`,
  "insiders of a day, all companies": (_, day) => `insider/form4/by-date/${day}`,
  "large holders of a company": (symbol) => `ownership/13dg/${symbol}?as_of=${AS_OF}`,
  "statements of a company": (symbol) => `financial/data/${symbol}`,
  "a search of filings": (symbol) => `filings/search?ticker=${symbol}`,
  "events of a company": (symbol) => `filings/events/${symbol}`,
  "short volume of a company": (symbol) => `shortvolume/${symbol}`,
  "/database/info": () => "database/info",
  "/changes?limit=5": () => "changes?limit=5",
};

/** Milliseconds of the processor that a process has used, as Linux counts them. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The processor milliseconds of a request on each route, and the size of the store. */
export async function filerFigures(
  folder: string,
  companies: number,
  tell: (line: string) => void,
): Promise<Record<string, number>> {
  const dataDir = await storedFilers(folder, companies, tell);
  const upstream = await serveSample({});
  const service = await startService({
    DATA_DIR: dataDir,
    JOBS: "off",
    UPSTREAM_GATEWAY: upstream.url,
    SEC_USER_AGENT: "Asof bench bench@example.com",
  });
  const figures: Record<string, number> = {
    "database, MB": statSync(join(dataDir, "ops.sqlite")).size / 1e6,
    "ready, processor ms": processorMs(service.pid),
  };
  try {
    for (const [name, pathOf] of Object.entries(ROUTES)) {
      tell(`${companies} companies: ${name}`);
      const paths = Array.from({ length: ASKED }, (_, nth) =>
        pathOf(symbolOf((nth * 37 + 11) % companies), `2020-06-${10 + (nth % 9)}`),
      );
      let before = 0;
      for (const [nth, path] of [...paths, ...paths].entries()) {
        if (nth === ASKED) before = processorMs(service.pid);
        const response = await fetch(`${service.url}/api/v1/${path}`);
        await response.bytes();
        if (response.status !== 200) throw new Error(`${response.status} from ${path}`);
      }
      figures[`${name}, processor ms`] = (processorMs(service.pid) - before) / ASKED;
    }
    figures["resident memory, MB"] = service.residentBytes() / 1e6;
  } finally {
    await service.stop();
    await upstream.stop();
  }
  return figures;
}

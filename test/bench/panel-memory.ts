// Resident memory while the whole history of the panel is sent: it must not grow with what is asked for.
import { type Measurement, type Result, type Setting, timed } from "./measure.ts";
import { type ServiceProcess, startService } from "./service-process.ts";
import { type StoredPanel, storedPanel } from "./stored-panel.ts";

const FORMATS = ["ndjson", "parquet"] as const;
const LOOK_EVERY_MS = 50;
const MEGABYTE = 1024 * 1024;

/**
 * Reads a span to its end and throws the bytes away; gives their number and the most memory the service had
 * meanwhile.
 */
async function streamed(service: ServiceProcess, years: readonly number[], format: string) {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, service.residentBytes());
  };
  const looking = setInterval(look, LOOK_EVERY_MS);
  try {
    const span = `start_date=${years[0]}-01-01&end_date=${years.at(-1)}-12-31`;
    const url = `${service.url}/api/v1/shortvolume/pit-panel?${span}&format=${format}`;
    const response = await fetch(url, { headers: { "accept-encoding": "identity" } });
    if (response.status !== 200 || !response.body) throw new Error(`${response.status} from ${url}`);
    let bytes = 0;
    for await (const piece of response.body) bytes += piece.byteLength;
    look();
    return { bytes, peak };
  } finally {
    clearInterval(looking);
  }
}

const mb = (bytes: number) => `${Math.round(bytes / MEGABYTE).toLocaleString("en-US")} MB`;

async function inFormat(panel: StoredPanel, format: string, { tell }: Setting): Promise<Result> {
  const service = await startService({ DATA_DIR: panel.dataDir, JOBS: "off" });
  try {
    const year = await streamed(service, panel.years.slice(-1), format);
    let whole = year;
    const took = await timed(async () => {
      whole = await streamed(service, panel.years, format);
    });
    tell(`${panel.years.length} years as ${format}: ${mb(whole.bytes)} in ${Math.round(took / 1000)} s`);
    return {
      what: `${mb(whole.peak)} at most while ${panel.years.length} years are sent as ${format} (${mb(whole.bytes)})`,
      against: `${mb(year.peak)} while one year is (${mb(year.bytes)})`,
      ratio: whole.peak / year.peak,
    };
  } finally {
    await service.stop();
  }
}

const AT_ONCE = 3;

/**
 * As many streams of a year one after the other, then all at once, in one process: its heap grows with its
 * first answers.
 */
async function sideBySide(panel: StoredPanel, format: string): Promise<Result> {
  const service = await startService({ DATA_DIR: panel.dataDir, JOBS: "off" });
  try {
    const year = panel.years.slice(-1);
    let one = await streamed(service, year, format);
    for (let nth = 1; nth < AT_ONCE; nth++) {
      const next = await streamed(service, year, format);
      if (next.peak > one.peak) one = next;
    }
    const several = await Promise.all(Array.from({ length: AT_ONCE }, () => streamed(service, year, format)));
    const peak = Math.max(...several.map((each) => each.peak));
    return {
      what: `${mb(peak)} at most while ${AT_ONCE} streams of one year are sent as ${format}`,
      against: `${mb(one.peak)} at most while they are sent one after the other (${mb(one.bytes)} each)`,
      ratio: peak / one.peak,
    };
  } finally {
    await service.stop();
  }
}

export const panelStreams: Measurement = {
  name: "panel-streams",
  description: "resident memory while the panel is streamed several times at once",
  goal: { kind: "at most", ratio: 1.1 },
  async run(setting) {
    const panel = await storedPanel(setting);
    const results: Result[] = [];
    for (const format of FORMATS) results.push(await sideBySide(panel, format));
    return results;
  },
};

export const panelMemory: Measurement = {
  name: "panel-memory",
  description: "resident memory while the whole panel is streamed",
  goal: { kind: "at most", ratio: 1.25 },
  async run(setting) {
    const panel = await storedPanel(setting);
    const results: Result[] = [];
    for (const format of FORMATS) results.push(await inFormat(panel, format, setting));
    return results;
  },
};

// The commands of `bun run cli` with their options. A command's code is loaded when it runs, so that help
// comes at once.
import { Command, Option } from "commander";
import { amount, commaList, dataVersion, day, month, wholeNumber } from "./arguments.ts";

const PORT_MAX = 65_535;
const TICKERS = "comma list, or @file with one symbol on each line";

function addBackfills(program: Command): void {
  const backfill = program.command("backfill").description("Fill the lake with history");
  backfill
    .command("prices")
    .description("Daily or intraday bars")
    .option("--tickers <list>", TICKERS)
    .addOption(
      new Option("--universe <name>", "instead of --tickers: every symbol the service knows").choices([
        "known",
      ]),
    )
    .option("--start <date>", "first day (default: all history; intraday: the provider's look-back)", day)
    .option("--end <date>", "last day (default: today)", day)
    .option("--interval <interval>", "1d, or 1m, 2m, 5m, 15m, 30m, 1h, 90m", "1d")
    .addOption(
      new Option(
        "--source <name>",
        "marketfeed: the brokerage feed first, 100 symbols per request, from 2016",
      )
        .choices(["yahoo", "marketfeed"])
        .default("yahoo"),
    )
    .action(async (options) => (await import("./commands/backfill-prices.ts")).run(options));
  backfill
    .command("financials")
    .description("Figures of financial statements, as reported")
    .option("--tickers <list>", TICKERS)
    .option("--bulk <path>", "instead of --tickers: companyfacts.zip, which the SEC publishes nightly")
    .option("--force", "with --tickers: read stored figures again", false)
    .action(async (options) => (await import("./commands/backfill-financials.ts")).run(options));
  backfill
    .command("pit")
    .description("Daily bars of every symbol of the short-volume files, as traded then")
    .option("--symbols <list>", "only these, as traded (default: all)", commaList)
    .option("--start <date>", "first day (default: the first file, not before 2016)", day)
    .option("--end <date>", "last day (default: the newest file)", day)
    .option("--no-resume", "request again what earlier runs did not find")
    .action(async (options) => (await import("./commands/backfill-pit.ts")).run(options));
  backfill
    .command("insiders")
    .description("Trades of insiders for whole quarters, from the SEC's data sets")
    .requiredOption("--bulk <paths>", "comma list of archives such as 2024q1_form345.zip", commaList)
    .action(async (options) => (await import("./commands/backfill-insiders.ts")).run(options));
}

function addAgents(program: Command): void {
  program
    .command("mcp")
    .description("The tools of agents over stdio, answered by a running service")
    .option("--url <address>", "the service", `http://127.0.0.1:${process.env.PORT ?? "8000"}`)
    .option("--as-of <moment>", "nothing later can be asked: a date, or an instant with its zone")
    .action(async (options) => (await import("./commands/mcp.ts")).run(options));
}

function addIngests(program: Command): void {
  const ingest = program.command("ingest").description("Ingest what providers publish by day");
  ingest
    .command("shortvolume")
    .description("FINRA's daily short-sale volume, since 2018-08-01")
    .option("--start <date>", "first trade date, with or without --end", day)
    .option("--end <date>", "last trade date", day)
    .option("--days <n>", "instead: this many of the newest sessions (default: 5)", wholeNumber(1, 9_999))
    .option("--facility <code>", "reporting facility", "CNMS")
    .option("--force", "fetch stored days again to find corrections", false)
    .action(async (options) => (await import("./commands/ingest-finra.ts")).shortVolume(options));
  ingest
    .command("shortinterest")
    .description("FINRA's short interest, twice a month since June 2021")
    .option("--start <date>", "first settlement date", day, "2021-06-01")
    .option("--end <date>", "last settlement date (default: today)", day)
    .option("--force", "fetch stored files again", false)
    .action(async (options) => (await import("./commands/ingest-finra.ts")).shortInterest(options));
  ingest
    .command("ownership")
    .description("Forms 3, 4, 5 and Schedules 13D, 13G of all companies, by day")
    .option("--date <date>", "one day, also when it is stored", day)
    .option("--since <date>", "instead: every missing day from this one to today", day)
    .option("--no-read", "index only and leave reading to the job (some eight filings a second)")
    .action(async (options) => (await import("./commands/ingest-ownership.ts")).run(options));
  ingest
    .command("etf")
    .description("The newest public holdings report (NPORT-P) of exchange-traded funds")
    .requiredOption("--tickers <list>", TICKERS)
    .action(async (options) => (await import("./commands/ingest-etf.ts")).run(options));
}

function addFilings(program: Command): void {
  program
    .command("index")
    .description("Index the regulator's filings")
    .command("filings")
    .description("The index of filings, and the events of new current reports (8-K)")
    .option("--tickers <list>", TICKERS)
    .option("--since <date>", "instead: the filings of all companies from this day to today", day)
    .option("--no-parse", "leave new current reports pending")
    .action(async (options) => (await import("./commands/index-filings.ts")).run(options));
  program
    .command("parse")
    .description("Read pending current reports (8-K), newest first")
    .option("--limit <n>", "at most this many (default: all)", wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(async (options) => (await import("./commands/parse.ts")).run(options));
}

function addUniverse(program: Command): void {
  const universe = program.command("universe").description("Listed securities and their monthly snapshots");
  universe
    .command("discover")
    .description("Read the exchanges' lists into the registry")
    .option("--market-cap-min <dollars>", "only listings worth at least this many US dollars", amount)
    .option("--exchanges <list>", "only listings of these exchanges", commaList)
    .option("--exclude-types <list>", "leave out types, such as etf,warrant", commaList)
    .option("--limit <n>", "at most this many listings, the largest first", wholeNumber(1, 999_999))
    .action(async (options) => (await import("./commands/universe.ts")).discover(options));
  universe
    .command("snapshots")
    .description("Build monthly snapshots of the registry's stocks")
    .option("--start <month>", "first month (default: 2016-01)", month)
    .option("--end <month>", "last month (default: the newest settled one)", month)
    .option("--tickers <list>", `${TICKERS} (default: every stock of the registry)`)
    .option("--force", "compute stored rows again and add those that differ", false)
    .action(async (options) => (await import("./commands/universe.ts")).snapshots(options));
}

function addJobs(program: Command): void {
  program
    .command("job")
    .description("Scheduled jobs")
    .command("run")
    .description("Run a job now; GET /api/v1/scheduler/jobs lists them")
    .argument("<name>", "such as overlay-scores")
    .option("--date <date>", "for this day, where the job has runs for one day", day)
    .action(async (name, options) => (await import("./commands/job.ts")).run(name, options));
}

function addSeries(program: Command): void {
  const series = program.command("series").description("Arrays of daily bars beside the lake's files");
  series
    .command("build")
    .description("Make those that are missing now")
    .action(async () => (await import("./commands/series.ts")).build());
  series
    .command("drop")
    .description("Remove all; a running service makes them again")
    .action(async () => (await import("./commands/series.ts")).drop());
}

function addUpkeep(program: Command): void {
  program
    .command("sql")
    .description("Run one SELECT on the lake, in a process of its own with 1 GB of memory")
    .argument("<query>", 'for example "from bars(NULL) limit 5"')
    .option(
      "--as-of <moment>",
      "only what the world knew then, in every table: a date or an RFC 3339 instant",
    )
    .option(
      "--data-version <version>",
      "only what was stored in this version: its number or its name",
      dataVersion,
    )
    .option("--timeout <seconds>", "end the query after this time", wholeNumber(1, 86_400), 300)
    .addOption(
      new Option("--format <name>", "output").choices(["table", "csv", "ndjson"] as const).default("table"),
    )
    .action(async (query, options) => (await import("./commands/sql.ts")).run(query, options));
  program
    .command("doctor")
    .description("Check every file of the lake and report on data quality")
    .option("--repair", "set broken files aside, and have their rows read again", false)
    .option("--waive <path...>", "do without the rows of these lost files")
    .action(async (options) => (await import("./commands/doctor.ts")).run(options));
  program
    .command("compact")
    .description("Merge the lake's small files; the server may run")
    .option("--dataset <name>", "only this dataset")
    .option("--force", "merge everything, however small", false)
    .action(async (options) => (await import("./commands/compact.ts")).run(options));
  program
    .command("backup")
    .description("Copy everything stored into a new folder; the server may run")
    .argument("<folder>", "absent or empty")
    .action(async (folder) => (await import("./commands/backup.ts")).run(folder));
  program
    .command("publish")
    .description("Copy the lake into an S3-compatible store for readers elsewhere; the server may run")
    .argument("<address>", "s3://bucket/prefix; keys, region and endpoint come from the AWS_* variables")
    .option("--watch", "go on, and publish each new version", false)
    .action(async (address, options) => (await import("./commands/publish.ts")).run(address, options));
  program
    .command("restore")
    .description("Restore a backup into DATA_DIR, which must be empty")
    .argument("<folder>", "what `backup` wrote")
    .option("--check", "only check every file against its hash", false)
    .option("--partial", "restore what is whole, and say what is missing", false)
    .option("--former <folder>", "the data folder that this one replaces: say which of its names are lost")
    .action(async (folder, options) => (await import("./commands/restore.ts")).run(folder, options));
  program
    .command("store")
    .description("The store as a whole")
    .command("fork")
    .description("Begin another line of history: after the folder was rolled back, or copied to go on twice")
    .action(async () => (await import("./commands/store.ts")).fork());
}

function addVersions(program: Command): void {
  const version = program.command("version").description("Versions of the stored data and their names");
  version
    .command("name")
    .description("Name a version, so that a study can cite it; a name is never moved")
    .argument("<name>", "such as q3-paper")
    .option("--note <text>", "what it is named for")
    .option(
      "--data-version <n>",
      "the version (default: the newest)",
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .action(async (name, options) => (await import("./commands/version.ts")).name(name, options));
  version
    .command("list")
    .description("The named versions")
    .option("--all", "versions without a name too, the newest first", false)
    .option("--limit <n>", "at most this many", wholeNumber(1, 1_000_000), 100)
    .action(async (options) => (await import("./commands/version.ts")).list(options));
}

function addUpstreams(program: Command): void {
  const host = () => new Option("--host <address>", "address to listen on").env("HOST").default("127.0.0.1");
  const port = (preset: number) =>
    new Option("--port <port>", "port to listen on; 0 takes a free one")
      .env("PORT")
      .default(preset)
      .argParser(wholeNumber(0, PORT_MAX));
  program
    .command("replay")
    .description("Serve a folder of recorded answers as the upstream")
    .argument("<folder>", "with an index.json")
    .addOption(host())
    .addOption(port(9000))
    .action(async (folder, options) => (await import("./commands/replay.ts")).run(folder, options));
  program
    .command("sample")
    .description("Serve the fictional sample market as the upstream")
    .addOption(host())
    .addOption(port(9001))
    .option("--symbols <n>", "listings in all (default: the named ones)", wholeNumber(0, 17_000))
    .option("--years <n>", "years of history", wholeNumber(1, 30), 5)
    .option("--seed <n>", "another seed is another market", wholeNumber(0, 2 ** 31), 1)
    .action(async (options) => (await import("./commands/sample.ts")).run(options));
}

function addPages(program: Command): void {
  program
    .command("catalogue")
    .description("Write docs/catalogue.md from the datasets")
    .action(async () => (await import("./commands/catalogue.ts")).run());
  program
    .command("examples")
    .description("Write src/examples.json from the sample market")
    .action(async () => (await import("./commands/examples.ts")).run());
}

/** The command line. Unknown options, missing values and extra words are refused by the parser. */
export function cliProgram(): Command {
  const program = new Command("bun run cli")
    .description("Commands of the Asof market-data service")
    .showHelpAfterError("(add --help for the options)");
  for (const add of [
    addBackfills,
    addIngests,
    addFilings,
    addUniverse,
    addJobs,
    addSeries,
    addUpkeep,
    addVersions,
    addAgents,
    addUpstreams,
    addPages,
  ])
    add(program);
  return program;
}

// `bun run cli ingest`: takes in what providers publish by day.
import { defineCommand } from "citty";

export default defineCommand({
  meta: { name: "ingest", description: "Take in what is published by day" },
  subCommands: {
    etf: () => import("./ingest-etf.ts").then((m) => m.default),
    ownership: () => import("./ingest-ownership.ts").then((m) => m.default),
    shortvolume: () => import("./ingest-finra.ts").then((m) => m.shortvolume),
    shortinterest: () => import("./ingest-finra.ts").then((m) => m.shortinterest),
  },
});

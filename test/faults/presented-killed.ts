// Asks for the statements of a utility in a data folder, and is killed when it begins to read the given
// rendered statement, by count.
import { openFinancialApp } from "../support/financial-app.ts";
import { UTILITY, utilityWorld } from "../support/financial-utility.ts";

const [dataDir = "", last = ""] = Bun.argv.slice(2);
const world = utilityWorld();
const app = await openFinancialApp({ world, dataDir });
world.cashFlowElements = async () => {
  if (world.presentationsAsked.length === Number(last)) process.kill(process.pid, "SIGKILL");
  app.clock.set(app.clock.now().add({ seconds: 1 }).toString());
  return [UTILITY.line, UTILITY.total];
};
await app.get("/data/UTIL?include_metrics=false");
await app.capability.idle();
await app.close();

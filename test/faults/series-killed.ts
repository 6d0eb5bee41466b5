// Run as a process of its own, to be killed: makes the arrays of a lake again and again.
import { systemClock } from "../../src/platform/clock.ts";
import { openLake } from "../../src/platform/lake/lake.ts";
import { closes } from "./series-rows.ts";

const [dir = ""] = process.argv.slice(2);
const lake = await openLake({ dir, datasets: [closes], macros: [], clock: systemClock, publishes: false });
process.stdout.write("open\n");
for (;;) {
  await lake.arrays?.fill();
  await lake.arrays?.drop();
}

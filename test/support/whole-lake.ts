// A lake with every dataset and macro of the service, whose catalogue is not published.

import { DATASETS, MACROS } from "../../src/datasets/index.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { type Lake, type LakeOptions, openLake } from "../../src/platform/lake/lake.ts";

/** Opens it. A catalogue of all views and macros would take more work than most of these tests. */
export const openWholeLake = (
  dir: string,
  clock: Clock = systemClock,
  more: Partial<LakeOptions> = {},
): Promise<Lake> => openLake({ dir, datasets: DATASETS, macros: MACROS, clock, publishes: false, ...more });

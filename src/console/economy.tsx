// The page of an economic series.
import { EconomyPage } from "./economy-page.tsx";
import { showMarket } from "./market-frame.tsx";

await showMarket({ economy: EconomyPage });

// The price provider's count of shares may not follow a split for weeks: what a company's record says of it.
import { expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Info {
  readonly shares_outstanding: number | null;
  readonly warnings: readonly string[];
}

test("within 90 days after a stored split the count is null with a warning, then it is the provider's", async () => {
  // ZORP splits 4:1 on 2026-06-09.
  const service = await openSampleService({ at: "2026-08-20T21:00:00Z" });
  try {
    await service.get("/api/v1/price/data/ZORP?start_date=2026-06-01&end_date=2026-08-19");
    const company = async () => (await service.get<Info>("/api/v1/company/ZORP?force_refresh=true")).body;
    const soon = await company();
    expect(soon.shares_outstanding).toBeNull();
    expect(soon.warnings.join()).toContain("may not follow the split of 2026-06-09 yet");
    service.clock.set("2026-09-09T21:00:00Z");
    const later = await company();
    expect(later.shares_outstanding).toBeGreaterThan(0);
    expect(later.warnings.join()).not.toContain("split");
  } finally {
    await service.stop();
  }
});

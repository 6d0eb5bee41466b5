import { test, setDefaultTimeout } from "bun:test";
import { openSampleService } from "./support/service.ts";
import { store, worldOf } from "./support/overlay-world.ts";
setDefaultTimeout(100000);
test("x", async () => {
  const s = await openSampleService({ at: "2026-09-10T02:50:00Z" });
  const w = worldOf(20_260_909);
  const lake = s.app().lake;
  await store(lake, w);
  const q = async (sql: string) => { try { console.log(sql.slice(0,90), (await lake.query(sql)).slice(0,3)); } catch (e) { console.log(sql.slice(0,90), String(e).slice(0,400)); } };
  await q("SELECT count(*), min(known_at), max(known_at), min(tickers) from news_headlines");
  await q("SELECT count(*) from news_as_of('2026-09-09')");
  await q("SELECT n.day, n.ingested_at, t.symbol FROM news_as_of('2026-09-09') n CROSS JOIN unnest(string_split(n.tickers, ',')) t(symbol)");
  await q("SELECT n.day, (n.ingested_at AT TIME ZONE 'America/New_York')::DATE d FROM news_as_of('2026-09-09') n");
  await q("SELECT count(*), sum(transaction_value), any_value(issuer_cik) from insider_transactions_as_of('2026-09-09') WHERE filing_date BETWEEN DATE '2026-09-09' - 365 AND DATE '2026-09-09'");
  await q("SELECT symbol, cik FROM companies_at('2026-09-09')");
  await q("SELECT symbol, cik FROM listings_at('2026-09-09')");
  await q(`SELECT 'attention' AS input, max(date) AS last_date FROM page_views
  UNION ALL SELECT 'news', max(day) FROM news_headlines
  UNION ALL SELECT 'short_volume', max(date) FROM finra_files WHERE facility = 'CNMS'
  UNION ALL SELECT 'insider', max(filing_date) FROM insider_transactions
  UNION ALL SELECT 'bars', max(date) FROM bars_daily`);
  console.log(JSON.stringify((s.log as any).lines.at(-1)).slice(0,1500));
  await s.get("/api/v1/overlay/admin/health");
  console.log(JSON.stringify((s.log as any).lines.at(-1), (k,v)=> v instanceof Error ? v.message+v.stack : v).slice(0,2500));
  await s.stop();
});

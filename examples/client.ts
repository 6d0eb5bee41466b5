// A typed client: paths, parameters and answers are checked by the compiler. `bun examples/client.ts
// http://127.0.0.1:8000 ZORP`
import { treaty } from "@elysiajs/eden";
import type { Api } from "../src/composition/api-type.ts";

const [address = "http://127.0.0.1:8000", ticker = "AAPL"] = process.argv.slice(2);
// Days stay the text that the types say: as a Date a day is midnight in UTC, which prints as the day before
// in New York.
const { api } = treaty<Api>(address, { parseDate: false });

const bars = await api.v1.price.data({ ticker }).get({ query: { period: "1m" } });
if (bars.error) throw new Error(JSON.stringify(bars.error.value));
for (const { date, close, volume } of bars.data.data.slice(-3)) console.log(date, close, volume);

const statements = await api.v1.financial.data({ ticker }).get({ query: { include_sources: true } });
if (statements.error) throw new Error(JSON.stringify(statements.error.value));
const [latest] = statements.data.income_statement;
console.log(latest?.period_end_date, latest?.revenue, latest?.accession_number);

// Run as a process of its own: sends one request over and over and prints how many were answered in a second.
import autocannon from "autocannon";

const [url = "", seconds = "2", connections = "10"] = process.argv.slice(2);
const result = await autocannon({ url, duration: Number(seconds), connections: Number(connections) });
const failed = result.non2xx + result.errors + result.timeouts;
process.stdout.write(`${JSON.stringify({ perSecond: result["2xx"] / result.duration, failed })}\n`);

// Run as a process of its own: reads one answer to its end, keeps nothing, and prints its status and length.

const [url = "", encoding = "identity"] = process.argv.slice(2);
// Not decompressed here: what is measured is the service, and its answer as it is sent.
const response = await fetch(url, { headers: { "accept-encoding": encoding }, decompress: false });
let bytes = 0;
for await (const chunk of response.body ?? []) bytes += chunk.byteLength;
process.stdout.write(`${JSON.stringify({ status: response.status, bytes })}\n`);

export {};

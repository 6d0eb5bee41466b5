// Runs as its own process: answers every request with its argument as JSON and prints its address.
const [body = ""] = process.argv.slice(2);
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => new Response(body, { headers: { "content-type": "application/json" } }),
});
process.stdout.write(`${server.url.href}\n`);

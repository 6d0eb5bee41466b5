// Run as a process of its own: sends its argument as JSON to whoever asks; prints its address.
const [body = ""] = process.argv.slice(2);
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => new Response(body, { headers: { "content-type": "application/json" } }),
});
process.stdout.write(`${server.url.href}\n`);

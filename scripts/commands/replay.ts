// `bun run cli replay <folder>`: answers upstream requests from a folder of recordings, behind UPSTREAM_GATEWAY.
import { defineCommand } from "citty";
import { serveReplay } from "../replay/serve.ts";

export default defineCommand({
  meta: { name: "replay", description: "Serve a folder of recordings as the upstream" },
  args: {
    folder: { type: "positional", required: true, description: "Folder with an index.json" },
    host: {
      type: "string",
      default: process.env.HOST ?? "127.0.0.1",
      description: "Address to listen on (HOST)",
    },
    port: {
      type: "string",
      default: process.env.PORT ?? "9000",
      description: "Port to listen on; 0 takes a free one (PORT)",
    },
  },
  async run({ args }) {
    const port = Number(args.port);
    if (!/^\d+$/.test(args.port) || port > 65_535)
      throw new RangeError(`--port is "${args.port}"; it must be a whole number from 0 to 65535`);
    const replay = await serveReplay({
      folder: args.folder,
      hostname: args.host,
      port,
      log: (line) => console.error(line),
    });
    console.log(`replay ready at ${replay.url} (${replay.recordings} recordings of ${args.folder})`);
    const stop = () => void replay.stop().then(() => process.exit(0));
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  },
});

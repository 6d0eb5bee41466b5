// Asks for the events of a company with many current reports, and is killed when so many of them were begun.
import { MANY_EVENTS, openManyEvents } from "../support/many-events.ts";

const [dataDir = "", last = ""] = Bun.argv.slice(2);
const service = await openManyEvents((_, before) => {
  if (before === Number(last)) process.kill(process.pid, "SIGKILL");
}, dataDir);
const { body } = await service.get(`/events/${MANY_EVENTS}`);
process.stdout.write(JSON.stringify(body.warnings));
await service.capability.idle();
await service.stop();

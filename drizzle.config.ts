// How drizzle-kit writes the next migration: `npx drizzle-kit generate --name <what-changes>`.
import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: ["./src/platform/sqlite/tables.ts", "./src/datasets/tables.ts", "./src/capabilities/*/tables.ts"],
  out: "./src/platform/sqlite/migrations",
});

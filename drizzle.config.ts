// `npm run db:generate` writes the core database's migrations from its schema. The shards' is by
// hand, since their day tables are made at run time.
import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: "./src/db/core-schema.ts",
  out: "./migrations/core",
  migrations: { prefix: "index" },
});

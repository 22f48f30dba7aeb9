// Two databases, two schemas: `npm run db:generate` writes the core's migrations; POSTERN_DB=history the history's.
import { defineConfig } from "drizzle-kit";

const database = process.env.POSTERN_DB === "history" ? "history" : "core";

export default defineConfig({
  dialect: "sqlite",
  schema: `./src/db/${database}-schema.ts`,
  out: `./migrations/${database}`,
  migrations: { prefix: "index" },
});

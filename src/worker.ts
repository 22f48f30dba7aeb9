// The entry, and the table of contents.
import type { Env } from "./env.ts";

export { AuthFailures } from "./api/auth-failures.ts";
export { TeamLedger } from "./ledger/team-ledger.ts";

export default {
  async fetch() {
    return new Response(null, { status: 404 });
  },
  async queue(batch) {
    batch.ackAll();
  },
} satisfies ExportedHandler<Env>;

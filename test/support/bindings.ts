// The worker's bindings as tests see them: a test may look into a Durable Object, so here a binding
// names the object's class, where Env names the contract only.
import type { AuthFailures } from "../../src/api/auth-failures.ts";
import type { Env } from "../../src/env.ts";
import type { TeamLedger } from "../../src/ledger/team-ledger.ts";
import type { Visits } from "../../src/mail/feedback/visit-filter.ts";
import type { Metrics } from "../../src/resources/metrics/metrics.ts";
import type { SuppressionImports } from "../../src/resources/suppressions/suppression-imports.ts";
import type { WebhookOutbox } from "../../src/resources/webhooks/outbox/webhook-outbox.ts";
import type { WebhookReplay } from "../../src/resources/webhooks/replay/webhook-replay.ts";

interface Objects {
  readonly TEAM_LEDGER: DurableObjectNamespace<TeamLedger>;
  readonly AUTH_FAILURES: DurableObjectNamespace<AuthFailures>;
  readonly VISITS: DurableObjectNamespace<Visits>;
  readonly SUPPRESSION_IMPORTS: DurableObjectNamespace<SuppressionImports>;
  readonly WEBHOOK_OUTBOX: DurableObjectNamespace<WebhookOutbox>;
  readonly WEBHOOK_REPLAY: DurableObjectNamespace<WebhookReplay>;
  readonly METRICS: DurableObjectNamespace<Metrics>;
}

export type TestEnv = Omit<Env, keyof Objects> & Objects;

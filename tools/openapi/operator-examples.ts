// Examples of the components in the operator's bodies (derive-example.ts).
import { AT, TEAM, UUID } from "./example-values.ts";

const WHOLE_TEAM = {
  ...TEAM,
  limits: { daily: 10_000, monthly: 100_000, delivery_rate_per_minute: 600 },
  label_caps: {
    tags_per_hour: 1_000,
    topic_per_hour: 100,
    campaign_per_hour: 200,
    campaign_per_72_hours: 1_000,
  },
  subscription: "active",
  first_mail: { at: AT, colo: "FRA", continent: "EU", country: "DE", region: "weur" },
  sending: { courier: "gateway", keeps: { message_id: "kept" } },
  number: 1,
  shards: [{ from: AT.slice(0, 10), shards: [0] }],
};

export const OPERATOR_COMPONENTS: Readonly<Record<string, object>> = {
  Attention: {
    checked_at: "2026-11-23T03:10:00.000Z",
    teams: { total: 214, critical: 1, notice: 3 },
  },
  Check: {
    status: "critical",
    checks: [
      {
        check: "queues.moving",
        subject: "postern-deliver",
        title: "Queue postern-deliver",
        status: "critical",
        value: 1_830,
        value_text: "30 min",
        limit: 300,
        limit_text: "5 min",
        unit: "seconds",
        since: AT,
        message: "postern-deliver: the oldest job has waited for 30 min.",
        next_step: "npm run deploy connects a missing consumer (npx wrangler queues info <queue>).",
        page: "docs/troubleshooting.md#mail-stays-queued",
        evidence: 'postern_queue_oldest_seconds{queue="postern-deliver"} 1830',
      },
    ],
  },
  CreateConsoleLinkResponse: {
    url: "http://127.0.0.1:8787/console/sign-in#AZ5bbJQ-fjWzePdEAJNvMQ",
  },
  CreateTeamRequest: { name: TEAM.name, limits: { daily: 10_000 } },
  CreateTeamResponse: { ...WHOLE_TEAM, first_mail: null },
  DeadLetter: {
    id: `dead_${UUID}`,
    body: { recordIds: ["023e105f4ecef8ad9ca31a8372d0c353"] },
    error: "not all records could be removed",
    attempts: 21,
  },
  Deployment: {
    service_domain: "postern.example",
    public_url: "https://postern.example",
    outbound: "gateway",
    gateways: [{ url: "https://egress.postern.example", state: "agreed", status: 200, date: AT }],
    access: {
      issuer: "https://acme.cloudflareaccess.com",
      audience: "4714c1358e65fe4b408ad6d432a5f878f08194bdb4752441fd56faefa9b2b6f2",
      console_url: "https://postern.example",
    },
  },
  Gateway: {
    gateways: [
      {
        url: "https://egress.postern.example",
        watch: {
          checked_at: AT,
          findings: [
            {
              check: "block_list",
              status: "critical",
              subject: "Spamhaus ZEN",
              message: "Spamhaus ZEN lists 198.51.100.7 (127.0.0.2: SBL, a source of spam)",
              advice: "find and end the cause, then ask the list to remove the address",
              link: "https://check.spamhaus.org/",
            },
          ],
          destinations: [
            {
              name: "google",
              pool: "default",
              open: 5,
              waiting: 42,
              refused: 1,
              concurrency: 5,
              why: "announced",
            },
          ],
        },
      },
    ],
  },
  Shard: {
    shards: [
      { shard: 0, teams: 5_208, size: 7_412_031_488 },
      { shard: 1, teams: 17, size: 1_048_576, takes_new_teams: true },
    ],
    core_shards: [
      { core_shard: 0, teams: 5_198, size: 211_206_144 },
      { core_shard: 1, teams: 27, size: 1_572_864, takes_new_teams: true },
    ],
  },
  Team: WHOLE_TEAM,
  TeamAttention: {
    severity: "critical",
    findings: [{}],
    sending_holds: [],
    reported_at: "2026-11-23T03:09:30.000Z",
  },
  UpdateTeamRequest: { limits: { daily: 50_000 } },
  WidenTeamRequest: { shards: [0, 1] },
  WidenTeamResponse: {
    shards: [
      { from: AT.slice(0, 10), shards: [0] },
      { from: "2026-11-22", shards: [0, 1] },
    ],
  },
};

// Examples of the operator's operations.
import { API_KEY, API_KEY_SECRET, AT, TEAM, UUID, type Example } from "./example-values.ts";
import { DELIVERABILITY } from "./message-examples.ts";
import { USAGE } from "./team-examples.ts";

const deadLetter = {
  id: `dead_${UUID}`,
  queue: "postern-dns-cleanup",
  body: { recordIds: ["023e105f4ecef8ad9ca31a8372d0c353"] },
  error: "not all records could be removed",
  attempts: 21,
  first_failed_at: AT,
  last_failed_at: AT,
};

export const OPERATOR_EXAMPLES: Readonly<Record<string, Example>> = {
  listTeams: { response: TEAM },
  createTeam: {
    request: { name: TEAM.name, limits: { daily: 10_000 } },
    response: {
      ...TEAM,
      first_mail: null,
      api_key: {
        ...API_KEY,
        name: "First key",
        permissions: "full",
        allowed_domains: null,
        allowed_ips: null,
        key: API_KEY_SECRET,
      },
    },
  },
  getTeam: { response: TEAM },
  getTeamDeliverability: { response: DELIVERABILITY },
  getTeamUsage: { response: USAGE },
  getCheck: {
    response: {
      checked_at: AT,
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
          next_step:
            "npm run deploy connects a missing consumer (npx wrangler queues info <queue>).",
          page: "docs/troubleshooting.md#mail-stays-queued",
          evidence: 'postern_queue_oldest_seconds{queue="postern-deliver"} 1830',
        },
      ],
    },
  },
  getAttention: {
    response: {
      checked_at: "2026-11-23T03:10:00.000Z",
      account_hold: null,
      teams: { total: 214, critical: 1, warning: 0, notice: 3, unread: 0 },
      worst: [
        {
          team: { id: TEAM.id, name: TEAM.name },
          severity: "critical",
          findings: DELIVERABILITY.findings,
          held: null,
          sending_holds: [],
          is_full: false,
          reported_at: "2026-11-23T03:09:30.000Z",
        },
      ],
    },
  },
  createConsoleLink: {
    request: { team_id: TEAM.id },
    response: {
      url: "http://127.0.0.1:8787/console/sign-in#AZ5bbJQ-fjWzePdEAJNvMQ",
      expires_at: AT,
    },
  },
  listShards: {
    response: {
      shards: [
        { shard: 0, teams: 5_208, size: 7_412_031_488, takes_new_teams: false },
        { shard: 1, teams: 17, size: 1_048_576, takes_new_teams: true },
      ],
      core_shards: [
        { core_shard: 0, teams: 5_198, size: 211_206_144, takes_new_teams: false },
        { core_shard: 1, teams: 27, size: 1_572_864, takes_new_teams: true },
      ],
    },
  },
  widenTeam: {
    request: { shards: [0, 1] },
    response: {
      shards: [
        { from: AT.slice(0, 10), shards: [0] },
        { from: "2026-11-22", shards: [0, 1] },
      ],
    },
  },
  listDeadLetters: { response: deadLetter },
  requeueDeadLetter: { response: deadLetter },
  getMetric: {
    response:
      "# HELP postern_accepted_total Recipients accepted for delivery.\n# TYPE " +
      "postern_accepted_total counter\npostern_accepted_total 48121\n",
  },
  getDeployment: {
    response: {
      service_domain: "postern.example",
      public_url: "https://postern.example",
      outbound: "gateway",
      gateways: [{ url: "https://egress.postern.example", state: "agreed", status: 200, date: AT }],
      jurisdiction: null,
      object_jurisdiction: null,
      teams_elsewhere: 0,
      access: {
        issuer: "https://acme.cloudflareaccess.com",
        audience: "4714c1358e65fe4b408ad6d432a5f878f08194bdb4752441fd56faefa9b2b6f2",
        console_url: "https://postern.example",
      },
      time: AT,
    },
  },
  getGateway: {
    response: {
      gateways: [
        {
          url: "https://egress.postern.example",
          watch: {
            checked_at: AT,
            findings: [
              {
                check: "block_list",
                status: "failed",
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
  },
  updateTeam: {
    request: { limits: { daily: 50_000 } },
    response: { ...TEAM, limits: { ...TEAM.limits, daily: 50_000 } },
  },
};

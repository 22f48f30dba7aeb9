// Tests what the operator's console sends for a team, and how it judges shards.
import { describe, expect, it } from "vitest";
import type { Team } from "../../../../console/src/api/operator/types.ts";
import {
  changesOf,
  describeChanges,
  undoOf,
} from "../../../../console/src/pages/operator/teams/team-changes.ts";
import { sortTeams } from "../../../../console/src/pages/operator/teams/team-ranking.ts";
import { readShards, shardSummary } from "../../../../console/src/pages/operator/shard-texts.ts";

const TEAM: Team = {
  id: "team_1",
  name: "Acme Shop",
  limits: { daily: 10, monthly: 100, delivery_rate_per_minute: 60, requests_per_second: 5 },
  label_caps: {
    tags_per_hour: 1,
    topic_per_hour: 2,
    campaign_per_hour: 3,
    campaign_per_72_hours: 4,
  },
  event_retention_days: 30,
  subscription: "active",
  overage_credits: 0,
  ip_pools: ["default"],
  courier: null,
  region: null,
  first_mail: null,
  sending: {
    courier: "gateway",
    keeps: {
      dkim_signature: "kept",
      message_id: "kept",
      return_path: "kept",
      ip_pool: "kept",
      server_reply: "kept",
    },
  },
  number: 1,
  shards: [{ from: "2027-02-20", shards: [0] }],
  created_at: "2027-02-20T10:00:00.000Z",
  updated_at: "2027-02-20T10:00:00.000Z",
};

const SAME = {
  name: " Acme Shop ",
  "limits.daily": "10",
  "label_caps.topic_per_hour": "2",
  overage_credits: "0",
  event_retention_days: "30",
  subscription: "active",
  courier: "",
  ip_pools: "default",
};

describe("changesOf", () => {
  it("is empty for a form that was not changed, or has no fields", () => {
    expect(changesOf(TEAM, SAME)).toEqual({});
    expect(changesOf(TEAM, {})).toEqual({});
  });

  it("has only the members that differ", () => {
    const form = {
      ...SAME,
      "limits.daily": "20",
      "limits.monthly": "",
      "label_caps.topic_per_hour": "0",
      overage_credits: "5",
      event_retention_days: "7",
      courier: "gateway",
      ip_pools: "",
    };
    expect(changesOf(TEAM, form)).toEqual({
      limits: { daily: 20 },
      label_caps: { topic_per_hour: 0 },
      overage_credits: 5,
      event_retention_days: 7,
      courier: "gateway",
      ip_pools: [],
    });
  });

  it("returns to the deployment's courier with null", () => {
    expect(changesOf({ ...TEAM, courier: "smtp" }, SAME)).toEqual({ courier: null });
  });
});

describe("undoOf", () => {
  it("restores the values that the changes replaced", () => {
    const changes = changesOf(TEAM, { "limits.daily": "20", name: "smtp", courier: "smtp" });
    expect(undoOf(TEAM, changes)).toEqual({
      limits: { daily: 10 },
      name: "Acme Shop",
      courier: null,
    });
    expect(describeChanges(TEAM, changes)).toEqual([
      "Recipients per day: 10 → 20",
      "Name: Acme Shop → smtp",
      "Delivery method: default of the deployment → SMTP relay",
    ]);
  });
});

describe("readShards", () => {
  it.each([
    ["", null],
    [" 0, 2  3", [0, 2, 3]],
    ["0, two", undefined],
    ["-1", undefined],
  ])("reads %o", (text, shards) => {
    expect(readShards(text)).toEqual(shards);
  });
});

describe("shardSummary", () => {
  it("says where new teams go, and that no shard for them has room", () => {
    const full = { shard: 0, teams: 3, size: 7_000_000_001, takes_new_teams: true };
    const quiet = { shard: 1, teams: 1, size: null, takes_new_teams: false };
    expect(shardSummary([full, quiet])).toBe(
      "New teams are stored on shard 0. It is low on space: add a shard. There was no answer from shard 1 within 2 seconds. New events are kept and stored later.",
    );
    expect(shardSummary([{ ...full, size: 1_000 }])).toBe("New teams are stored on shard 0.");
  });
});

describe("sortTeams", () => {
  const listed = (name: string, sent: number, bounced: number, severity: "critical" | null) => ({
    team: { ...TEAM, name },
    figures: { sent, delivered: sent - bounced, bounced, complained: 0 },
    severity,
  });
  const unread = { team: { ...TEAM, name: "unread" }, figures: undefined, severity: undefined };
  const teams = [unread, listed("small", 10, 5, null), listed("large", 900, 9, "critical")];

  it.each([
    ["newest", ["unread", "small", "large"]],
    ["attention", ["large", "unread", "small"]],
    ["sent", ["large", "small", "unread"]],
    ["bounced", ["small", "large", "unread"]],
  ] as const)("by %s", (sort, names) => {
    expect(sortTeams(teams, sort).map(({ team }) => team.name)).toEqual(names);
  });
});

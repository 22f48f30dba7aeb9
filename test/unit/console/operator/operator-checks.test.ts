// Tests how the operator's console judges gateways and metrics.
import { describe, expect, it } from "vitest";
import type { Deployment } from "../../../../console/src/api/operator/types.ts";
import {
  clockProblem,
  evidenceOf,
  describeWaitingMail,
  sinceOf,
  watchGateways,
} from "../../../../console/src/pages/operator/gateway-watch.ts";
import { busyDestinations } from "../../../../console/src/pages/operator/busy-destinations.ts";
import type { MetricsSample } from "../../../../console/src/pages/operator/metrics/metric-figures.ts";
import { parseMetrics } from "../../../../console/src/pages/operator/metrics/metrics-text.ts";
import { concernsAmong } from "../../../../console/src/pages/operator/checks/operator-check.ts";
import {
  checkGatewayFindings,
  faultsOf,
} from "../../../../console/src/pages/operator/checks/check-gateway-findings.ts";
import { checkGateways } from "../../../../console/src/pages/operator/checks/check-gateways.ts";
import {
  checkMetrics,
  unknownAmong,
} from "../../../../console/src/pages/operator/checks/check-metrics.ts";

type State = Deployment["gateways"][number]["state"];

function deploymentOf(time: string, ...states: State[]): Deployment {
  return {
    service_domain: "postern.test",
    public_url: "https://api.example.com",
    outbound: "gateway",
    gateways: states.map((state, index) => ({
      url: `https://egress-${index}.example.com`,
      state,
      status: state === "unreachable" ? null : 200,
      date: null,
    })),
    time,
  };
}

function looksOf(...texts: string[]): MetricsSample[] {
  return texts.map((text, index) => ({ at: index * 60_000, families: parseMetrics(text) }));
}

const AT = "2027-02-20T10:00:00.000Z";

describe("watchGateways", () => {
  it("shows since when a state was seen, and no beginning after the first reading", () => {
    const first = watchGateways(undefined, deploymentOf(AT, "agreed"));
    const down = watchGateways(first, deploymentOf("2027-02-20T10:00:15.000Z", "unreachable"));
    const still = watchGateways(down, deploymentOf("2027-02-20T10:00:30.000Z", "unreachable"));
    expect(first.gateways[0]?.since).toBeNull();
    expect(still.gateways[0]?.since).toBe("2027-02-20T10:00:15.000Z");
    expect(sinceOf(still.gateways[0]!, "UTC")).toBe("since 10:00:15 UTC");
  });

  it("keeps a null beginning while the state lasts", () => {
    const first = watchGateways(undefined, deploymentOf(AT, "refused"));
    const still = watchGateways(first, deploymentOf("2027-02-20T10:00:15.000Z", "refused"));
    expect(still.gateways[0]).toMatchObject({ since: null, seen: AT });
  });
});

describe("checkGateways", () => {
  it("names the gateway that is down, and says that its share of the mail waits", () => {
    const deployment = watchGateways(undefined, deploymentOf(AT, "agreed", "unreachable"));
    const [concern] = concernsAmong(checkGateways(deployment, "UTC"));
    expect(concern?.says).toContain("The gateway egress-1.example.com (one of 2) does not answer.");
    expect(concern?.says).toContain("assigned to it waits: no other gateway takes over");
    expect(concern?.evidence).toBe(
      "POST https://egress-1.example.com/deliver → no answer (noticed at 10:00:00 UTC)",
    );
  });

  it("says that all mail waits when the only gateway is down", () => {
    const deployment = watchGateways(undefined, deploymentOf(AT, "unavailable"));
    expect(describeWaitingMail(deployment)).toMatch(/^Mail is accepted and waits\./);
    expect(evidenceOf(deployment.gateways[0]!)).toContain("HTTP 200");
  });
});

describe("checkGatewayFindings", () => {
  const url = "https://egress.example.com";
  const same = { check: "ptr", subject: null, advice: null, link: null };
  const findings = (["ok", "unknown", "warning", "failed"] as const).map((status) => {
    return { ...same, status, message: `it is ${status}` };
  });
  const watchOf = (count: number) => {
    return { checked_at: AT, findings: findings.slice(0, count), destinations: [] };
  };
  const judged = (count: number) =>
    checkGatewayFindings({ gateways: [{ url, watch: watchOf(count) }] })[0];

  it.each([
    [1, "ok", "0 problems", ""],
    [2, "mute", "unknown", ""],
    [3, "wait", "1 problem", "The gateway egress.example.com: it is warning."],
    [4, "bad", "2 problems", "The gateway egress.example.com: it is failed."],
  ])("names the worst of the first %i findings", (count, tone, value, says) => {
    expect(judged(count)).toMatchObject({ tone, value, says });
  });

  it("has no finding for a gateway that reports nothing, and lists the worst faults first", () => {
    const silent = [null, { checked_at: null, findings: [], destinations: [] }];
    expect(checkGatewayFindings({ gateways: silent.map((watch) => ({ url, watch })) })).toEqual([]);
    const faults = faultsOf(watchOf(4)).map(({ status }) => status);
    expect(faults).toEqual(["failed", "warning", "unknown"]);
  });
});

describe("busyDestinations", () => {
  it("lists destinations with open, waiting or refused mail, the most waiting mail first", () => {
    const same = { pool: "default", concurrency: 5, why: "most" } as const;
    const destinationOf = (name: string, open: number, waiting: number, refused: number) => {
      return { ...same, name, open, waiting, refused };
    };
    const destinations = [
      destinationOf("open", 50, 0, 0),
      destinationOf("idle", 0, 0, 0),
      destinationOf("refused", 0, 0, 3),
      destinationOf("waiting", 1, 9, 0),
    ];
    const busy = busyDestinations({ checked_at: null, findings: [], destinations });
    expect(busy.map(({ name }) => name)).toEqual(["waiting", "refused", "open"]);
  });
});

describe("clockProblem", () => {
  it("reports a clock only if it is far off", () => {
    const [agreed] = deploymentOf("", "agreed").gateways;
    const gateway = { ...agreed!, date: "2027-02-20T10:02:00.000Z" };
    expect(clockProblem(gateway, AT)).toBe("Its clock is 2 min ahead.");
    expect(clockProblem(gateway, "2027-02-20T10:01:50.000Z")).toBeNull();
  });
});

describe("checkMetrics", () => {
  const concernsOf = (...texts: string[]) => concernsAmong(checkMetrics(looksOf(...texts)));

  it("finds nothing in numbers that are as they should be", () => {
    const text = `postern_stuck_recipients 0
postern_oldest_undelivered_seconds 3600
postern_ledgers_full 0
postern_queue_oldest_seconds{queue="postern-deliver"} 120
postern_queue_backlog_messages{queue="postern-deliver"} 4
postern_dead_letters{queue="postern-deliver"} 0
postern_webhook_lag_seconds 3600
postern_source_up{source="database"} 1
postern_http_requests_total{status="5xx"} 7`;
    expect(concernsOf(text, text)).toEqual([]);
  });

  it.each([
    ["postern_stuck_recipients 1", "1 recipient has been waiting for more than 15 minutes", "bad"],
    ["postern_ledgers_full 2", "2 teams have used up 8 GB of storage", "bad"],
    ['postern_queue_oldest_seconds{queue="postern-deliver"} 121', "is falling behind", "bad"],
    ['postern_dead_letters{queue="postern-dns-cleanup"} 1', "still in the zone", "bad"],
    [
      'postern_dead_letters{queue="postern-deliver"} 3',
      "3 jobs in postern-deliver failed every attempt",
      "wait",
    ],
    ["postern_webhook_lag_seconds 3601", "webhook batch has been waiting for 1 h", "wait"],
    ["postern_oldest_undelivered_seconds 260000", "should end after 72 hours", "wait"],
    ["postern_log_set_aside_total 1", "1 group of events could not be processed", "wait"],
    ['postern_log_events{state="undelivered"} 10001', "have not reached the webhooks", "wait"],
    ['postern_log_events{state="unpaged"} 1000001', "not been written to the database", "wait"],
    ['postern_source_up{source="database"} 0', "The data source “database” did not answer", "bad"],
  ])("has a concern for %s", (text, says, tone) => {
    expect(concernsOf(text)).toEqual([
      expect.objectContaining({ says: expect.stringContaining(says) as string, tone }),
    ]);
  });

  it("judges faults by their increase, and puts the worst first", () => {
    const before = 'postern_http_requests_total{status="5xx"} 9\npostern_dead_letters{queue="q"} 1';
    const after = `${before.replace("9", "11")}\npostern_http_requests_total{status="2xx"} 8`;
    expect(concernsOf(before).map(({ id }) => id)).toEqual(["letters q"]);
    expect(concernsOf(before, after).map(({ id }) => id)).toEqual(["faults", "letters q"]);
    expect(concernsOf(before, after)[0]?.says).toBe(
      "2 of 10 requests (20%) in the last 1 min failed with a server error.",
    );
  });

  it("counts the recipients that wait, and names their states", () => {
    const text = `postern_open_recipients{state="attempting"} 3
postern_open_recipients{state="queued"} 0
postern_open_recipients{state="deferred"} 2`;
    const waiting = checkMetrics(looksOf(text)).find(({ id }) => id === "pending");
    expect(waiting).toMatchObject({
      value: "5",
      tone: "ok",
      means: "Recipients without a final outcome: 3 sending, 2 delayed.",
    });
  });

  it("calls a number unknown whose source did not answer", () => {
    const stuck = checkMetrics(looksOf("")).find(({ id }) => id === "stuck");
    expect(stuck).toMatchObject({ value: "unknown", tone: "mute" });
    expect(unknownAmong(checkMetrics(looksOf("")))).toContain("Stuck recipients");
    expect(unknownAmong(checkMetrics(looksOf("postern_stuck_recipients 0")))).not.toContain(
      "Stuck recipients",
    );
  });
});

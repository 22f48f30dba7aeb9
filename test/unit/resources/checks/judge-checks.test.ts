// Tests the verdicts on shares and increases (src/resources/checks/judge-checks.ts). A verdict
// compares the present counters with stored sums, the marks.
import { describe, expect, it } from "vitest";
import { markOf } from "../../../../src/metrics/sample-sums.ts";
import { judgeChecks } from "../../../../src/resources/checks/judge-checks.ts";
import type { Samples } from "../../../../src/rpc/metrics-calls.ts";

const NOW = Date.UTC(2027, 1, 20, 10);
const MINUTE_MS = 60_000;
const UP = { 'postern_source_up{source="counters"}': 1 };
const requests = (good: number, bad: number): Samples => ({
  ...UP,
  'postern_http_requests_total{surface="send",status="2xx"}': good,
  'postern_http_requests_total{surface="manage",status="5xx"}': bad,
});

function judge(check: string, samples: Samples, ...before: [minutes: number, Samples][]) {
  const marks = before.map(([minutes, old]) => markOf(old, NOW - minutes * MINUTE_MS));
  const rows = judgeChecks({ samples, marks, misspelt: [], hasGateways: false, now: NOW });
  return rows.find((row) => row.check === check);
}

describe("a share", () => {
  it.each([
    ["over its limit", requests(95, 15), [[10, requests(0, 10)]], "critical", "5% of the requests"],
    ["at its limit", requests(99, 1), [[10, requests(0, 0)]], "ok", "Few requests"],
    ["of too few requests", requests(9, 9), [[10, requests(0, 0)]], "ok", "too few to judge"],
    [
      "in an earlier window",
      requests(200, 50),
      [
        [20, requests(0, 0)],
        [11, requests(100, 50)],
      ],
      "ok",
      "Few",
    ],
    ["of a young deployment", requests(20, 20), [[2, requests(0, 0)]], "critical", "50% of the"],
    ["of counters that restarted", requests(1, 1), [[10, requests(900, 90)]], "ok", "Few"],
  ] as const)("%s is judged by the growth in its window", (_, now, marks, status, message) => {
    const row = judge(
      "requests.faults",
      now,
      ...marks.map(([at, old]): [number, Samples] => [at, old]),
    );
    expect(row).toMatchObject({ status, message: expect.stringContaining(message) as string });
  });

  it("is unknown without an earlier mark, and while the counters can't be read", () => {
    expect(judge("requests.faults", requests(95, 15))?.status).toBe("unknown");
    const away = { 'postern_source_up{source="counters"}': 0 };
    expect(judge("requests.faults", away, [10, requests(0, 0)])?.status).toBe("unknown");
    expect(judge("requests.faults", UP)?.status).toBe("ok");
  });

  it("counts only the series whose label has one of the check's values", () => {
    const bounced = (kind: string) => `postern_bounced_total{type="permanent",class="${kind}"}`;
    const samples = {
      ...UP,
      postern_accepted_total: 1_000,
      [bounced("SpamBlock")]: 15,
      [bounced("PolicyRelated")]: 15,
      [bounced("InvalidRecipient")]: 15,
    };
    expect(judge("mail.blocked", samples, [30, UP])).toMatchObject({
      status: "critical",
      value: 0.03,
      message: "3% of the mail is refused because of its sender.",
    });
    expect(judge("mail.bounces", samples, [60, UP])?.status).toBe("ok");
  });
});

describe("an increase", () => {
  it("is over its limit only as long as it lies within the window", () => {
    const set = { ...UP, postern_log_set_aside_total: 2 };
    expect(judge("events.set_aside", set, [60, UP])?.status).toBe("critical");
    expect(judge("events.set_aside", set, [120, UP], [61, set])?.status).toBe("ok");
  });
});

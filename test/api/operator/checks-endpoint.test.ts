// Tests GET /admin/checks (src/resources/checks): the verdict on every number, the time since which
// a number is over its limit, and the numbers that are unknown while a source is away.
import { describe, expect, it, vi } from "vitest";
import type { Env } from "../../../src/env.ts";
import type { Checks, CheckRow } from "../../../src/resources/checks/wire.ts";
import { METRICS_OBJECT } from "../../../src/rpc/metrics-calls.ts";
import { ADMIN_TOKEN, askDeployment, bindings, operator } from "../../support/api.ts";
import { checkDescribed } from "../../support/openapi-shapes.ts";

async function ask(env?: Partial<Env>): Promise<Checks> {
  const response = env
    ? await askDeployment(env, "GET", "/admin/checks", ADMIN_TOKEN)
    : await operator.get("/admin/checks");
  expect(response.status).toBe(200);
  await checkDescribed("GET", "/admin/checks", response.clone());
  return response.json();
}

const find = ({ checks }: Checks, check: string, subject: string | null = null) =>
  checks.find((row) => row.check === check && row.subject === subject);

const board = () => bindings.METRICS.getByName(METRICS_OBJECT);

describe("GET /admin/checks", () => {
  it("judges a number by its limit, and keeps since when it is over", async () => {
    expect(find(await ask(), "queues.stuck")).toMatchObject({
      status: "ok",
      since: null,
      limit: 0,
    });
    await board().report("team_a", { stuck: 3, waiting: 2, queued: 1 }, Date.now());
    const first = await ask();
    const stuck = find(first, "queues.stuck");
    expect(first.status).toBe("critical");
    expect(stuck).toMatchObject({
      status: "critical",
      value: 3,
      since: first.checked_at,
      message: "Stuck recipients: 3. Their first attempt is more than 15 minutes overdue.",
      next_step: expect.stringContaining("stuck") as string,
      evidence: "postern_stuck_recipients 3",
    });
    expect(find(first, "mail.pending")).toMatchObject({
      status: "ok",
      value_text: "3",
      limit: null,
    });
    expect(find(await ask(), "queues.stuck")?.since).toBe(first.checked_at);
    await board().report("team_a", null, Date.now());
    expect(find(await ask(), "queues.stuck")).toMatchObject({ status: "ok", since: null });
  });

  it("shows of each gateway whether it takes mail, and marks the numbers that only Prometheus watches", async () => {
    vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
      Promise.reject(new Error("refused")),
    );
    const answer = await ask();
    const url = "http://egress.test";
    expect(find(answer, "gateway.token", url)).toMatchObject({
      status: "critical",
      message: `The gateway ${url} does not answer.`,
      evidence: `POST ${url}/deliver → no answer`,
    });
    expect(find(answer, "gateway.watch", url)?.status).toBe("unknown");
    expect(find(answer, "requests.slow")?.status).toBe("alert_only");
    const none = await ask({ OUTBOUND: "smtp", EGRESS_URL: "" });
    expect(none.checks.filter(({ check }) => check.startsWith("gateway."))).toEqual([]);
  });

  it("shows the counters' numbers as unknown, never as ok, while the counters' object is away", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const away = () => Promise.reject(new Error("down"));
    const METRICS = { getByName: () => ({ read: away, watch: away, add: away }) };
    const answer = await ask({ METRICS } as unknown as Partial<Env>);
    const about = (names: string): (CheckRow | undefined)[] =>
      names.split(" ").map((check) => find(answer, check));
    for (const row of about(
      "queues.stuck mail.pending mail.bounces requests.faults events.set_aside",
    ))
      expect(row).toMatchObject({ status: "unknown", value: null, since: null });
    const source = find(answer, "queues.source", "counters");
    expect(source).toMatchObject({ status: "critical", since: null });
    expect(find(answer, "queues.dead_letters", "postern-deliver")?.status).toBe("ok");
  });

  it("names a variable whose name is nearly that of a setting", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const row = find(
      await ask({ LOG_LEVL: "info" } as Partial<Env>),
      "worker.variables",
      "LOG_LEVL",
    );
    const message =
      "The variable LOG_LEVL has no effect. The setting LOG_LEVEL has nearly the same name.";
    expect(row).toMatchObject({ status: "warning", message });
    expect(find(await ask(), "worker.variables")?.status).toBe("ok");
  });
});

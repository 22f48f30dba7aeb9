// Tests what a seed plans for the rounds of chaos (tools/chaos/plan.ts), and that each edge case is
// frequent.
import { describe, expect, it } from "vitest";
import { planRound, type RoundPlan } from "../../../tools/chaos/plan.ts";
import type { Victim } from "../../../tools/chaos/plan-kills.ts";

describe("the plan of a round", () => {
  it("is the same for the same seed and round, and different for another", () => {
    expect(planRound(7, 3)).toEqual(planRound(7, 3));
    expect(planRound(7, 3)).not.toEqual(planRound(7, 4));
    expect(planRound(7, 3)).not.toEqual(planRound(8, 3));
  });

  it("has servers that treat a used connection differently from a new one, and mail that is canceled early", () => {
    const rounds = Array.from({ length: 500 }, (_, index) => planRound(4, index + 1));
    const byGateway = rounds.filter(({ courier }) => courier === "gateway");
    const hasRefusedDot = ({ sends }: RoundPlan): boolean =>
      JSON.stringify(sends).includes('"full-');
    const afterDot = byGateway.filter((plan) => plan.habit === "keeps_open" && hasRefusedDot(plan));
    const ofOne = byGateway.filter(({ habit }) => habit === "one_message");
    const canceled = rounds.filter(({ sends }) =>
      sends.some(({ schedule }) => schedule?.act === "cancel" && schedule.actAfterMs < -3_000),
    );
    expect(afterDot.length).toBeGreaterThan(80);
    expect(ofOne.length).toBeGreaterThan(40);
    expect(canceled.length).toBeGreaterThan(200);
  });

  it("makes the Email Service carry some rounds of a campaign, a few of them with events under other ids", () => {
    const couriers = Array.from({ length: 16 }, (_, index) => planRound(4, index + 1).courier);
    expect(new Set(couriers)).toEqual(new Set(["gateway", "cloudflare", "cloudflare_other_ids"]));
  });

  it("has servers that are silent after the final dot, and each edge case of the questions about outcomes", () => {
    const rounds = Array.from({ length: 500 }, (_, index) => planRound(4, index + 1)).filter(
      ({ courier }) => courier === "gateway",
    );
    const withKill = (operations: readonly string[], victims: readonly Victim[]): RoundPlan[] =>
      rounds.filter(({ kills }) =>
        kills.some(
          (kill) =>
            (operations.length === 0 || operations.includes(kill.operation)) &&
            victims.some((victim) => kill.victims.includes(victim)),
        ),
      );
    const asking = ["after_hand_over", "before_ask", "after_ask"];
    const silent = rounds.filter(({ sends }) => JSON.stringify(sends).includes('"late-'));
    expect(silent.length).toBeGreaterThan(200);
    for (const point of asking) expect(withKill([point], ["worker"]).length).toBeGreaterThan(5);
    expect(withKill(asking, ["gateway_a", "gateway_b"]).length).toBeGreaterThan(5);
    for (const victim of ["ledgers", "worker_for_minutes", "gateway_b_leaves"] as const)
      expect(withKill([], [victim]).length).toBeGreaterThan(5);
    for (const host of ["a", "b"] as const)
      expect(rounds.filter(({ oldHosts }) => oldHosts.includes(host)).length).toBeGreaterThan(20);
    const earlier = rounds.filter(({ odds }) =>
      odds.some(({ fault }) => fault === "earlier_worker"),
    );
    expect(earlier.length).toBeGreaterThan(20);
    expect(rounds.filter(({ deferred }) => deferred > 0).length).toBeGreaterThan(5);
  });
});

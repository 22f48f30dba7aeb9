// Tests the evidence that explains a suppression (contract.md §Explanations): the latest cause that
// is still in force, with a reply that is cut to its stored length.
import { describe, expect, it } from "vitest";
import {
  suppressForBounce,
  suppressForComplaint,
} from "../../../../src/resources/suppressions/automatic-suppressions.ts";
import { getSuppressions } from "../../../../src/resources/suppressions/store.ts";
import {
  evidenceOf,
  shownEvidence,
  type SuppressionEvidence,
} from "../../../../src/resources/suppressions/suppression-evidence.ts";
import { suppressionsOfTeam } from "../../../support/suppressions.ts";

const NOW = 1_760_000_000_000;
const ANN = "ann@example.org";

function evidence(emailId: string, at: number, words = "User unknown"): SuppressionEvidence {
  const reply = `550 5.1.1 ${words}`;
  return evidenceOf(emailId, {
    occurredAt: at,
    bounce: { type: "permanent", classification: null, smtpCode: 550, smtpResponse: reply },
    exchange: { stage: "rcpt", response: reply, mxHost: "mx1.example.org", tls: null, rule: null },
  });
}

describe("the evidence of a suppression", () => {
  it("is that of the last bounce, then of the complaint that takes its place", async () => {
    const scope = suppressionsOfTeam(`team_${crypto.randomUUID()}`);
    const shown = async () => (await getSuppressions(scope, ANN, NOW)).map(shownEvidence);
    const bounce = (emailId: string, at: number) =>
      suppressForBounce(
        scope,
        [{ email: ANN, classification: null, smtpCode: 550, at, ...evidence(emailId, at) }],
        at,
      );
    await bounce("email_1", NOW);
    await bounce("email_2", NOW + 5);
    expect(await shown()).toEqual([
      {
        reply: "550 5.1.1 User unknown",
        stage: "rcpt",
        mx_host: "mx1.example.org",
        at: new Date(NOW + 5).toISOString(),
        email_id: "email_2",
      },
    ]);
    const complaint = { reply: null, stage: null, mxHost: null, emailId: "email_3", causedAt: NOW };
    const reported = { email: ANN, feedbackType: "abuse", at: NOW, ...complaint };
    await suppressForComplaint(scope, [reported], NOW);
    expect(await shown()).toMatchObject([{ email_id: "email_3", reply: null }]);
  });

  it("has at most 500 characters of a reply, without half characters", () => {
    const { reply } = evidence("email_1", NOW, `${"x".repeat(489)}😀`);
    expect(reply).toHaveLength(500);
    expect(reply?.isWellFormed()).toBe(true);
  });
});

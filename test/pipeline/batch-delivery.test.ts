// Tests batches through the whole service: from POST /v1/email/batch to the recipients' servers.
import { beforeEach, describe, expect, it } from "vitest";
import { bindings, call, makeTeam, type TestTeam } from "../support/api.ts";
import { makeSendingDomain } from "../support/domain.ts";
import { FakeEgress } from "../support/fakes/fake-egress.ts";

interface BatchBody {
  readonly summary: { readonly total: number; readonly queued: number; readonly failed: number };
  readonly data: readonly {
    readonly status: string;
    readonly index: number;
    readonly id: string;
    readonly error?: { readonly type: string };
  }[];
}

let egress: FakeEgress;
let team: TestTeam;
let domain: string;

beforeEach(async () => {
  egress = new FakeEgress();
  team = await makeTeam({
    limits: { requests_per_second: 1_000, delivery_rate_per_minute: 60_000 },
  });
  domain = await makeSendingDomain(team.id);
});

function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return call("POST", "/v1/email/batch", { key: team.key, body, headers });
}

const entry = (index: number) => ({
  to: [`person-${index}@receiver.example`],
  subject: `Message ${index}`,
  text: `Body ${index}.`,
});

const usage = () => bindings.TEAM_LEDGER.getByName(team.id).usage(Date.now());

describe("a batch of 100", () => {
  it("costs one request, and delivers each message once to its own recipient", async () => {
    const response = await post({
      defaults: { from: `Sender <hello@${domain}>`, tags: ["batch"] },
      emails: Array.from({ length: 100 }, (_, n) => entry(n)),
    });
    expect(response.status).toBe(202);
    expect(response.headers.get("X-Request-Id")).toMatch(/^req_/);
    const { summary, data } = await response.json<BatchBody>();
    expect(summary).toEqual({ total: 100, queued: 100, failed: 0 });
    expect(data.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    await expect.poll(() => egress.carried.length, { interval: 100 }).toBeGreaterThanOrEqual(100);
    await expect
      .poll(usage, { interval: 100 })
      .toMatchObject({ messages: 0, jobs: 0, dailyUsed: 100 });
    expect(egress.carried).toHaveLength(100);
    for (const index of data.keys()) {
      const [copy] = egress.to(`person-${index}@receiver.example`);
      expect(copy?.message).toContain(`\r\nSubject: Message ${index}\r\n`);
      expect(copy?.message).toContain(`Body ${index}.`);
    }
    const events = await team.get(`/v1/events?email_id=${data[42]?.id}`);
    expect((await events.json<{ data: unknown[] }>()).data).toMatchObject([
      {
        type: "email.delivered",
        recipient: "person-42@receiver.example",
        subject: "Message 42",
        tags: ["batch"],
      },
      { type: "email.sent" },
    ]);
  });
});

// Tests scheduled sends as a client sees them (contract.md §Scheduled sends): which times are
// accepted, over HTTP and SMTP, and what the answers show.
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import type { ErrorBody } from "../../support/api.ts";
import { bindings, errorsOf, ok } from "../../support/api.ts";
import { frame, askGateway } from "../../support/fakes/fake-gateway.ts";
import { ofFile } from "../../support/before-tests.ts";
import { TestSender } from "../../support/test-sender.ts";

const team = ofFile(TestSender.make);

const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

const send = (more: object, headers?: Record<string, string>) =>
  team.send({ to: ["ann@example.net"], ...more }, headers);

async function waits(id: string): Promise<boolean> {
  const { scheduled } = await bindings.TEAM_LEDGER.getByName(team.id).find(id);
  return scheduled !== undefined;
}

const submit = (fields: string, envelope: Record<string, unknown> = {}) =>
  askGateway("POST", "/gateway/messages", {
    key: team.key,
    raw: frame(
      JSON.stringify({ mail_from: team.from, rcpt_to: ["ann@example.net"], ...envelope }),
      `From: ${team.from}\r\nTo: ann@example.net\r\nSubject: Hi\r\n${fields}\r\nHello\r\n`,
    ),
  });

describe("scheduled_at of a send", () => {
  it("is in the 202, and the message is kept until that time", async () => {
    const at = inHours(5);
    const response = await send({ scheduled_at: at });
    expect([response.status, response.headers.get("X-Ignored-Members")]).toEqual([202, null]);
    const { id, scheduled_at } = await response.json<{ id: string; scheduled_at: string }>();
    expect(scheduled_at).toBe(at);
    expect(await waits(id)).toBe(true);
  });

  it.each([
    ["without seconds", (iso: string) => iso.replace(/:\d\d\.\d+Z$/, "Z")],
    ["with an offset without its colon", (iso: string) => iso.replace("Z", "+0000")],
  ])("may be written %s, by HTTP, by PATCH and by SMTP", async (_, write) => {
    const whole = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 5 * HOUR_MS).toISOString();
    const text = write(whole);
    const response = await send({ scheduled_at: text });
    const answer = await response.json<{ id: string }>();
    expect(answer).toMatchObject({ scheduled_at: whole });
    const moved = await team.patch(`/v1/email/${answer.id}`, { scheduled_at: text });
    expect(await moved.json()).toMatchObject({ scheduled_at: whole });
    const submitted = await submit(`X-Service-Send-At: ${text}\r\n`);
    expect(await submitted.json()).toMatchObject({ scheduled_at: whole });
  });

  it("means now if it is within the past minute, and then no answer shows it", async () => {
    const answer = await ok<{ id: string }>(
      send({ scheduled_at: new Date(Date.now() - 30_000).toISOString() }),
      202,
    );
    expect(Object.keys(answer)).toEqual(["id", "created_at"]);
    expect(await waits(answer.id)).toBe(false);
  });

  it.each([
    ["tomorrow", "must be an ISO 8601 date-time with an offset"],
    ["2031-01-15T12:00:00", "must be an ISO 8601 date-time with an offset"],
    [1_795_000_000, "must be an ISO 8601 date-time with an offset"],
    [new Date(Date.now() + 30 * DAY_MS + HOUR_MS).toISOString(), "must be at most 30 days ahead"],
    [new Date(Date.now() - 2 * 60_000).toISOString(), "is in the past"],
  ])("is refused as %s", async (value, problem) => {
    const { error } = await ok<ErrorBody>(send({ scheduled_at: value }), 422);
    expect(error.errors?.["scheduled_at"]?.[0]).toContain(problem);
  });

  it("of a batch's defaults holds for entries without their own", async () => {
    const [shared, own] = [inHours(4), inHours(6)];
    const email = { to: ["ann@example.net"], subject: "Hi", text: "Hello" };
    const emails = [email, { ...email, scheduled_at: own }];
    const batch = (scheduled_at: string) =>
      team.post("/v1/email/batch", { defaults: { from: team.from, scheduled_at }, emails });
    expect(await ok(batch(shared), 202)).toMatchObject({
      data: [{ scheduled_at: shared }, { scheduled_at: own }],
    });
    expect(await errorsOf(batch("soon"), 400)).toHaveProperty(["emails.0.scheduled_at"]);
  });
});

describe("a submitted message", () => {
  it.each([
    ["X-Service-Send-At", (at: string) => submit(`X-Service-Send-At: ${at}\r\n`)],
    ["HOLDUNTIL", (at: string) => submit("", { hold_until: at })],
    [
      "both",
      (at: string) =>
        submit(`X-Service-Send-At: ${at}\r\n`, { hold_until: at.replace("Z", "+00:00") }),
    ],
  ])("is scheduled by %s", async (_, submitAt) => {
    const at = inHours(2);
    const answer = await ok<{ id: string; scheduled_at: string }>(submitAt(at), 202);
    expect(answer.scheduled_at).toBe(at);
    expect(await waits(answer.id)).toBe(true);
  });

  it("is scheduled by HOLDFOR from its arrival on", async () => {
    const response = await submit("", { hold_for: 3_600 });
    const answer = await response.json<{ created_at: string; scheduled_at: string }>();
    expect(Date.parse(answer.scheduled_at) - Date.parse(answer.created_at)).toBe(HOUR_MS);
  });

  it("goes out at once by HOLDFOR=0", async () => {
    const answer = await (await submit("", { hold_for: 0 })).json();
    expect(answer).not.toHaveProperty("scheduled_at");
  });

  it.each([
    ["a text that is no time", "X-Service-Send-At: soon\r\n", {}],
    ["two headers", `X-Service-Send-At: ${inHours(1)}\r\n`.repeat(2), {}],
    ["header and envelope that differ", `X-Service-Send-At: ${inHours(1)}\r\n`, { hold_for: 60 }],
    ["an envelope beyond 30 days", "", { hold_for: 31 * 24 * 3_600 }],
    ["an envelope in the past", "", { hold_until: "2020-01-01T00:00:00Z" }],
  ])("is refused for %s", async (_, fields, envelope) => {
    expect(await errorsOf(submit(fields, envelope))).toHaveProperty("scheduled_at");
  });
});

// Tests that tools answer the questions of developers and support staff, each question with at most
// three calls (docs/mcp.md §Questions).
import { beforeAll, describe, expect, it, vi } from "vitest";
import { call, statement } from "../../support/api.ts";
import { makeSendingDomain } from "../../support/domain.ts";
import { DELIVERED } from "../../support/fakes/fake-egress.ts";
import { FakeReceiver } from "../../support/fakes/fake-receiver.ts";
import { Harness } from "../../support/harness.ts";
import { create as createTemplate, patchDraft, publish } from "../../support/templates.ts";
import { logged, newBatches, outboxOf, post } from "../../support/test-outbox.ts";
import { create as createWebhook, WISH } from "../../support/test-webhooks.ts";
import { ofFile } from "../../support/before-tests.ts";

const MOST_CALLS = 3;
const DAY_MS = 86_400_000;
const ANNA = "anna.berg@receiver.example";
const OPENER = "opened@simulator.postern.test";
const NO_USER = { ...DELIVERED, code: 550, enhanced: "5.1.1", text: "No such user", stage: "rcpt" };

type Arguments = Readonly<Record<string, unknown>>;

interface ToolAnswer {
  readonly content: readonly { readonly text: string }[];
  readonly isError: boolean;
  readonly structuredContent: {
    readonly data: readonly { readonly id: string; readonly address: string }[];
  };
}

/**
 * A call of an MCP tool. If `args` is a function, it computes the arguments from the previous
 * tool's answer.
 */
type ToolCall = readonly [
  name: string,
  args?: Arguments | ((before: ToolAnswer["structuredContent"]) => Arguments),
];

const harness = ofFile(Harness.make);
let today: string;
let tomorrow: string;
let schemas: Map<string, { readonly properties: Arguments }>;

async function ask(method: string, params: Arguments): Promise<unknown> {
  const raw = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await call("POST", "/mcp", { key: harness.key, raw });
  return (await response.json<{ result: unknown }>()).result;
}

beforeAll(async () => {
  const receiver = new FakeReceiver().install(true);
  const now = Date.now();
  today = new Date(now).toISOString().slice(0, 10);
  tomorrow = new Date(now + DAY_MS).toISOString();
  const { tools } = (await ask("tools/list", {})) as {
    tools: { name: string; inputSchema: { properties: Arguments } }[];
  };
  schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));

  harness.egress.replies(ANNA, NO_USER);
  const reset = { to: [ANNA], subject: "Reset your password", text: "Here.", topic: "account" };
  const first = await harness.send(reset);
  const opened = await harness.send({ to: [OPENER], html: "<p>Hi</p>", campaign: "spring" });
  await harness.send({ to: ["bob@receiver.example"], text: "Hi", scheduled_at: tomorrow });
  await vi.waitFor(async () => {
    expect(await harness.events(`event_type=email.bounced&email_id=${first}`)).toHaveLength(1);
    expect(await harness.events(`event_type=email.opened&email_id=${opened}`)).toHaveLength(1);
  });

  await makeSendingDomain(harness.id, "shop.example.org");
  const unverified = "UPDATE domains SET status = 'pending', verified_at = NULL WHERE name = ?";
  await statement(unverified, "shop.example.org").run();
  for (const body of [
    { name: "checkout", permissions: "send_only", allowed_ips: ["192.0.2.0/24"] },
    { name: "backend", permissions: "full" },
  ])
    await harness.post("/v1/api-keys", body);
  const welcome = await createTemplate(harness, {
    name: "Welcome",
    subject: "Hi",
    html: "<p>1</p>",
  });
  await publish(harness, welcome.id);
  await createTemplate(harness, { name: "Receipt", subject: "Paid", html: "<p>2</p>" });
  await patchDraft(harness, welcome.id, { html: "<p>3</p>" });

  for (const name of ["orders", "analytics"]) {
    const webhook = await createWebhook(harness, { ...WISH, name });
    receiver.answer = () =>
      name === "orders" ? new Response("no", { status: 503 }) : new Response("ok");
    await post(outboxOf(webhook), harness, newBatches(1, 1));
    await logged(outboxOf(webhook), 1);
  }
});

describe("the tools answer in at most three calls", () => {
  it.each<[question: string, calls: () => readonly ToolCall[], says: readonly RegExp[]]>([
    [
      "Why did Anna's reset not arrive?",
      () => [
        ["list_recipients", { prefix: "anna" }],
        ["why", ({ data }) => ({ address: data[0]?.address })],
      ],
      [/Reset your password/, /No such user/],
    ],
    [
      "Which domain is not verified, and what is missing?",
      () => [["list_domains"], ["get_domain_dns", ({ data }) => ({ id: pendingOf(data)?.id })]],
      [/shop\.example\.org/, /CNAME/],
    ],
    [
      "How much of the quota is left today?",
      () => [["get_usage"]],
      [/"daily":\{"used":\d+,"limit":\d+,"resets_at"/],
    ],
    [
      "What bounced today, and why?",
      () => [
        ["list_events", { event_type: "email.bounced", start: today }],
        ["get_deliverability", { start: today }],
      ],
      [
        /anna\.berg@receiver\.example/,
        /"bounce_classification":"InvalidRecipient"/,
        /No such user/,
      ],
    ],
    [
      "Is this address suppressed, and why?",
      () => [["get_suppressions_of_address", { email: ANNA }]],
      [/"reason":"permanent_bounce"/, /"summary":"/],
    ],
    [
      "Which webhook is failing?",
      () => [["check_webhooks"]],
      [/^orders \(.*1 of its last 1 attempts failed.*HTTP 503/, /analytics .*1 attempts? arrived/],
    ],
    [
      "What is scheduled for tomorrow?",
      () => [["list_emails", { order: "soonest" }]],
      [/bob@receiver\.example/],
    ],
    [
      "Who opened the campaign spring?",
      () => [["list_events", { event_type: "email.opened", campaign: "spring" }]],
      [/"recipient":"opened@simulator\.postern\.test"/],
    ],
    [
      "Which template has changes that are not published?",
      () => [["list_templates"]],
      [/"name":"Welcome"[^{]*"html":"<p>1<[^{]*"has_draft":true/],
    ],
    [
      "Which key is restricted?",
      () => [["list_api_keys"]],
      [/"name":"checkout"[^{]*"permissions":"send_only"[^{]*"allowed_ips":\["192\.0\.2\.0\/24"\]/],
    ],
    [
      "How much mail went out in the last day?",
      () => [["get_stats", { group_by: "type" }]],
      [/"total":\{[^}]*"counts":\{"sent":[1-9]/, /entries with no events are left out/],
    ],
  ])("%s", async (_, callsFor, says) => {
    const calls = callsFor();
    expect(calls.length).toBeLessThanOrEqual(MOST_CALLS);
    const told: string[] = [];
    let before: ToolAnswer["structuredContent"] = { data: [] };
    for (const [name, given = {}] of calls) {
      const args = typeof given === "function" ? given(before) : given;
      expect(Object.keys(schemas.get(name)?.properties ?? {})).toEqual(
        expect.arrayContaining(Object.keys(args)),
      );
      const answer = (await ask("tools/call", { name, arguments: args })) as ToolAnswer;
      expect(answer.isError, JSON.stringify(answer.content)).toBe(false);
      before = answer.structuredContent;
      told.push(...answer.content.map(({ text }) => text));
    }
    for (const wanted of says) expect(told.join("\n")).toMatch(wanted);
    expect(told.join("\n").length).toBeLessThan(20_000);
  });
});

function pendingOf(data: readonly { readonly id: string }[]) {
  return data.find((one) => (one as { status?: string }).status === "pending");
}

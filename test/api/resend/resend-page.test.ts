// Tests that docs/from-resend.md §Calls lists every call of Resend's official client, and says
// correctly whether the call works.
import { beforeEach, expect, it } from "vitest";
import { Resend } from "resend";
import page from "../../../docs/from-resend.md?raw";
import { makeTeam } from "../../support/api.ts";
import { FakeReceiver } from "../../support/fakes/fake-receiver.ts";
import { Outside } from "../../unit/resources/domains/outside.ts";
import { resendClient } from "./resend-client.ts";
import { TestSender } from "../../support/test-sender.ts";

type Call = (...values: unknown[]) => PromiseLike<{ readonly error: object | null }>;

/** Internal methods of the client, which its types mark as private. */
const PRIVATE = new Set(
  (
    "contacts.imports.appendField contacts.imports.buildColumnMap " +
    "contacts.imports.buildCreateFormData emails.receiving.downloadRaw " +
    "emails.receiving.forwardPassthrough emails.receiving.forwardWrapped " +
    "templates.performCreate"
  ).split(" "),
);

const ROWS = new Map(
  [...page.matchAll(/^\| (`[^|]*`) \| (yes|in part|no) \|/gm)].flatMap(
    ([, names = "", works = ""]) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => [name, works] as const),
  ),
);

let resend: Resend;

beforeEach(() => {
  resend = new Resend("x");
});

/** Lists the client's methods, each with its full name, such as `emails.send`. */
function callsOf(part: object, path = ""): [string, Call][] {
  const parts = Object.entries(part).filter(
    ([, value]) =>
      typeof value === "object" && !(value instanceof Resend || value instanceof Headers),
  );
  const own = path === "" ? [] : Object.getOwnPropertyNames(Object.getPrototypeOf(part));
  return [
    ...parts.flatMap(([name, value]) => callsOf(value as object, `${path}${name}.`)),
    ...own
      .filter((name) => name !== "constructor")
      .map((name): [string, Call] => [
        path + name,
        (...values) => (part as Record<string, Call>)[name]!(...values),
      ]),
  ];
}

it("the table has every call of the client once, and no other", () => {
  const names = callsOf(resend).map(([name]) => name);
  expect([...ROWS.keys()].toSorted()).toEqual(
    names.filter((name) => !PRIVATE.has(name)).toSorted(),
  );
});

it("each call that the table says does not work is answered with a sentence that says so", async () => {
  const { key } = await makeTeam({ limits: { requests_per_second: 1_000 } });
  const ids = ["id", "contactId", "segmentId", "automationId", "runId"].concat(
    ["inboxId", "threadId", "emailId", "labelId", "draftId"],
    ["name", "email", "type", "key", "event", "query"],
  );
  const given = {
    ...Object.fromEntries(ids.map((id) => [id, "x"])),
    folder: "archive",
    labels: ["x"],
    topics: [],
    steps: [],
    connections: [],
    file: new Blob(["a"]),
  };
  for (const [name, call] of callsOf(resendClient(key))) {
    if (ROWS.get(name) !== "no") continue;
    const value = name === "emails.metrics" ? {} : given;
    expect([name, await call(value, value)]).toMatchObject([
      name,
      {
        error: {
          statusCode: 404,
          name: "not_found",
          message: expect.stringContaining("not part of Postern"),
        },
      },
    ]);
  }
});

it("each call that the table says works is answered", async () => {
  new Outside().install();
  const receiver = new FakeReceiver().install(true);
  receiver.answer = () => new Response("busy", { status: 500 });
  const team = await TestSender.make();
  resend = resendClient(team.key);
  const answered = new Set<string>();
  const calls = new Map(callsOf(resend));
  const ask = async <Data>(name: string, ...values: unknown[]): Promise<Data> => {
    const answer = (await calls.get(name)!(...values)) as { data: Data; error: object | null };
    expect([name, answer.error]).toEqual([name, null]);
    answered.add(name);
    return answer.data;
  };
  const named = { name: "A" };
  const { id: domain } = await ask<Made>("domains.create", { name: "walk.example.com" });
  const { id: key } = await ask<Made>("apiKeys.create", named);
  const { id: template } = await ask<Made>("templates.create", { ...named, html: "<p>Hi</p>" });
  const hook = { endpoint: "https://hooks.example.com/a", events: ["email.delivered"] };
  const { id: webhookId } = await ask<Made>("webhooks.create", hook);
  const message = team.mail();
  const { id: email } = await ask<Made>("emails.send", message);
  const attachments = [{ filename: "a.txt", content: "aGk=" }];
  const scheduled = { ...message, attachments, scheduledAt: "in 1 hour" };
  const later = await ask<Made>("emails.create", scheduled);
  await team.patch("/v1/team", { content_days: 3 });
  await ask("emails.attachments.list", { emailId: later.id });
  await ask("emails.attachments.get", { emailId: later.id, id: "0" });
  for (const name of ["batch.send", "batch.create"]) await ask(name, [message]);
  await expect
    .poll(() => resend.emails.get(email))
    .toMatchObject({ data: { last_event: "delivered" } });
  for (const name of ["emails", "domains", "apiKeys", "templates", "webhooks", "suppressions"])
    await ask(`${name}.list`, { limit: 1 });
  await ask("emails.get", email);
  await ask("emails.update", { id: later.id, scheduledAt: "in 2 hours" });
  await ask("emails.cancel", later.id);
  await ask("domains.get", domain);
  await ask("domains.update", { id: domain, openTracking: true });
  await ask("domains.verify", domain);
  await ask("domains.remove", domain);
  await ask("apiKeys.update", key, { name: "B" });
  await ask("apiKeys.remove", key);
  await ask("templates.update", template, { subject: "Hi" });
  for (const name of ["get", "publish", "duplicate", "remove"])
    await ask(`templates.${name}`, template);
  await ask("webhooks.get", webhookId);
  await ask("webhooks.update", webhookId, { events: ["email.delivered", "email.sent"] });
  await ask("webhooks.rotateSigningSecret", webhookId);
  await expect.poll(async () => (await eventsOf(webhookId)).length).toBeGreaterThan(0);
  await ask("webhooks.events.list", { webhookId });
  const one = { webhookId, eventId: (await eventsOf(webhookId))[0]?.id };
  await ask("webhooks.events.get", one);
  await ask("webhooks.events.attempts.list", one);
  await ask("webhooks.events.replay", one);
  await ask("webhooks.remove", webhookId);
  await ask("suppressions.add", { email: "a@example.org" });
  await ask("suppressions.get", "a@example.org");
  await ask("suppressions.remove", "a@example.org");
  await ask("suppressions.batch.add", { emails: ["b@example.org"] });
  await ask("suppressions.batch.remove", { emails: ["b@example.org"] });
  await ask("usage.get");
  await resend.emails.get("unknown");
  const { data: logged } = await ask<{ data: Made[] }>("logs.list", { limit: 1 });
  await ask("logs.get", logged[0]?.id);
  // test/pipeline/replies/replies.test.ts makes the calls that need a reply.
  const received = [...ROWS.keys()].filter((name) => name.startsWith("emails.receiving."));
  // Verifying a delivery makes no request, so webhooks-and-suppressions.test.ts tests it.
  const expected = [...ROWS].filter(([, works]) => works !== "no").map(([name]) => name);
  expect([...answered, ...received, "webhooks.verify"].toSorted()).toEqual(expected.toSorted());
});

interface Made {
  readonly id: string;
}

async function eventsOf(webhookId: string): Promise<readonly Made[]> {
  return (await resend.webhooks.events.list({ webhookId })).data?.data ?? [];
}

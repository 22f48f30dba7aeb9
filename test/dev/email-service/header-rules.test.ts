// Tests which messages the double of the Email Service refuses, by its rules for headers, senders
// and sizes (tools/dev/email-service/header-allowlist.ts).
import { expect, it } from "vitest";
import { control, eventTypes, HEADER, mail, send, useEmailService } from "./sending-harness.ts";

useEmailService();

const ALLOWED = [
  "In-Reply-To: <1@example.test>",
  "References: <1@example.test>",
  "List-Unsubscribe: <https://example.test/u>, <mailto:u@example.test>",
  "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
  "Precedence: bulk",
  "Auto-Submitted: auto-generated",
  "Importance: high",
  "X-Campaign_ID-1: caf\u00e9",
];

it("the Email Service's double takes every kind of field that is allowed, folded ones too", async () => {
  const header = [...HEADER, ...ALLOWED, "Keywords: one,", "\ttwo"];
  expect(await send({ header })).toMatch(/^<[A-Za-z0-9]{36}@example\.test>$/);
  expect(await eventTypes(1)).toEqual(["delivered"]);
});

it.each([
  ["Date: Mon, 01 Jan 2026 00:00:00 +0000", "E_HEADER_NOT_ALLOWED"],
  ["Message-ID: <1@example.test>", "E_HEADER_NOT_ALLOWED"],
  ["DKIM-Signature: v=1", "E_HEADER_NOT_ALLOWED"],
  ["Received: from x", "E_HEADER_NOT_ALLOWED"],
  ["ARC-Seal: i=1", "E_HEADER_NOT_ALLOWED"],
  ["CFBL-Address: fbl@example.test", "E_HEADER_NOT_ALLOWED"],
  ["Feedback-ID: 1:2:3", "E_HEADER_NOT_ALLOWED"],
  ["Sender: other@example.test", "E_HEADER_NOT_ALLOWED"],
  ["Bad_Name: x", "E_HEADER_NAME_INVALID"],
  [`X-${"a".repeat(99)}: x`, "E_HEADER_NAME_INVALID"],
  ["X-Empty:", "E_HEADER_VALUE_INVALID"],
  ["Subject: again", "E_HEADER_VALUE_INVALID"],
  [`X-Long: ${"a".repeat(2_049)}`, "E_HEADER_VALUE_TOO_LONG"],
  ["List-Unsubscribe: <http://example.test/u>", "E_HEADER_VALUE_INVALID"],
  ["List-Unsubscribe: https://example.test/u", "E_HEADER_VALUE_INVALID"],
  ["List-Unsubscribe-Post: List-Unsubscribe=One-Click", "E_HEADER_VALUE_INVALID"],
  ["Precedence: urgent", "E_HEADER_VALUE_INVALID"],
  ["Sensitivity: secret", "E_HEADER_VALUE_INVALID"],
  ["no field", "E_VALIDATION_ERROR"],
])("the Email Service's double refuses %s with %s", async (field, code) => {
  expect(await send({ header: [...HEADER, field] })).toBe(code);
});

it("the Email Service's double refuses more than 20 fields of the allowlist, and more than 16 KB of fields", async () => {
  const names = (
    "In-Reply-To References List-Unsubscribe List-Id List-Archive List-Help List-Owner List-Post " +
    "List-Subscribe Precedence Auto-Submitted Content-Language Keywords Comments Importance " +
    "Priority Sensitivity Organization Expires Reply-By Archived-At"
  ).split(" ");
  const values: Record<string, string> = {
    "List-Unsubscribe": "<https://example.test/u>",
    Precedence: "list",
    "Auto-Submitted": "auto-notified",
    Importance: "low",
    Priority: "urgent",
    Sensitivity: "private",
  };
  const fields = names.map((name) => `${name}: ${values[name] ?? "x"}`);
  expect(await send({ header: [...HEADER, ...fields] })).toBe("E_HEADERS_TOO_MANY");
  expect(await send({ header: [...HEADER, ...fields.slice(1)] })).toMatch(/^</);
  const large = Array.from({ length: 9 }, (_, index) => `X-${index}: ${"a".repeat(2_000)}`);
  expect(await send({ header: [...HEADER, ...large] })).toBe("E_HEADERS_TOO_LARGE");
});

it("the Email Service's double refuses a sender that is not exactly the one in From, and a message over 5 MiB", async () => {
  expect(await send({ from: "Noreply@example.test" })).toBe("E_VALIDATION_ERROR");
  expect(await send({ header: HEADER.slice(1) })).toBe("E_FIELD_MISSING");
  expect(await send({ from: "nothing" })).toBe("E_VALIDATION_ERROR");
  expect(await send({ to: "nothing" })).toBe("E_VALIDATION_ERROR");
  expect(await send({ body: "a".repeat(5 * 1024 * 1024) })).toBe("E_CONTENT_TOO_LARGE");
  expect(await send({ body: "a".repeat(9 * 1024 * 1024) })).toBe("E_CONTENT_TOO_LARGE");
  expect(await mail()).toEqual([]);
});

it("the Email Service's double replaces Date and Message-ID if its settings say so", async () => {
  await control("/settings", "PUT", { date_and_message_id: "replace" });
  const header = [...HEADER, "Date: Mon, 01 Jan 2026 00:00:00 +0000", "Message-ID: <1@x.test>"];
  expect(await send({ header })).toMatch(/^</);
  expect(await send({ header: [...header, "Received: from x"] })).toBe("E_HEADER_NOT_ALLOWED");
});

it("the Email Service's double refuses a domain that is not onboarded, and mail over its limits, until the count is reset", async () => {
  await control("/settings", "PUT", { domains: ["other.test"] });
  expect(await send()).toBe("E_SENDER_DOMAIN_NOT_AVAILABLE");
  await control("/settings", "PUT", { domains: ["Example.Test"], daily_limit: 1 });
  expect([await send(), await send()]).toEqual([
    expect.stringMatching(/^</),
    "E_DAILY_LIMIT_EXCEEDED",
  ]);
  expect(await (await control("/quota")).json()).toMatchObject({ sent: 1, daily_limit: 1 });
  await control("/quota", "DELETE");
  expect(await send()).toMatch(/^</);
  await control("/settings", "PUT", { rate_limit: 1 });
  const sent = await Promise.all([send(), send(), send()]);
  expect(sent).toContain("E_RATE_LIMIT_EXCEEDED");
});

it.each([
  [{ date_and_message_id: "drop" }, /^date_and_message_id: /],
  [{ daily_limit: -1 }, /^daily_limit: /],
  [{ attempts: 0 }, /^attempts: /],
  [{ domains: "example.test" }, /^domains: /],
  [{ unheard: 1 }, /^unheard: /],
])("the Email Service's double refuses %o and names the member", async (settings, message) => {
  const response = await control("/settings", "PUT", settings);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: { message: expect.stringMatching(message) } });
  expect(await (await control("/settings")).json()).toMatchObject({ attempts: 7 });
});

// Tests what a team may set on a webhook, and what it sees (src/resources/webhooks/wire.ts).
import { expect, it } from "vitest";
import { RefusalError } from "../../../../src/refusal.ts";
import { checkTarget, CreateWebhook } from "../../../../src/resources/webhooks/wire.ts";
import { bindings } from "../../../support/api.ts";
import { settingsOf } from "../../../../src/settings.ts";
import { LOOPBACK_URLS } from "./urls.ts";

const settings = settingsOf(bindings);
const keptUrl = (url: string) =>
  CreateWebhook.parse({ name: "x", url, events: ["email.sent"] }).url;

it.each([undefined, "", "false"])("loopback is refused if WEBHOOK_ALLOW_PRIVATE is %j", (text) => {
  const given = settingsOf({
    ...bindings,
    ...(text === undefined ? {} : { WEBHOOK_ALLOW_PRIVATE: text }),
  });
  for (const url of LOOPBACK_URLS) expect(() => checkTarget(url, given)).toThrow(RefusalError);
});

it("the schema accepts a loopback URL, and the operator's setting decides", () => {
  expect(keptUrl("http://localhost:3000/hook")).toBe("http://localhost:3000/hook");
  expect(() => checkTarget("http://localhost:3000/hook", settings)).toThrow(RefusalError);
});

it.each([
  ["https://hooks.example.com", "https://hooks.example.com"],
  ["HTTPS://Hooks.Example.com/a/../b?c=%20", "HTTPS://Hooks.Example.com/a/../b?c=%20"],
  ["https://bücher.example/straße?q=ü", "https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%BC"],
  ["https://ｈooks.example.com/\u202e", "https://hooks.example.com/%E2%80%AE"],
  ['https://hooks.example.com/"<a>"', "https://hooks.example.com/%22%3Ca%3E%22"],
])("the URL %s is stored as %s", (given, kept) => {
  expect(keptUrl(given)).toBe(kept);
});

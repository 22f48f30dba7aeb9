// Tests how visitors are classified (src/mail/feedback/bots.ts): people with any mail client, image
// proxies by name, and machines, whose visits never make an event.
import { describe, expect, it } from "vitest";
import { agentOf, visitorOf } from "../../../../src/mail/feedback/bots.ts";
import { linesOf } from "../../fixture-rows.ts";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
  "Chrome/129.0.0.0 Safari/537.36";

const agentsOf = (heading: string) => linesOf("user-agents", heading);

const PROXIES = agentsOf("proxies").map((line): [agent: string, source: string] => {
  const [source = "", ...agent] = line.split(": ");
  return [agent.join(": "), source];
});

const from = (agent: string, more: Record<string, string> = {}) =>
  new Headers({ "User-Agent": agent, ...more });

describe("a visitor", () => {
  it.each(agentsOf("browsers"))("is a person with the browser %s", (agent) => {
    expect(visitorOf("open", from(agent))).toEqual({ kind: "person" });
    expect(visitorOf("click", from(agent))).toEqual({ kind: "person" });
  });

  it.each(agentsOf("mail programs"))("is a person who opens with %s", (agent) => {
    expect(visitorOf("open", from(agent))).toEqual({ kind: "person" });
  });

  it.each(PROXIES)("is the proxy %s, which opens and never clicks", (agent, source) => {
    expect(visitorOf("open", from(agent))).toEqual({ kind: "proxy", source });
    expect(visitorOf("click", from(agent))).toEqual({ kind: "machine" });
  });

  it.each(agentsOf("machines"))("is the machine %s", (agent) => {
    expect(visitorOf("open", from(agent))).toEqual({ kind: "machine" });
    expect(visitorOf("click", from(agent))).toEqual({ kind: "machine" });
  });

  it("is a machine without a user agent", () => {
    for (const headers of [new Headers(), from(""), from("  ")])
      expect(visitorOf("open", headers)).toEqual({ kind: "machine" });
  });

  it.each([
    ["Sec-Purpose", "prefetch"],
    ["Sec-Purpose", "prefetch;prerender"],
    ["Sec-Purpose", "prefetch;anonymous-client-ip"],
    ["Purpose", "prefetch"],
    ["Purpose", "preview"],
    ["X-Purpose", "preview"],
    ["X-Moz", "prefetch"],
  ])("is a machine when it marks its request as speculative: %s: %s", (name, value) => {
    expect(visitorOf("click", from(CHROME, { [name]: value }))).toEqual({ kind: "machine" });
    expect(visitorOf("open", from(CHROME, { [name]: value }))).toEqual({ kind: "machine" });
  });

  it("is a machine when Office tries a link before the browser", () => {
    for (const agent of agentsOf("mail programs").slice(0, 2))
      expect(visitorOf("click", from(agent))).toEqual({ kind: "machine" });
  });

  it("has a user agent of limited length", () => {
    expect(agentOf(from("a".repeat(5_000)))).toHaveLength(512);
    expect(agentOf(new Headers())).toBeNull();
  });
});

// Tests the check of a round's content in R2 (tools/chaos/check/content-in-r2.ts).
import { describe, expect, it } from "vitest";
import {
  type ContentFacts,
  countStored,
  findWrongContent,
} from "../../../tools/chaos/check/content-in-r2.ts";
import type { SentMessage } from "../../../tools/chaos/clients.ts";

const ID = "email_1";
const message: SentMessage = {
  token: "a",
  recipients: ["ok-a@d1.chaos.example"],
  sensitive: false,
  via: "single",
  keyed: true,
  tries: 1,
  emailId: ID,
  notBefore: 0,
  isCanceled: false,
  log: [],
};

describe("the check of content in R2", () => {
  const kept = [{ emailId: ID, text: "a. Nothing much." }];
  const facts = (changes: Partial<ContentFacts>): ContentFacts => ({
    sent: [message],
    days: 3,
    kept,
    left: [],
    mayMissDeletions: false,
    ...changes,
  });

  it("finds nothing in a kept message, and counts it", () => {
    expect(findWrongContent(facts({}))).toEqual([]);
    expect(countStored(facts({}))).toEqual({ kept: 1, possible: 1 });
    expect(countStored(facts({ kept: [] }))).toEqual({ kept: 0, possible: 1 });
  });

  it.each<[string, Partial<ContentFacts>, string]>([
    ["of a team that keeps nothing", { days: 0 }, "keeps nothing"],
    ["that is half written", { kept: [{ emailId: ID, text: null }] }, "not whole"],
    ["that is sensitive", { sent: [{ ...message, sensitive: true }] }, "is sensitive"],
    [
      "with the text of a sensitive message whose id is unknown",
      { sent: [{ ...message, emailId: null, sensitive: true }] },
      "is sensitive",
    ],
    ["that a ledger should have deleted", { left: [`content/${ID}`] }, "is left in R2"],
  ])("finds an object %s", (_, changes, words) => {
    expect(findWrongContent(facts(changes)).map(({ detail }) => detail)).toEqual([
      expect.stringContaining(words),
    ]);
  });

  it("lets content stay that a lost deletion left", () => {
    const changes = { left: [`content/${ID}`], mayMissDeletions: true };
    expect(findWrongContent(facts(changes))).toEqual([]);
  });
});

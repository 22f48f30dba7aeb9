// Tests the check of a round's content in R2 (tools/chaos/check/content-in-r2.ts).
import { describe, expect, it } from "vitest";
import {
  type ContentFacts,
  countStored,
  findWrongContent,
} from "../../../tools/chaos/check/content-in-r2.ts";
import { MESSAGE } from "./round-facts.ts";

const ID = "email_1";

describe("the check of content in R2", () => {
  const kept = [{ emailId: ID, text: "a. Nothing much." }];
  const facts = (changes: Partial<ContentFacts>): ContentFacts => ({
    sent: [MESSAGE],
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
    ["that is sensitive", { sent: [{ ...MESSAGE, sensitive: true }] }, "is sensitive"],
    [
      "with the text of a sensitive message whose id is unknown",
      { sent: [{ ...MESSAGE, emailId: null, sensitive: true }] },
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

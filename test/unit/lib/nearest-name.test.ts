// Tests how a misspelt name is matched to the name that was probably meant
// (src/lib/nearest-name.ts).
import { describe, expect, it } from "vitest";
import { editDistance, findNearest } from "../../../src/lib/nearest-name.ts";

const FIELDS = "from to cc bcc reply_to subject text html template_id variables tags ip_pool".split(
  " ",
);

describe("findNearest", () => {
  it.each([
    ["replyTo", "reply_to"],
    ["reply-to", "reply_to"],
    ["REPLY_TO", "reply_to"],
    ["templateID", "template_id"],
    ["tempalte_id", "template_id"],
    ["subjct", "subject"],
    ["tag", "tags"],
    ["ipPool", "ip_pool"],
  ])("suggests for %s the field %s", (name, meant) => {
    expect(findNearest(name, FIELDS)).toBe(meant);
  });

  it.each(["scheduledAt", "metadata", "x".repeat(10_000), ""])(
    "suggests nothing for %j",
    (name) => {
      expect(findNearest(name, FIELDS)).toBeUndefined();
    },
  );
});

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["abc", "abc", 0],
    ["abc", "", 3],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
    ["flaw", "lawn", 2],
  ])("of %j and %j is %i", (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
    expect(editDistance(other, one)).toBe(distance);
  });
});

// Tests how a domain's MTA-STS record is judged (src/resources/domains/policies/mta-sts-policy.ts).
import { describe, expect, it } from "vitest";
import { judgeMtaSts } from "../../../../src/resources/domains/policies/mta-sts-policy.ts";

const HOST = "_mta-sts.example.com";
const judge = (...values: string[]) =>
  judgeMtaSts("example.com", values.length > 0 ? { kind: "answer", values } : { kind: "nodata" });

describe("an MTA-STS record", () => {
  it.each(["v=STSv1; id=20260401T000000;", "v=STSv1;id=1", "v=STSv1 ; id=a1 ; x=y"])(
    "of %s is ok, and the message says that the policy file was not fetched",
    (record) => {
      expect(judge("hello", record)).toEqual({
        status: "ok",
        host: HOST,
        found: ["hello", record],
        message:
          `${HOST} announces an MTA-STS policy for mail that comes to example.com. The policy ` +
          "itself, at https://mta-sts.example.com/.well-known/mta-sts.txt, was not fetched.",
      });
    },
  );

  it("that does not exist is missing, and the message says that it is optional", () => {
    expect(judge()).toEqual({
      status: "missing",
      host: HOST,
      found: [],
      message:
        "example.com has no MTA-STS record. It is optional: with one, senders use TLS for mail to " +
        "example.com.",
    });
  });

  it.each([
    ["no id", ["v=STSv1;"], "no valid id="],
    ["an id with invalid characters", ["v=STSv1; id=2026-04-01;"], "no valid id="],
    ["an id of 33 characters", [`v=STSv1; id=${"1".repeat(33)};`], "no valid id="],
    ["another version", ["v=STSv2; id=1"], "does not begin with v=STSv1;"],
    ["its version in another case", ["V=stsv1; id=1"], "does not begin with v=STSv1;"],
    ["a second record beside it", ["v=STSv1; id=1", "v=STSv1; id=2"], "2 MTA-STS records"],
  ])("with %s is wrong", (_what, records, words) => {
    const { status, message } = judge(...records);
    expect(status).toBe("wrong");
    expect(message).toContain(words);
  });

  it("is unknown with the reason while DNS fails", () => {
    const found = judgeMtaSts("example.com", { kind: "failed", reason: "no answer in time" });
    expect(found).toMatchObject({ status: "unknown", host: HOST, found: [] });
    expect(found.message).toContain(`DNS could not be queried for ${HOST}: no answer in time.`);
  });
});

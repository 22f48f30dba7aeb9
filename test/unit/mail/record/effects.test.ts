// Tests which bounces suppress the recipient's address (contract.md §Reasons and topics), by class,
// type and stage of the bounce. vectors/refusals.json has the effect of a refusal's words.
import { describe, expect, it } from "vitest";
import type { BounceDetails } from "../../../../src/mail/message.ts";
import type { SmtpStage } from "../../../../smtp-gateway/src/smtp/smtp-reply.ts";
import { suppressionOf } from "../../../../src/mail/record/effects.ts";
import { BOUNCE_CLASSIFICATIONS } from "../../../../src/rpc/event-types.ts";

const AT = 1_760_000_000_000;
const STAGES: readonly SmtpStage[] = ["connect", "helo", "starttls", "mail", "rcpt", "data", "end"];

function bounce(details: Partial<BounceDetails>): BounceDetails {
  return {
    type: "permanent",
    classification: "InvalidRecipient",
    smtpCode: 550,
    smtpResponse: "550 5.1.1 no",
    ...details,
  };
}

it("a hard bounce makes a suppression with the bounce's class, code and time", () => {
  expect(suppressionOf(bounce({}), "rcpt", AT)).toEqual({
    classification: "InvalidRecipient",
    smtpCode: 550,
    at: AT,
  });
});

describe("the class of a bounce", () => {
  const address = ["InvalidRecipient", "BadDomain", "InactiveMailbox"];

  it.each(address)(
    "%s suppresses if the server knew the address, or if a report names no stage",
    (classification) => {
      for (const stage of ["rcpt", "data", "end", null] as const)
        expect(suppressionOf(bounce({ classification }), stage, AT)).not.toBeNull();
      for (const stage of ["connect", "helo", "starttls", "mail"] as const)
        expect(suppressionOf(bounce({ classification }), stage, AT)).toBeNull();
    },
  );

  it.each(
    BOUNCE_CLASSIFICATIONS.filter((one) => !address.includes(one) && one !== "Uncategorized"),
  )("%s never suppresses", (classification) => {
    for (const stage of [...STAGES, null])
      expect(
        suppressionOf(bounce({ classification, smtpResponse: "550 no" }), stage, AT),
      ).toBeNull();
  });

  it.each(["Uncategorized", null])(
    "%s suppresses only when RCPT TO was refused",
    (classification) => {
      for (const stage of [...STAGES, null]) {
        expect(
          suppressionOf(bounce({ classification, smtpResponse: "550 no" }), stage, AT) !== null,
        ).toBe(stage === "rcpt");
      }
    },
  );
});

describe("the type of a bounce", () => {
  it.each(["transient", "expired"] as const)(
    "%s never suppresses, whatever else it says",
    (type) => {
      for (const stage of [...STAGES, null]) {
        expect(suppressionOf(bounce({ type }), stage, AT)).toBeNull();
      }
    },
  );
});

// Tests which X-Service- headers are refused because they name an option wrongly (docs/smtp.md).
import { fc } from "../../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { optionMeantBy } from "../../../../../src/mail/accept/smtp/misnamed-options.ts";
import { judgeMessage, WHOLE } from "./submissions.ts";

const OPTIONS =
  "Tags Topic Campaign IP-Pool Priority Template-Id Variables Metadata Unsubscribe Tracking " +
  "Send-At Idempotency-Key";

describe("an X-Service- header", () => {
  it.each([
    ["Send-At", "Scheduled-At Send-Later Deliver-At SendAt Send_At Sent-At Schedule Shceduled-At"],
    ["Tags", "Tag Tgas Labels Email-Tags Message-Tag"],
    ["Topic", "Topics Topic-Id Tpoic"],
    ["Campaign", "Campain Campaign-Id Campaign-Name"],
    ["IP-Pool", "Pool IpPool Ip_Pool IP-Pool-Name"],
    ["Priority", "Importance Priorty"],
    ["Template-Id", "Template Template-Name TemplateId Tempalte-Id"],
    ["Variables", "Vars Variable Merge-Vars Template-Data Substitutions"],
    ["Metadata", "Meta Meta-Data Metdata"],
    ["Unsubscribe", "List-Unsubscribe Unsubscibe"],
    ["Tracking", "Track Track-Opens Click-Tracking Tarcking"],
    ["Idempotency-Key", "Idempotency Idempotent-Key Idempotancy-Key Idempotency_Key Dedupe-Key"],
  ])("that means %s is recognised: %s", (option, names) => {
    for (const name of names.split(" "))
      expect([name, optionMeantBy(`x-SERVICE-${name}`)]).toEqual([name, `X-Service-${option}`]);
  });

  it("of an option, or a company's own, is not taken for a wrong name", () => {
    const own =
      "Name Version Trace Tracing Trace-Id Request-Id Message-Id Id Key Region Owner Ticket Desk " +
      "Instance Date Time Type Category Status Environment Data Context Subscriber Order-Id User " +
      "Level Stage Tier Tool Relay Beta Water Page Cool Prior Sensitive Reply-Tracking";
    for (const name of [...OPTIONS.split(" "), ...own.split(" ")])
      expect([name, optionMeantBy(`X-Service-${name}`)]).toEqual([name, undefined]);
    expect(optionMeantBy("X-Scheduled-At")).toBeUndefined();
  });

  it("with one wrong letter, or two that changed places, is recognised", () => {
    const slip = fc.record({
      name: fc.constantFrom(...OPTIONS.split(" ")),
      at: fc.nat(),
      how: fc.constantFrom("drop", "double", "swap", "replace"),
    });
    fc.assert(
      fc.property(slip, ({ name, at, how }) => {
        const place = at % (name.length - 1);
        const [one = "", two = ""] = name.slice(place, place + 2);
        const wrong = { drop: two, double: one + one + two, swap: two + one, replace: `q${two}` };
        const given = name.slice(0, place) + wrong[how] + name.slice(place + 2);
        fc.pre(given !== "Tracing");
        const expected =
          given.toLowerCase() === name.toLowerCase() ? undefined : `X-Service-${name}`;
        expect(optionMeantBy(`X-Service-${given}`)).toBe(expected);
      }),
    );
  });

  it("that means an option is refused with the right name, and a company's own is removed", () => {
    const judged = judgeMessage(`${WHOLE}X-Service-Scheduled-At: tomorrow\r\n\r\nHello\r\n`);
    const problem = "is not an option: write X-Service-Send-At";
    expect(judged).toMatchObject({
      kind: "refused",
      status: 422,
      errors: { "headers.X-Service-Scheduled-At": [problem] },
    });
    const taken = judgeMessage(`${WHOLE}X-Service-Region: eu\r\n\r\nHello\r\n`);
    expect(taken.kind === "taken" && taken.content).not.toContain("Region");
  });
});

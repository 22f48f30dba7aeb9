// Tests how messages from the gateway are refused, in the shape and order of the API's refusals.
import { describe, expect, it } from "vitest";
import { askGateway, frame, submit } from "../../support/fakes/fake-gateway.ts";
import { someone, Harness } from "../../support/harness.ts";
import { ofEachTest } from "../../support/before-tests.ts";
import { refusalOf } from "../../support/api.ts";

const harness = ofEachTest(Harness.make);

describe("the gateway's submission endpoint refuses", () => {
  it("a message over 5 MB, but not one of 5 MB", async () => {
    const head = harness.written([], "");
    const fill = (size: number) =>
      `${head}${`${"x".repeat(78)}\r\n`.repeat(Math.ceil(size / 80))}`
        .slice(0, size - 2)
        .concat("\r\n");
    const to = someone();
    const largest = await submit(harness.key, [to], fill(5 * 1024 * 1024));
    expect(largest.status).toBe(202);
    const response = await submit(harness.key, [to], fill(5 * 1024 * 1024 + 1));
    const expected = [413, '{"error":"payload_too_large"}'];
    expect([response.status, await response.text()]).toEqual(expected);
    expect((await submit(harness.key, [to], new Uint8Array(6 * 1024 * 1024))).status).toBe(413);
  });

  it.each([
    ["nothing", new Uint8Array()],
    ["half a length", Uint8Array.of(0, 0)],
    ["a length beyond the frame", Uint8Array.of(0, 0, 1, 0, 0x7b)],
    ["a huge length", Uint8Array.of(255, 255, 255, 255, 0x7b)],
    ["an envelope that is no JSON", frame("{", "x")],
    ["an envelope without recipients", frame('{"mail_from":""}', "x")],
    [
      "an envelope with a recipient that is not a string",
      frame('{"mail_from":"","rcpt_to":[1]}', "x"),
    ],
    ["an envelope over 32 KB", frame(JSON.stringify({ rcpt_to: ["x".repeat(33_000)] }), "x")],
  ])("an unreadable frame, under `envelope`: %s", async (_, raw) => {
    const [status, errors] = await refusalOf(
      askGateway("POST", "/gateway/messages", { key: harness.key, raw }),
    );
    expect([status, Object.keys(errors ?? {})]).toEqual([400, ["envelope"]]);
  });
});

// Tests src/mail/accept/metadata.ts (contract.md §Metadata): the same limits and the same errors
// for a single send, a batch and its defaults, and a submitted message.
import { describe, expect, it } from "vitest";
import { judge, ENTRY, errorsOf as batchErrorsOf, mergeOne } from "./batch/validated-batches.ts";
import { judgeMessage, WHOLE } from "./smtp/submissions.ts";
import { accept, GOOD, mapOf, refusalOf } from "./validated-sends.ts";

const NAME = "must be named with 1 to 64 letters, digits, underscores or hyphens";
const LONG = "is longer than 256 characters";
const TOO_LARGE = "is 4097 bytes of JSON; at most 4096 are allowed";
const under = (names: readonly string[], problem: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`metadata.${name}`, problem]));
const pairs = (count: number, prefix = "p") => mapOf(count, (index) => [`${prefix}${index}`, "v"]);
/**
 * Returns metadata whose JSON has exactly `bytes` bytes. In UTF-8, each of its 2,000 `é` has two
 * bytes.
 */
const weighing = (bytes: number): Record<string, string> => {
  const full = mapOf(8, (index) => [`p${index}`, "é".repeat(250)]);
  return {
    ...full,
    rest: "r".repeat(bytes - JSON.stringify({ ...full, rest: "" }).length - 2_000),
  };
};
const own = (json: string): unknown => JSON.parse(json);

/** Makes a message with this metadata in its header, in JSON that is escaped to ASCII. */
function submission(metadata: unknown): string {
  const json = JSON.stringify(metadata).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${WHOLE}X-Service-Metadata: ${json}\r\n\r\nHi\r\n`;
}

describe("metadata", () => {
  it.each<[string, unknown]>([
    ["one pair", { order_id: "1042" }],
    ["20 pairs", pairs(20)],
    ["a name of 64 characters, with every kind", { [`A-z_09${"n".repeat(58)}`]: "v" }],
    ["names that objects have", own('{"__proto__":"a","constructor":"b","0":"c"}')],
    ["an empty value, and a blank one", { a: "", b: " " }],
    ["a value of 256 characters", { a: "v".repeat(256) }],
    ["a value of 256 characters beyond the basic plane", { a: "😀".repeat(256) }],
    ["values with quotes, line breaks and NUL", { a: '"\\\r\n\t\0é' }],
    ["4,096 bytes of JSON", weighing(4_096)],
  ])("is taken as it is, by HTTP, in a batch, from defaults and by SMTP: %s", (_, metadata) => {
    const json = JSON.stringify(metadata);
    const submitted = judgeMessage(submission(metadata));
    expect(
      [
        accept({ metadata }).metadata,
        mergeOne({}, { ...ENTRY, metadata }).metadata,
        mergeOne({ metadata }, ENTRY).metadata,
        submitted.kind === "taken" && submitted.message.metadata,
      ].map((taken) => JSON.stringify(taken)),
    ).toEqual([json, json, json, json]);
    expect(submitted).toMatchObject({ content: expect.not.stringMatching(/metadata/i) as string });
  });

  it.each<[string, unknown, number, Record<string, string>]>([
    ["21 pairs", pairs(21), 400, { metadata: "has more than 20 entries" }],
    [
      "bad names",
      { "": "a", "a.b": "a", "a b": "a", é: "a", [`n${"n".repeat(64)}`]: "a", ok: "a" },
      422,
      under(["", "a.b", "a b", "é", `n${"n".repeat(64)}`], NAME),
    ],
    [
      "values that are no strings",
      { order_id: 1042, a: 0.5, b: true, c: {}, d: ["x"], e: "ok" },
      422,
      under(["order_id", "a", "b", "c", "d"], "must be a string"),
    ],
    ["a value of 257 characters", { id: "v".repeat(257) }, 422, under(["id"], LONG)],
    ["257 emoji", { id: "😀".repeat(257) }, 422, under(["id"], LONG)],
    ["4,097 bytes of JSON", weighing(4_097), 422, { metadata: TOO_LARGE }],
    ["an array", ["a"], 422, { metadata: "must be an object" }],
    ["a text", "a", 422, { metadata: "must be an object" }],
  ])("is refused, with the field's path: %s", (_, metadata, status, errors) => {
    const at = (prefix: string) =>
      Object.fromEntries(
        Object.entries(errors).map(([path, problem]) => [prefix + path, [problem]]),
      );
    expect(refusalOf({ ...GOOD, metadata })).toEqual({ status, errors: at("") });
    expect(batchErrorsOf({}, ENTRY, { ...ENTRY, metadata })).toEqual(at("emails.1."));
    expect(batchErrorsOf({ metadata }, ENTRY)).toEqual(at("defaults."));
    const refused = { kind: "refused", status, errors: at("") };
    expect(judgeMessage(submission(metadata))).toEqual(refused);
  });

  it("is absent when it is empty or not given", () => {
    for (const change of [{}, { metadata: {} }]) expect(accept(change).metadata).toBeUndefined();
    const submitted = judgeMessage(submission({}));
    expect(submitted.kind === "taken" && Object.keys(submitted.message)).not.toContain("metadata");
  });

  it("of a batch's entry wins over the default of the same name, pair by pair", () => {
    const metadata = { shop: "berlin", order_id: "none" };
    const entry = { ...ENTRY, metadata: { order_id: "7", item: "a" } };
    expect(mergeOne({ metadata }, entry).metadata).toEqual({ shop: "berlin", ...entry.metadata });
    const entries = judge({
      defaults: { metadata },
      emails: [ENTRY, { ...ENTRY, metadata: {} }, { ...ENTRY, metadata: { shop: "ulm" } }],
    });
    expect(entries).toMatchObject([
      { email: { metadata } },
      { email: { metadata } },
      { email: { metadata: { shop: "ulm", order_id: "none" } } },
    ]);
  });

  it("of a batch's entry counts against the limits together with the defaults", () => {
    const metadata = pairs(12);
    expect(mergeOne({ metadata }, { ...ENTRY, metadata: pairs(8, "q") }).metadata).toEqual({
      ...metadata,
      ...pairs(8, "q"),
    });
    expect(batchErrorsOf({ metadata }, ENTRY, { ...ENTRY, metadata: pairs(9, "q") })).toEqual({
      "emails.1.metadata": ["has more than 20 entries"],
    });
  });

  it.each([
    ["that is no JSON", "X-Service-Metadata: {a: 1}\r\n", "is not valid JSON"],
    ["given twice", 'X-Service-Metadata: {"a":"1"}\r\n'.repeat(2), "is given more than once"],
  ])("is refused in a header %s", (_, header, problem) => {
    expect(judgeMessage(`${WHOLE}${header}\r\nHi\r\n`)).toMatchObject({
      errors: { metadata: [problem] },
    });
  });

  it("is read from a header that is encoded and folded", () => {
    const header = 'X-Service-Metadata: {"city":\r\n =?utf-8?Q?"K=C3=B6ln"?=\r\n }\r\n';
    expect(judgeMessage(`${WHOLE}${header}\r\nHi\r\n`)).toMatchObject({
      message: { metadata: { city: "Köln" } },
    });
  });
});

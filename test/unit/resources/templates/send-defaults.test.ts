// Tests how the defaults that a template gives to its sends are checked (contract.md §Template
// defaults).
import { expect, it } from "vitest";
import {
  readSendDefaults,
  type SendDefaultsInput,
} from "../../../../src/resources/templates/send-defaults.ts";

const KEYS = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, index]));

it.each<[SendDefaultsInput, object]>([
  [{}, {}],
  [{ from: "Acme, Inc. <a@b.example>" }, { from: "Acme, Inc. <a@b.example>" }],
  [{ reply_to: "a@b.example" }, { replyTo: ["a@b.example"] }],
  [
    { from: null, reply_to: [], fallbacks: {} },
    { from: null, replyTo: null, fallbacks: null },
  ],
  [
    { reply_to: null, fallbacks: null },
    { replyTo: null, fallbacks: null },
  ],
  [{ fallbacks: { a: { b: [1, "x", null] } } }, { fallbacks: { a: { b: [1, "x", null] } } }],
])("the defaults %j change %j", (input, change) => {
  expect(readSendDefaults(input)).toEqual({ change, errors: {}, isMalformed: false });
});

it.each<[SendDefaultsInput, isMalformed: boolean, paths: string[]]>([
  [{ from: "" }, true, ["from"]],
  [{ from: "nobody" }, true, ["from"]],
  [{ from: "a@b.example, c@d.example" }, true, ["from"]],
  [{ from: "a@localhost", reply_to: "nobody" }, true, ["from", "reply_to"]],
  [{ reply_to: ["a@b.example", "nobody"] }, true, ["reply_to.1"]],
  [{ reply_to: Array.from({ length: 11 }, () => "a@b.example") }, true, ["reply_to"]],
  [{ fallbacks: { a: "x".repeat(65_536) } }, false, ["fallbacks"]],
  [{ fallbacks: { a: { b: { c: { d: {} } } } } }, false, ["fallbacks.a.b.c.d"]],
  [{ fallbacks: { a: KEYS } }, false, ["fallbacks.a"]],
  [{ fallbacks: { a: [Infinity] } }, true, ["fallbacks.a.0"]],
])("the defaults %j are refused", (input, isMalformed, paths) => {
  const read = readSendDefaults(input);
  expect([read.isMalformed, Object.keys(read.errors)]).toEqual([isMalformed, paths]);
});

it("at most 100 errors in fallbacks are reported", () => {
  const deep = Array.from({ length: 200 }, () => [[[[]]]]);
  expect(Object.keys(readSendDefaults({ fallbacks: { deep } }).errors)).toHaveLength(100);
});

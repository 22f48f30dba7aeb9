// Tests the words of a 400 and of a 422 (contract.md §Wording of errors). Each body and each query
// of the endpoints table is sent with wrong values of every kind. No answer may use the words of
// the worker's validator library.
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import type { Endpoint } from "../../src/endpoint.ts";
import type { ErrorBody, TestTeam } from "../support/api.ts";
import { ADMIN_TOKEN, call, errorsOf, makeTeam } from "../support/api.ts";
import { isForOperators, named, pathOf, published } from "../support/endpoints.ts";

const RAW =
  /invalid input|invalid option|invalid string|invalid key|invalid element|expected|too small|too big|unrecognized|undefined|zod|NaN/i;
/** Matches the rest of an error sentence after the field's name, without control characters. */
const PHRASE = /^[a-z]\P{Cc}*$/u;

const WRONG: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  "",
  "x",
  " ",
  "x".repeat(3_000),
  "\u0000",
  "\ud800",
  [],
  [1],
  [""],
  [null],
  [[]],
  [{}],
  Array.from({ length: 101 }, () => "x"),
  {},
  { a: 1 },
  { a: { b: [] } },
];

let team: TestTeam;

beforeAll(async () => {
  team = await makeTeam({ limits: { requests_per_second: 100_000 } });
});

const keyFor = (endpoint: Endpoint) => (isForOperators(endpoint) ? ADMIN_TOKEN : team.key);

/**
 * Builds a request body in which every member of the schema, nested ones included, has the value
 * `value`.
 */
function filled(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape).map(([name, member]) => [
        name,
        filled(member as z.core.$ZodType, value),
      ]),
    );
  if (schema instanceof z.ZodArray)
    return schema.element instanceof z.ZodObject ? [filled(schema.element, value)] : value;
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    return filled(schema.unwrap(), value);
  return schema instanceof z.ZodPipe ? filled(schema.in, value) : value;
}

/** Counts the words of the response's errors, which must all be the service's own. */
async function countWords(response: Response): Promise<number> {
  const { error } = await response.json<ErrorBody>();
  const told = Object.entries(error?.errors ?? {}).flatMap(([path, messages]) =>
    messages.map((words) => ({ path, words })),
  );
  expect(told.filter(({ words }) => RAW.test(words) || !PHRASE.test(words))).toEqual([]);
  return told.length;
}

describe("a body of wrong values", () => {
  it.each(named(published.filter(({ body }) => body !== undefined)))(
    "is refused by %s in words of the service's own",
    async (_, endpoint) => {
      const path = await pathOf(endpoint);
      let told = 0;
      for (const value of WRONG) {
        const deep = filled(endpoint.body!, value) as object;
        const flat = Object.fromEntries(Object.keys(deep).map((name) => [name, value]));
        for (const raw of new Set([JSON.stringify(deep), JSON.stringify(flat)]))
          told += await countWords(
            await call(endpoint.method, path, { key: keyFor(endpoint), raw }),
          );
      }
      expect(told).toBeGreaterThan(10);
    },
  );

  it.each(["/v1/api-keys", "/v1/templates", "/v1/webhooks", "/v1/domains", "/v1/email"])(
    "gets the requirements of %s in the same words",
    async (path) => {
      const errors = await errorsOf(team.post(path, {}));
      expect(Object.values(errors).flat()).toContain("is required");
    },
  );

  it.each([
    [
      "POST /v1/api-keys",
      { name: 7, permissions: "all" },
      { name: ["must be a string"], permissions: ["must be one of: full, send_only"] },
    ],
    [
      "POST /v1/webhooks",
      { name: "x", url: "https://hooks.example.com/", events: "email.sent" },
      { events: ["must be an array"] },
    ],
    ["POST /v1/templates", { name: "x", html: 7 }, { html: ["must be a string"] }],
    [
      "POST /v1/email",
      { from: 7, to: "a@example.org", subject: "x", text: "x" },
      { from: ["must be a string"], to: ["must be an array"] },
    ],
  ])("is refused alike by %s", async (name, body, errors) => {
    const [method = "", path = ""] = name.split(" ");
    expect(await errorsOf(call(method, path, { key: team.key, body }))).toEqual(errors);
  });
});

describe("a query of wrong values", () => {
  it.each(
    named(published.filter(({ query, paginated }) => query !== undefined || paginated === true)),
  )("is refused by %s in words of the service's own", async (_, endpoint) => {
    const path = await pathOf(endpoint);
    const names = [
      ...Object.keys((endpoint.query as z.ZodObject | undefined)?.shape ?? {}),
      ...(endpoint.paginated ? ["limit", "after"] : []),
    ];
    let told = 0;
    for (const value of ["", "x", " ", "\u0000", "-1", "1e9", "x".repeat(3_000)]) {
      for (const times of [1, 2]) {
        const query = new URLSearchParams(
          names.flatMap((name) => Array.from({ length: times }, () => [name, value])),
        );
        told += await countWords(
          await call("GET", `${path}?${query.toString()}`, { key: keyFor(endpoint) }),
        );
      }
    }
    expect(told).toBeGreaterThan(0);
  });

  it("gets an error about a parameter that is given twice", async () => {
    expect(
      await errorsOf(
        team.get("/v1/events?event_type=email.sent&event_type=email.bounced&topic=a&topic=b"),
      ),
    ).toEqual({ event_type: ["must be given once"], topic: ["must be given once"] });
  });
});

// Tests the words of a 400 and of a 422 (contract.md §Wording of errors). Each body and each query
// of the endpoints table gets wrong values. A request sends each value to endpoints that judge the
// body themselves. For other endpoints, the tests use the body's schema as src/api/validators.ts
// does, and send few values. No answer may use the words of the worker's validator library.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Endpoint } from "../../src/endpoint.ts";
import { describeIssue } from "../../src/lib/issue-messages.ts";
import type { ErrorBody } from "../support/api.ts";
import { ADMIN_TOKEN, call, errorsOf, busyTeam } from "../support/api.ts";
import { isForOperators, named, pathOf, published } from "../support/endpoints.ts";
import { ofFile } from "../support/before-tests.ts";

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

const team = ofFile(busyTeam);

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

/** Counts these words, which must all be the service's own. */
function countOwn(all: readonly string[]): number {
  expect(all.filter((words) => RAW.test(words) || !PHRASE.test(words))).toEqual([]);
  return all.length;
}

/** Counts the words of the response's errors, which must all be the service's own. */
async function countTold(response: Response): Promise<number> {
  const { error } = await response.json<ErrorBody>();
  return countOwn(Object.values(error?.errors ?? {}).flat());
}

function countIssues(schema: z.core.$ZodType, value: unknown): number {
  const { error } = z.safeParse(schema, value, { error: describeIssue });
  return countOwn((error?.issues ?? []).map(({ message }) => message));
}

describe("a body of wrong values", () => {
  // A body that would send a message again is judged only if the message is found.
  const judged = published.filter(({ body, path }) => body && !path.endsWith("/send-again"));

  const isSelf = ({ admitsItself }: Endpoint) => admitsItself === true;

  /** Returns a body with the value in every member, and one with it in the outermost only. */
  const bodiesOf = ({ body }: Endpoint, value: unknown): readonly object[] => {
    const deep = filled(body!, value) as object;
    return [deep, Object.fromEntries(Object.keys(deep).map((name) => [name, value]))];
  };

  const tell = async (endpoint: Endpoint, body: object) =>
    countTold(await call(endpoint.method, await pathOf(endpoint), { key: keyFor(endpoint), body }));

  it.each(named(judged.filter(isSelf)))(
    "is refused by %s in words of the service's own",
    async (_, endpoint) => {
      let told = 0;
      for (const value of WRONG)
        for (const body of bodiesOf(endpoint, value)) told += await tell(endpoint, body);
      expect(told).toBeGreaterThan(10);
    },
  );

  it.each(named(judged.filter((one) => !isSelf(one))))(
    "is refused by the schema of %s in words of the service's own",
    async (_, endpoint) => {
      const bodies = WRONG.flatMap((value) => bodiesOf(endpoint, value));
      const counts = bodies.map((body) => countIssues(endpoint.body!, body));
      expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(10);
      // A text passes most schemas, so that the rules after the schema judge it too.
      for (const value of ["x", "\u0000", [1], 1.5])
        await tell(endpoint, filled(endpoint.body!, value) as object);
    },
  );

  it.each(["/v1/api-keys", "/v1/templates", "/v1/webhooks", "/v1/domains", "/v1/email"])(
    "gets the same words from %s for a required member",
    async (path) => {
      const errors = await errorsOf(team.post(path, {}));
      expect(Object.values(errors).flat()).toContain("is required");
    },
  );

  it("names the form that a send's list of recipients must have", async () => {
    const mail = { from: 7, to: "a@example.org", subject: "x", text: "x" };
    expect(await errorsOf(team.post("/v1/email", mail))).toEqual({
      from: ["must be a string"],
      to: ['must be an array, as in "to": ["…"]'],
    });
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
    for (const value of ["", "x", "\u0000", "-1"]) {
      const query = new URLSearchParams(names.map((name) => [name, value]));
      if (value === "x") for (const name of names) query.append(name, value);
      told += await countTold(
        await call("GET", `${path}?${query.toString()}`, { key: keyFor(endpoint) }),
      );
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

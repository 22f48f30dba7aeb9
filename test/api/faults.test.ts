// Tests every endpoint of the table while a dependency of the API fails, or is busy with another
// request of the client (contract.md §Statuses: 409, 500, 502). Each answer has the error envelope,
// and reveals nothing of the inside.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Endpoint } from "../../src/endpoint.ts";
import type { Env } from "../../src/env.ts";
import type { ErrorBody } from "../support/api.ts";
import {
  ADMIN_TOKEN,
  askDeployment,
  bindings,
  callDeployment,
  makeTeamWithLedger,
  pretendMail,
} from "../support/api.ts";
import {
  exampleOf,
  forKeys,
  forOperators,
  named,
  oneOfEachKind,
  pathOf,
} from "../support/endpoints.ts";
import { checkDescribed } from "../support/openapi-shapes.ts";
import { ofFile } from "../support/before-tests.ts";
import { TestSender } from "../support/test-sender.ts";

const INSIDE = "the inside of the service";
const RATE = { limit: 10, remaining: 9, resetSeconds: 1 };

const broken = (): never => {
  throw new Error(INSIDE);
};
const rejecting = () => Promise.reject(new Error(INSIDE));
const ledgerThat = (answer: () => unknown) =>
  ({
    getByName: () => ({ admit: answer, begin: answer, takeRequest: answer }),
  }) as unknown as Env["TEAM_LEDGER"];

/** Rejects as drizzle does when D1 lacks the table. */
const noTable = () =>
  Promise.reject(
    new Error("Failed query", { cause: new Error("D1_ERROR: no such table: teams: SQLITE_ERROR") }),
  );
const statement = {
  bind: () => statement,
  all: noTable,
  raw: noTable,
  run: noTable,
  first: noTable,
};
const lost = { bind: () => lost, all: rejecting, raw: rejecting, run: rejecting, first: rejecting };
const unmigrated = {
  prepare: () => statement,
  batch: noTable,
  withSession: () => unmigrated,
} as unknown as D1Database;

const sends = forKeys.filter(({ admitsItself }) => admitsItself === true);
/** Sending again is left out, because it first looks for the message. */
const newSends = sends.filter(({ path }) => !path.includes(":"));
const others = forKeys.filter(({ admitsItself }) => admitsItself !== true);

const team = ofFile(async () => {
  const sender = await TestSender.make();
  await pretendMail(sender.id);
  return sender;
});
let logged: string[];

beforeEach(() => {
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line) => void logged.push(String(line)));
});

/** Calls the endpoint in an environment in which `parts` replace the bindings. */
async function ask(
  endpoint: Endpoint,
  key: string,
  parts: Partial<Env>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { method } = endpoint;
  const path = await pathOf(endpoint);
  const body =
    endpoint.body || endpoint.admitsItself
      ? JSON.stringify(await exampleOf(endpoint))
      : endpoint.accepts
        ? "email\n"
        : undefined;
  const response = await callDeployment(parts, `https://api.postern.test${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": endpoint.accepts ?? "application/json",
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  await checkDescribed(method, path, response);
  return response;
}

async function errorOf(response: Response, status: number): Promise<ErrorBody["error"]> {
  expect(response.status).toBe(status);
  const text = await response.text();
  expect(text).not.toContain(INSIDE);
  return (JSON.parse(text) as ErrorBody).error;
}

describe("a fault", () => {
  it.each(oneOfEachKind(others))(
    "of the team's ledger makes %s answer 502",
    async (_, endpoint) => {
      const TEAM_LEDGER = ledgerThat(rejecting);
      const error = await errorOf(await ask(endpoint, team.key, { TEAM_LEDGER }), 502);
      expect(error.type).toBe("internal_error");
    },
  );

  it.each(named(others))(
    "of the team's ledger after the check of the rate makes %s answer 502 if it calls the ledger",
    async (_, endpoint) => {
      const asked: string[] = [];
      const takeRequest = () => Promise.resolve({ allowed: true, rate: RATE });
      const ledger = new Proxy(
        {},
        {
          get: (_target, method) =>
            method === "takeRequest"
              ? takeRequest
              : () => (asked.push(String(method)), rejecting()),
        },
      );
      const TEAM_LEDGER = { getByName: () => ledger } as unknown as Env["TEAM_LEDGER"];
      const { status } = await ask(endpoint, team.key, { TEAM_LEDGER });
      // The worker tells the ledger of a changed webhook only after the response. If that call
      // fails, the ledger notices the change by itself.
      if (asked.some((method) => method !== "webhooksChanged")) expect(status).toBe(502);
      else expect(status).not.toBe(502);
      expect(status).not.toBe(500);
    },
  );

  // Endpoints that do not answer 500 when the database fails. /admin/metrics and /admin/checks
  // count the failure (test/api/metrics-endpoint.test.ts). /admin/deployment and /admin/gateways
  // read no database.
  const withoutDatabase = new Set(
    "/admin/metrics /admin/checks /admin/deployment /admin/gateways".split(" "),
  );
  it.each(named(forOperators.filter(({ path }) => !withoutDatabase.has(path))))(
    "of the database makes %s answer 500",
    async (_, endpoint) => {
      const DB = {
        prepare: broken,
        batch: broken,
        exec: broken,
        withSession: broken,
      } as unknown as D1Database;
      expect((await errorOf(await ask(endpoint, ADMIN_TOKEN, { DB }), 500)).type).toBe(
        "internal_error",
      );
    },
  );

  it("is logged with the X-Request-Id of the response", async () => {
    const [endpoint] = others;
    if (!endpoint) throw new Error("no endpoint");
    const response = await ask(endpoint, team.key, { TEAM_LEDGER: ledgerThat(rejecting) });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(response.headers.get("X-Request-Id"));
    expect(logged[0]).toContain(INSIDE);
  });

  it.each([
    [
      "a setting that is missing",
      { SIGNING_KEY: "" },
      "setting SIGNING_KEY is missing: `npm run setup` sets it",
    ],
    [
      "a local secret",
      { SERVICE_DOMAIN: "mail.example.com", GATEWAY_TOKEN: "local-only-0" },
      "setting GATEWAY_TOKEN is a local secret; ",
    ],
    [
      "a table that is missing",
      { DB: unmigrated },
      "schema missing: run `npm run setup` in a clone, which applies the migrations",
    ],
  ])("caused by %s is logged with the command that repairs it", async (_, parts, hint) => {
    const [endpoint] = forOperators;
    if (!endpoint) throw new Error("no endpoint");
    const { message } = await errorOf(await ask(endpoint, ADMIN_TOKEN, parts), 500);
    expect(message.includes(`For the operator: ${hint}`)).toBe("DB" in parts);
    const fault = logged
      .map((line) => JSON.parse(line) as { event: string; hint?: string })
      .find(({ event }) => event === "fault");
    expect(fault?.hint).toContain(hint);
  });
});

describe("a call to the ledger whose answer got lost", () => {
  it.each(["cancel", "move"])("is made once more by the endpoint of %s", async (method) => {
    const endpoint = others.find(({ operationId }) => operationId === `${method}Email`);
    if (!endpoint) throw new Error("no endpoint");
    const answers = [rejecting, () => Promise.resolve({ kind: "canceled", canceledAt: 0 })];
    const ledger = {
      takeRequest: () => Promise.resolve({ allowed: true, rate: RATE }),
      [method]: () => answers.shift()!(),
    };
    const TEAM_LEDGER = { getByName: () => ledger } as unknown as Env["TEAM_LEDGER"];
    expect((await ask(endpoint, team.key, { TEAM_LEDGER })).status).toBe(200);
    expect(answers).toEqual([]);
  });

  it("lets the move of a message answer 200 if the first call released the message", async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await team.sent({ scheduled_at: soon });
    const ledger = bindings.TEAM_LEDGER.getByName(team.id);
    let moves = 0;
    const move = async (...args: Parameters<typeof ledger.move>) => {
      const isMoved = await ledger.move(...args);
      moves += 1;
      if (moves === 1) throw new Error(INSIDE);
      return isMoved;
    };
    const losing = {
      move,
      find: (email: string) => ledger.find(email),
      readTail: (asked: Parameters<typeof ledger.readTail>[0]) => ledger.readTail(asked),
      takeRequest: () => Promise.resolve({ allowed: true, rate: RATE }),
    };
    const deployment = { TEAM_LEDGER: { getByName: () => losing } };
    const now = { scheduled_at: new Date().toISOString() };
    const response = await askDeployment(deployment, "PATCH", `/v1/email/${id}`, team.key, now);
    expect([moves, response.status]).toEqual([2, 200]);
  });
});

describe("a send", () => {
  it.each(named(sends))("%s answers 502 when the ledger can't be reached", async (_, endpoint) => {
    const response = await ask(endpoint, team.key, { TEAM_LEDGER: ledgerThat(rejecting) });
    expect(response.status).toBe(502);
    expect(response.headers.has("Retry-After")).toBe(false);
    expect(await response.text()).not.toContain(INSIDE);
  });

  it.each(named(newSends))(
    "%s answers 502 when neither a key nor a domain can be looked up",
    async (_, endpoint) => {
      const { key } = await makeTeamWithLedger();
      const core = { prepare: () => lost };
      const cores = { DB: core, CORE_1: core } as object;
      for (const either of [key, team.key]) {
        const response = await ask(endpoint, either, cores);
        expect(response.status).toBe(502);
        expect(await response.text()).not.toContain(INSIDE);
      }
    },
  );

  it.each(named(sends))(
    "%s answers 409 while the first request with its key is in progress",
    async (_, endpoint) => {
      const ledger = ledgerThat(() => Promise.resolve({ kind: "in_flight", rate: RATE }));
      const response = await ask(
        endpoint,
        team.key,
        { TEAM_LEDGER: ledger },
        { "Idempotency-Key": "busy" },
      );
      expect((await errorOf(response, 409)).type).toBe("idempotency_concurrent");
      expect(response.headers.get("RateLimit-Limit")).toBe("10");
    },
  );
});

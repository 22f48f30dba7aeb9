// Walks a tracking host through each of its states, behind the front of a stack (docs/local.md §The
// front): mail is sent in every state, and each of its links is followed by https. No link may be
// broken in mail that was sent after the state was known.
import { afterAll, expect, it } from "vitest";
import type { StackClient } from "../stack/stack-client.ts";
import { changeZone, follow } from "./front-client.ts";
import { Stack } from "./stack.ts";
import { ofFile } from "../support/before-tests.ts";

const TARGET = "https://shop.example/reset?token=1";
const HOUR_MS = 3_600_000;

interface TrackedDomain {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly tracking: {
    readonly status: string;
    readonly verification_failure: { readonly code: string; readonly message: string } | null;
    readonly dns_records: readonly { type: string; name: string; value: string }[];
  };
}

const stack = ofFile(() => Stack.start({}, ["--front"]));
let hours = 0;
let messages = 0;

const front = () => {
  if (stack.dev.front === undefined) throw new Error("the stack has no front");
  return stack.dev.front;
};
const hostOf = (name: string): string => `click.${name}`;
const domainOf = async (team: StackClient): Promise<TrackedDomain> => {
  const { data } = await team.ask<{ data: [TrackedDomain] }>("GET", "/v1/domains");
  return data[0];
};

afterAll(() => stack?.destroy());

/** Makes a team with a domain whose clicks are tracked, and publishes its records. */
async function tracked(name: string): Promise<StackClient> {
  const team = await stack.team(name);
  const { id } = await domainOf(team);
  const body = { tracking: { clicks_enabled: true, subdomain: "click" } };
  const { tracking } = await team.ask<TrackedDomain>("PATCH", `/v1/domains/${id}`, body);
  for (const { type, name: label, value } of tracking.dns_records)
    await team.publish({ type, name: `${label}.${name}`, data: value });
  return team;
}

/** Verifies a domain. Returns its tracking's status and the code of its failure. */
async function verify(team: StackClient): Promise<string> {
  const { id } = await domainOf(team);
  return stateOf(await team.ask("POST", `/v1/domains/${id}/verify`));
}

function stateOf({ tracking }: TrackedDomain): string {
  return [tracking.status, tracking.verification_failure?.code].filter(Boolean).join(" ");
}

/** Verifies a domain until its certificate is issued. */
async function served(name: string): Promise<StackClient> {
  const team = await tracked(name);
  expect(await verify(team)).toBe("pending tracking_certificate_pending");
  expect(await verify(team)).toBe("pending tracking_certificate_pending");
  expect(await verify(team)).toBe("verified");
  return team;
}

/** Verifies a domain whose certificate does not come. */
async function unserved(name: string): Promise<StackClient> {
  const team = await tracked(name);
  expect(await verify(team)).toBe("pending tracking_certificate_pending");
  return team;
}

/** Runs the hourly sweep an hour later than the last one. */
async function sweep(): Promise<void> {
  hours += 1;
  const time = Date.now() + hours * HOUR_MS;
  const ran = await fetch(`${stack.dev.api_url}/cdn-cgi/local/scheduled?cron=0&time=${time}`);
  expect(ran.status).toBe(200);
}

/** Sends a message with a link. Returns the link that arrived. */
async function mailed(team: StackClient): Promise<string> {
  messages += 1;
  const to = `reader-${messages}@receiver.example`;
  const html = `<a href="${TARGET}">Reset</a>`;
  const mail = { from: `hello@${team.domain}`, to: [to], subject: "Reset your password", html };
  await team.ask("POST", "/v1/email", mail);
  await expect.poll(() => stack.inbox(`&to=${to}`)).toHaveLength(1);
  const [message] = await stack.inbox(`&to=${to}`);
  const shown = await fetch(`${stack.dev.inbox_url}/api/messages/${message?.id}/html`);
  return /href="([^"]+)"/.exec(await shown.text())?.[1] ?? "";
}

/** Tells whether a reader of the link comes to the target. An untracked link is the target. */
async function leadsToTarget(link: string): Promise<boolean> {
  return link === TARGET || (await follow(front(), link)).location === TARGET;
}

/** Sends a message by each team. Returns the states of the hosts whose mail is tracked. */
async function mailByAll(teams: readonly StackClient[]): Promise<string[]> {
  const links = await Promise.all(teams.map((team) => mailed(team)));
  const broken = await Promise.all(links.map(async (link) => !(await leadsToTarget(link))));
  expect(links.filter((_, index) => broken[index])).toEqual([]);
  const named = teams.filter((_, index) => links[index] !== TARGET);
  return [...new Set(named.map(({ domain }) => domain.split("-")[0] ?? ""))].toSorted();
}

it("no link is broken in mail that is sent in any state of a tracking host", async () => {
  const named = (state: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${state}-${index + 1}.example`);
  const fated = (fate: "pending" | "refused", names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [hostOf(name), fate]));
  await changeZone(front(), {
    certificates: {
      ...fated("pending", [...named("pending", 3), ...named("deleted", 2)]),
      ...fated("refused", named("refused", 2)),
    },
  });
  const make = async (state: string, count: number, how: typeof served): Promise<StackClient[]> =>
    Promise.all(named(state, count).map(how));
  const active = await make("active", 4, served);
  const moved = await make("moved", 3, served);
  const expired = await make("expired", 3, served);
  const removed = await make("removed", 3, served);
  const waiting = [
    ...(await make("pending", 3, unserved)),
    ...(await make("refused", 2, unserved)),
  ];
  const deleted = await make("deleted", 2, unserved);
  const all = [...active, ...moved, ...expired, ...removed, ...waiting];
  expect(all.length + deleted.length).toBe(20);

  // Only mail of hosts that are served is tracked.
  const first = await mailByAll([...all, ...deleted]);
  expect(first).toEqual(["active", "expired", "moved", "removed"]);

  // Hosts break: the CNAME leads away, the certificate ends, and the name is deleted by hand.
  for (const { domain } of moved)
    await stack.publish({ type: "CNAME", name: hostOf(domain), data: "www.others.example" });
  const isOf = (teams: readonly StackClient[], host: string): boolean =>
    teams.some(({ domain }) => hostOf(domain) === host);
  const { custom_hostnames: names } = await changeZone(front());
  await changeZone(front(), {
    custom_hostnames: names
      .filter(({ hostname }) => !isOf(removed, hostname))
      .map((one) => (isOf(expired, one.hostname) ? { ...one, ssl: { status: "expired" } } : one)),
  });
  // Domains are deleted while their certificates are pending, and their custom hostnames go too.
  for (const team of deleted) {
    const { id } = await domainOf(team);
    expect((await team.api("DELETE", `/v1/domains/${id}`)).status).toBe(204);
  }
  const left = async (): Promise<boolean> =>
    (await changeZone(front())).custom_hostnames.some(({ hostname }) => isOf(deleted, hostname));
  await expect.poll(left).toBe(false);

  await sweep();
  expect(await mailByAll(all)).toEqual(["active"]);
  const codes = await Promise.all(
    [...moved, ...expired, ...removed].map(async (team) => stateOf(await domainOf(team))),
  );
  const pending = "pending tracking_certificate_pending";
  expect([...new Set(codes)]).toEqual(["pending tracking_cname_mismatch", pending]);
  // Links in earlier mail keep their host, so the operator learns which hosts are not served.
  const checks = await stack.operator.api("GET", "/admin/checks");
  expect(await checks.text()).toContain("not served: 9.");

  // A sweep makes the deleted names again, and the next sweep finds them served.
  await sweep();
  await sweep();
  expect(await mailByAll(all)).toEqual(["active", "removed"]);
});

// What a deployment is made of when set-up has come to its end.
import { expect } from "vitest";
import { type SetupHarness, ZONE } from "./setup-harness.ts";

export const SECRETS = [
  "ADMIN_TOKEN",
  "DNS_API_TOKEN",
  "GATEWAY_TOKEN",
  "KEY_ENCRYPTION_KEY",
  "SIGNING_KEY",
];
export const RETURN_PATH = ["MX 10 mx.example.com", 'TXT "v=spf1 a:mx.example.com -all"'];
const QUEUES = ["deliver", "dns-cleanup", "webhook"].flatMap((name) => [
  `postern-${name}`,
  `postern-${name}-dead`,
]);

export async function expectWhole(stand: SetupHarness): Promise<void> {
  const { account, worker, kept } = stand;
  expect(Object.keys(account.databases)).toEqual(["postern-core", "postern-shard-0"]);
  expect(Object.values(account.databases).every((applied) => applied.length > 0)).toBe(true);
  expect(account.queues.toSorted()).toEqual(QUEUES.toSorted());
  expect(Object.keys(account.secrets ?? {}).toSorted()).toEqual(SECRETS);
  expect(kept?.secrets).toMatchObject(account.secrets ?? {});
  expect(account.deployments.at(-1)?.variables).toMatchObject({
    SERVICE_DOMAIN: "post.example.com",
    EGRESS_URL: "https://mx.example.com",
    DNS_ZONE_ID: ZONE.id,
  });
  expect(account.deployments.at(-1)?.domains).toEqual(["post.example.com"]);
  expect(worker.teams.map(({ name }) => name)).toEqual(["First team"]);
  expect(kept?.team?.api_key).toBe(worker.teams[0]?.key);
  expect(worker.domains.map(({ name, status }) => [name, status])).toEqual([
    ["example.com", "verified"],
  ]);
  expect(worker.emails).toHaveLength(1);
  const records = await stand.records();
  expect(records["*.return-path.post.example.com"]).toEqual(RETURN_PATH);
  expect(records["*.track.post.example.com"]).toEqual(["CNAME post.example.com"]);
  expect(records["feedback.post.example.com"]).toEqual(["MX 10 mx.example.com"]);
  expect(records["post.example.com"]).toEqual(["MX 10 mx.example.com"]);
}

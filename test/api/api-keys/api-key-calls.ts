// Creates and reads a team's API keys for the tests of /v1/api-keys.
import type { z } from "zod";
import type { ApiKeyWithSecret } from "../../../src/resources/api-keys/wire.ts";
import { call, ok, type TestTeam } from "../../support/api.ts";

export type Key = z.output<typeof ApiKeyWithSecret>;

export const SENDING = { name: "sender", permissions: "send_only" };
export const post = ({ key }: TestTeam, body: unknown) =>
  call("POST", "/v1/api-keys", { key, body });
export const patch = ({ key }: TestTeam, id: string, body: unknown) =>
  call("PATCH", `/v1/api-keys/${id}`, { key, body });
export const statusOf = async (key: string, path = "/v1/whoami", ip = "198.51.100.40") => {
  const response = await call("GET", path, { key, ip });
  await response.arrayBuffer();
  return response.status;
};

export async function create(team: TestTeam, body: unknown = SENDING): Promise<Key> {
  return ok<Key>(post(team, body), 201);
}

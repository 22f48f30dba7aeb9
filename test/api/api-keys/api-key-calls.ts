// Creates and reads a team's API keys for the tests of /v1/api-keys.
import type { z } from "zod";
import type { ApiKeyWithSecret } from "../../../src/resources/api-keys/wire.ts";
import { call, ok, type TestTeam } from "../../support/api.ts";

export type Key = z.output<typeof ApiKeyWithSecret>;

export const SENDING = { name: "sender", permissions: "send_only" };
export const post = (team: TestTeam, body: unknown) => team.post("/v1/api-keys", body);
export const patch = (team: TestTeam, id: string, body: unknown) =>
  team.patch(`/v1/api-keys/${id}`, body);
export const statusOf = async (key: string, path = "/v1/whoami", ip = "198.51.100.40") => {
  const response = await call("GET", path, { key, ip });
  await response.arrayBuffer();
  return response.status;
};

export const create = (team: TestTeam, body: unknown = SENDING) => ok<Key>(post(team, body), 201);

// Calls on a team's suppressions, for the tests of /v1/suppressions.
import { call, ok, type TestTeam } from "../../support/api.ts";
import { suppress, type TestSuppression } from "../../support/suppressions.ts";

export const ANN = "ann@example.org";
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const at = ({ key }: TestTeam, method: string, path: string) =>
  call(method, `/v1/suppressions${path}`, { key });
export const expired = () => Date.now() - 1_000;

export async function statusAt(team: TestTeam, method: string, path: string): Promise<number> {
  const response = await at(team, method, path);
  await response.arrayBuffer();
  return response.status;
}

export async function add(team: TestTeam, body: unknown): Promise<TestSuppression> {
  return ok<TestSuppression>(suppress(team, body), 201);
}

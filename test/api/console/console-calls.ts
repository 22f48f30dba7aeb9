// Calls the service as the console's pages do, also in other deployments than that of the tests.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { app } from "../../../src/api/app.ts";
import { bindings, type TestEnv } from "../../support/api.ts";

export const ORIGIN = "https://api.postern.test";

/** Calls a deployment that has these settings and bindings besides those of the tests. */
export async function callDeployment(
  settings: Partial<TestEnv>,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  const context = createExecutionContext();
  const request = new Request<unknown, IncomingRequestCfProperties>(url, init as object);
  const response = await app.fetch(request, { ...bindings, ...settings }, context);
  await waitOnExecutionContext(context);
  return response;
}

// Starts gateways as programs, for the tests that need a process.
import { Child } from "../../../tools/harness/child.ts";
import { cleanups } from "../../gateway/gateway-harness.ts";

/** Starts the gateway's program. It is killed after the test. */
export function startGatewayProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Child {
  const child = new Child(null, process.execPath, args, { env, signal: "SIGKILL" });
  cleanups.push(() => child.stop());
  return child;
}

/** Resolves with the port on which the gateway listens. */
export async function startedPort(gateway: Child): Promise<number> {
  const [, port] = await gateway.says(/"event":"started".*"port":(\d+)/);
  return Number(port);
}

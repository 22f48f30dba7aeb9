// Starts gateways as programs, for the tests that need a process.
import { join } from "node:path";
import { Child } from "../../../tools/harness/child.ts";
import { ROOT } from "../../../tools/harness/compatibility.ts";
import { cleanups, temporaryDirectory, TOKEN } from "../../gateway/gateway-harness.ts";

const MAIN = join(ROOT, "smtp-gateway", "src", "main.ts");

/** Starts the gateway's program. It is killed after the test. */
export function startGatewayProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Child {
  const child = new Child(null, process.execPath, args, { env, signal: "SIGKILL" });
  cleanups.push(() => child.stop());
  return child;
}

/** Starts a gateway whose mail goes to `mxPort`, with a new journal or the one in `directory`. */
export function startGatewayTo(mxPort: number, directory = temporaryDirectory()): Child {
  return startGatewayProgram([MAIN], {
    GATEWAY_TOKEN: TOKEN,
    EGRESS_PORT: "0",
    EGRESS_STATE: directory,
    EGRESS_ROUTES: `*=127.0.0.1:${mxPort}`,
  });
}

/** Resolves with the port on which the gateway listens. */
export async function startedPort(gateway: Child): Promise<number> {
  const [, port] = await gateway.says(/"event":"started".*"port":(\d+)/);
  return Number(port);
}

// Starts the servers of benches, storms and tests on this machine.
import type { AddressInfo, Server } from "node:net";

/** Listens on 127.0.0.1 and returns the port. Port 0 takes any free port. */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, "127.0.0.1", resolve);
  await promise;
  server.off("error", reject);
  return (server.address() as AddressInfo).port;
}

// Starts the servers of benches, storms and tests on this machine, and finds free ports for servers
// that are restarted. Those lie below the range from which systems assign ports by themselves, so no
// connection of another process occupies one while its server is down.
import { type AddressInfo, createServer, type Server } from "node:net";

const [LEAST, MOST] = [10_000, 30_000];

/** Listens on 127.0.0.1 and returns the port. Port 0 takes any free port. */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, "127.0.0.1", resolve);
  await promise;
  server.off("error", reject);
  return (server.address() as AddressInfo).port;
}

/** Returns one free port of 127.0.0.1 for each name, all different. */
export async function freePorts<Name extends string>(
  ...names: readonly Name[]
): Promise<Record<Name, number>> {
  const found = new Set<number>();
  while (found.size < names.length) {
    const port = LEAST + Math.floor(Math.random() * (MOST - LEAST));
    if (await isFree(port)) found.add(port);
  }
  return Object.fromEntries([...found].map((port, index) => [names[index], port])) as Record<
    Name,
    number
  >;
}

export async function freePort(): Promise<number> {
  return (await freePorts("port")).port;
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

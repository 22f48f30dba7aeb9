// Starts the servers of benches, storms and tests on this machine, and finds free ports for servers
// that are restarted. These ports are below the range that systems use for outgoing connections, so
// no connection takes one while its server is down. Each process holds a block of ports, so two
// processes never give out the same port.
import { type AddressInfo, createServer, type Server } from "node:net";

const LEAST = 10_000;
const BLOCKS = 625;
const BLOCK_PORTS = 32;

/** Ports of this process's block that were not given out yet. */
let left: number[] = [];

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
  const found = {} as Record<Name, number>;
  for (const name of names) found[name] = await freePort();
  return found;
}

export async function freePort(): Promise<number> {
  for (;;) {
    if (left.length === 0) left = await holdBlock();
    const port = left.shift()!;
    const server = createServer();
    if (!(await canListen(server, port))) continue;
    server.close();
    return port;
  }
}

/**
 * Holds a block by listening on its first port until this process ends. Returns the other ports of
 * the block.
 */
async function holdBlock(): Promise<number[]> {
  for (;;) {
    const first = LEAST + BLOCK_PORTS * Math.floor(Math.random() * BLOCKS);
    const holder = createServer().unref();
    if (await canListen(holder, first))
      return Array.from({ length: BLOCK_PORTS - 1 }, (_, at) => first + 1 + at);
  }
}

function canListen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
}

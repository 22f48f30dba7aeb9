// Starts the servers of benches, storms and tests on this machine. A server that starts once
// listens on port 0 and reports its port. Some servers need a fixed port: they restart on the same
// port, or can't report it. Such a server gets a port that belongs to this process. No connection
// takes the port while its server is down, because the port is outside the range that the system
// uses for outgoing connections and for port 0. No other process of ours takes it, because each
// process reserves a block of ports until it ends.
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";

const LEAST = 10_000;
const MOST = 65_535;
const BLOCK_PORTS = 32;
/** The range of ports that the system assigns, if /proc does not state it (RFC 6335 §6). */
const SYSTEM_RANGE = "32768 65535";

/** Unused ports of this process's block. */
let left: number[] = [];

/** Listens on 127.0.0.1 and returns the port. Port 0 means any free port. */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, "127.0.0.1", resolve);
  await promise;
  server.off("error", reject);
  return (server.address() as AddressInfo).port;
}

/** Returns a different port of this process on 127.0.0.1 for each name. */
export async function ownPorts<Name extends string>(
  ...names: readonly Name[]
): Promise<Record<Name, number>> {
  const own = {} as Record<Name, number>;
  for (const name of names) own[name] = await ownPort();
  return own;
}

/** Returns a port that no other program gets before this process ends. */
export async function ownPort(): Promise<number> {
  for (;;) {
    if (left.length === 0) left = await holdBlock();
    const port = left.shift()!;
    const server = createServer();
    // A program that does not know the blocks may use the port.
    if (!(await canListen(server, port))) continue;
    await new Promise((closed) => server.close(closed));
    return port;
  }
}

/**
 * Reserves a block by listening on its first port until this process ends. Returns the other ports
 * of the block.
 */
async function holdBlock(): Promise<number[]> {
  const blocks = possibleBlocks();
  for (;;) {
    const first = blocks[Math.floor(Math.random() * blocks.length)]!;
    const holder = createServer().unref();
    if (await canListen(holder, first))
      return Array.from({ length: BLOCK_PORTS - 1 }, (_, at) => first + 1 + at);
  }
}

/** Returns the first port of every block outside the system's range. */
function possibleBlocks(): number[] {
  const [least = 0, most = 0] = systemRange();
  const count = Math.floor((MOST - LEAST) / BLOCK_PORTS);
  const all = Array.from({ length: count }, (_, at) => LEAST + BLOCK_PORTS * at);
  const outside = all.filter((first) => first + BLOCK_PORTS <= least || first > most);
  return outside.length > 0 ? outside : all;
}

function systemRange(): number[] {
  let range = SYSTEM_RANGE;
  try {
    range = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8");
  } catch {
    // Only Linux has this file.
  }
  return range.trim().split(/\s+/).map(Number);
}

function canListen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
}

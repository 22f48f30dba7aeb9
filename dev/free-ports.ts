// Ports for servers that a test or a campaign starts and starts again. They lie below those that
// systems hand out by themselves, so that no connection of another process sits on one while its
// server is down.
import { createServer } from "node:net";

const [LEAST, MOST] = [10_000, 30_000];

/** One free port of 127.0.0.1 for each name, all different. */
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

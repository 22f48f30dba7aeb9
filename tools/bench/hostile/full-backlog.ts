// A thread that listens and never accepts: once the backlog of a port is full, the system answers
// no further SYN to it, and its clients are silent at connect. It shares `workerData` with its
// starter: a flag that it raises when it listens, and the ports behind it.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { workerData } from "node:worker_threads";

const shared = new Int32Array(workerData as SharedArrayBuffer);
for (let place = 1; place < shared.length; place += 1) {
  const server = createServer();
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 });
  await once(server, "listening");
  shared[place] = (server.address() as AddressInfo).port;
}
Atomics.store(shared, 0, 1);
Atomics.notify(shared, 0);
// A thread that waits in this way runs no event loop, which would accept.
Atomics.wait(shared, 0, 1);

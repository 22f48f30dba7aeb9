// A thread that listens and never accepts. The system answers no more SYN when the backlog of a
// port is full. Clients then can't connect, and get no error. `workerData` has the ports, and a
// flag that the thread sets when it listens.
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
// A running event loop would accept connections, so Atomics.wait stops the event loop.
Atomics.wait(shared, 0, 1);

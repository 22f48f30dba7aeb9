// Listens for SMTP clients and gives each a session (smtp-session.ts).
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type SmtpResponder, type SmtpOptions, SmtpSession } from "./smtp-session.ts";

export interface SmtpServer {
  readonly port: number;
  /** Returns the number of connections that are open. */
  readonly open: () => number;
  /** Ends the connections that are open. */
  readonly hangUp: () => void;
  readonly close: () => Promise<void>;
}

/** The options of a server without TLS. */
export const PLAIN_SERVER: SmtpOptions = {
  name: "mail.example",
  extensions: ["PIPELINING", "SIZE 10485760", "8BITMIME", "ENHANCEDSTATUSCODES"],
};

/** Starts the server. `behave` is called for each connection. Port 0 means any free port. */
export async function listenForMail(
  port: number,
  host: string,
  options: SmtpOptions,
  behave: (session: SmtpSession) => SmtpResponder,
): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    void new SmtpSession(socket, options, behave).run();
  });
  server.listen(port, host);
  await once(server, "listening");
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    hangUp,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      hangUp();
      await closed;
    },
  };
}

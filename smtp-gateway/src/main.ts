// Starts the gateway (run-gateway.ts). The senders of replies are checked in a thread of their
// own.
import { SenderJudge } from "./inbound/sender-judge.ts";
import { runGateway } from "./run-gateway.ts";

await runGateway(process, (dnsServers) => {
  const judge = new SenderJudge(dnsServers);
  return (spool, facts) => judge.judge(spool, facts);
});

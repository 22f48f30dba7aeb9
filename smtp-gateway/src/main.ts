// Starts the gateway (run-gateway.ts). A separate thread checks the senders of replies.
import { SenderJudge } from "./inbound/sender-judge.ts";
import { runGateway } from "./run-gateway.ts";

await runGateway(process, (dnsServers) => {
  const judge = new SenderJudge(dnsServers);
  return (spool, facts) => judge.judge(spool, facts);
});

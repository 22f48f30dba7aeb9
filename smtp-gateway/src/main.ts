// Starts the gateway (run-gateway.ts).
import { runGateway } from "./run-gateway.ts";

await runGateway(process);

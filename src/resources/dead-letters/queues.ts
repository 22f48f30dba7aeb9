// Where each queue's jobs are put back.
import type { Env } from "../../env.ts";
import type { QueueName } from "./queue-names.ts";

export const QUEUES: Readonly<Record<QueueName, (env: Env) => Queue>> = {
  "postern-deliver": (env) => env.DELIVER,
  "postern-dns-cleanup": (env) => env.DNS_CLEANUP,
  "postern-webhook": (env) => env.WEBHOOK,
};

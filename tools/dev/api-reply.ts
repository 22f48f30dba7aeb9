// The envelope of Cloudflare's API, for the doubles of the account, the zone and the DNS.
import { jsonReply, type LocalReply } from "./http-server.ts";

/** A refusal by Cloudflare's API, with the real API's status and code. */
export class ApiRefusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function resultReply(result: unknown, info?: Readonly<Record<string, number>>): LocalReply {
  return jsonReply(200, {
    success: true,
    errors: [],
    messages: [],
    result,
    ...(info && { result_info: info }),
  });
}

export function refusalReply(status: number, code: number, message: string): LocalReply {
  const errors = [{ code, message }];
  return jsonReply(status, { success: false, errors, messages: [], result: null });
}

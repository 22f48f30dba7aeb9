// Makes requests as the gateway does (docs/gateway-protocol.md): its headers, and the frame around
// a submitted message.
import { call } from "../api.ts";

const GATEWAY_TOKEN = "gateway-token-for-tests";

interface Ask {
  readonly key?: string;
  /** Null: the request has no token. */
  readonly token?: string | null;
  /** The IP address of the SMTP client, as the gateway reports it. */
  readonly ip?: string;
  readonly raw?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls the worker as the gateway. CF-Connecting-IP is the gateway's own address. */
export async function askGateway(
  method: string,
  path: string,
  { key, token = GATEWAY_TOKEN, ip = "203.0.113.9", raw, headers = {} }: Ask = {},
): Promise<Response> {
  return call(method, path, {
    ...(key === undefined ? {} : { key }),
    ...(raw === undefined ? {} : { raw }),
    ip: "192.0.2.250",
    headers: {
      "X-Client-IP": ip,
      ...(token === null ? {} : { "X-Gateway-Token": token }),
      ...(raw === undefined ? {} : { "Content-Type": "application/octet-stream" }),
      ...headers,
    },
  });
}

/** Submits a message as the gateway does. `message`: a text that is sent in UTF-8, or octets. */
export async function submit(
  key: string,
  rcptTo: readonly string[],
  message: string | Uint8Array,
  more: Ask = {},
): Promise<Response> {
  return askGateway("POST", "/gateway/messages", { key, raw: framed(rcptTo, message), ...more });
}

/** Submits several messages, given as frames, in one request. */
export async function submitTogether(
  key: string,
  frames: readonly Uint8Array[],
  more: Ask = {},
): Promise<Response> {
  return askGateway("POST", "/gateway/message-bundles", { key, raw: bundleOf(frames), ...more });
}

/** Joins frames into one body. Before each frame stands its length. */
export function bundleOf(frames: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bundle = new Uint8Array(frames.reduce((size, { length }) => size + 4 + length, 0));
  let at = 0;
  for (const one of frames) {
    new DataView(bundle.buffer).setUint32(at, one.length);
    bundle.set(one, at + 4);
    at += 4 + one.length;
  }
  return bundle;
}

/** Makes the frame of a submitted message. */
export function framed(
  rcptTo: readonly string[],
  message: string | Uint8Array,
): Uint8Array<ArrayBuffer> {
  return frame(JSON.stringify({ mail_from: "app@client.example", rcpt_to: rcptTo }), message);
}

export function frame(envelope: string, message: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(envelope);
  const body = typeof message === "string" ? new TextEncoder().encode(message) : message;
  const bytes = new Uint8Array(4 + head.length + body.length);
  new DataView(bytes.buffer).setUint32(0, head.length);
  bytes.set(head, 4);
  bytes.set(body, 4 + head.length);
  return bytes;
}

// Determines the version of the Model Context Protocol that a message uses (docs/mcp.md §The
// protocol). Since version 2026-07-28, each request names its version in `_meta`, and headers
// repeat members of the body. Clients of older versions begin with `initialize`. Pure.
import { decodeBase64 } from "../../lib/crypto/base64.ts";
import { isRecord, RpcError, type RpcRequest } from "./json-rpc.ts";

const STATELESS_VERSION = "2026-07-28";
/** The older versions of the protocol, newest first. Tools work in the same way in all of them. */
export const HANDSHAKE_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
export const VERSIONS: readonly string[] = [STATELESS_VERSION, ...HANDSHAKE_VERSIONS];

export const DISCOVER = "server/discover";
export const CALL = "tools/call";

const META = "io.modelcontextprotocol/";
const VERSION_KEY = `${META}protocolVersion`;
const CAPABILITIES_KEY = `${META}clientCapabilities`;
const OWN_KEYS = [VERSION_KEY, CAPABILITIES_KEY, `${META}clientInfo`] as const;

const VERSION_HEADER = "MCP-Protocol-Version";
const METHOD_HEADER = "Mcp-Method";
const NAME_HEADER = "Mcp-Name";
/**
 * Matches a name as base64 of its UTF-8 bytes. Clients write a name in this way if a header cannot
 * contain the name itself.
 */
const ENCODED = /^=\?base64\?([^?]*)\?=$/;

/**
 * Tells whether the message follows the rules of version 2026-07-28. Throws an RpcError for an
 * unknown version. Also throws if the message lacks members or headers that these rules require.
 */
export function isStateless({ id, method, params }: RpcRequest, headers: Headers): boolean {
  const meta = isRecord(params["_meta"]) ? params["_meta"] : {};
  const asked = meta[VERSION_KEY];
  const header = headers.get(VERSION_HEADER);
  if (asked !== undefined && header !== null && asked !== header)
    throw mismatch(VERSION_HEADER, header, asked);
  const version = asked ?? header;
  if (typeof version === "string" && !VERSIONS.includes(version))
    throw new RpcError("unsupportedVersion", "Unsupported protocol version", {
      supported: VERSIONS,
      requested: version,
    });
  const isNew =
    version === null
      ? method === DISCOVER || OWN_KEYS.some((key) => key in meta)
      : version === STATELESS_VERSION || typeof version !== "string";
  if (!isNew || id === undefined) return isNew;
  if (typeof asked !== "string") throw missing(VERSION_KEY, "a string");
  if (!isRecord(meta[CAPABILITIES_KEY])) throw missing(CAPABILITIES_KEY, "an object");
  requireHeaders(method, params["name"], headers);
  return true;
}

/**
 * Requires that the headers agree with the body. A proxy may have allowed the request because of
 * these headers.
 */
function requireHeaders(method: string, name: unknown, headers: Headers): void {
  if (!headers.has(VERSION_HEADER)) throw mismatch(VERSION_HEADER, null, STATELESS_VERSION);
  const named = headers.get(METHOD_HEADER);
  if (named !== method) throw mismatch(METHOD_HEADER, named, method);
  if (method !== CALL || typeof name !== "string") return;
  const tool = headers.get(NAME_HEADER);
  if (tool === null || decodedName(tool) !== name) throw mismatch(NAME_HEADER, tool, name);
}

function decodedName(header: string): string | undefined {
  const [, encoded] = ENCODED.exec(header) ?? [];
  if (encoded === undefined) return header;
  const bytes = decodeBase64(encoded);
  return bytes && new TextDecoder().decode(bytes);
}

function mismatch(header: string, value: string | null, body: unknown): RpcError {
  const said = value === null ? "is missing" : `is ${JSON.stringify(value)}`;
  const wanted = JSON.stringify(body);
  return new RpcError("headerMismatch", `the header ${header} ${said}, but the body has ${wanted}`);
}

function missing(key: string, type: string): RpcError {
  return new RpcError("invalidMeta", `params._meta must have ${key}, ${type}`);
}

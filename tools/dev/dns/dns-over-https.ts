// Serves DNS over HTTPS (RFC 8484): reads a query from a GET or a POST, and answers it from the
// local records. TLS is not needed, because the traffic stays on this machine.
import { type AnswerQuery, readQuery } from "./dns-answer.ts";
import { type LocalReply, type HttpRequest, Problem } from "../http-server.ts";

const MEDIA_TYPE = "application/dns-message";
const MESSAGE_BYTES = 65_535;
const MAX_AGE_SECONDS = 1;

export function answerDoh(request: HttpRequest, answer: AnswerQuery): LocalReply | null {
  const query = readQuery(messageOf(request));
  if (query === null) throw new Problem(400, "not a DNS message");
  const body = answer(query);
  return (
    body && {
      status: 200,
      headers: { "content-type": MEDIA_TYPE, "cache-control": `max-age=${MAX_AGE_SECONDS}` },
      body,
    }
  );
}

function messageOf(request: HttpRequest): Buffer {
  if (request.method === "GET") {
    const encoded = request.query.get("dns");
    if (encoded === null || !/^[A-Za-z0-9_-]+$/.test(encoded))
      throw new Problem(400, "dns: is missing or not base64url");
    return Buffer.from(encoded, "base64url");
  }
  if (request.method !== "POST") throw new Problem(405, "only GET and POST");
  if (request.headers["content-type"] !== MEDIA_TYPE)
    throw new Problem(415, `the content type is not ${MEDIA_TYPE}`);
  if (request.body.length > MESSAGE_BYTES)
    throw new Problem(413, "longer than a DNS message can be");
  return request.body;
}

// Plays Cloudflare Access in front of the local console (docs/local.md §People). One port has two
// hosts. `localhost` is the domain of the Access team, with the sign-in page and the keys.
// `127.0.0.1` is the host of the console. There, requests below /console need a sign-in and get the
// person's assertion. The double removes any assertion that a client sends.
import { once } from "node:events";
import * as http from "node:http";
import { orFault, relay } from "../http-server.ts";
import { isLoopbackHost } from "../loopback-host.ts";
import { type AssertionMaker, LIFE_SECONDS, makeAssertions } from "./assertions.ts";
import { type KnownPerson, PEOPLE } from "./known-people.ts";

const HOSTS = ["127.0.0.1", "::1"];
const COOKIE = "CF_Authorization";
const HEADER = "cf-access-jwt-assertion";
const AT_ACCESS = "/cdn-cgi/access";

export interface AccessDouble {
  /** The URL of the Access team. */
  readonly issuer: string;
  /** The URL of the console's host. */
  readonly consoleUrl: string;
  /** Signs a person in. Returns the cookie for the console's host. */
  readonly signIn: (person: KnownPerson) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function startAccess(port: number, workerUrl: string): Promise<AccessDouble> {
  const issuer = `http://localhost:${port}`;
  const consoleUrl = `http://127.0.0.1:${port}`;
  const maker = await makeAssertions(issuer);
  const ends = new Map<string, number>();
  const assertionOf = async (person: KnownPerson): Promise<string> => {
    const text = await maker.assert(person);
    ends.set(text, Date.now() + LIFE_SECONDS * 1_000);
    return text;
  };
  const isSignedIn = (text: string): boolean => (ends.get(text) ?? 0) > Date.now();
  const places = { issuer, consoleUrl, worker: new URL(workerUrl) };
  const handle = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const { host } = request.headers;
    const url = new URL(request.url ?? "/", `http://${host}`);
    if (!isLoopbackHost(host)) return void response.writeHead(403).end("only for this machine\n");
    if (url.hostname === "localhost")
      return answerAsTeam(url, response, { maker, places, assertionOf });
    const token = cookieIn(request);
    if (url.pathname === `${AT_ACCESS}/authorized`) return admit(url, response, isSignedIn);
    if (url.pathname === `${AT_ACCESS}/logout`) {
      ends.delete(token);
      return redirect(response, loginUrl(places, "/console"), `${COOKIE}=; Path=/; Max-Age=0`);
    }
    const isGuarded = /^\/console(?:\/|$)/.test(url.pathname);
    if (isGuarded && !isSignedIn(token))
      return redirect(response, loginUrl(places, url.pathname + url.search));
    forward(request, response, places.worker, isGuarded ? token : undefined);
  };
  const servers = HOSTS.map(() => http.createServer(orFault(handle)));
  await listen(servers, port);
  return {
    issuer,
    consoleUrl,
    signIn: async (person) => `${COOKIE}=${await assertionOf(person)}`,
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** Listens on both addresses. Ignores a failure of `::1`, which a machine may not have. */
async function listen(servers: readonly http.Server[], port: number): Promise<void> {
  await Promise.all(
    servers.map(async (server, index) => {
      server.listen(port, HOSTS[index]);
      await once(server, "listening").catch((error: unknown) => {
        if (index === 0) throw error;
      });
    }),
  );
}

interface Places {
  readonly issuer: string;
  readonly consoleUrl: string;
  readonly worker: URL;
}

interface TeamFacts {
  readonly maker: AssertionMaker;
  readonly places: Places;
  readonly assertionOf: (person: KnownPerson) => Promise<string>;
}

async function answerAsTeam(
  url: URL,
  response: http.ServerResponse,
  { maker, places, assertionOf }: TeamFacts,
): Promise<void> {
  const to = safePath(url.searchParams.get("to"));
  if (url.pathname === `${AT_ACCESS}/certs`) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(maker.certificates));
    return;
  }
  const [, name] = /^\/login\/(\w+)$/.exec(url.pathname) ?? [];
  const person = PEOPLE.find((one) => one.name.toLowerCase() === name);
  if (person) {
    const target = new URL(`${AT_ACCESS}/authorized`, places.consoleUrl);
    target.searchParams.set("token", await assertionOf(person));
    target.searchParams.set("to", to);
    return redirect(response, target.href);
  }
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(signInPage(to));
}

function admit(
  url: URL,
  response: http.ServerResponse,
  isSignedIn: (text: string) => boolean,
): void {
  const token = url.searchParams.get("token") ?? "";
  const cookie = isSignedIn(token) ? `${COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax` : "";
  redirect(response, safePath(url.searchParams.get("to")), cookie);
}

function forward(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  worker: URL,
  assertion: string | undefined,
): void {
  const headers = { ...request.headers };
  delete headers[HEADER];
  if (assertion !== undefined) headers[HEADER] = assertion;
  const { hostname, port } = worker;
  const { method, url: path } = request;
  const sent = http.request({ hostname, port, method, path, headers });
  relay(request, sent, response, () => response.writeHead(502).end());
}

function redirect(response: http.ServerResponse, to: string, cookie = ""): void {
  response.writeHead(302, { location: to, ...(cookie !== "" && { "set-cookie": cookie }) });
  response.end();
}

function loginUrl({ issuer }: Places, to: string): string {
  return `${issuer}/login?${new URLSearchParams({ to }).toString()}`;
}

/** Returns the path if it belongs to the console, else the console's first page. */
function safePath(to: string | null): string {
  return to?.startsWith("/console") === true ? to : "/console";
}

function cookieIn({ headers }: http.IncomingMessage): string {
  return new RegExp(`(?:^|; *)${COOKIE}=([^;]*)`).exec(headers.cookie ?? "")?.[1] ?? "";
}

function signInPage(to: string): string {
  const query = new URLSearchParams({ to }).toString().replaceAll("&", "&amp;");
  const links = PEOPLE.map(
    ({ name, email, about }) =>
      `<li><a href="/login/${name.toLowerCase()}?${query}">${name}</a> (${email}): ${about}</li>`,
  );
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sign in · local double of Cloudflare Access</title>
<style>body{font:1rem/1.6 system-ui;margin:3rem auto;max-width:36rem;padding:0 1rem}</style>
<h1>Sign in</h1>
<p>This page plays Cloudflare Access. Sign in as:</p>
<ul>${links.join("")}</ul></html>
`;
}

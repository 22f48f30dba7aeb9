// A team with a sending domain, whose request rate no test reaches.
import { call, makeTeam, ok, TestTeam } from "./api.ts";
import { makeSendingDomain } from "./domain.ts";

interface Settings {
  readonly limits?: object;
  readonly [name: string]: unknown;
}

export class TestSender extends TestTeam {
  readonly domain: string;
  readonly from: string;

  private constructor({ id, keyId, key }: TestTeam, domain: string) {
    super(id, { id: keyId, key });
    this.domain = domain;
    this.from = `hello@${domain}`;
  }

  static make = async ({ limits = {}, ...settings }: Settings = {}): Promise<TestSender> => {
    const quick = { requests_per_second: 10_000, ...limits };
    const team = await makeTeam({ limits: quick, ...settings });
    return new TestSender(team, await makeSendingDomain(team.id));
  };

  /** Returns a message to a mailbox of the simulator, with `more` or other members. */
  mail(more: object = {}) {
    const to = ["delivered@simulator.postern.test"];
    return { from: this.from, to, subject: "Hello", text: "Hello", ...more };
  }

  /** Sends a message by the JSON API. */
  send(more: object = {}, headers: Record<string, string> = {}): Promise<Response> {
    return call("POST", "/v1/email", { key: this.key, body: this.mail(more), headers });
  }

  /** Sends a message, which must be accepted. */
  sent(more?: object) {
    return ok<{ readonly id: string; readonly created_at: string }>(this.send(more), 202);
  }
}

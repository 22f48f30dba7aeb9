// Makes mail that a stranger may write to a reply address: answers of mail programs with random
// faults, and mail that is built to cost much. Each number gives the same mail in every run. Pure.
import { createHash } from "node:crypto";

const ADDRESS = `r+${"a".repeat(61)}@bounces.bench.example`;
const READER = "ann@receiver.example";
const FAULTS_MOST = 12;
/** One mail in this many is expensive to process (a bomb). */
const BOMB_EVERY = 20;

const HEADER = `From: Ann <${READER}>\r\nTo: <${ADDRESS}>\r\nMIME-Version: 1.0\r\n`;
const QUOTED = "> Thank you for your order.\r\n".repeat(60);
const ANSWER = `Yes, please.\r\n\r\nOn 5 May 2026, at 10:00, Shop <hello@bench.example> wrote:\r\n${QUOTED}`;
/** Answers in plain text, and in text and HTML. */
const ANSWERS: readonly Buffer[] = [
  `${HEADER}Subject: Re: Your order\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${ANSWER}`,
  `${HEADER}Subject: Re: Your order\r\nContent-Type: multipart/alternative; boundary="x"\r\n\r\n` +
    ["plain", "html"]
      .map((type) => `--x\r\nContent-Type: text/${type}\r\n\r\n${ANSWER}\r\n`)
      .join("") +
    "--x--\r\n",
].map((text) => Buffer.from(text));
const MIXED = 'Content-Type: multipart/mixed; boundary="b"\r\n\r\n';

/** Mail that is expensive to process. Each name says what makes it expensive. */
const BOMBS: Readonly<Record<string, () => string>> = {
  "10,000 nested multiparts": () =>
    `${HEADER}${Array.from({ length: 10_000 }, (_, depth) => `Content-Type: multipart/mixed; boundary="${depth}"\r\n\r\n--${depth}\r\n`).join("")}`,
  "50,000 parts": () => `${HEADER}${MIXED}${"--b\r\n\r\nx\r\n".repeat(50_000)}--b--\r\n`,
  "half a megabyte of boundaries that are none": () =>
    `${HEADER}${MIXED}${"--b-\r\n".repeat(90_000)}`,
  "a header line of 60 KB": () => `${HEADER}X-Long: ${"a ".repeat(30_000)}\r\n\r\nhi\r\n`,
  "2,000 header lines": () => `${HEADER}${"X-A: b\r\n".repeat(2_000)}\r\nhi\r\n`,
  "500 signatures": () =>
    `${"DKIM-Signature: v=1; a=rsa-sha256; d=x.example; s=a; h=from; bh=YQ==; b=YQ==\r\n".repeat(500)}${HEADER}\r\nhi\r\n`,
  "4 MB of blanks": () => `${HEADER}\r\n${`${" ".repeat(76)}\r\n`.repeat(54_000)}`,
  "one line of 2 MB": () => `${HEADER}\r\n${"x".repeat(2_000_000)}\r\n`,
  "2 MB of dots": () => `${HEADER}\r\n${".\r\n".repeat(700_000)}`,
  "2 MB of base64": () =>
    `${HEADER}Content-Transfer-Encoding: base64\r\n\r\n${`${"QUJD".repeat(19)}\r\n`.repeat(26_000)}`,
  "encoded words": () => `${HEADER}Subject:${" =?utf-8?q?=41?=\r\n".repeat(3_000)}\r\nhi\r\n`,
  "comments in an address": () => `From: ${"(".repeat(20_000)}a@x.example\r\n\r\nhi\r\n`,
};

export interface HostileReply {
  readonly name: string;
  readonly to: string;
  readonly bytes: Buffer;
}

export function makeHostileReplies(count: number): HostileReply[] {
  const bombs = Object.entries(BOMBS);
  return Array.from({ length: count }, (_, number) => {
    const [name, make] = bombs[Math.floor(number / BOMB_EVERY) % bombs.length]!;
    if (number % BOMB_EVERY === 0) return { name, to: ADDRESS, bytes: Buffer.from(make()) };
    const message = ANSWERS[number % ANSWERS.length]!;
    return { name: "a mutated answer", to: ADDRESS, bytes: mutate(message, number) };
  });
}

/** Changes, doubles and removes pieces. Keeps a lone CR or LF, because a stranger may send one. */
function mutate(message: Buffer, number: number): Buffer {
  const chance = new Draws(number);
  let bytes: Buffer = message;
  for (let faults = 1 + chance.below(FAULTS_MOST); faults > 0; faults -= 1) {
    const at = chance.below(bytes.length);
    const end = Math.min(bytes.length, at + 1 + chance.below(200));
    const [before, piece, after] = [
      bytes.subarray(0, at),
      bytes.subarray(at, end),
      bytes.subarray(end),
    ];
    const other = Buffer.from(Array.from({ length: 1 + chance.below(8) }, () => chance.below(256)));
    const kind = chance.below(4);
    if (kind === 0) bytes = Buffer.concat([before, other, after]);
    else if (kind === 1) bytes = Buffer.concat([before, piece, piece, piece, after]);
    else if (kind === 2) bytes = Buffer.concat([before, after]);
    else bytes = Buffer.concat([after, before, piece]);
  }
  return bytes;
}

/** Numbers that follow from a seed. */
class Draws {
  #state: Buffer;

  constructor(seed: number) {
    this.#state = Buffer.from(String(seed));
  }

  below(limit: number): number {
    this.#state = createHash("sha256").update(this.#state).digest();
    return this.#state.readUInt32BE(0) % Math.max(1, limit);
  }
}

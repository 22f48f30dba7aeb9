// The parts of a submitted message that a reader sees as text, out of their encodings: decoded and
// surveyed once for all of its copies. Pure.
import { Buffer, isUtf8 } from "node:buffer";
import { runInSteps } from "../../lib/step-scheduler.ts";
import { decodeBody, isDecodable } from "../../lib/mime/part-body.ts";
import { type Leaf, leavesOf } from "../../lib/mime/parts.ts";
import { type HtmlSurvey, surveyHtml } from "./html-survey.ts";

/** In these an octet of ASCII does not stand for itself. */
const NOT_ON_ASCII = /^(?:utf-?(?:7|16|32)|ucs|unicode|iso-2022|csiso2022|hz-)/;

export class ReadablePart {
  readonly leaf: Leaf;
  readonly isHtml: boolean;
  readonly text: string;
  /**
   * Where the octets are UTF-8 the text is that, whatever the part says; else each octet is a
   * character.
   */
  readonly isUtf8: boolean;
  #survey: Promise<HtmlSurvey> | undefined;

  constructor(leaf: Leaf, octets: Uint8Array) {
    this.leaf = leaf;
    this.isHtml = isHtml(leaf);
    this.isUtf8 = isUtf8(octets);
    this.text = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString(
      this.isUtf8 ? "utf8" : "latin1",
    );
  }

  /** Of its HTML, with the message's mark. */
  async survey(mark: string | undefined): Promise<HtmlSurvey> {
    return (this.#survey ??= runInSteps(surveyHtml(this.text, mark)));
  }

  /** The octets of another text in its place. */
  octetsOf(text: string): Uint8Array {
    return Buffer.from(text, this.isUtf8 ? "utf8" : "latin1");
  }
}

/** What all copies of a submitted message share. `raw` has CRLF line ends. */
export class SharedMessage {
  readonly raw: Uint8Array;
  #html: Promise<readonly ReadablePart[]> | undefined;
  #plain: Promise<readonly ReadablePart[]> | undefined;

  constructor(raw: Uint8Array) {
    this.raw = raw;
  }

  /** The parts in HTML, and with `plain` those in plain text, in order. */
  async parts({ plain }: { readonly plain: boolean }): Promise<readonly ReadablePart[]> {
    this.#html ??= this.#read(isHtml);
    if (!plain) return this.#html;
    this.#plain ??= this.#read(({ type }) => type === "text/plain");
    return [...(await this.#html), ...(await this.#plain)];
  }

  async #read(isWanted: (leaf: Leaf) => boolean): Promise<ReadablePart[]> {
    const parts: ReadablePart[] = [];
    for (const leaf of leavesOf(this.raw).filter((one) => isWanted(one) && isReadable(one))) {
      const octets = await runInSteps(
        decodeBody(this.raw.subarray(leaf.bodyStart, leaf.end), leaf.encoding),
      );
      parts.push(new ReadablePart(leaf, octets));
    }
    return parts;
  }
}

function isHtml({ type }: Leaf): boolean {
  return type === "text/html";
}

function isReadable({ isShown, charset, encoding }: Leaf): boolean {
  return isShown && isDecodable(encoding) && !NOT_ON_ASCII.test(charset ?? "");
}

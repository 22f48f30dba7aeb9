// Reads those text parts of a submitted message that mail programs display. Each part is decoded
// and examined once for all copies of the message. Pure.
import { Buffer, isUtf8 } from "node:buffer";
import { runInSteps } from "../../lib/step-scheduler.ts";
import { decodeBody, isDecodable } from "../../lib/mime/part-body.ts";
import { type Leaf, leavesOf } from "../../lib/mime/parts.ts";
import { type HtmlSurvey, surveyHtml } from "./html-survey.ts";

/** Matches charsets in which an ASCII octet can mean another character. */
const NOT_ON_ASCII = /^(?:utf-?(?:7|16|32)|ucs|unicode|iso-2022|csiso2022|hz-)/;

export class ReadablePart {
  readonly leaf: Leaf;
  readonly isHtml: boolean;
  readonly text: string;
  /**
   * True if the octets are valid UTF-8 and were decoded as UTF-8, regardless of the charset that
   * the part names. If false, `text` has one character per octet.
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

  /** Returns the survey of the part's HTML. `mark` is the message's placeholder. */
  async survey(mark: string | undefined): Promise<HtmlSurvey> {
    return (this.#survey ??= runInSteps(surveyHtml(this.text, mark)));
  }

  /** Encodes another text in the same way as the part's own text. */
  octetsOf(text: string): Uint8Array {
    return Buffer.from(text, this.isUtf8 ? "utf8" : "latin1");
  }
}

/** A submitted message. All its copies share its decoded parts. `raw` has CRLF line ends. */
export class SharedMessage {
  readonly raw: Uint8Array;
  #html: Promise<readonly ReadablePart[]> | undefined;
  #plain: Promise<readonly ReadablePart[]> | undefined;

  constructor(raw: Uint8Array) {
    this.raw = raw;
  }

  /** Returns the HTML parts in order. If `plain` is true, the plain text parts follow. */
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

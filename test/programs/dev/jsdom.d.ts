// The part of jsdom's types that inbox-page.test.ts uses. The published types include those of a
// whole browser, which would apply to every other file too.
declare module "jsdom" {
  export interface PageNode {
    querySelector(selector: string): PageElement | null;
    querySelectorAll(selector: string): ArrayLike<PageElement> & Iterable<PageElement>;
  }

  export interface PageElement extends PageNode {
    textContent: string | null;
    className: string;
    value: string;
    click(): void;
    focus(): void;
    getAttribute(name: string): string | null;
    dispatchEvent(event: object): boolean;
  }

  export interface PageDocument extends PageNode {
    readonly body: PageElement;
    readonly activeElement: PageElement | null;
  }

  export interface PageWindow {
    readonly document: PageDocument;
    readonly Event: new (type: string) => object;
    readonly KeyboardEvent: new (
      type: string,
      options: { key: string; bubbles: boolean },
    ) => object;
    fetch: (path: string, init?: RequestInit) => Promise<Response>;
    eval(script: string): unknown;
    close(): void;
  }

  interface Options {
    readonly url: string;
    readonly runScripts: "outside-only";
    readonly pretendToBeVisual: boolean;
    readonly beforeParse: (window: PageWindow) => void;
  }

  export class JSDOM {
    constructor(html: string, options: Options);
    readonly window: PageWindow;
  }
}

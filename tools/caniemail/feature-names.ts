// Converts the features of caniemail.com into the texts that show them in a mail: a property,
// `display:flex`, `@media`, `:hover`, `calc()`, `<video>`, `[srcset]` or `.webp`. Pure.

/**
 * Features whose texts do not follow from their names. An empty list means that no text in a mail
 * shows the feature.
 */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  "css-block-inline-size": ["block-size", "inline-size"],
  "css-border-inline-block": ["border-inline", "border-block"],
  "css-border-inline-block-individual": [
    "border-inline-start",
    "border-inline-end",
    "border-block-start",
    "border-block-end",
  ],
  "css-border-inline-block-longhand": [
    "border-inline-color",
    "border-inline-style",
    "border-inline-width",
    "border-block-color",
    "border-block-style",
    "border-block-width",
  ],
  "css-border-radius-logical": [
    "border-start-start-radius",
    "border-start-end-radius",
    "border-end-start-radius",
    "border-end-end-radius",
  ],
  "css-column-layout-properties": ["columns", "column-fill", "column-rule", "column-span"],
  "css-comments": [],
  "css-display-flex": ["display:flex", "display:inline-flex"],
  "css-display-grid": ["display:grid", "display:inline-grid"],
  "css-display-none": ["display:none"],
  "css-flex-direction": ["flex-direction:column"],
  "css-flex-wrap": ["flex-wrap:wrap"],
  "css-gap": ["gap", "column-gap", "row-gap"],
  "css-grid-template": [
    "grid-template",
    "grid-template-areas",
    "grid-template-columns",
    "grid-template-rows",
  ],
  "css-important": [],
  "css-inert-attribute": ["[inert]"],
  "css-intrinsic-size": ["fit-content", "min-content", "max-content"],
  "css-left-right-top-bottom": ["left", "right", "top", "bottom"],
  "css-margin-block-start-end": ["margin-block-start", "margin-block-end"],
  "css-margin-inline-block": ["margin-inline", "margin-block"],
  "css-margin-inline-start-end": ["margin-inline-start", "margin-inline-end"],
  "css-modern-color": ["lch()", "oklch()", "lab()", "oklab()"],
  "css-nesting": [],
  "css-padding-block-start-end": ["padding-block-start", "padding-block-end"],
  "css-padding-inline-block": ["padding-inline", "padding-block"],
  "css-padding-inline-start-end": ["padding-inline-start", "padding-inline-end"],
  "css-scroll-snap": ["scroll-snap-type", "scroll-snap-align", "scroll-snap-stop"],
  "css-sytem-ui": [],
  "css-text-wrap": ["text-wrap"],
  "css-unit-calc": ["calc()"],
  "css-unit-initial": ["initial"],
  "css-unit-percent": [],
  "css-variables": ["var()"],
  "css-at-media-device-pixel-ratio": ["@media -webkit-device-pixel-ratio"],
  "html-anchor-links": [],
  "html-body": [],
  "html-comments": [],
  "html-doctype": [],
  "html-h1-h6": ["<h1>", "<h2>", "<h3>", "<h4>", "<h5>", "<h6>"],
  "html-image-maps": ["<map>"],
  "html-lists": ["<ul>", "<ol>", "<dl>"],
  "html-loading-attribute": ["[loading]"],
  "html-mailto-links": [],
  "html-meta-color-scheme": [],
  "html-semantics": [
    "<article>",
    "<aside>",
    "<details>",
    "<figcaption>",
    "<figure>",
    "<footer>",
    "<header>",
    "<main>",
    "<mark>",
    "<nav>",
    "<section>",
    "<summary>",
    "<time>",
  ],
  "html-srcset": ["[srcset]"],
  "html-button-reset": ["<button type=reset>"],
  "html-button-submit": ["<button type=submit>"],
  "image-base64": [],
  "image-heif": [".heif", ".heic"],
  "image-jpg": [".jpg", ".jpeg"],
  "image-mp4": [".mp4"],
  "image-tiff": [".tif", ".tiff"],
};

const ATTRIBUTES =
  /^html-(align|aria-[a-z]+|background|cellpadding|cellspacing|dir|height|hidden|lang|popover|required|role|target|valign|width)$/;
const INPUT = /^html-input-([a-z]+)$/;
const AT_RULE = /^css-at-(?:(media)-)?([a-z-]+)$/;
const FUNCTION = /^css-(?:function-([a-z-]+)|([a-z]+-gradient|rgba?))$/;

export function featureNames(slug: string): readonly string[] {
  const named = NAMED[slug];
  if (named) return named;
  const [, input] = INPUT.exec(slug) ?? [];
  if (input !== undefined) return [`<input type=${input}>`];
  const [, attribute] = ATTRIBUTES.exec(slug) ?? [];
  if (attribute !== undefined) return [`[${attribute}]`];
  const [, media, rule] = AT_RULE.exec(slug) ?? [];
  if (rule !== undefined) return [media === undefined ? `@${rule}` : `@media ${rule}`];
  const [, named2, gradient] = FUNCTION.exec(slug) ?? [];
  if (named2 !== undefined || gradient !== undefined) return [`${named2 ?? gradient}()`];
  return byPrefix(slug);
}

function byPrefix(slug: string): readonly string[] {
  const prefixes = {
    "css-pseudo-class-": (name: string) => [`:${name}`],
    "css-pseudo-element-": (name: string) => [`::${name}`],
    // Only attribute selectors count. Every mail program with style sheets supports class, id and
    // type selectors.
    "css-selector-": (name: string) => (name === "attribute" ? ["[]"] : []),
    "css-unit-": (name: string) => [`1${name}`],
    "css-": (name: string) => [name],
    "html-": (name: string) => [`<${name}>`],
    "image-": (name: string) => [`.${name}`],
  };
  for (const [prefix, names] of Object.entries(prefixes))
    if (slug.startsWith(prefix)) return names(slug.slice(prefix.length));
  return [];
}

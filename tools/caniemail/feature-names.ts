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

const ATTRIBUTE =
  /^html-(align|aria-[a-z]+|background|cellpadding|cellspacing|dir|height|hidden|lang|popover|required|role|target|valign|width)$/;

/** The forms of all other names, each with the text of such a feature. The first match counts. */
const FORMS: readonly (readonly [form: RegExp, text: string])[] = [
  [/^html-input-([a-z]+)$/, "<input type=$1>"],
  [ATTRIBUTE, "[$1]"],
  [/^css-at-media-([a-z-]+)$/, "@media $1"],
  [/^css-at-([a-z-]+)$/, "@$1"],
  [/^css-function-([a-z-]+)$/, "$1()"],
  [/^css-([a-z]+-gradient|rgba?)$/, "$1()"],
  [/^css-pseudo-class-(.+)$/, ":$1"],
  [/^css-pseudo-element-(.+)$/, "::$1"],
  // Only attribute selectors count. Every mail program with style sheets supports class, id and
  // type selectors.
  [/^css-selector-attribute$/, "[]"],
  [/^css-selector-.+$/, ""],
  [/^css-unit-(.+)$/, "1$1"],
  [/^css-(.+)$/, "$1"],
  [/^html-(.+)$/, "<$1>"],
  [/^image-(.+)$/, ".$1"],
];

export function featureNames(slug: string): readonly string[] {
  const [form, text = ""] = FORMS.find(([one]) => one.test(slug)) ?? [];
  return NAMED[slug] ?? (form && text !== "" ? [slug.replace(form, text)] : []);
}

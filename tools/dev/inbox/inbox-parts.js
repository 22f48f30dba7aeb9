// The parts of a message in the inbox's page: elements, the HTML in its frame, the source, tables.
// Every text from a message is set as text, never as HTML.
const SOURCE_BYTES = 1_048_576;

/**
 * The state of the HTML view: shown in a phone's width, and shown to a reader who prefers dark
 * colours.
 */
const view = { phone: false, dark: false };

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function attributes(element, values) {
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
  return element;
}

function size(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1_048_576
    ? `${(bytes / 1024).toFixed(1)} KB`
    : `${(bytes / 1_048_576).toFixed(1)} MB`;
}

function definitions(pairs, className = "") {
  const parts = pairs.flatMap(([name, value]) => [
    make("dt", { textContent: name }),
    make("dd", { textContent: value }),
  ]);
  return make("dl", { className }, ...parts);
}

/** Makes the frame with the HTML, and the switches of its width and its colours above it. */
function htmlView(id) {
  const box = make("div");
  const frame = make("iframe", { title: "HTML of the message", src: `/api/messages/${id}/html` });
  attributes(frame, { sandbox: "allow-popups allow-popups-to-escape-sandbox" });
  const apply = () => {
    box.className = ["html", view.phone && "phone", view.dark && "dark"].filter(Boolean).join(" ");
  };
  const switchOf = (name, label, title) => {
    const button = make("button", { type: "button", id: `as-${name}`, textContent: label, title });
    attributes(button, { "aria-pressed": String(view[name]) });
    button.addEventListener("click", () => {
      view[name] = !view[name];
      attributes(button, { "aria-pressed": String(view[name]) });
      apply();
    });
    return button;
  };
  apply();
  box.append(
    make(
      "div",
      { className: "switches" },
      switchOf("phone", "Phone width", "390 pixels wide (w)"),
      switchOf("dark", "Dark theme", "As shown to a reader with a dark theme (d)"),
    ),
    frame,
  );
  return box;
}

function source(id) {
  const pre = make("pre", { textContent: "Loading…" });
  const read = async () => {
    const bytes = await (await fetch(`/api/messages/${id}/raw`)).arrayBuffer();
    const more =
      bytes.byteLength > SOURCE_BYTES
        ? `\n\n… ${size(bytes.byteLength - SOURCE_BYTES)} not shown`
        : "";
    pre.replaceChildren(
      ...quietSource(new TextDecoder().decode(bytes.slice(0, SOURCE_BYTES))),
      more,
    );
  };
  void read();
  return pre;
}

/** Marks the names of the header fields, so that they look different from their values. */
function quietSource(text) {
  const end = text.search(/\r?\n\r?\n/);
  const [head, rest] = end === -1 ? [text, ""] : [text.slice(0, end), text.slice(end)];
  const lines = head.split(/(?<=\n)/).flatMap((line) => {
    const [name] = /^[!-9;-~]+:/.exec(line) ?? [];
    return name
      ? [make("span", { className: "name", textContent: name }), line.slice(name.length)]
      : [line];
  });
  return [...lines, rest];
}

/** Lists the problems of the message, the worst first. */
function check(id) {
  const box = make("div", { className: "check" }, make("p", { textContent: "Checking…" }));
  const read = async () => {
    const answer = await (await fetch(`/api/messages/${id}/check`)).json();
    box.replaceChildren(
      ...(answer.error
        ? [make("p", { textContent: answer.error.message })]
        : problemList(answer.problems)),
    );
  };
  void read();
  return box;
}

function problemList(problems) {
  if (problems.length === 0) return [make("p", { textContent: "The rules find nothing wrong." })];
  const items = problems.map(({ rule, severity, where, message, help }) =>
    make(
      "li",
      { className: severity },
      make("strong", { textContent: severity }),
      " ",
      message,
      make("small", { textContent: `${help} ${rule}, ${placeOf(where)}.` }),
    ),
  );
  return [make("ul", {}, ...items)];
}

function placeOf({ field, line, column }) {
  return line === null ? field : `${field} line ${line}, column ${column}`;
}

function attachments(message) {
  const rows = message.attachments.map((attachment, index) => {
    const link = make("a", {
      href: `/api/messages/${message.id}/attachments/${index}`,
      download: attachment.filename,
      textContent: attachment.filename,
    });
    const type = [attachment.content_type, attachment.content_id].filter(Boolean).join(", ");
    return [link, size(attachment.size), type];
  });
  return table(rows, ["File", "Size", "Type"]);
}

function table(rows, columns) {
  const body = rows.map(([name, ...values]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, name),
      ...values.map((value) => make("td", {}, value)),
    ),
  );
  const heads = columns?.map((name) => make("th", { scope: "col", textContent: name })) ?? [];
  const head = columns ? [make("thead", {}, make("tr", {}, ...heads))] : [];
  return make("table", {}, ...head, make("tbody", {}, ...body));
}

/**
 * Makes the form that answers the message as a mail program does, so that a developer sees which
 * answer arrives.
 */
function replyForm(id) {
  const programs = [
    ["gmail", "Gmail"],
    ["outlook", "Outlook"],
    ["apple", "Apple Mail"],
    ["phone", "a phone"],
    ["vacation", "a vacation note"],
  ].map(([value, textContent]) => make("option", { value, textContent }));
  const program = attributes(make("select", {}, ...programs), { "aria-label": "Mail program" });
  const text = attributes(make("textarea", { rows: 3, value: "Thank you, that works." }), {
    "aria-label": "Answer",
  });
  const said = attributes(make("output"), { role: "status" });
  const send = make("button", { type: "submit", textContent: "Send" });
  const form = make("form", {}, make("label", {}, "As ", program), text, send, said);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    const body = JSON.stringify({ program: program.value, text: text.value });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`/api/messages/${id}/reply`, { method: "POST", headers, body });
    const { answer, error } = await response.json();
    said.textContent = answer ?? error.message;
    send.disabled = false;
  });
  return make("details", { id: "reply" }, make("summary", { textContent: "Reply" }), form);
}

globalThis.inboxParts = {
  make,
  attributes,
  size,
  definitions,
  htmlView,
  source,
  check,
  attachments,
  table,
  replyForm,
};

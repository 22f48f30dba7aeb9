// The inbox's page: the newest messages, a search, and the message that was chosen. Whatever comes
// out of a message is set as text, never as HTML.
const SHOWN = 200;
const EVERY_MS = 2000;
const TYPING_MS = 150;
const SOURCE_BYTES = 1_048_576;
const NO_SUBJECT = "(no subject)";

const find = (id) => document.getElementById(id);
let chosen = null;
let tab = null;
let seen = "";
/** Counts the searches: an answer to an older one comes too late. */
let asked = 0;
let typing;

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

function envelopeOf({ mail_from: sender, rcpt_to: recipients, size: bytes, tls }) {
  return [
    `Envelope: ${sender || "<>"} → ${recipients.join(", ")}`,
    size(bytes),
    tls ?? "no TLS",
  ].join(" · ");
}

async function get(path) {
  const response = await fetch(path);
  const body = await response.json();
  if (!response.ok) throw new Error(body.error.message);
  return body;
}

async function refresh() {
  asked += 1;
  const turn = asked;
  const query = find("search").value.trim();
  try {
    const messages = await get(
      `/api/messages?limit=${SHOWN}${query ? `&q=${encodeURIComponent(query)}` : ""}`,
    );
    const { rules } = await get("/api/rules");
    if (turn !== asked) return;
    const count =
      messages.length === SHOWN
        ? `the newest ${SHOWN}`
        : `${messages.length} message${messages.length === 1 ? "" : "s"}`;
    say("status", query ? `${count} found` : count);
    say(
      "rules",
      rules.length > 0 ? `${rules.length} rule${rules.length === 1 ? "" : "s"} in force` : "",
    );
    list(messages);
  } catch (error) {
    if (turn === asked) say("status", `no answer (${error.message})`);
  }
}

/** A status that is set again is read out again: only what changed is set. */
function say(id, text) {
  if (find(id).textContent !== text) find(id).textContent = text;
}

function list(messages) {
  const key = JSON.stringify([chosen, messages.map(({ id }) => id)]);
  if (key === seen) return;
  seen = key;
  const focused = document.activeElement?.dataset?.id;
  find("list").replaceChildren(...messages.map((message) => make("li", {}, entry(message))));
  if (focused) entryOf(focused)?.focus();
}

function entryOf(id) {
  return [...document.querySelectorAll("#list button")].find((button) => button.dataset.id === id);
}

function entry(message) {
  const when = new Date(message.received_at);
  const button = make(
    "button",
    { type: "button", onclick: () => choose(message.id) },
    make("span", { className: "from", textContent: message.from || message.mail_from || "<>" }),
    make("time", {
      dateTime: message.received_at,
      textContent: when.toLocaleTimeString(),
      title: when.toLocaleString(),
    }),
    make("span", { className: "subject", textContent: message.subject || NO_SUBJECT }),
    make("span", { className: "to", textContent: `To ${message.to || "undisclosed recipients"}` }),
    make("span", { className: "envelope", textContent: envelopeOf(message) }),
  );
  button.dataset.id = message.id;
  return attributes(button, { "aria-current": String(message.id === chosen) });
}

async function choose(id) {
  chosen = id;
  void refresh();
  try {
    const message = await get(`/api/messages/${id}`);
    if (id === chosen) show(message);
  } catch (error) {
    if (id === chosen)
      find("message").replaceChildren(
        make("p", { className: "empty", textContent: error.message }),
      );
  }
  document.body.classList.add("reading");
  // On a narrow screen the message takes the place of the list, and of the button that has the
  // focus.
  if (document.querySelector("nav").offsetParent === null) find("message").focus();
}

function leave() {
  document.body.classList.remove("reading");
  if (chosen) entryOf(chosen)?.focus();
}

function show(message) {
  const header = (name) => message.headers.find((one) => one.name.toLowerCase() === name)?.value;
  const shown = [
    ["From", message.from],
    ["To", message.to],
    ["Cc", header("cc")],
    ["Date", header("date") ?? new Date(message.received_at).toLocaleString()],
  ].filter(([, value]) => value);
  const top = make(
    "div",
    { id: "top" },
    make("button", { id: "back", type: "button", textContent: "Back to the list", onclick: leave }),
    make("h2", { textContent: message.subject || NO_SUBJECT }),
    make(
      "dl",
      {},
      ...shown.flatMap(([name, value]) => [
        make("dt", { textContent: name }),
        make("dd", { textContent: value }),
      ]),
    ),
    make("p", {
      className: "envelope",
      textContent: `${envelopeOf(message)} · ${new Date(message.received_at).toLocaleString()}`,
    }),
  );
  const pane = attributes(make("div", { id: "pane" }), { role: "tabpanel", tabindex: "0" });
  top.append(tabs(panesOf(message), pane));
  find("message").replaceChildren(top, pane);
}

function panesOf(message) {
  return {
    ...(message.has_html && { HTML: () => frame(message.id) }),
    ...(message.text !== null && { Text: () => make("pre", { textContent: message.text }) }),
    Headers: () => table(message.headers.map(({ name, value }) => [name, value])),
    Source: () => source(message.id),
    ...(message.attachments.length > 0 && {
      [`Attachments (${message.attachments.length})`]: () => attachments(message),
    }),
  };
}

/**
 * Tabs as the ARIA practices have them: one of them takes the focus, and the arrow keys lead to the
 * others.
 */
function tabs(panes, pane) {
  const names = Object.keys(panes);
  const row = attributes(make("div"), { role: "tablist", "aria-label": "Parts of the message" });
  const buttons = names.map((name, index) =>
    attributes(
      make("button", {
        type: "button",
        id: `tab-${index}`,
        textContent: name,
        onclick: () => open(index),
      }),
      {
        role: "tab",
        "aria-controls": "pane",
      },
    ),
  );
  const open = (index) => {
    tab = names[index];
    for (const [at, button] of buttons.entries())
      attributes(button, {
        "aria-selected": String(at === index),
        tabindex: at === index ? "0" : "-1",
      });
    attributes(pane, { "aria-labelledby": `tab-${index}` });
    pane.replaceChildren(panes[tab]());
  };
  row.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const next = (names.indexOf(tab) + step + names.length) % names.length;
    open(next);
    buttons[next].focus();
  });
  row.append(...buttons);
  open(Math.max(0, names.indexOf(tab)));
  return row;
}

function frame(id) {
  const element = make("iframe", { title: "The message as HTML", src: `/api/messages/${id}/html` });
  return attributes(element, { sandbox: "allow-popups allow-popups-to-escape-sandbox" });
}

function source(id) {
  const pre = make("pre", { textContent: "loading" });
  const read = async () => {
    const bytes = await (await fetch(`/api/messages/${id}/raw`)).arrayBuffer();
    const more =
      bytes.byteLength > SOURCE_BYTES ? `\n\n… ${size(bytes.byteLength - SOURCE_BYTES)} more` : "";
    pre.textContent = new TextDecoder().decode(bytes.slice(0, SOURCE_BYTES)) + more;
  };
  void read();
  return pre;
}

function attachments(message) {
  return table(
    message.attachments.map((attachment, index) => [
      make("a", {
        href: `/api/messages/${message.id}/attachments/${index}`,
        download: attachment.filename,
        textContent: attachment.filename,
      }),
      `${attachment.content_type}, ${size(attachment.size)}${attachment.content_id ? `, ${attachment.content_id}` : ""}`,
    ]),
  );
}

function table(rows) {
  const body = rows.map(([name, value]) =>
    make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, value)),
  );
  return make("table", {}, make("tbody", {}, ...body));
}

async function clear() {
  if (!confirm("Delete every message?")) return;
  await fetch("/api/messages", { method: "DELETE" });
  chosen = null;
  document.body.classList.remove("reading");
  find("message").replaceChildren(
    make("p", { className: "empty", textContent: "Choose a message." }),
  );
  await refresh();
}

find("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => void refresh(), TYPING_MS);
});
find("clear").addEventListener("click", () => void clear());
void refresh();
setInterval(() => document.hidden || void refresh(), EVERY_MS);

// The inbox's page: the newest messages, a search, and the chosen message. Every text from a
// message is set as text, never as HTML.
const SHOWN = 200;
const EVERY_MS = 2000;
const TYPING_MS = 150;
/** Matches a screen that shows either the list or the message (inbox-page.css). */
const NARROW = "(max-width: 720px)";
const NO_SUBJECT = "(no subject)";

const parts = globalThis.inboxParts;
const { make, attributes, size, definitions } = parts;
const find = (id) => document.getElementById(id);
let chosen = null;
/** True: the person or the page has chosen a message. */
let hasChosen = false;
/** The copies of each listed message, newest first, by the id of the newest. */
let copies = new Map();
let tab = null;
let seen = "";
/** The number of searches. An answer to a search that is not the newest is ignored. */
let asked = 0;
let typing;

function envelopeOf({ mail_from: sender, rcpt_to: recipients, size: bytes, tls }) {
  // A return-path is long. It is at the end, where the line is cut.
  return [
    `Envelope to ${recipients.join(", ")}`,
    size(bytes),
    tls ?? "no TLS",
    `from ${sender || "<>"}`,
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
    const most = messages.length === SHOWN ? "Newest " : "";
    const groups = grouped(messages);
    const count = `${most}${groups.length} message${groups.length === 1 ? "" : "s"}`;
    say("status", query ? `${count} found` : count);
    say(
      "rules",
      rules.length > 0 ? `${rules.length} rule${rules.length === 1 ? "" : "s"} active` : "",
    );
    list(groups);
    chooseNewest(groups);
  } catch (error) {
    if (turn === asked) say("status", `The inbox does not answer (${error.message})`);
  }
}

/** Sets a status only if it has changed, because screen readers read every status that is set. */
function say(id, text) {
  if (find(id).textContent !== text) find(id).textContent = text;
}

/** Groups the copies of one message to several people. The list shows each group once. */
function grouped(messages) {
  const groups = Map.groupBy(messages, ({ id, message_id: own, from, subject }) =>
    own ? [own, from, subject].join("\n") : id,
  );
  return [...groups.values()];
}

/** The page opens with the newest message. A narrow screen opens with the list. */
function chooseNewest([newest]) {
  if (hasChosen || !newest || window.matchMedia?.(NARROW).matches) return;
  void choose(newest[0].id);
}

function list(groups) {
  const key = JSON.stringify([chosen, groups.map((group) => group.map(({ id }) => id))]);
  if (key === seen) return;
  seen = key;
  copies = new Map(groups.map((group) => [group[0].id, group]));
  const focused = document.activeElement?.dataset?.id;
  find("list").replaceChildren(...groups.map((group) => make("li", {}, entry(group))));
  if (focused) entryOf(focused)?.focus();
}

function entryOf(id) {
  return [...document.querySelectorAll("#list button")].find((button) => button.dataset.id === id);
}

/** Returns the list's entry for a message or for one of its copies. */
function listedEntry(id) {
  const [own = id] = [...copies].find(([, group]) => group.some((one) => one.id === id)) ?? [];
  return entryOf(own);
}

function entry(group) {
  const [message] = group;
  const recipients = group.flatMap(({ rcpt_to: own }) => own);
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
    make("span", {
      className: "envelope",
      textContent:
        group.length > 1 ? `${group.length} copies: ${recipients.join(", ")}` : envelopeOf(message),
    }),
  );
  button.dataset.id = message.id;
  const isChosen = group.some(({ id }) => id === chosen);
  return attributes(button, { "aria-current": String(isChosen) });
}

async function choose(id) {
  chosen = id;
  hasChosen = true;
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
  // On a narrow screen, the message replaces the list. The focus moves to the message, because the
  // focused button disappears with the list.
  if (document.querySelector("nav").offsetParent === null) find("message").focus();
}

function leave() {
  document.body.classList.remove("reading");
  if (chosen) listedEntry(chosen)?.focus();
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
    make("button", { id: "back", type: "button", textContent: "Back to list", onclick: leave }),
    make("h2", { textContent: message.subject || NO_SUBJECT }),
    definitions(shown),
    ...copyChoice(message.id),
    definitions(envelopeLines(message), "envelope"),
    ...(message.takes_answers ? [parts.replyForm(message.id)] : []),
  );
  const pane = attributes(make("div", { id: "pane" }), { role: "tabpanel", tabindex: "0" });
  top.append(tabs(panesOf(message), pane));
  find("message").replaceChildren(top, pane);
}

/** Makes the choice among the copies of the message. Each copy has its own recipient and links. */
function copyChoice(id) {
  const group = [...copies.values()].find((one) => one.some((copy) => copy.id === id)) ?? [];
  if (group.length < 2) return [];
  const select = make(
    "select",
    { onchange: ({ target }) => void choose(target.value) },
    ...group.map(({ id: value, rcpt_to: recipients }) =>
      make("option", { value, textContent: recipients.join(", "), selected: value === id }),
    ),
  );
  const name = `Copy to (${group.length}) `;
  return [make("label", { className: "copies" }, name, select)];
}

function envelopeLines({ mail_from: sender, rcpt_to: recipients, session, tls, ...message }) {
  const facts = [
    size(message.size),
    tls ?? "no TLS",
    session &&
      `message ${session.message} of the session from ${session.helo || "a client"} (${session.client})`,
    new Date(message.received_at).toLocaleString(),
  ];
  return [
    ["MAIL FROM", `<${sender}>`],
    ["RCPT TO", recipients.map((address) => `<${address}>`).join(", ")],
    ["Session", facts.filter(Boolean).join(" · ")],
  ];
}

function panesOf(message) {
  return {
    ...(message.has_html && { HTML: () => parts.htmlView(message.id) }),
    ...(message.text !== null && { Text: () => make("pre", { textContent: message.text }) }),
    Headers: () => parts.table(message.headers.map(({ name, value }) => [name, value])),
    Source: () => parts.source(message.id),
    Check: () => parts.check(message.id),
    ...(message.attachments.length > 0 && {
      [`Attachments (${message.attachments.length})`]: () => parts.attachments(message),
    }),
  };
}

/**
 * Makes tabs as the ARIA practices describe them: one tab takes the focus, and the arrow keys move
 * to the other tabs.
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

async function clear() {
  if (!confirm("Delete all messages?")) return;
  await fetch("/api/messages", { method: "DELETE" });
  chosen = null;
  document.body.classList.remove("reading");
  find("message").replaceChildren(
    make("p", { className: "empty", textContent: "All messages deleted." }),
  );
  await refresh();
}

/** Chooses the message that is `step` entries below the chosen one. */
function move(step) {
  const entries = [...document.querySelectorAll("#list button")];
  const at = entries.indexOf(listedEntry(chosen));
  const next = entries[at === -1 ? 0 : at + step];
  if (!next) return;
  next.scrollIntoView?.({ block: "nearest" });
  void choose(next.dataset.id);
}

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  w: () => find("as-phone")?.click(),
  d: () => find("as-dark")?.click(),
  "/": () => find("search").focus(),
  Escape: leave,
};

function press(event) {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return;
  if (target === find("search")) {
    if (key === "Escape") target.blur();
    return;
  }
  const act = KEYS[key] ?? (/^[1-6]$/.test(key) && (() => find(`tab-${key - 1}`)?.click()));
  if (!act) return;
  event.preventDefault();
  act();
}

document.addEventListener("keydown", press);
find("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => void refresh(), TYPING_MS);
});
find("clear").addEventListener("click", () => void clear());
void refresh();
setInterval(() => document.hidden || void refresh(), EVERY_MS);

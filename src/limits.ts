// Every number of the contract (contract.md §Limits). `Not in the contract` marks a number that the
// service chose itself. Units are in the names: BYTES, CHARACTERS, MS. Without a unit in its name,
// a number counts things.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Not in the contract: the maximum length of a team's, an API key's, a template's or a webhook's
 * name.
 */
export const NAME_CHARACTERS = 200;
export const REQUEST_BODY_BYTES = 5 * 1024 * 1024;
/** Not in the contract: the largest body that a route reads before the caller has signed in. */
export const OPEN_BODY_BYTES = 16 * 1024;
export const RECIPIENTS_PER_SEND = 50;
export const REPLY_TO_ENTRIES = 10;
export const SUBJECT_CHARACTERS = 998;
/**
 * Not in the contract: the maximum length of the sender's display name in events. A longer name is
 * cut, because each message stores its name.
 */
export const EVENT_NAME_CHARACTERS = 256;
export const BODY_CHARACTERS = 1_000_000;
export const CUSTOM_HEADERS = 25;
export const HEADER_NAME_CHARACTERS = 78;
/**
 * Not in the contract: the maximum length of a header's value, so that a message's headers fit into
 * its row in the ledger.
 */
export const CUSTOM_HEADER_VALUE_CHARACTERS = 8_192;
export const ATTACHMENTS_PER_SEND = 20;
/**
 * The files that a send names by URL: their maximum total size, and the maximum time for fetching
 * all of them.
 */
export const ATTACHED_FILES_BYTES = (REQUEST_BODY_BYTES * 3) / 4;
export const ATTACHED_FILES_MS = 10 * SECOND_MS;
export const ATTACHED_FILE_REDIRECTS = 3;
/** The maximum number of requests for all files of a send, including redirects. */
export const ATTACHED_FILE_REQUESTS = 2 * ATTACHMENTS_PER_SEND;
/** The maximum pause of a server within a file. After a longer pause, the file counts as failed. */
export const ATTACHED_FILE_SILENCE_MS = 3 * SECOND_MS;
/** Not in the contract: the maximum number of files of one send that are fetched at once. */
export const ATTACHED_FILES_AT_ONCE = 4;
/**
 * Not in the contract: the maximum memory of an isolate for sends that fetch files, and a team's
 * share of this memory. A send of the largest size fits into the share. An isolate has 128 MB.
 */
export const FILES_MEMORY_BYTES = 24 * 1024 * 1024;
export const TEAM_FILES_MEMORY_BYTES = FILES_MEMORY_BYTES / 2;
export const TAGS_PER_SEND = 10;
export const LABEL_CHARACTERS = 64;
export const VARIABLES_BYTES = 64 * 1024;
export const VARIABLES_KEYS_PER_OBJECT = 100;
export const VARIABLES_DEPTH = 4;
export const METADATA_PAIRS = 20;
export const METADATA_NAME_CHARACTERS = 64;
export const METADATA_VALUE_CHARACTERS = 256;
/** Maximum size of all metadata pairs of one message, as JSON. */
export const METADATA_BYTES = 4 * 1024;
// Not in the contract: the next three numbers limit the time and memory of all templates in one
// request. The work of parsing is counted in tokens: 120,000 tokens are 40,000 plain tags, and each
// different source counts once. Rendering is counted in steps, and output in UTF-16 units.
export const TEMPLATE_WORK_PER_REQUEST = 120_000;
export const RENDER_STEPS_PER_REQUEST = 2_000_000;
export const RENDERED_CHARACTERS_PER_REQUEST = 16 * 1024 * 1024;
export const EMAILS_PER_BATCH = 100;
export const IDEMPOTENCY_KEY_BYTES = 255;
export const IDEMPOTENCY_WINDOW_MS = DAY_MS;
export const IDEMPOTENCY_LOCK_MS = MINUTE_MS;
export const TEMPLATES_PER_TEAM = 500;
/** Not in the contract: the maximum number of a template's versions, and their total size. */
export const TEMPLATE_VERSIONS = 50;
export const TEMPLATE_VERSION_BYTES = 5 * 1024 * 1024;
/** Not in the contract: the maximum length of a template's alias. */
export const TEMPLATE_ALIAS_CHARACTERS = 128;
export const TEMPLATE_HTML_BYTES = 262_144;
export const TEMPLATE_TEXT_BYTES = 65_536;
export const CREDENTIAL_CACHE_MS = MINUTE_MS;
/**
 * Not in the contract: the maximum number of a team's members and invitations, and the time for
 * which an invitation is valid.
 */
export const MEMBERS_PER_TEAM = 200;
export const INVITATION_MS = 7 * DAY_MS;
export const WEBHOOK_ROTATION_GRACE_MS = DAY_MS;
/** Maximum time from a webhook request to the end of the receiver's response. */
export const WEBHOOK_TIMEOUT_MS = 5 * SECOND_MS;
/** Not in the contract: the maximum time of the DNS look-up before a webhook request. */
export const WEBHOOK_LOOKUP_TIMEOUT_MS = 2 * SECOND_MS;
/**
 * Not in the contract: the time for which a webhook's URL is not checked again after a check found
 * the URL to be public.
 */
export const WEBHOOK_CALLABLE_MS = MINUTE_MS;
export const WEBHOOK_PREVIEW_BYTES = 1_024;
/**
 * Not in the contract: the maximum size of a webhook receiver's response. A longer response counts
 * as not completed.
 */
export const WEBHOOK_RESPONSE_BYTES = 256 * 1024;
/**
 * The wait before the first retry of a webhook batch. Each later wait is twice as long as the one
 * before, up to the longest wait.
 */
export const WEBHOOK_RETRY_FIRST_MS = 30 * SECOND_MS;
export const WEBHOOK_RETRY_LONGEST_MS = HOUR_MS;
/** Maximum time from the first attempt to send a webhook batch to the last. */
export const WEBHOOK_RETRY_WINDOW_MS = 12 * HOUR_MS;
export const WEBHOOK_FAILURES_BEFORE_CIRCUIT = 10;
export const WEBHOOK_PROBE_FIRST_MS = 5 * MINUTE_MS;
export const WEBHOOK_PROBE_LONGEST_MS = 15 * MINUTE_MS;
export const WEBHOOK_OUTAGE_MS = 72 * HOUR_MS;
export const EXPIRY_AFTER_MS = 72 * HOUR_MS;
/** Maximum time for which a hold stops the mail of a domain or account that may not send. */
export const HOLD_LIMIT_MS = 7 * DAY_MS;
/**
 * The age from which no recipient needs a message's content any more, unless the message was
 * scheduled. The time under a hold is added to a message's 72 hours.
 */
export const CONTENT_LIFETIME_MS = EXPIRY_AFTER_MS + HOLD_LIMIT_MS + DAY_MS;
/** Maximum time from a send to its scheduled time. The gateway has the same number. */
export const SCHEDULE_AHEAD_MS = 30 * DAY_MS;
/** A scheduled time in the past counts as now if it is at most this old. */
export const SCHEDULE_PAST_MS = MINUTE_MS;
export const BOUNCE_SUPPRESSION_MS = 90 * DAY_MS;
export const EVENTS_DEFAULT_WINDOW_MS = DAY_MS;
export const STATS_DEFAULT_WINDOW_MS = DAY_MS;
/**
 * The longest window for which `hour` is the default interval. A count by recipient domain or
 * provider refuses `hour` for longer windows, because the answer would be too long.
 */
export const STATS_HOURLY_WINDOW_MS = 7 * DAY_MS;
export const EVENT_RETENTION_DAYS = [3, 7, 30] as const;
export const LONGEST_RETENTION_DAYS = 30;

/** The highest number of a team. A chunk's key has 21 bits for it. */
export const HIGHEST_TEAM_NUMBER = 2 ** 21 - 1;
export const EVENT_TAG_FILTERS = 10;
/**
 * Not in the contract: a search for a recipient reads at most this many open messages, and as many
 * scheduled messages. It reads the newest of each kind.
 */
export const MESSAGES_SEARCHED = 10_000;
/**
 * Not in the contract: the list of campaigns with scheduled messages shows at most CAMPAIGNS_SHOWN
 * campaigns. One call cancels at most MESSAGES_PER_CANCEL messages.
 */
export const CAMPAIGNS_SHOWN = 100;
export const MESSAGES_PER_CANCEL = 100;
/**
 * Not in the contract: the answer about one recipient shows at most RECIPIENT_MESSAGES messages. A
 * search by an address's first characters finds at most RECIPIENTS_PER_SEARCH addresses.
 */
export const RECIPIENT_MESSAGES = 10;
export const RECIPIENTS_PER_SEARCH = 20;
export const RECIPIENT_PREFIX_CHARACTERS = 3;

/** Maximum number of webhooks, because every event of a team goes to each of its webhooks. */
export const WEBHOOKS_PER_TEAM = 50;
export const WEBHOOK_URL_CHARACTERS = 2_048;
/**
 * Not in the contract: the maximum number of entries in a list of event types. It is higher than
 * the number of types, because a list may name a type twice.
 */
export const WEBHOOK_EVENT_ENTRIES = 100;
export const WEBHOOK_EVENTS_PER_BATCH = 100;
/** Maximum size of a webhook batch's body. A larger single event gets a batch of its own. */
export const WEBHOOK_BATCH_BYTES = 128 * 1024;
/** Maximum number of concurrent requests to one webhook. */
export const WEBHOOK_CONNECTIONS = 5;
/**
 * The time after which a batch is dropped if the service never tried to send it. The service does
 * not try while the webhook accepts no deliveries.
 */
export const WEBHOOK_STOPPED_MS = 72 * HOUR_MS;
/** Maximum total size of the batches that wait for one webhook, in UTF-16 units. */
export const WEBHOOK_WAITING_CHARACTERS = 1024 * 1024 * 1024;
/**
 * The time for which a webhook's delivery attempts are shown. A repeated batch is recognised for
 * the same time.
 */
export const WEBHOOK_LOG_MS = 3 * DAY_MS;
export const WEBHOOK_LOG_ENTRIES = 100_000;
/** Maximum number of concurrent replays to one webhook. */
export const WEBHOOK_REPLAYS = 10;
/** Not in the contract: how long a replay is shown after its end, and how many are shown. */
export const WEBHOOK_REPLAY_RETENTION_MS = 7 * DAY_MS;
export const WEBHOOK_REPLAYS_KNOWN = 1_000;

/** Not in the contract: the maximum number of concurrent imports of one team. */
export const SUPPRESSION_IMPORTS = 5;
/** Not in the contract: the maximum duration of an import. A longer import is given up. */
export const SUPPRESSION_IMPORT_LIFETIME_MS = DAY_MS;
/** Not in the contract: the time for which an import is shown after its end. */
export const SUPPRESSION_IMPORT_RETENTION_MS = 7 * DAY_MS;

/**
 * Not in the contract: the maximum number of rows that a count of suppressions reads, because a
 * shard runs only one query at a time.
 */
export const COUNTED_SUPPRESSIONS = 200_000;

/** Not in the contract: the time for which the log of requests shows a request. */
export const REQUEST_LOG_MS = 3 * DAY_MS;

export const LIST_LIMIT_DEFAULT = 20;
export const LIST_LIMIT_MAX = 100;

export const DEFAULT_REQUESTS_PER_SECOND = 10;
/** The rate of each console session, without a burst. */
export const CONSOLE_SESSION_REQUESTS_PER_SECOND = 10;
/**
 * Not in the contract: the maximum number of console sessions of one team that may make requests in
 * the same second.
 */
export const CONSOLE_SESSIONS_AT_ONCE = 50;
export const CONSOLE_SESSION_MS = 12 * HOUR_MS;
/** Not in the contract: the time for which a sign-in link is valid. The link works once. */
export const CONSOLE_LINK_MS = 10 * MINUTE_MS;
/**
 * The capacity of a team's rate bucket, as a multiple of the team's requests per second
 * (contract.md §Rate and quota refusals).
 */
export const REQUEST_BURST_FACTOR = 2;
export const DEFAULT_DAILY_MESSAGES = 10_000;
export const DEFAULT_MONTHLY_MESSAGES = 100_000;
export const DEFAULT_DELIVERY_RATE_PER_MINUTE = 600;
export const DEFAULT_TAGS_PER_HOUR = 1_000;
export const DEFAULT_TOPIC_PER_HOUR = 100;
export const DEFAULT_CAMPAIGN_PER_HOUR = 200;
export const DEFAULT_CAMPAIGN_PER_72_HOURS = 1_000;

export const AUTH_FAILURES_BEFORE_BLOCK = 20;
export const AUTH_FAILURE_WINDOW_MS = 5 * MINUTE_MS;
/**
 * The time after a failure in which the same credential does not count as a failure again. A
 * program that repeats an outdated key is not guessing.
 */
export const AUTH_FAILURE_REPEAT_MS = MINUTE_MS;
export const AUTH_BLOCK_MS = 15 * MINUTE_MS;

// Limits that decide if a message's content is in the ledger or in R2 (docs/storage.md §A ledger's
// content).
/** Not in the contract: the size up to which content is always in the ledger. */
export const SMALL_CONTENT_BYTES = 96 * 1024;
/**
 * Not in the contract: the maximum size of a message with its content in the ledger. The content
 * goes to R2 if message and content are larger together, or the ledger has no space.
 */
export const LEDGER_MESSAGE_BYTES = 1024 * 1024;
/** Not in the contract: the maximum total size of a ledger's contents above SMALL_CONTENT_BYTES. */
export const LEDGER_LARGE_BYTES = 1_000_000_000;
/**
 * Not in the contract: the maximum size of a batch's messages without their contents, in UTF-16
 * units. Messages and contents must fit together into one call to the ledger (32 MB).
 */
export const BATCH_FACTS_CHARACTERS = 6 * 1024 * 1024;

// Tracked links (docs/tracking.md). Links beyond these limits are not rewritten.
export const TRACKED_URL_CHARACTERS = 2_048;
export const TRACKED_LINKS_PER_COPY = 1_000;
export const USER_AGENT_CHARACTERS = 512;

// SMTP submission and return-paths (docs/gateway-protocol.md).
export const ENVELOPE_BYTES = 32 * 1024;
export const SUBMISSIONS_PER_BUNDLE = 100;
/**
 * Maximum size of a submitted message's header. The header `X-Service-Variables` with
 * VARIABLES_BYTES fits into it, encoded and folded.
 */
export const SUBMITTED_HEADER_BYTES = 256 * 1024;
export const SUBMITTED_HEADER_FIELDS = 1_000;
/** Longest line of a message without its line end (RFC 5322 §2.1.1). */
export const MAIL_LINE_BYTES = 998;
export const RETURN_PATH_LIFETIME_MS = 30 * DAY_MS;
/**
 * Not in the contract: the number of days for which a ledger can find the message of a report or a
 * complaint. RETURN_PATH_LIFETIME_MS must be shorter.
 */
export const REPORTABLE_DAYS = 35;
export const REPORT_BYTES = 256 * 1024;
export const REPORT_HEADER_BYTES = 64 * 1024;
export const REPORT_BOUNDARY_LINES = 200;

// Replies (contract.md §Replies).
/** The time for which a reply address accepts answers, counted from the release of its message. */
export const REPLY_ADDRESS_LIFETIME_MS = 365 * DAY_MS;
export const REPLY_BYTES = 10 * 1024 * 1024;
export const REPLY_HEADER_BYTES = 64 * 1024;
/**
 * Not in the contract: the maximum size of a reply's text that the service reads. The raw mail
 * contains the whole text.
 */
export const REPLY_TEXT_BYTES = 1024 * 1024;
export const REPLIES_PER_ADDRESS_AND_DAY = 20;
/** The maximum total size of a team's stored replies. */
export const REPLY_BYTES_PER_TEAM = 1024 * 1024 * 1024;
export const REPLY_SEEN_MS = 30 * DAY_MS;
export const REPLY_UNSEEN_MS = 90 * DAY_MS;
/** Minimum time for which a reply is kept after it is first seen. */
export const REPLY_AFTER_SEEN_MS = 7 * DAY_MS;
/** Not in the contract: how many of the oldest replies the look-up of a message shows. */
export const REPLIES_PER_MESSAGE = 100;

// Operations (docs/metrics-and-alerts.md).
export const DEAD_LETTER_RETENTION_MS = 30 * DAY_MS;
/**
 * A recipient counts as stuck if its first attempt has no outcome within this time after its
 * release. Even slow mail servers reply sooner.
 */
export const STUCK_AFTER_MS = 15 * MINUTE_MS;

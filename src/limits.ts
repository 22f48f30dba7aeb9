// Every number of the contract (contract.md §Limits). `Ours` marks a number that the contract does
// not name. Units are in the names: BYTES, CHARACTERS, MS; a name without a unit counts things.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Ours: the name of a team, an API key, a template or a webhook. */
export const NAME_CHARACTERS = 200;
export const REQUEST_BODY_BYTES = 5 * 1024 * 1024;
/** Ours: the largest body of a route that takes one before its caller has signed in. */
export const OPEN_BODY_BYTES = 16 * 1024;
export const RECIPIENTS_PER_SEND = 50;
export const REPLY_TO_ENTRIES = 10;
export const SUBJECT_CHARACTERS = 998;
/** Ours: the sender's display name in events, of which each message keeps one. */
export const EVENT_NAME_CHARACTERS = 256;
export const BODY_CHARACTERS = 1_000_000;
export const CUSTOM_HEADERS = 25;
export const HEADER_NAME_CHARACTERS = 78;
/** Ours: keeps a message's headers small enough for its row in the ledger. */
export const CUSTOM_HEADER_VALUE_CHARACTERS = 8_192;
export const ATTACHMENTS_PER_SEND = 20;
/** Files that a send names by URL: together, and for as long as all of them may take. */
export const ATTACHED_FILES_BYTES = (REQUEST_BODY_BYTES * 3) / 4;
export const ATTACHED_FILES_MS = 10 * SECOND_MS;
export const ATTACHED_FILE_REDIRECTS = 3;
export const TAGS_PER_SEND = 10;
export const LABEL_CHARACTERS = 64;
export const VARIABLES_BYTES = 64 * 1024;
export const VARIABLES_KEYS_PER_OBJECT = 100;
export const VARIABLES_DEPTH = 4;
export const METADATA_PAIRS = 20;
export const METADATA_NAME_CHARACTERS = 64;
export const METADATA_VALUE_CHARACTERS = 256;
/** All pairs of a message together, as JSON. */
export const METADATA_BYTES = 4 * 1024;
// Ours: these three bound the time and memory that all templates of one request take together.
// Parsing is counted in tokens (40,000 plain tags; each different source counts once), rendering in
// steps, output in UTF-16 units.
export const TEMPLATE_WORK_PER_REQUEST = 120_000;
export const RENDER_STEPS_PER_REQUEST = 2_000_000;
export const RENDERED_CHARACTERS_PER_REQUEST = 16 * 1024 * 1024;
export const EMAILS_PER_BATCH = 100;
export const IDEMPOTENCY_KEY_BYTES = 255;
export const IDEMPOTENCY_WINDOW_MS = DAY_MS;
export const IDEMPOTENCY_LOCK_MS = MINUTE_MS;
export const TEMPLATES_PER_TEAM = 500;
/** Ours. */
export const TEMPLATE_ALIAS_CHARACTERS = 128;
export const TEMPLATE_HTML_BYTES = 262_144;
export const TEMPLATE_TEXT_BYTES = 65_536;
export const CREDENTIAL_CACHE_MS = MINUTE_MS;
export const WEBHOOK_ROTATION_GRACE_MS = DAY_MS;
/** The time from a request to the end of its response. */
export const WEBHOOK_TIMEOUT_MS = 5 * SECOND_MS;
/** Ours: the time for looking up the receiver's name before the request. */
export const WEBHOOK_LOOKUP_TIMEOUT_MS = 2 * SECOND_MS;
/** Ours: a URL that was found to be public is not checked again for this long. */
export const WEBHOOK_CALLABLE_MS = MINUTE_MS;
export const WEBHOOK_PREVIEW_BYTES = 1_024;
/** Ours: a longer response counts as not completed. */
export const WEBHOOK_RESPONSE_BYTES = 256 * 1024;
/** The wait before a batch's first repetition. Waits double up to the longest. */
export const WEBHOOK_RETRY_FIRST_MS = 30 * SECOND_MS;
export const WEBHOOK_RETRY_LONGEST_MS = HOUR_MS;
/** The longest time from a batch's first attempt to its last. */
export const WEBHOOK_RETRY_WINDOW_MS = 12 * HOUR_MS;
export const WEBHOOK_FAILURES_BEFORE_CIRCUIT = 10;
export const WEBHOOK_PROBE_FIRST_MS = 5 * MINUTE_MS;
export const WEBHOOK_PROBE_LONGEST_MS = 15 * MINUTE_MS;
export const WEBHOOK_OUTAGE_MS = 72 * HOUR_MS;
export const EXPIRY_AFTER_MS = 72 * HOUR_MS;
/** No recipient of a message that was released at once can still wait for content of this age. */
export const CONTENT_LIFETIME_MS = EXPIRY_AFTER_MS + DAY_MS;
/** A send may be scheduled for at most this long ahead. The gateway has the same number. */
export const SCHEDULE_AHEAD_MS = 30 * DAY_MS;
/** A scheduled time in the past counts as now, if it is at most this old. */
export const SCHEDULE_PAST_MS = MINUTE_MS;
export const BOUNCE_SUPPRESSION_MS = 90 * DAY_MS;
export const EVENTS_DEFAULT_WINDOW_MS = DAY_MS;
export const STATS_DEFAULT_WINDOW_MS = DAY_MS;
/**
 * The longest window that is shown by the hour when no interval is asked for, and the longest that
 * is shown by recipient domain: some 11,000 entries.
 */
export const STATS_HOURLY_WINDOW_MS = 7 * DAY_MS;
export const EVENT_RETENTION_DAYS = [3, 7, 30] as const;
export const LONGEST_RETENTION_DAYS = 30;

/** A page of events identifies its team by 21 bits. */
export const HIGHEST_TEAM_NUMBER = 2 ** 21 - 1;
export const EVENT_TAG_FILTERS = 10;
/** Ours: the newest open, and the newest scheduled, messages among which a recipient is found. */
export const MESSAGES_SEARCHED = 10_000;
/** Ours: campaigns of waiting messages in one answer, and messages that one call cancels. */
export const CAMPAIGNS_SHOWN = 100;
export const MESSAGES_PER_CANCEL = 100;
/** Ours: a recipient's messages, and the addresses that a prefix finds. */
export const RECIPIENT_MESSAGES = 10;
export const RECIPIENTS_FOUND = 20;
export const RECIPIENT_PREFIX_CHARACTERS = 3;

/** A bound, because every event of a team is handed to each of its webhooks. */
export const WEBHOOKS_PER_TEAM = 50;
export const WEBHOOK_URL_CHARACTERS = 2_048;
export const WEBHOOK_EVENTS_PER_BATCH = 100;
/** Maximum body of a webhook batch. A larger event is sent in a batch of its own. */
export const WEBHOOK_BATCH_BYTES = 128 * 1024;
/** Concurrent requests to one webhook. */
export const WEBHOOK_CONNECTIONS = 5;
/** A batch that was never attempted, because its webhook is held, is kept for this long. */
export const WEBHOOK_STOPPED_MS = 72 * HOUR_MS;
/** The batches that may wait for one webhook, in UTF-16 units. */
export const WEBHOOK_WAITING_CHARACTERS = 1024 * 1024 * 1024;
/** Attempts are shown, and repeated batches recognised, for this long. */
export const WEBHOOK_LOG_MS = 3 * DAY_MS;
export const WEBHOOK_LOG_ENTRIES = 100_000;
/** Concurrent replays of one webhook. */
export const WEBHOOK_REPLAYS = 10;
/** Ours: a replay is shown for this long after its end, unless so many others began since. */
export const WEBHOOK_REPLAY_RETENTION_MS = 7 * DAY_MS;
export const WEBHOOK_REPLAYS_KNOWN = 1_000;

/** Ours: concurrent imports of one team. */
export const SUPPRESSION_IMPORTS = 5;
/** Ours: an import is given up after this long. */
export const SUPPRESSION_IMPORT_LIFETIME_MS = DAY_MS;
/** Ours: an import is shown for this long after its end. */
export const SUPPRESSION_IMPORT_RETENTION_MS = 7 * DAY_MS;

/** Ours: rows that a count of suppressions looks at, because a shard answers one query at a time. */
export const COUNTED_SUPPRESSIONS = 200_000;

export const LIST_LIMIT_DEFAULT = 20;
export const LIST_LIMIT_MAX = 100;

export const DEFAULT_REQUESTS_PER_SECOND = 10;
/** Each console session's own rate, without a burst. */
export const SESSION_REQUESTS_PER_SECOND = 10;
/** Ours: sessions of one team that may make requests within the same second. */
export const SESSIONS_AT_ONCE = 50;
export const CONSOLE_SESSION_MS = 12 * HOUR_MS;
/** Ours: a link that signs in works once, and for this long. */
export const CONSOLE_LINK_MS = 10 * MINUTE_MS;
/** A team may burst to this many times its rate (contract.md §Rate and quota refusals). */
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
 * A credential that fails again within this time is not counted again, because a program that
 * repeats one stale key is not guessing.
 */
export const AUTH_FAILURE_REPEAT_MS = MINUTE_MS;
export const ADMIN_TOKEN_MIN_CHARACTERS = 32;
export const AUTH_BLOCK_MS = 15 * MINUTE_MS;

// A message's content, in the ledger or in R2 (docs/storage.md §A ledger's content).
/** Ours: content up to this size is always in the ledger. */
export const SMALL_CONTENT_BYTES = 96 * 1024;
/**
 * Ours: larger content is in the ledger too if message and content are not larger than this
 * together and the ledger has room for it, else in R2.
 */
export const LEDGER_MESSAGE_BYTES = 1024 * 1024;
/** Ours: the large content that one ledger holds. */
export const LEDGER_LARGE_BYTES = 1_000_000_000;
/**
 * Ours: the size of a batch's messages without their content, in UTF-16 units. With content they
 * must fit one call to the ledger (32 MB).
 */
export const BATCH_FACTS_CHARACTERS = 6 * 1024 * 1024;

// Tracked links (docs/tracking.md). Links beyond these limits are not rewritten.
export const TRACKED_URL_CHARACTERS = 2_048;
export const TRACKED_LINKS_PER_COPY = 1_000;
export const USER_AGENT_CHARACTERS = 512;

// SMTP submission and return-paths (docs/gateway-protocol.md).
export const ENVELOPE_BYTES = 32 * 1024;
export const SUBMISSIONS_PER_BUNDLE = 100;
/** Room for `X-Service-Variables` of VARIABLES_BYTES, encoded and folded. */
export const SUBMITTED_HEADER_BYTES = 256 * 1024;
export const SUBMITTED_HEADER_FIELDS = 1_000;
/** Longest line of a message without its line end (RFC 5322 §2.1.1). */
export const MAIL_LINE_BYTES = 998;
export const RETURN_PATH_LIFETIME_MS = 30 * DAY_MS;
export const REPORT_BYTES = 256 * 1024;
export const REPORT_HEADER_BYTES = 64 * 1024;
export const REPORT_BOUNDARY_LINES = 200;

// Operations (docs/metrics-and-alerts.md).
export const DEAD_LETTER_RETENTION_MS = 30 * DAY_MS;
/**
 * A recipient is stuck when its first attempt has no outcome this long after its release, which is
 * longer than a slow server may take for its replies.
 */
export const STUCK_AFTER_MS = 15 * MINUTE_MS;

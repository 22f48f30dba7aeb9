<?php
// Sends the receipt of an order, with PHP's curl extension alone.
declare(strict_types=1);

const RETRIES = 4;

final class PosternError extends RuntimeException
{
}

/** Returns the message's id. If this runs again with the same key, no second message is sent. */
function send(array $message, string $idempotencyKey): string
{
    $body = json_encode($message, JSON_THROW_ON_ERROR);
    for ($attempt = 0; ; $attempt++) {
        [$status, $answer, $retryAfter] = post($body, $idempotencyKey);
        if ($status === 202) {
            return json_decode($answer, true, flags: JSON_THROW_ON_ERROR)['id'];
        }
        // A used-up quota is a 429 too, but it lasts for hours, so a retry is useless.
        $passing = $status === 0 || $status >= 500
            || ($status === 429 && str_contains($answer, 'rate_limit_exceeded'))
            || ($status === 409 && str_contains($answer, 'idempotency_concurrent'));
        if (!$passing || $attempt === RETRIES) {
            throw new PosternError(describe($status, $answer));
        }
        $wait = 0.25 * 2 ** $attempt * (1 + mt_rand() / mt_getrandmax());
        usleep((int) (1_000_000 * max($wait, $retryAfter)));
    }
}

/** Returns the answer's status (0: no answer), its text, and its Retry-After in seconds. */
function post(string $body, string $idempotencyKey): array
{
    $retryAfter = 0;
    $request = curl_init(rtrim((string) getenv('POSTERN_URL'), '/') . '/v1/email');
    curl_setopt_array($request, [
        CURLOPT_POSTFIELDS => $body,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 20,
        CURLOPT_HTTPHEADER => [
            'Authorization: Bearer ' . getenv('POSTERN_API_KEY'),
            'Content-Type: application/json',
            "Idempotency-Key: $idempotencyKey",
            'User-Agent: shop',
        ],
        CURLOPT_HEADERFUNCTION => function ($request, string $line) use (&$retryAfter): int {
            if (preg_match('/^retry-after: (\d+)/i', $line, $found)) {
                $retryAfter = (int) $found[1];
            }
            return strlen($line);
        },
    ]);
    $answer = curl_exec($request);
    if ($answer === false) {
        return [0, 'no answer: ' . curl_error($request), 0];
    }
    return [curl_getinfo($request, CURLINFO_RESPONSE_CODE), $answer, $retryAfter];
}

/** Returns the fields that an answer names, or else its text. */
function describe(int $status, string $answer): string
{
    $reasons = [];
    foreach (json_decode($answer, true)['error']['errors'] ?? [] as $field => $all) {
        foreach ($all as $reason) {
            $reasons[] = "$field $reason";
        }
    }
    return "$status: " . implode('; ', $reasons ?: [$answer]);
}

[, $to, $order] = $argv;
try {
    echo send([
        'from' => getenv('MAIL_FROM'),
        'to' => [$to],
        'subject' => "Receipt $order",
        'text' => "Thank you for your order $order.",
        'metadata' => ['order' => $order],
    ], "receipt-$order"), "\n";
} catch (PosternError $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}

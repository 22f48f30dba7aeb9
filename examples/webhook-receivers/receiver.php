<?php
// Receives webhook deliveries in PHP 8.0 or later, without a package:
// php -S 127.0.0.1:3000 receiver.php
declare(strict_types=1);

const TOLERANCE_SECONDS = 5 * 60;
const LARGEST_BODY = 1024 * 1024;

/** $body: the bytes as they came. $header: the value of Service-Signature. */
function is_genuine(string $body, string $header, string $secret): bool
{
    $timestamp = '';
    $signatures = [];
    foreach (explode(',', $header) as $field) {
        [$name, $value] = array_pad(explode('=', trim($field), 2), 2, '');
        if ($name === 't') {
            $timestamp = $value;
        } elseif ($name === 'v1') {
            $signatures[] = $value;
        }
    }
    if (!preg_match('/^[0-9]{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', "$timestamp.$body", $secret);
    foreach ($signatures as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

$secret = (string) getenv('WEBHOOK_SECRET');
if ($secret === '') {
    error_log('WEBHOOK_SECRET is not set');
    http_response_code(500);
    exit;
}
$body = (string) file_get_contents('php://input', length: LARGEST_BODY);
if (!is_genuine($body, $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '', $secret)) {
    http_response_code(400);
    exit;
}
foreach (json_decode($body, true, flags: JSON_THROW_ON_ERROR)['events'] as $event) {
    error_log(($event['type'] ?? '') . ' ' . ($event['data']['recipient'] ?? ''));
}
http_response_code(204);

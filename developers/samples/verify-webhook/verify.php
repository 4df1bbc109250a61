<?php

/** Whether these bytes are a delivery of ours. $header is Platform-Signature; the secret is used as it stands. */
function verify(string $body, string $header, string $secret, ?int $now = null): bool
{
    if (!preg_match('/(?:^|,)t=(\d{1,12})(?:,|$)/', $header, $time)) return false;
    if (abs(($now ?? time()) - (int) $time[1]) > 300) return false;
    $expected = hash_hmac('sha256', "$time[1].$body", $secret);
    preg_match_all('/(?:^|,)v1=([0-9a-f]{64})(?=,|$)/', $header, $signatures);
    foreach ($signatures[1] as $given) {
        if (hash_equals($expected, $given)) return true;
    }
    return false;
}

import hashlib
import hmac
import time


def verify(body: bytes, header: str, secret: str, now: float | None = None) -> bool:
    """Whether these bytes are a delivery of ours. `header` is Platform-Signature; the secret is used as it stands."""
    parts = dict(part.split("=", 1) for part in header.split(",") if "=" in part)
    sent, signature = parts.get("t", ""), parts.get("v1", "")
    if not sent.isdigit() or not signature.isascii():
        return False
    if abs((time.time() if now is None else now) - int(sent)) > 300:
        return False
    expected = hmac.new(secret.encode(), f"{sent}.".encode() + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(signature, expected)

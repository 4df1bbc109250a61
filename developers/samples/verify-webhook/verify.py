import hashlib
import hmac
import time


def verify(body: bytes, header: str, secret: str, now: float | None = None) -> bool:
    """Whether these bytes are a delivery of ours. `header` is Platform-Signature; the secret is used as it stands."""
    parts = [part.split("=", 1) for part in header.split(",") if "=" in part and part.isascii()]
    sent = next((value for name, value in parts if name == "t"), "")
    if not sent.isdigit():
        return False
    if abs((time.time() if now is None else now) - int(sent)) > 300:
        return False
    expected = hmac.new(secret.encode(), f"{sent}.".encode() + body, hashlib.sha256).hexdigest()
    return any(name == "v1" and hmac.compare_digest(value, expected) for name, value in parts)

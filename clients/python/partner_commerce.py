"""The client of the Partner Commerce API, in one file, with nothing but the standard library.

    client = PartnerCommerce("https://api.partner-commerce.example", client_id="…", client_secret="…")
    submission = client.submit_and_wait({"siteId": 101, "partnerOrderId": "PO-417", …})
    for order in client.list_orders(site_id=101):
        print(order["orderNumber"], order["totalPrice"])

Each operation of the API is a method: its name and its parameters in snake case, and ``body``. Records are dicts with the
names of the API; ``if_match`` takes one as it was read. Money is an exact decimal string; numbers with a fraction are read as ``Decimal``. A client may be used by
many threads. Every request has a connection of its own.
"""

from __future__ import annotations

import email.utils
import hashlib
import hmac
import http.client
import io
import json
import math
import os
import random
import re
import socket
import ssl
import threading
import time
import urllib.parse
from decimal import Decimal
from typing import Any, BinaryIO, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

__version__ = "1.0.0"

Record = Dict[str, Any]


# What is thrown


class PartnerCommerceError(Exception):
    """The root of everything that the client raises, but for mistakes in using it."""


class ApiProblem(PartnerCommerceError):
    """The API refused a request, or could not answer it. Branch on ``code``; show ``detail`` to people."""

    def __init__(self, operation: str, problem: Record, retry_after: Optional[float] = None) -> None:
        self.operation = operation
        #: the HTTP status
        self.status: int = problem["status"]
        #: what is wrong, for programs; the API may know newer codes than this file
        self.code: str = problem["code"]
        #: what is wrong, for people; never parse it
        self.detail: str = problem["detail"]
        #: all faults of a body that has several; otherwise empty
        self.errors: List[Record] = problem.get("errors") or []
        #: quote it to support
        self.request_id: str = problem.get("requestId", "")
        #: seconds that the API asks you to wait
        self.retry_after = retry_after
        super().__init__(f"{self.code}: {self.detail} ({operation}, {self.status}, request {self.request_id})")


class BadRequestProblem(ApiProblem):
    """400: the request is not valid. Do not repeat it unchanged."""


class UnauthorizedProblem(ApiProblem):
    """401: the credential is missing, expired or revoked, also after it was renewed."""


class ForbiddenProblem(ApiProblem):
    """403: the credential lacks the scope."""


class NotFoundProblem(ApiProblem):
    """404: there is no such record on the sites that are granted to you."""


class ConflictProblem(ApiProblem):
    """409: what is there does not allow it."""


class PreconditionFailedProblem(ApiProblem):
    """412: somebody changed the record since you read it. Nothing has changed."""


class UnprocessableProblem(ApiProblem):
    """422: the request is understood and cannot be done."""


class RateLimitedProblem(ApiProblem):
    """429: the rate or the quota of the day is used up, also after the repetitions."""


class ServerProblem(ApiProblem):
    """500 and other faults of the service. Quote ``request_id`` to support."""


class UnavailableProblem(ApiProblem):
    """503: the service cannot answer right now, also after the repetitions."""


_PROBLEMS = {
    400: BadRequestProblem,
    401: UnauthorizedProblem,
    403: ForbiddenProblem,
    404: NotFoundProblem,
    409: ConflictProblem,
    412: PreconditionFailedProblem,
    422: UnprocessableProblem,
    429: RateLimitedProblem,
    503: UnavailableProblem,
}


class UnexpectedAnswer(PartnerCommerceError):
    """An answer that is not the API's, such as an error page of a proxy on the way."""

    def __init__(self, operation: str, status: int, text: str, retry_after: Optional[float] = None) -> None:
        self.operation = operation
        self.status = status
        self.excerpt = text[:500]
        self.retry_after = retry_after
        super().__init__(self._says())

    def _says(self) -> str:
        return f"The answer to {self.operation} has status {self.status} and is no document of the API."


class FirewallRefusal(UnexpectedAnswer):
    """403 of the firewall at the edge: too many requests from one address, or contents that look like an attack."""

    def _says(self) -> str:
        return (
            f"The firewall refused {self.operation}: too many requests from this address within five minutes, "
            "or contents that look like an attack. Wait five minutes."
        )


class TokenRefused(PartnerCommerceError):
    """The token endpoint gave no token. ``error`` is the word of RFC 6749, such as ``invalid_client``."""

    def __init__(self, status: int, error: str, description: str, retry_after: Optional[float] = None) -> None:
        self.status = status
        self.error = error
        self.retry_after = retry_after
        super().__init__(f"No token: {error}: {description}" if description else f"No token: {error}")


class ConnectionFailed(PartnerCommerceError):
    """There was no answer, or only a part of one. ``may_have_arrived``: a change may have been made all the same."""

    def __init__(self, operation: str, message: str, may_have_arrived: bool) -> None:
        self.operation = operation
        self.may_have_arrived = may_have_arrived
        super().__init__(message)


class TimedOut(ConnectionFailed):
    """An attempt took longer than ``timeout``."""


class NotModified(PartnerCommerceError):
    """304: nothing has changed since the answer that ``if_none_match`` names."""


class SubmissionRejected(PartnerCommerceError):
    """The submission ended as ``failed``. No order exists, and its ``partnerOrderId`` is used up."""

    def __init__(self, submission: Record) -> None:
        self.submission = submission
        #: what is wrong, one entry per problem
        self.errors: List[Record] = submission.get("errors") or []
        problems = []
        for error in self.errors:
            line = f"line {error['partnerLineId']}: " if "partnerLineId" in error else ""
            field = f" ({error['field']})" if "field" in error else ""
            problems.append(f"- {line}{error['detail']}{field}")
        super().__init__(
            "\n".join(
                [
                    f"The order {submission['partnerOrderId']} was rejected, and nothing was charged.",
                    *problems,
                    "Its partnerOrderId is used up: mend the order and send it under a new one.",
                ]
            )
        )


class SubmissionPending(PartnerCommerceError):
    """The outcome of a submission is not known in time. Call ``submit_and_wait`` again with the same order."""

    def __init__(self, partner_order_id: str, submission: Optional[Record]) -> None:
        self.partner_order_id = partner_order_id
        #: the submission as it was last seen; None when no answer has come yet
        self.submission = submission
        state = "no answer has come yet" if submission is None else f"it is {submission['status']}"
        super().__init__(
            f"The outcome of {partner_order_id} is not known in time: {state}. "
            "Call again with the same order; it never orders twice."
        )


class DecisionConflict(PartnerCommerceError):
    """The proof does not take this decision. ``found`` is the status that was found when the line was read again."""

    def __init__(self, message: str, found: Optional[str]) -> None:
        self.found = found
        super().__init__(message)


class UploadFailed(PartnerCommerceError):
    """The storage did not take a file. ``status`` is None when there was no answer."""

    def __init__(self, message: str, status: Optional[int]) -> None:
        self.status = status
        super().__init__(message)


class WebhookRefused(Exception):
    """The delivery is not what it says it is. Answer 400 and do nothing of what it tells.

    ``reason``: ``missing_signature``, ``malformed_signature``, ``too_old``, ``too_new``, ``wrong_signature`` or
    ``unreadable_body``.
    """

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


def _is_passing(error: Exception) -> bool:
    """Whether it may work later: there was no answer, or one that says so."""
    status = getattr(error, "status", 0) or 0
    return isinstance(error, ConnectionFailed) or (
        isinstance(error, PartnerCommerceError) and (status == 429 or status >= 500)
    )


# Answers


class Answered(Dict[str, Any]):
    """A record as the API answered it: a dict, which tells its ``etag`` too, for ``if_match``."""

    def __init__(self, data: Record, etag: Optional[str]) -> None:
        super().__init__(data)
        #: the revision of the record; None where the API gives none
        self.etag = etag


def _tag(seen: Union[Record, str, None]) -> Optional[str]:
    """What ``If-Match`` says of a record that was read, or of its ETag."""
    if seen == "":
        raise ValueError("if_match takes an etag that is not empty; None = whatever there is now.")
    if seen is None or isinstance(seen, str):
        return seen
    etag = getattr(seen, "etag", None)
    if etag is None:
        raise ValueError("if_match takes a record as the client read it, or its etag: this one has none.")
    return str(etag)


class Page:
    """One page of a list. Iterating over it gives all records, from this page on."""

    def __init__(self, data: Record, records_in: str, after: Callable[[str], "Page"]) -> None:
        #: the page as the API answers it
        self.data = data
        #: the records of this page
        self.records: List[Record] = data[records_in]
        #: send it as ``cursor`` for the next page; None on the last one
        self.next_cursor: Optional[str] = data["nextCursor"]
        self._after = after

    def pages(self) -> Iterator["Page"]:
        """This page and all that follow it. Only a ``next_cursor`` of None ends the list: a page may be empty."""
        page = self
        while True:
            yield page
            if page.next_cursor is None:
                return
            page = page._after(page.next_cursor)

    def __iter__(self) -> Iterator[Record]:
        for page in self.pages():
            yield from page.records


# The client


class _Answer:
    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    def retry_after(self) -> Optional[float]:
        value = self.headers.get("Retry-After")
        if value is None:
            return None
        if value.isdigit():
            return float(value)
        try:
            return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
        except (TypeError, ValueError):
            return None


class _Waits:
    """The waits between the attempts of one call: exponential, with jitter, never before Retry-After, and bounded."""

    def __init__(self, attempts: int, total: float, base: float) -> None:
        self._attempts = attempts
        self._until = time.monotonic() + total
        self._base = base

    def next(self, attempt: int, retry_after: Optional[float]) -> Optional[float]:
        """Seconds to wait after so many attempts; None when the request may not be sent again."""
        if attempt >= self._attempts:
            return None
        wait = _pause(self._base, attempt - 1, retry_after)
        return None if time.monotonic() + wait > self._until else wait


def _pause(base: float, failures: int, retry_after: Optional[float]) -> float:
    exponential = min(10.0, base * 2 ** min(failures, 20))
    return max(retry_after or 0.0, exponential / 2) + random.random() * exponential / 2


class PartnerCommerce:
    """A client of the Partner Commerce API. Keep one for the life of your program: it keeps the token.

    Exactly one credential: ``client_id`` with ``client_secret`` (and ``scopes``), or ``access_token``, or
    ``certificate`` as the paths of certificate and key for the mutual-TLS host. ``ca_file`` names the authorities that may
    vouch for the service, instead of those of the system. Times are seconds.
    """

    def __init__(
        self,
        base_url: str,
        *,
        client_id: Optional[str] = None,
        client_secret: Optional[str] = None,
        scopes: Optional[Sequence[str]] = None,
        access_token: Optional[str] = None,
        certificate: Optional[Tuple[str, str]] = None,
        ca_file: Optional[str] = None,
        timeout: float = 60.0,
        attempts: int = 5,
        total_wait: float = 60.0,
        base_wait: float = 0.5,
        user_agent: Optional[str] = None,
    ) -> None:
        parts = urllib.parse.urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise ValueError("base_url must be the address of the host, such as https://api.partner-commerce.example.")
        if parts.scheme == "http" and not _is_loopback(parts.hostname):
            raise ValueError(
                f"Credentials go over https only: use https://{parts.netloc}. Plain http is for this machine."
            )
        if sum(each is not None for each in (client_id, access_token, certificate)) != 1:
            raise ValueError("A client needs one credential: client_id and client_secret, or access_token, or certificate.")
        if client_id is not None and not client_secret:
            raise ValueError("client_id and client_secret belong together, and neither may be empty.")
        self.base_url = base_url.rstrip("/")
        self._client_id = client_id
        self._client_secret = client_secret
        self._scopes = scopes
        self._token = access_token
        self._token_until = float("inf") if access_token else 0.0
        self._token_lock = threading.Lock()
        self._has_tokens = certificate is None
        self._timeout = timeout
        self._retry = (attempts, total_wait, base_wait)
        self._user_agent = f"partner-commerce-python/{__version__}" + (f" {user_agent}" if user_agent else "")
        self._tls = ssl.create_default_context(cafile=ca_file) if parts.scheme == "https" else None
        if certificate is not None:
            if self._tls is None:
                raise ValueError("A certificate needs a base_url that begins with https://.")
            self._tls.load_cert_chain(certificate[0], certificate[1])

    # Whole errands

    def submit_and_wait(
        self,
        order: Record,
        *,
        timeout: float = 300.0,
        on_progress: Optional[Callable[[str, Optional[Record]], None]] = None,
    ) -> Record:
        """Submits an order and waits until it exists or is rejected, across timeouts, outages and lost answers.

        The ``partnerOrderId`` makes it safe to call this again with the same order at any time: it never orders twice.
        Answers the completed submission, with its ``order``. ``on_progress`` is told ``sending``, ``repeating`` or
        ``waiting``, and the submission as it was last seen.

        Raises SubmissionRejected with what is wrong when no order came of it, SubmissionPending when the outcome is not
        known in time, ApiProblem when the order was refused (nothing is used up then).
        """
        body = json.loads(json.dumps(order))
        until = time.monotonic() + timeout
        submission: Optional[Record] = None
        error: Optional[Exception] = None
        failures = 0
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise SubmissionPending(body["partnerOrderId"], submission) from error
            if on_progress:
                on_progress("waiting" if submission else "repeating" if error else "sending", submission)
            once = {"timeout": min(left, 45.0, self._timeout), "attempts": 1}
            try:
                if submission is None:
                    answer = self._send("submit_order", {"body": body}, **once)
                else:
                    answer = self._send("get_submission", {"submission_id": submission["submissionId"]}, **once)
                submission, error, failures = _parsed(answer.body), None, 0
                if submission["status"] == "completed":
                    return submission
                if submission["status"] == "failed":
                    raise SubmissionRejected(submission)
                pause = max(answer.retry_after() or 2.0, 0.1)
            except PartnerCommerceError as thrown:
                if not _is_passing(thrown):
                    raise
                error = thrown
                pause = _pause(self._retry[2], failures, getattr(thrown, "retry_after", None))
                failures += 1
            left = until - time.monotonic()
            if pause >= left:
                if error is not None and (getattr(error, "retry_after", None) or 0) >= left:
                    raise SubmissionPending(body["partnerOrderId"], submission) from error
                pause = max(0.0, left - 0.1)
            time.sleep(pause)

    def decide_proof(
        self,
        order_number: int,
        item_number: int,
        decision: str,
        *,
        reason: Optional[str] = None,
        comment: Optional[str] = None,
        if_match: Union[Record, str, None] = None,
    ) -> Record:
        """Approves or declines the proof of a line (``decision``: ``approve`` or ``decline``, which has a ``reason``).

        ``if_match``: the proof that was looked at, as ``get_proof`` gave it, or its ``etag``: only that one is decided.
        Without it, the one that waits when you call.

        If the line has this decision already, that is success: ``already`` is then True. After an answer that got lost the
        line is read again, and the decision repeated only while the revision that it was meant for still waits.

        Raises DecisionConflict with the status that was found when the proof does not take this decision.
        """
        if decision not in ("approve", "decline") or (decision == "decline" and not reason):
            raise ValueError("decision must be 'approve', or 'decline' with a reason.")
        line = {"order_number": order_number, "item_number": item_number}
        wanted = "APPROVED" if decision == "approve" else "DECLINED"
        body = {} if comment is None else {"comment": comment}
        if decision == "decline":
            body["reason"] = reason
        seen = _tag(if_match)
        waits = _Waits(*self._retry)

        def decided(already: bool) -> Record:
            return {"orderNumber": order_number, "itemNumber": item_number, "proofStatus": wanted, "already": already}

        def conflict(proof: Record) -> DecisionConflict:
            status = proof["proofStatus"]
            found = (
                "another revision of its proof waits for a decision now"
                if status == "PENDING_REVIEW"
                else f"its proof is {status or 'not begun'}"
            )
            return DecisionConflict(
                f"Line {item_number} of order {order_number} cannot become {wanted}: {found}.", status
            )

        def revision(proof: Record) -> List[Tuple[str, str]]:
            return [(file["name"], file["createdOn"]) for file in proof["files"] if file["active"]]

        meant = self._call("get_proof", line)
        if meant["proofStatus"] == wanted:
            return decided(True)
        if meant["proofStatus"] != "PENDING_REVIEW":
            raise conflict(meant)
        # A revision that comes between this look and the decision is not decided.
        seen = seen or meant.etag
        attempt = 0
        while True:
            attempt += 1
            try:
                self._call(f"{decision}_proof", {**line, "body": body, "if_match": seen})
                return decided(False)
            except PartnerCommerceError as error:
                code = getattr(error, "code", None)
                is_changed = code == "precondition_failed"
                is_decided = is_changed or code == "proof_not_pending_review"
                if not is_decided and not _is_passing(error):
                    raise
                found = self._call("get_proof", line)
                if found["proofStatus"] == wanted:
                    return decided(True)
                # The proof that waits now may be another one, which nobody has looked at.
                if is_changed or found["proofStatus"] != "PENDING_REVIEW" or revision(found) != revision(meant):
                    raise conflict(found) from error
                wait = None if is_decided else waits.next(attempt, None)
                if wait is None:
                    raise
                time.sleep(wait)

    def upload_artwork(
        self,
        order_number: int,
        item_number: int,
        file: Union[str, "os.PathLike[str]", bytes, BinaryIO],
        *,
        file_name: Optional[str] = None,
        content_type: Optional[str] = None,
        on_progress: Optional[Callable[[int, int], None]] = None,
        timeout: float = 900.0,
    ) -> Record:
        """Uploads a print file (a path, bytes, or a file opened for reading) and attaches it to a line.

        An upload URL that went stale is replaced by a new one. ``on_progress`` is told the bytes that are on their way and
        all there are; after a repetition it starts again at 0. Answers the attached file.

        Raises UploadFailed when the storage does not take the file.
        """
        line = {"order_number": order_number, "item_number": item_number}
        if isinstance(file, (str, os.PathLike)):
            file_name = file_name or os.path.basename(os.fspath(file))
            with open(file, "rb") as opened:
                return self.upload_artwork(
                    order_number,
                    item_number,
                    opened,
                    file_name=file_name,
                    content_type=content_type,
                    on_progress=on_progress,
                    timeout=timeout,
                )
        if not file_name:
            raise ValueError("upload_artwork needs a file_name.")
        source = io.BytesIO(file) if isinstance(file, (bytes, bytearray)) else file
        start = source.tell()
        size = source.seek(0, os.SEEK_END) - start
        wish = {"fileName": file_name, **({} if content_type is None else {"contentType": content_type})}
        before = self._call("get_artwork", line)["files"]
        waits = _Waits(*self._retry)
        attempt = 0
        while True:
            attempt += 1
            # Every attempt has a URL of its own. It lives for a minute, and one that is not used costs nothing.
            reservation = self._call("reserve_artwork_upload", {**line, "body": wish})
            source.seek(start)
            failure, is_final, retry_after = _put(
                reservation["uploadUrl"], source, size, content_type, on_progress, timeout
            )
            if failure is None:
                return self._attach(line, reservation["reservationName"], before, size, waits)
            wait = None if is_final else waits.next(attempt, retry_after)
            if wait is None:
                raise failure
            time.sleep(wait)

    def _attach(self, line: Record, reservation: str, before: List[Record], size: int, waits: _Waits) -> Record:
        """A reservation attaches once, so repeating is safe; but the repetition cannot tell whether the first succeeded."""

        def key(each: Record) -> Tuple[str, str, str]:
            return (each["fileName"], each["md5"], each["attachedOn"])

        is_unknown = False
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._call("attach_artwork", {**line, "body": {"reservationName": reservation}})
            except PartnerCommerceError as error:
                if is_unknown and getattr(error, "code", None) == "artwork_reservation_not_usable":
                    known = {key(each) for each in before}
                    for each in self._call("get_artwork", line)["files"]:
                        if each["source"] == "UPLOAD" and each["fileSize"] == size and key(each) not in known:
                            attached = {name: each[name] for name in ("fileName", "fileSize", "md5", "active")}
                            return {"orderNumber": line["order_number"], "itemNumber": line["item_number"], **attached}
                    raise
                if not _is_passing(error):
                    raise
                is_unknown = True
                wait = waits.next(attempt, None)
                if wait is None:
                    raise
                time.sleep(wait)

    # Calls

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in OPERATIONS:
            raise AttributeError(f"{type(self).__name__} has no operation {name}")

        def call(**given: Any) -> Any:
            return self._call(name, given)

        call.__name__ = name
        call.__doc__ = f"{OPERATIONS[name][2]}\n\n``{OPERATIONS[name][0]} {OPERATIONS[name][1]}``"
        return call

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *OPERATIONS})

    def _call(self, name: str, given: Record) -> Any:
        method, path, _, more = OPERATIONS[name]
        if more == "events":
            return self._events(name, given)
        answer = self._send(name, given)
        data = _parsed(answer.body)
        if not more.startswith("list:"):
            return Answered(data, answer.headers.get("ETag")) if isinstance(data, dict) else data
        return Page(data, more[len("list:") :], lambda cursor: self._call(name, {**given, "cursor": cursor}))

    def _send(
        self, name: str, given: Record, *, timeout: Optional[float] = None, attempts: Optional[int] = None
    ) -> _Answer:
        """Sends a call, again where that is safe, with a fresh token after a 401."""
        method, _, _, more = OPERATIONS[name]
        can_repeat = _is_repeatable(name, method, "if_match" in given)
        waits = _Waits(attempts or self._retry[0], *self._retry[1:])
        has_tokens = self._has_tokens and more not in ("open", "form")
        has_renewed = False
        attempt = 0
        while True:
            attempt += 1
            token = self._current_token() if has_tokens else None
            try:
                answer = self._once(name, given, token, timeout or self._timeout)
                _check(name, answer)
                return answer
            except PartnerCommerceError as error:
                if isinstance(error, UnauthorizedProblem) and token is not None and not has_renewed:
                    has_renewed = True
                    self._refuse_token(token)
                    if self._client_id is not None:
                        attempt -= 1
                        continue
                wait = (
                    waits.next(attempt, getattr(error, "retry_after", None)) if _may_repeat(error, can_repeat) else None
                )
                if wait is None:
                    raise
            time.sleep(wait)

    def _once(self, name: str, given: Record, token: Optional[str], timeout: float) -> _Answer:
        method, url, headers, body = self._request(name, given, token)
        until = time.monotonic() + timeout
        connection = _connect(name, url, self._tls, timeout)
        try:
            connection.request(method, _target(url), body, headers)
            # The limit is that of the whole attempt, and not of each read.
            connection.sock.settimeout(max(0.001, until - time.monotonic()))
            response = connection.getresponse()
            return _Answer(response.status, response.headers, _read_until(response, until))
        except _TooLarge as error:
            raise UnexpectedAnswer(name, error.status, error.text, None) from error
        except socket.timeout as error:
            raise TimedOut(name, f"{name} took longer than {timeout} seconds.", True) from error
        except (OSError, http.client.HTTPException) as error:
            raise ConnectionFailed(name, f"{name} got no whole answer: {error!r}", True) from error
        finally:
            connection.close()

    def _request(
        self, name: str, given: Record, token: Optional[str]
    ) -> Tuple[str, str, Dict[str, str], Optional[bytes]]:
        method, path, _, more = OPERATIONS[name]
        rest = {key: value for key, value in given.items() if value is not None}
        headers = {"Accept": "application/json, application/problem+json", "User-Agent": self._user_agent}
        if more == "events":
            headers["Accept"] = "text/event-stream"
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if "if_match" in rest:
            rest["if_match"] = _tag(rest["if_match"])
        for key, header in _HEADERS.items():
            if key in rest:
                headers[header] = str(rest.pop(key))
        body = None
        if "body" in rest:
            content = rest.pop("body")
            if more == "form":
                body = urllib.parse.urlencode(content).encode()
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            else:
                body = json.dumps(content).encode()
                headers["Content-Type"] = "application/json"

        def filled(match: "re.Match[str]") -> str:
            key = match.group(1)
            text = str(rest.pop(key, ""))
            # A value that has another meaning in a path would reach another operation.
            if text in ("", ".", ".."):
                raise TypeError(f"{name} needs {key}, which cannot be {text!r}.")
            return urllib.parse.quote(text, safe="")

        url = self.base_url + re.sub(r"\{(\w+)\}", filled, path)
        query = urllib.parse.urlencode({_camel(key): _query_text(value) for key, value in rest.items()})
        return method, f"{url}?{query}" if query else url, headers, body

    def _current_token(self) -> str:
        """One request for a token serves all threads that wait for it."""
        with self._token_lock:
            if self._token is None or time.monotonic() >= self._token_until:
                requested = time.monotonic()
                form = {
                    "grant_type": "client_credentials",
                    "client_id": self._client_id,
                    "client_secret": self._client_secret,
                }
                if self._scopes is not None:
                    form["scope"] = " ".join(self._scopes)
                answer = _parsed(self._send("request_token", {"body": form}).body)
                lifetime = float(answer.get("expires_in", 0))
                self._token = answer["access_token"]
                self._token_until = requested + max(lifetime / 2, lifetime - 60)
            return self._token

    def _refuse_token(self, token: str) -> None:
        with self._token_lock:
            if self._token == token and self._client_id is not None:
                self._token = None

    def _events(self, name: str, given: Record) -> Iterator[Record]:
        """The messages of a stream as ``{id, event, data}``. It is opened again, after the last message, when it ends."""
        failures = 0
        refused = None
        while True:
            try:
                token = self._current_token() if self._has_tokens else None
                method, url, headers, _ = self._request(name, given, token)
                # A stream that is silent for so long is dead: heartbeats come far more often.
                connection = _connect(name, url, self._tls, 60.0)
                try:
                    connection.request(method, _target(url), None, headers)
                    response = connection.getresponse()
                    if response.status != 200:
                        _check(name, _Answer(response.status, response.headers, response.read()))
                    for message in _messages(response):
                        failures = 0
                        if message["id"] is not None:
                            given = {**given, "last_event_id": message["id"]}
                        yield message
                except (OSError, http.client.HTTPException) as error:
                    raise ConnectionFailed(name, f"The stream broke off: {error!r}", True) from error
                finally:
                    connection.close()
                # A stream that was asked for with an end has reached it.
                if "seconds" in given:
                    return
                error_now: Optional[PartnerCommerceError] = None
            except PartnerCommerceError as error:
                if isinstance(error, UnauthorizedProblem) and token != refused and self._client_id is not None:
                    refused = token
                    self._refuse_token(token)
                    continue
                if not _is_passing(error):
                    raise
                error_now = error
            time.sleep(_pause(self._retry[2], failures, getattr(error_now, "retry_after", None)))
            failures += 1


_HEADERS = {"if_match": "If-Match", "if_none_match": "If-None-Match", "last_event_id": "Last-Event-ID"}

#: The POST operations that may be sent again when it is unknown whether the first one arrived: they change nothing, or what
#: they make costs nothing while nobody uses it, or a key of the caller keeps them from happening twice.
_REPEATABLE_POSTS = {
    "request_token",
    "revoke_token",
    "submit_order",
    "quote_order",
    "quote_product",
    "quote_shipping",
    "reserve_artwork_upload",
    "create_artwork_check",
}


def _is_repeatable(name: str, method: str, has_condition: bool) -> bool:
    if method == "POST":
        return name in _REPEATABLE_POSTS
    return method == "GET" or (method != "PATCH" and not has_condition)


def _may_repeat(error: PartnerCommerceError, can_repeat: bool) -> bool:
    """429 and ``audit_unavailable`` say that nothing was done. After any other failure it may have been."""
    if isinstance(error, ConnectionFailed):
        return can_repeat or not error.may_have_arrived
    if getattr(error, "code", None) == "audit_unavailable":
        return True
    status = getattr(error, "status", 0)
    return status == 429 or (can_repeat and status in (502, 503, 504))


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or re.fullmatch(r"127(\.[0-9]+){3}", host) is not None


def _connect(name: str, url: str, tls: Optional[ssl.SSLContext], timeout: float) -> http.client.HTTPConnection:
    parts = urllib.parse.urlsplit(url)
    host = parts.hostname or ""
    connection = (
        http.client.HTTPSConnection(host, parts.port, timeout=timeout, context=tls)
        if parts.scheme == "https"
        else http.client.HTTPConnection(host, parts.port, timeout=timeout)
    )
    try:
        connection.connect()
    except OSError as error:
        connection.close()
        raise ConnectionFailed(name, f"{name} found no connection: {error!r}", False) from error
    return connection


def _target(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    return urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))


# No answer of the API is nearly as large: what is larger comes from something else, and would fill the memory.
_ANSWER_BYTES_MAX = 64 * 2**20


class _TooLarge(Exception):
    def __init__(self, status: int, text: str) -> None:
        super().__init__(status, text)
        self.status = status
        self.text = text


def _read_until(response: http.client.HTTPResponse, until: float) -> bytes:
    pieces = []
    size = 0
    while True:
        if time.monotonic() >= until:
            raise socket.timeout()
        piece = response.read1(65_536)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
        if size > _ANSWER_BYTES_MAX:
            raise _TooLarge(response.status, b"".join(pieces)[:2_000].decode("utf-8", "replace"))
    if response.length:
        raise http.client.IncompleteRead(b"".join(pieces), response.length)
    return b"".join(pieces)


def _check(name: str, answer: _Answer) -> None:
    if 200 <= answer.status < 300:
        if answer.body:
            try:
                body = json.loads(answer.body)
            except ValueError as error:
                raise ConnectionFailed(name, f"{name} got no whole answer: it ends early.", True) from error
            # Every answer with a body is a document: an object.
            if not isinstance(body, dict):
                text = answer.body.decode("utf-8", "replace")
                raise UnexpectedAnswer(name, answer.status, text, None)
        return
    if answer.status == 304:
        raise NotModified(f"{name}: nothing has changed.")
    try:
        body = json.loads(answer.body)
    except ValueError:
        body = None
    retry_after = answer.retry_after()
    if isinstance(body, dict) and isinstance(body.get("code"), str) and isinstance(body.get("detail"), str):
        fallback = ServerProblem if answer.status >= 500 else ApiProblem
        raise _PROBLEMS.get(answer.status, fallback)(name, {**body, "status": answer.status}, retry_after)
    if isinstance(body, dict) and isinstance(body.get("error"), str):
        raise TokenRefused(answer.status, body["error"], str(body.get("error_description", "")), retry_after)
    text = answer.body.decode("utf-8", "replace")
    raise (FirewallRefusal if answer.status == 403 else UnexpectedAnswer)(name, answer.status, text, retry_after)


def _parsed(body: bytes) -> Any:
    return json.loads(body, parse_float=Decimal) if body else None


def _put(
    url: str,
    source: BinaryIO,
    size: int,
    content_type: Optional[str],
    on_progress: Optional[Callable[[int, int], None]],
    timeout: float,
) -> Tuple[Optional[UploadFailed], bool, Optional[float]]:
    """Sends the bytes to the storage. Answers the failure, whether it is final, and the seconds to wait."""

    def pieces() -> Iterator[bytes]:
        sent = 0
        if on_progress:
            on_progress(0, size)
        while sent < size:
            piece = source.read(min(65_536, size - sent))
            if not piece:
                raise OSError("the file became shorter while it was read")
            yield piece
            sent += len(piece)
            if on_progress:
                on_progress(sent, size)

    headers = {"Content-Length": str(size)}
    if content_type is not None:
        headers["Content-Type"] = content_type
    try:
        tls = ssl.create_default_context() if url.startswith("https:") else None
        connection = _connect("upload_artwork", url, tls, timeout)
        try:
            connection.request("PUT", _target(url), pieces(), headers)
            response = connection.getresponse()
            text = response.read().decode("utf-8", "replace")
        finally:
            connection.close()
    except (OSError, http.client.HTTPException, ConnectionFailed) as error:
        failure = UploadFailed(f"The storage did not answer: {error}", None)
        failure.__cause__ = error
        return failure, False, None
    if 200 <= response.status < 300:
        return None, True, None
    said = re.search(r"<Code>(\w+)</Code>", text)
    failure = UploadFailed(
        f"The storage answered {response.status}{' ' + said.group(1) if said else ''}.", response.status
    )
    # 403: the URL went stale. Other refusals come again however often one asks.
    is_final = response.status < 500 and response.status not in (403, 408, 429)
    return failure, is_final, _Answer(response.status, response.headers, b"").retry_after()


def _messages(response: http.client.HTTPResponse) -> Iterator[Record]:
    fields: Record = {"id": None, "event": "message", "data": []}
    while True:
        line = response.readline().decode("utf-8", "replace")
        if not line:
            return
        name, _, content = line.rstrip("\r\n").partition(":")
        content = content[1:] if content.startswith(" ") else content
        if name == "data":
            fields["data"].append(content)
        elif name in ("id", "event"):
            fields[name] = content
        elif name == "" and content == "" and line.strip() == "":
            if fields["data"]:
                text = "\n".join(fields["data"])
                try:
                    data = json.loads(text)
                except ValueError:
                    data = text
                yield {**fields, "data": data}
            fields = {"id": None, "event": "message", "data": []}


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set)):
        return ",".join(_query_text(each) for each in value)
    return str(value)


# Webhooks


def verify_webhook(
    body: Union[bytes, str],
    signature: Optional[str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: int = 300,
    now: Optional[float] = None,
) -> Record:
    """Verifies a delivery and reads its event.

    ``body`` is the body as it came in, before anything parsed it; ``signature`` the header ``Platform-Signature``; ``secret``
    the signing secret as it stands, or several while you change from one to the next. ``tolerance`` is in seconds, either
    way. The same event may come twice: compare ``eventId``. Drop a test ping (``is_test_ping``).

    Raises WebhookRefused with the reason when the delivery is not the service's; TypeError or ValueError when what you gave
    cannot be right.
    """
    secrets = [secret] if isinstance(secret, str) else list(secret or [])
    if not secrets or any(not isinstance(each, str) or not each for each in secrets):
        raise TypeError("A webhook needs its signing secret; where several are given, none may be empty.")
    if isinstance(body, str):
        body = body.encode()
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError("A webhook is verified by the bytes of its body; a parsed object cannot be verified.")
    body = bytes(body)
    # No comparison with NaN holds, so that a window of NaN seconds would let every time pass.
    if not math.isfinite(tolerance) or tolerance < 0:
        raise ValueError("The tolerance of a webhook is a number of seconds, 0 or more.")
    moment = time.time() if now is None else now
    if not math.isfinite(moment):
        raise ValueError("The time at which a webhook is verified is a number of seconds since 1970.")
    if not signature:
        raise WebhookRefused("missing_signature", "The delivery has no Platform-Signature.")
    fields = [field.strip().partition("=") for field in signature.split(",")]
    times = [value for name, _, value in fields if name == "t"]
    digests = [value for name, _, value in fields if name == "v1"]
    if len(times) != 1 or not re.fullmatch(r"[0-9]{1,12}", times[0]) or not digests:
        raise WebhookRefused("malformed_signature", "Platform-Signature must read t=…,v1=….")
    late = int(moment) - int(times[0])
    if abs(late) > tolerance:
        raise WebhookRefused(
            "too_old" if late > 0 else "too_new",
            f"The delivery is {abs(late)} seconds {'behind' if late > 0 else 'ahead of'} the clock here; "
            f"{tolerance} are allowed.",
        )
    signed = times[0].encode() + b"." + body
    is_signed = False
    for each in secrets:
        expected = hmac.new(each.encode(), signed, hashlib.sha256).hexdigest().encode()
        for digest in digests:
            is_signed = hmac.compare_digest(expected, digest.encode()) or is_signed
    if not is_signed:
        raise WebhookRefused(
            "wrong_signature", "The delivery is not signed with your secret, or its body was changed."
        )
    try:
        event = json.loads(body)
    except ValueError:
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("eventId"), str) or not isinstance(event.get("type"), str):
        raise WebhookRefused("unreadable_body", "The delivery is signed, and is no event.")
    return event


def is_test_ping(event: Record) -> bool:
    """Whether the event is a test that staff sent: nothing happened. Verify it like any other, then drop it."""
    return str(event["eventId"]).startswith("test_")


# What follows is written by `node bin/publish-contract.ts`.
#: method, path, what it does, and what is particular about it, by the name of each operation
OPERATIONS: Dict[str, Tuple[str, str, str, str]] = {
    "request_token": ("POST", "/oauth2/token", "Exchanges client credentials, the code of a sign-in or a refresh token for an access token.", "form"),
    "revoke_token": ("POST", "/oauth2/revoke", "Ends a token.", "form"),
    "ping": ("GET", "/v1/ping", "Reports that the service is up.", "open"),
    "get_me": ("GET", "/v1/me", "Shows who you are: partner, granted sites, effective scopes and limits.", ""),
    "submit_order": ("POST", "/v1/orders", "Submits an order and waits up to 20 seconds for its outcome.", ""),
    "list_orders": ("GET", "/v1/orders", "Lists orders on your sites, newest first.", "list:orders"),
    "list_submissions": ("GET", "/v1/orders/submissions", "Lists your order submissions, newest first.", "list:submissions"),
    "get_submission": ("GET", "/v1/orders/submissions/{submission_id}", "Shows a submission: its status, and its order or its errors.", ""),
    "quote_order": ("POST", "/v1/orders/quote", "Prices a whole order as if it were placed now, or lists every problem it has. Nothing is stored or reserved.", ""),
    "get_order": ("GET", "/v1/orders/{order_number}", "Shows one order.", ""),
    "list_order_items": ("GET", "/v1/orders/{order_number}/items", "Lists the lines of an order.", "list:items"),
    "list_shipments": ("GET", "/v1/orders/{order_number}/shipments", "Lists the shipments of an order, oldest first; cancelled shipments stay listed.", "list:shipments"),
    "get_proof": ("GET", "/v1/orders/{order_number}/items/{item_number}/proof", "Shows the proof of a line: its status, its files and a preview.", ""),
    "list_denial_reasons": ("GET", "/v1/orders/{order_number}/items/{item_number}/proof/denial-reasons", "Lists the reasons for declining the proof of a line.", ""),
    "approve_proof": ("POST", "/v1/orders/{order_number}/items/{item_number}/proof/approve", "Approves the proof of a line, which sends it to production, once its artwork is there, free of errors and proven. What the proof lists for a signature is accepted with it.", ""),
    "decline_proof": ("POST", "/v1/orders/{order_number}/items/{item_number}/proof/decline", "Declines the proof of a line, which sends it back for a new proof.", ""),
    "get_artwork": ("GET", "/v1/orders/{order_number}/items/{item_number}/artwork", "Shows the print files of a line, what inspection found in each, and pictures of their pages.", ""),
    "attach_artwork": ("POST", "/v1/orders/{order_number}/items/{item_number}/artwork", "Attaches an uploaded print file to a line, in addition to its other files, and sends the line to prepress.", ""),
    "reserve_artwork_upload": ("POST", "/v1/orders/{order_number}/items/{item_number}/artwork/upload-url", "Reserves a signed URL to upload one print file of a line; it expires after about a minute.", ""),
    "list_products": ("GET", "/v1/products", "Lists or searches the products on your sites.", "list:products"),
    "list_site_products": ("GET", "/v1/sites/{site_id}/products", "Lists or searches the products of one site.", "list:products"),
    "get_product": ("GET", "/v1/products/{product_id}", "Shows one product with its variants.", ""),
    "update_product": ("PATCH", "/v1/products/{product_id}", "Changes a product; fields that are left out keep their values.", ""),
    "update_variant": ("PATCH", "/v1/products/{product_id}/variants/{variant_id}", "Changes a variant of a STOCK product; fields that are left out keep their values, and null clears a field.", ""),
    "replace_product_segments": ("PUT", "/v1/products/{product_id}/segments", "Replaces all segments of a product.", ""),
    "list_product_images": ("GET", "/v1/products/{product_id}/images", "Lists the images of a product.", ""),
    "update_product_image": ("PATCH", "/v1/products/{product_id}/images/{image_id}", "Changes an image and shows all images of the product; fields that are left out keep their values.", ""),
    "get_product_template": ("GET", "/v1/products/{product_id}/template", "Shows the current template of a product with the artworkSource TEMPLATE.", ""),
    "get_artwork_requirements": ("GET", "/v1/products/{product_id}/artwork-requirements", "Shows the rules for a product's print files, in words and in numbers, and a template to design on.", ""),
    "create_artwork_check": ("POST", "/v1/products/{product_id}/artwork-checks", "Begins to check a file against the rules of a product, without an order; it is forgotten after a day.", ""),
    "get_artwork_check": ("GET", "/v1/products/{product_id}/artwork-checks/{check_id}", "Shows what a check found in its file, and pictures of the pages.", ""),
    "quote_product": ("POST", "/v1/products/{product_id}/quote", "Prices a quantity of a product, and others beside it, as in an order placed now.", ""),
    "quote_shipping": ("POST", "/v1/shipping/quote", "Prices the delivery of a shipment with every service that can be priced, and tells the days it means.", ""),
    "list_segments": ("GET", "/v1/segments", "Lists the segments of your sites.", "list:segments"),
    "list_users": ("GET", "/v1/users", "Lists the storefront users of your sites.", "list:users"),
    "create_user": ("POST", "/v1/users", "Creates a storefront user without a password.", ""),
    "list_site_users": ("GET", "/v1/sites/{site_id}/users", "Lists the storefront users of one site.", "list:users"),
    "get_user": ("GET", "/v1/users/{user_id}", "Shows one storefront user with its segments.", ""),
    "update_user": ("PATCH", "/v1/users/{user_id}", "Changes a storefront user; fields that are left out keep their values.", ""),
    "replace_user_segments": ("PUT", "/v1/users/{user_id}/segments", "Replaces all segments of a user and sets allSegmentsVisible to false.", ""),
    "list_user_addresses": ("GET", "/v1/users/{user_id}/addresses", "Lists the saved addresses of a user; an unknown user has none.", "list:addresses"),
    "list_divisions": ("GET", "/v1/divisions", "Lists the divisions of your sites as a flat list; each division names its parent.", "list:divisions"),
    "create_division": ("POST", "/v1/divisions", "Creates an active division.", ""),
    "get_division": ("GET", "/v1/divisions/{division_id}", "Shows one division.", ""),
    "update_division": ("PATCH", "/v1/divisions/{division_id}", "Changes a division; fields that are left out keep their values.", ""),
    "list_credit_accounts": ("GET", "/v1/credit-accounts", "Lists the credit accounts of your sites with their balances.", "list:creditAccounts"),
    "list_site_credit_accounts": ("GET", "/v1/sites/{site_id}/credit-accounts", "Lists the credit accounts of one site with their balances.", "list:creditAccounts"),
    "get_credit_account": ("GET", "/v1/credit-accounts/{credit_account_id}", "Shows one credit account with its balance.", ""),
    "list_credit_adjustments": ("GET", "/v1/credit-accounts/{credit_account_id}/adjustments", "Lists the movements of a credit account, newest first.", "list:adjustments"),
    "list_sites": ("GET", "/v1/sites", "Lists the sites granted to you.", "list:sites"),
    "get_sandbox_clock": ("GET", "/sandbox/clock", "Shows your clock.", ""),
    "advance_sandbox_clock": ("POST", "/sandbox/clock/advance", "Advances your clock by the sum of the fields, and waits a while for everything that becomes due.", ""),
    "list_scenarios": ("GET", "/sandbox/scenarios", "Lists what you can make happen (steps, magic inputs, misbehaviours) and what happens by itself.", ""),
    "take_order_step": ("POST", "/sandbox/orders/{order_number}/steps", "Takes a step with an order on your sites at once, as staff would.", ""),
    "reset_sandbox": ("POST", "/sandbox/reset", "Resets your part of the sandbox: removes orders, submissions, receivers, the clock and used limits.", ""),
    "register_receiver": ("POST", "/sandbox/receivers", "Registers a receiver of webhooks.", ""),
    "list_receivers": ("GET", "/sandbox/receivers", "Lists your receivers, newest first.", "list:receivers"),
    "get_receiver": ("GET", "/sandbox/receivers/{receiver_id}", "Shows a receiver.", ""),
    "change_receiver": ("PATCH", "/sandbox/receivers/{receiver_id}", "Changes the URL of a receiver, its types, or whether it is enabled. Fields that are left out stay.", ""),
    "remove_receiver": ("POST", "/sandbox/receivers/{receiver_id}/remove", "Removes a receiver with the log of its deliveries. What waits for it is not sent any more.", ""),
    "rotate_receiver_secret": ("POST", "/sandbox/receivers/{receiver_id}/rotate-secret", "Gives a receiver a new signing secret, which replaces the old one: at once, or after an overlap.", ""),
    "disable_receiver": ("POST", "/sandbox/receivers/{receiver_id}/disable", "Stops all deliveries to a receiver.", ""),
    "enable_receiver": ("POST", "/sandbox/receivers/{receiver_id}/enable", "Resumes deliveries to a receiver; events in between are not sent.", ""),
    "ping_receiver": ("POST", "/sandbox/receivers/{receiver_id}/ping", "Sends a receiver a test ping.", ""),
    "set_receiver_misbehaviour": ("PUT", "/sandbox/receivers/{receiver_id}/misbehaviour", "Sets what goes wrong with deliveries to a receiver from now on.", ""),
    "list_receiver_deliveries": ("GET", "/sandbox/receivers/{receiver_id}/deliveries", "Lists the deliveries to a receiver with their outcomes, newest first.", "list:deliveries"),
    "resend_delivery": ("POST", "/sandbox/deliveries/{delivery_id}/resend", "Sends the event of a delivery to its receiver once more: the same id and bytes, with a signature of its own.", ""),
    "stream_events": ("GET", "/sandbox/events", "Tells your webhook events as they are published, as server-sent events, whether or not you have a receiver.", "events"),
    "start_webhook_check": ("POST", "/sandbox/webhook-checks", "Starts a check of a receiver on your machine: gives you deliveries to send to it, some of them wrong on purpose.", ""),
    "answer_webhook_check": ("POST", "/sandbox/webhook-checks/answers", "Ends a check: tells how your receiver answered, and what that shows for the go-live list.", ""),
    "create_sandbox_client": ("POST", "/sandbox/clients", "Makes an app client for the sandbox. Its tokens may do all that you may do here; a token with fewer scopes makes none.", ""),
    "revoke_sandbox_client": ("POST", "/sandbox/clients/{client_id}/revoke", "Revokes an app client that you made: it gets no further token, and its tokens answer 401 from the next call on.", ""),
    "get_go_live": ("GET", "/sandbox/go-live", "Shows what your integration has shown in the sandbox, and what is still to be seen before it goes live.", ""),
    "list_requests": ("GET", "/developer/requests", "Lists your calls of the last 14 days, newest first.", "list:requests"),
    "get_request": ("GET", "/developer/requests/{request_id}", "Shows one of your calls of the last 14 days.", ""),
    "list_webhook_endpoints": ("GET", "/developer/webhook-endpoints", "Lists your webhook endpoints, newest first.", "list:webhookEndpoints"),
    "list_webhook_deliveries": ("GET", "/developer/webhook-deliveries", "Lists the deliveries to your webhook endpoints, newest first.", "list:webhookDeliveries"),
    "get_webhook_delivery": ("GET", "/developer/webhook-deliveries/{delivery_id}", "Shows a delivery with what was sent and what the receiver answered.", ""),
    "list_credentials": ("GET", "/developer/credentials", "Lists the app clients and certificates by which your programs authenticate, newest first, without their secrets.", "list:credentials"),
    "get_limits": ("GET", "/developer/limits", "Shows your limits and what is left of them now and today.", ""),
}

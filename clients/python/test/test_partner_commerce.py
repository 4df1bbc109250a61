"""Tests of partner_commerce.py against the running service, through a proxy that spoils requests on demand.

The test in Node beside this file starts both, and tells by the environment where they are.
"""

import hashlib
import json
import os
import sys
import threading
import time
import unittest
import urllib.request
import uuid
from decimal import Decimal

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import partner_commerce as pc  # noqa: E402

WORLD = json.loads(os.environ["WORLD"])
FAULTS = [
    "lost request",
    "lost answer",
    "half an answer",
    "cut answer",
    {"status": 429, "code": "rate_limit_exceeded", "headers": {"retry-after": "0"}},
    {"status": 503, "code": "service_unavailable"},
    {"status": 502},
]


def control(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(WORLD["control"] + path, data)) as answer:
        return json.loads(answer.read() or b"null")


def plan(call=None, faults=(), then=None):
    """The next requests of the call have these faults, one after the other, and later ones `then`."""
    control("/plan", {"call": call, "faults": list(faults), "then": then})


def passed(call):
    return [each for each in control("/passed") if each["call"] == call]


def new_client(**options):
    defaults = {"client_id": WORLD["clientId"], "client_secret": WORLD["clientSecret"], "base_wait": 0.01, "attempts": 6}
    return pc.PartnerCommerce(WORLD["proxy"], **{**defaults, **options})


def an_order(**changes):
    return {**json.loads(json.dumps(WORLD["order"])), "partnerOrderId": f"python-{uuid.uuid4()}", **changes}


class WithClient(unittest.TestCase):
    client = new_client()

    def setUp(self):
        plan()


class Calls(WithClient):
    def test_an_order_goes_from_its_submission_to_its_lines(self):
        done = self.client.submit_and_wait(an_order())
        order = self.client.get_order(order_number=done["order"]["orderNumber"])
        self.assertIsInstance(order["totalPrice"], str)
        self.assertIsInstance(done["order"]["totalPrice"], (Decimal, int))
        self.assertEqual(Decimal(order["totalPrice"]), done["order"]["totalPrice"])
        self.assertEqual(len(self.client.list_order_items(order_number=order["orderNumber"]).records), 1)

    def test_a_list_is_a_page_and_iterates_over_all_records(self):
        whole = [each["userId"] for each in self.client.list_users(limit=200)]
        page = self.client.list_users(limit=3)
        self.assertEqual([each["userId"] for each in page.records], whole[:3])
        self.assertEqual([each["userId"] for each in page], whole)
        self.assertEqual(sum(len(each.records) for each in page.pages()), len(whole))
        statuses = {each["status"] for each in self.client.list_orders(status=["IN_PROCESS", "ON_HOLD"], limit=200).records}
        self.assertEqual(statuses, {"IN_PROCESS", "ON_HOLD"})

    def test_problems_are_classes_by_status(self):
        with self.assertRaises(pc.NotFoundProblem) as caught:
            self.client.get_order(order_number=1)
        self.assertEqual(caught.exception.code, "order_not_found")
        self.assertEqual(len(caught.exception.request_id), 36)
        with self.assertRaises(pc.BadRequestProblem) as caught:
            self.client.submit_and_wait(an_order(lines=[{"productId": "x", "quantity": 0}]))
        self.assertIn("lines[0].quantity", [each["path"] for each in caught.exception.errors])

    def test_a_rejected_order_is_told_with_its_problems_and_the_advice_on_its_key(self):
        with self.assertRaises(pc.SubmissionRejected) as caught:
            self.client.submit_and_wait(an_order(lines=[WORLD["impossibleLine"]]))
        self.assertIn("- line shirts: ", str(caught.exception))
        self.assertIn("used up: mend the order and send it under a new one", str(caught.exception))

    def test_a_reused_key_is_a_conflict_and_the_same_order_is_the_first(self):
        order = an_order()
        first = self.client.submit_and_wait(order)
        with self.assertRaises(pc.ConflictProblem):
            self.client.submit_and_wait({**order, "shippingNotes": "changed"})
        self.assertEqual(self.client.submit_and_wait(order)["submissionId"], first["submissionId"])

    def test_mistakes_are_told_before_anything_is_sent(self):
        for given in ({}, {"order_number": ".."}):
            with self.assertRaisesRegex(TypeError, "get_order needs order_number"):
                self.client.get_order(**given)
        with self.assertRaises(AttributeError):
            self.client.get_orders()
        with self.assertRaisesRegex(ValueError, "base_url must be the address"):
            pc.PartnerCommerce("api.example", access_token="x")
        with self.assertRaisesRegex(ValueError, "https only: use https://api.example:8080"):
            pc.PartnerCommerce("http://api.example:8080", access_token="x")
        for host in ("localhost", "127.0.0.2:8080", "[::1]"):
            pc.PartnerCommerce(f"http://{host}", access_token="x")
        with self.assertRaisesRegex(ValueError, "needs one credential"):
            pc.PartnerCommerce("https://api.example")

    def test_a_wrong_secret_and_a_wrong_token(self):
        with self.assertRaises(pc.TokenRefused) as caught:
            new_client(client_secret="wrong").get_me()
        self.assertEqual(caught.exception.error, "invalid_client")
        with self.assertRaises(pc.UnauthorizedProblem):
            pc.PartnerCommerce(WORLD["proxy"], access_token="wrong").get_me()
        self.assertEqual(len(passed("GET /v1/me")), 1)

    def test_a_client_certificate_is_the_credential_of_the_mutual_tls_host(self):
        client = pc.PartnerCommerce(
            WORLD["mtls"], certificate=(WORLD["certFile"], WORLD["keyFile"]), ca_file=WORLD["caFile"]
        )
        self.assertEqual(client.get_me()["authMethod"], "MTLS")


class Faults(WithClient):
    def test_a_read_passes_over_every_fault(self):
        self.client.get_me()
        for fault in FAULTS:
            with self.subTest(fault):
                plan("GET /v1/me", [fault])
                self.assertTrue(self.client.get_me()["partnerId"])
                self.assertEqual(len(passed("GET /v1/me")), 2)
        plan("GET /v1/me", ["no answer"])
        self.assertTrue(new_client(timeout=1).get_me()["partnerId"])

    def test_a_change_is_not_repeated_when_it_may_have_been_made(self):
        for fault in ("lost answer", "half an answer", {"status": 503, "code": "service_unavailable"}):
            with self.subTest(fault):
                plan("POST /v1/divisions", then=fault)
                with self.assertRaises((pc.ConnectionFailed, pc.UnavailableProblem)) as caught:
                    self.client.create_division(body=self.division())
                self.assertTrue(getattr(caught.exception, "may_have_arrived", True))
                self.assertEqual(len(passed("POST /v1/divisions")), 1)

    def test_a_change_is_repeated_when_it_was_not_made(self):
        for fault in ({"status": 429, "code": "rate_limit_exceeded"}, {"status": 503, "code": "audit_unavailable"}):
            with self.subTest(fault):
                plan("POST /v1/divisions", [fault])
                self.assertGreater(self.client.create_division(body=self.division())["divisionId"], 0)
                self.assertEqual(len(passed("POST /v1/divisions")), 2)
        nowhere = pc.PartnerCommerce(WORLD["dead"], access_token="x", attempts=2, base_wait=0.01)
        with self.assertRaises(pc.ConnectionFailed) as caught:
            nowhere.create_division(body=self.division())
        self.assertFalse(caught.exception.may_have_arrived)

    def division(self):
        return {"siteId": WORLD["order"]["siteId"], "name": "Front desk", "code": f"python-{uuid.uuid4()}"}

    def test_waits_are_bounded_and_never_shorter_than_retry_after(self):
        plan("GET /v1/me", [{"status": 503, "code": "service_unavailable", "headers": {"retry-after": "1"}}])
        self.client.get_me()
        first, second = passed("GET /v1/me")
        self.assertGreaterEqual(second["at"] - first["at"], 1000)
        plan("GET /v1/me", then={"status": 503, "code": "service_unavailable"})
        with self.assertRaises(pc.UnavailableProblem):
            self.client.get_me()
        self.assertEqual(len(passed("GET /v1/me")), 6)
        plan("GET /v1/me", then={"status": 429, "code": "rate_limit_exceeded", "headers": {"retry-after": "40000"}})
        with self.assertRaises(pc.RateLimitedProblem) as caught:
            self.client.get_me()
        self.assertEqual((caught.exception.retry_after, len(passed("GET /v1/me"))), (40000, 1))

    def test_refusals_come_once(self):
        for fault, kind in (
            ({"status": 403}, pc.FirewallRefusal),
            ({"status": 418}, pc.UnexpectedAnswer),
            ({"status": 302}, pc.UnexpectedAnswer),
            ({"status": 500, "code": "internal_error"}, pc.ServerProblem),
            ({"status": 404, "code": "a_code_of_tomorrow"}, pc.NotFoundProblem),
        ):
            plan("GET /v1/me", then=fault)
            with self.assertRaises(kind):
                self.client.get_me()
            self.assertEqual(len(passed("GET /v1/me")), 1)

    def test_threads_share_one_token_and_one_renewal(self):
        client = new_client()

        def at_once():
            errors = []

            def one():
                try:
                    client.get_me()
                except Exception as error:  # noqa: BLE001
                    errors.append(error)

            threads = [threading.Thread(target=one) for _ in range(12)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(errors, [])

        at_once()
        self.assertEqual(len(passed("POST /oauth2/token")), 1)
        control("/end-tokens", {})
        at_once()
        self.assertEqual(len(passed("POST /oauth2/token")), 1)

    def test_many_orders_under_faults_none_lost_none_doubled(self):
        control("/random", {"faults": [*FAULTS, {"status": 500, "code": "internal_error"}, "no answer"]})
        client = new_client(timeout=2, attempts=12)
        orders = [an_order() for _ in range(24)]
        numbers, errors, waiting = {}, [], iter(orders)
        lock = threading.Lock()

        def work():
            while True:
                with lock:
                    order = next(waiting, None)
                if order is None:
                    return
                try:
                    number = client.submit_and_wait(order)["order"]["orderNumber"]
                    with lock:
                        numbers[order["partnerOrderId"]] = number
                except Exception as error:  # noqa: BLE001
                    errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        self.assertEqual(len(set(numbers.values())), 24)
        placed = control("/placed", sorted(numbers))
        self.assertEqual(placed, {key: 1 for key in sorted(numbers)})

    def test_an_outcome_that_does_not_come_is_told_and_comes_later(self):
        order = an_order()
        plan("POST /v1/orders", then="no answer")
        states = []
        with self.assertRaises(pc.SubmissionPending):
            new_client(timeout=0.5).submit_and_wait(order, timeout=2, on_progress=lambda state, _: states.append(state))
        self.assertEqual(states[:2], ["sending", "repeating"])
        plan()
        self.assertEqual(self.client.submit_and_wait(order)["status"], "completed")
        self.assertEqual(control("/placed", [order["partnerOrderId"]]), {order["partnerOrderId"]: 1})


class Errands(WithClient):
    def waiting(self):
        return control("/waiting-line", {})

    def test_a_decision_is_made_and_made_again_it_is_success(self):
        line = self.waiting()
        first = self.client.decide_proof(**line, decision="approve", comment="Fine")
        self.assertEqual((first["proofStatus"], first["already"]), ("APPROVED", False))
        self.assertTrue(self.client.decide_proof(**line, decision="approve")["already"])
        with self.assertRaises(pc.DecisionConflict) as caught:
            self.client.decide_proof(**line, decision="decline", reason="x")
        self.assertEqual(caught.exception.found, "APPROVED")

    def test_a_decision_is_repeated_only_when_it_was_not_made(self):
        for fault, times, already in (("lost answer", 1, True), ("lost request", 2, False)):
            line = self.waiting()
            reason = self.client.list_denial_reasons(**line)["reasons"][0]["code"]
            call = f"POST /v1/orders/{line['order_number']}/items/{line['item_number']}/proof/decline"
            plan(call, [fault])
            decided = self.client.decide_proof(**line, decision="decline", reason=reason)
            self.assertEqual((decided["proofStatus"], decided["already"]), ("DECLINED", already))
            self.assertEqual(len(passed(call)), times)

    def refused_for_another(self, line, **given):
        with self.assertRaises(pc.DecisionConflict) as caught:
            self.client.decide_proof(**line, decision="approve", **given)
        self.assertEqual(caught.exception.found, "PENDING_REVIEW")
        self.assertIn("another revision of its proof waits for a decision now", str(caught.exception))
        self.assertEqual(self.client.get_proof(**line)["proofStatus"], "PENDING_REVIEW")

    def test_an_empty_etag_is_refused_before_anything_is_decided(self):
        line = self.waiting()
        with self.assertRaises(ValueError):
            self.client.decide_proof(**line, decision="approve", if_match="")
        self.assertEqual(self.client.get_proof(**line)["proofStatus"], "PENDING_REVIEW")

    def test_a_revision_that_comes_just_before_a_decision_is_not_decided(self):
        for fault in ("lost request", {"send": {}}):
            line = self.waiting()
            call = f"POST /v1/orders/{line['order_number']}/items/{line['item_number']}/proof/approve"
            control("/plan", {"call": call, "faults": [fault], "then": None, "replace": line})
            self.refused_for_another(line)

    def test_only_the_proof_that_was_looked_at_is_decided(self):
        for given in (lambda proof: proof, lambda proof: proof.etag):
            line = self.waiting()
            seen = self.client.get_proof(**line)
            control("/replace", line)
            self.refused_for_another(line, if_match=given(seen))
            # Its links are signed anew at every look, and it is still the same proof.
            seen = now = self.client.get_proof(**line)
            while now.etag == seen.etag:
                now = self.client.get_proof(**line)
            decided = self.client.decide_proof(**line, decision="approve", if_match=given(seen))
            self.assertEqual((decided["proofStatus"], decided["already"]), ("APPROVED", False))
        with self.assertRaisesRegex(ValueError, "as the client read it"):
            self.client.decide_proof(**line, decision="approve", if_match=dict(seen))

    def test_a_change_is_made_of_the_record_as_it_was_read(self):
        user = next(iter(self.client.list_users(limit=1)))["userId"]
        seen = self.client.get_user(user_id=user)
        self.client.update_user(user_id=user, body={"company": f"Python {uuid.uuid4()}"}, if_match=seen)
        with self.assertRaises(pc.PreconditionFailedProblem):
            self.client.update_user(user_id=user, body={"company": "Late"}, if_match=seen)

    def test_a_file_is_attached_whatever_it_is_given_as(self):
        line = self.waiting()
        with open(WORLD["artwork"], "rb") as opened:
            content = opened.read()
            told = []
            opened.seek(0)
            for attached in (
                self.client.upload_artwork(**line, file=WORLD["artwork"], content_type="application/pdf"),
                self.client.upload_artwork(**line, file=content, file_name="bytes.pdf"),
                self.client.upload_artwork(
                    **line, file=opened, file_name="opened.pdf", on_progress=lambda *each: told.append(each)
                ),
            ):
                self.assertEqual(attached["md5"], hashlib.md5(content).hexdigest())
        self.assertEqual((told[0], told[-1]), ((0, len(content)), (len(content), len(content))))
        with self.assertRaises(pc.NotFoundProblem):
            self.client.upload_artwork(line["order_number"], 1, content, file_name="x.pdf")

    def test_a_stale_url_is_replaced_and_a_lost_answer_is_found(self):
        line = self.waiting()
        puts = []
        real = pc._put

        def late(*given):
            puts.append(given[0])
            if len(puts) == 1:
                control("/clock", {"seconds": 70})
            return real(*given)

        pc._put = late
        try:
            self.client.upload_artwork(**line, file=WORLD["artwork"])
        finally:
            pc._put = real
        self.assertEqual(len(set(puts)), 2)
        call = f"POST /v1/orders/{line['order_number']}/items/{line['item_number']}/artwork"
        for fault in ("lost answer", "lost request"):
            plan(call, [fault])
            self.assertTrue(self.client.upload_artwork(**line, file=WORLD["artwork"])["active"])
            self.assertEqual(len(passed(call)), 2)
        self.assertEqual(len(self.client.get_artwork(**line)["files"]), 3)


class Webhooks(unittest.TestCase):
    vector = WORLD["signatureVector"]

    def verify(self, **changes):
        given = {
            "body": self.vector["body"].encode(),
            "signature": f"t={self.vector['timestamp']},v1={self.vector['v1']}",
            "secret": self.vector["secret"],
            "now": self.vector["timestamp"],
            **changes,
        }
        return pc.verify_webhook(given.pop("body"), given.pop("signature"), given.pop("secret"), **given)

    def refused(self, reason, **changes):
        with self.assertRaises(pc.WebhookRefused) as caught:
            self.verify(**changes)
        self.assertEqual(caught.exception.reason, reason)

    def test_the_published_delivery_verifies_within_its_window(self):
        at = self.vector["timestamp"]
        self.assertEqual(self.verify()["eventId"], json.loads(self.vector["body"])["eventId"])
        self.verify(now=at + 300.9)
        self.verify(now=at - 300)
        self.refused("too_old", now=at + 301)
        self.refused("too_new", now=at - 301)
        self.refused("too_old", now=time.time())

    def test_rotation_and_everything_that_is_refused(self):
        t, v1 = self.vector["timestamp"], self.vector["v1"]
        self.verify(secret=["whsec_next", self.vector["secret"]])
        self.verify(signature=f"t={t}, v2=x, v1=00, v1={v1}")
        self.refused("wrong_signature", secret="whsec_next")
        self.refused("wrong_signature", body=self.vector["body"].encode() + b"\n")
        self.refused("wrong_signature", signature=f"t={t},v1={v1.upper()}")
        self.refused("missing_signature", signature=None)
        self.refused("malformed_signature", signature=f"v1={v1}")
        self.refused("malformed_signature", signature=f"t={t}")
        self.refused("malformed_signature", signature=f"t={t},t={t},v1={v1}")
        with self.assertRaises(TypeError):
            self.verify(body={})
        with self.assertRaises(TypeError):
            self.verify(secret="")
        for tolerance in (float("nan"), float("inf"), -1):
            with self.assertRaisesRegex(ValueError, "number of seconds, 0 or more"):
                self.verify(tolerance=tolerance)
        with self.assertRaisesRegex(ValueError, "seconds since 1970"):
            self.verify(now=float("nan"))
        self.assertTrue(pc.is_test_ping({"eventId": "test_1"}))


if __name__ == "__main__":
    unittest.main()

"""What schemathesis has to know beyond the OpenAPI document, and which refusals are no fault of it."""

import json
import os
import re

import schemathesis
from hypothesis import strategies
from schemathesis.openapi.checks import RejectedPositiveData

# Messages of rules about the form of a field, which the document must state. Other rules depend on what is stored or on
# several fields.
FORM_MESSAGES = [re.compile(pattern) for pattern in json.loads(os.environ["FORM_MESSAGES"])]

# Values that have the form but are judged by what is stored or known: zones, cursors, signatures.
JUDGED_FIELDS = {"canonical_request", "datetime", "login_url", "metadata_url", "part_numbers", "parts", "since", "time_zone", "to_sign", "tz"}

values = strategies.recursive(
    strategies.none() | strategies.booleans() | strategies.integers() | strategies.text(),
    lambda inner: strategies.lists(inner) | strategies.dictionaries(strategies.text(), inner),
    max_leaves=5,
)
schemathesis.openapi.format("json", strategies.just("") | values.map(json.dumps))
zones = ["Asia/Tokyo", "UTC", "Europe/London", "America/Port-au-Prince", "+09:00"]
schemathesis.openapi.format("iana-time-zone", strategies.sampled_from(zones))


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Schemathesis makes values by `format`, not by `contentMediaType`."""

    def visit(node):
        if isinstance(node, dict):
            if node.get("contentMediaType") == "application/json":
                node["format"] = "json"
            for value in node.values():
                visit(value)
        elif isinstance(node, list):
            for value in node:
                visit(value)

    visit(raw_schema)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a failure counts. A valid request may be refused for what is stored, not for its form."""
    # A text of the longest length need not fit into a URL, and a longer one is refused so.
    if response.status_code == 431:
        return False
    if not isinstance(failure, RejectedPositiveData):
        return True
    refusal = response.json()
    if refusal["code"] == "E40001":
        # The fields of a form are there once.
        if case.media_type == "application/x-www-form-urlencoded":
            return False
        return '"__proto__"' not in json.dumps(case.body, default=str)
    if refusal["code"] in ("E40002", "E40003"):
        return any(is_about_form(error, case) for error in refusal["errors"])
    # Here the agent is a parameter, or needed with a device alone.
    if case.operation.path.endswith(("/user/login/sso", "/user/login/sso/token")):
        return False
    return refusal["code"] == "E40005"


def is_about_form(error, case):
    field = error["field"].split(".")[0]
    if field in JUDGED_FIELDS:
        return False
    # A device tells what was so by now, of a version that it was to have.
    if case.operation.path.endswith("/receipt") and field in ("at", "version"):
        return False
    # A preview is refused as its change would be: by the rules of that, on its fields.
    if case.operation.path.endswith("/preview") and field not in ("body", "what"):
        return False
    # Only who has reserved a version may change its time alone.
    if case.operation.path.endswith("/reservation") and field in ("file_name", "file_size") and field not in case.body:
        return False
    # Stages are of new bytes, which have a name and a size.
    if case.operation.path.endswith("/files/{id}") and field in ("file_name", "file_size") and field not in case.body:
        return False
    # Platform administrators must name the unit of a company; of a unit administrator it is their own.
    if field == "unit_id" and "/admin/partners" in case.operation.path and case.body.get(field) is None:
        return False
    # A period ends after it starts, and is of some length at most.
    if case.operation.path.endswith("/calendar") and field == "end":
        return False
    # Filters, orders and fields of documents are small languages of their own, and a cursor is of its list.
    if "/collection/" in case.operation.path and field in ("after", "field", "fields", "filter", "sort"):
        return False
    # What the keys of a document may be, a pattern of the document's own names does not say.
    if "/documents" in case.operation.path and case.method in ("POST", "PUT"):
        return False
    # The metadata of an identity provider comes by itself or by its address.
    if case.operation.path.endswith("/sso") and field == "metadata":
        return False
    # A push token and its service come together.
    if field in ("push_token", "push_service") and (case.body.get("push_token") is None) != (case.body.get("push_service") is None):
        return False
    return any(pattern.fullmatch(error["message"]) for pattern in FORM_MESSAGES)

"""Runs all checks of scim2-tester against a SCIM server, and prints what each of them found, one a line."""

import json
import os
import sys

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

headers = {"Authorization": f"Bearer {os.environ['SCIM_TOKEN']}", "Accept-Language": "en"}
with httpx2.Client(base_url=sys.argv[1], headers=headers, timeout=60) as http:
    for result in check_server(SyncSCIMClient(http)):
        found = {"status": result.status.name, "title": result.title, "reason": result.reason}
        print(json.dumps(found))

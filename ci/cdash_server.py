"""One CDash server: sends it a build's parts and asks which tests a build holds.

The token goes into the Authorization header of requests to that server and nowhere else: it is read
from a file, redirects are not followed, and texts of the server that repeat it are blanked.
"""

import hashlib
import http.client
import json
import pathlib
import re
import ssl
import time
import urllib.parse
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ctest_parts import Identity, Test
from shown_text import one_line

STATUS = {"PASSED": "passed", "FAILED": "failed", "NOT_RUN": "notrun"}
PAGE = 5000  # CDash's own default is 100


class CdashError(Exception):
    """What the server did instead; the message never holds the token."""


class SettingsError(Exception):
    """URL, project or token file cannot be used."""


@dataclass(frozen=True)
class Address:
    scheme: str
    host: str  # with the port, if given
    path: str  # of the CDash installation, "" or "/cdash"
    project: str

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host}{self.path}"


def parse_address(url: str, project: str = "") -> Address:
    """`url`: https://host[/path], or CDash's own form .../submit.php?project=NAME."""
    parts = urllib.parse.urlsplit(url)
    try:
        valid = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        valid = False
    if parts.scheme not in ("http", "https") or not valid or re.search(r"[\s\x00-\x1f]", url):
        raise SettingsError("ZL_CDASH_URL is no http or https URL: give https://host[/path]")
    if "@" in parts.netloc:
        raise SettingsError("ZL_CDASH_URL holds a user or password: put a token into the file that "
                            "ZL_CDASH_TOKEN_FILE names instead")
    named = urllib.parse.parse_qs(parts.query).get("project", [""])[0]
    if project and named and project != named:
        raise SettingsError(f"ZL_CDASH_URL names the project {named!r}, ZL_CDASH_PROJECT "
                            f"{project!r}: give one")
    path = parts.path.removesuffix("submit.php").rstrip("/")
    return Address(parts.scheme, parts.netloc, path, project or named or "zl-bench")


def read_token(file: pathlib.Path | None) -> str:
    """"" without a file: for a project that takes anonymous submissions."""
    if file is None:
        return ""
    try:
        token = file.read_text(encoding="ascii", errors="replace").strip()
    except OSError as e:
        raise SettingsError(f"{file}: the token cannot be read: {e.strerror}") from None
    if not re.fullmatch(r"[\x21-\x7e]+", token):  # and http.client would show it in its error
        raise SettingsError(f"{file}: not a token: one line of printable characters is expected")
    return token


@dataclass(frozen=True)
class HeldBuild:
    id: str
    tests: Counter[Test] = field(default_factory=Counter)


@dataclass(frozen=True)
class HeldPage:
    build: str
    tests: list[Test]
    next: str | None  # the cursor


@dataclass(frozen=True)
class Response:
    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Server:
    def __init__(self, address: Address, token: str = "", timeout_s: float = 60) -> None:
        self.address = address
        self.token = token
        self.timeout_s = timeout_s
        self.cookies: dict[str, str] = {}

    def shown(self, text: str) -> str:
        """A text of the server, for a message."""
        for secret in (self.token, urllib.parse.quote(self.token, safe="")):
            if secret:
                text = text.replace(secret, "***")
        return one_line(text.strip(), 300)

    def request(self, method: str, path: str, body: bytes | None = None,
                headers: Mapping[str, str] | None = None) -> Response:
        """One request on a connection of its own; a status of any kind is no error here."""
        sent = dict(headers or {})
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        kind = (http.client.HTTPSConnection if self.address.scheme == "https"
                else http.client.HTTPConnection)
        connection = kind(self.address.host, timeout=self.timeout_s)
        try:
            connection.request(method, self.address.path + path, body, sent)
            reply = connection.getresponse()
            response = Response(reply.status, reply.headers, reply.read())
        except (OSError, http.client.HTTPException, ssl.SSLError) as e:
            what = self.shown(str(e) or type(e).__name__)
            raise CdashError(f"{self.address.url} cannot be reached: {what}") from None
        finally:
            connection.close()
        for cookie in response.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.split(";", 1)[0].partition("=")
            self.cookies[name.strip()] = value.strip()
        return response

    def refusal(self, response: Response, what: str) -> CdashError:
        text = self.shown(response.body.decode("utf-8", "replace"))
        reason = f"{self.address.url} answered {response.status} to {what}"
        if response.status in (401, 403):
            reason += (": is the token right, not expired, and made for the project "
                       f"{self.address.project!r}?")
        elif response.status == 404:
            reason += f": has it a project {self.address.project!r}?"
        elif 300 <= response.status < 400:
            place = self.shown(response.headers.get("Location", "?"))
            reason += f": set ZL_CDASH_URL to where it is now ({place})"
        return CdashError(reason + (f" It says: {text}" if text else ""))

    def put_part(self, identity: Identity, part: str, xml: bytes) -> None:
        """As ctest_submit() does. 200 does not yet say that the part is kept: see held()."""
        stored_as = "___".join((identity.site, identity.name, identity.stamp, "XML", f"{part}.xml"))
        query = urllib.parse.urlencode({
            "project": self.address.project, "FileName": stored_as, "build": identity.name,
            "site": identity.site, "stamp": identity.stamp,
            "MD5": hashlib.md5(xml, usedforsecurity=False).hexdigest()})
        response = self.request("PUT", f"/submit.php?{query}", xml, {"Content-Type": "text/xml"})
        if response.status != 200:
            raise self.refusal(response, f"{part}.xml")
        try:
            answer = ElementTree.fromstring(response.body)
            status = (answer.findtext("status") or "").strip()
        except ElementTree.ParseError:
            status = "no answer of CDash"
        if status != "OK":
            raise self.refusal(response, f"{part}.xml, status {self.shown(status)}")

    def put_done(self, identity: Identity, build_id: str) -> None:
        """Ends the build: the next Test.xml of this identity would delete it and begin afresh."""
        xml = ElementTree.Element("Done")
        ElementTree.SubElement(xml, "buildId").text = build_id
        ElementTree.SubElement(xml, "time").text = str(int(time.time()))
        self.put_part(identity, "Done", ElementTree.tostring(xml, "utf-8", xml_declaration=True))

    def graphql(self, query: str, variables: Mapping[str, Any] | None = None) -> dict:
        if self.token and not self.cookies:
            # The token alone does not authenticate /graphql; the session that this begins does.
            project = urllib.parse.urlencode({"project": self.address.project})
            self.request("GET", f"/api/v1/queryTests.php?{project}")
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if "XSRF-TOKEN" in self.cookies:
            headers["X-XSRF-TOKEN"] = urllib.parse.unquote(self.cookies["XSRF-TOKEN"])
        body = json.dumps({"query": query, "variables": dict(variables or {})}).encode()
        response = self.request("POST", "/graphql", body, headers)
        if response.status != 200:
            raise self.refusal(response, "a GraphQL query")
        try:
            answer = json.loads(response.body)
            errors, data = answer.get("errors"), answer.get("data")
        except (ValueError, AttributeError):
            raise CdashError(f"{self.address.url}/graphql answered with no JSON: is this a CDash "
                             "of version 5?") from None
        if errors or not isinstance(data, dict):
            raise CdashError(f"{self.address.url}/graphql: {self.shown(json.dumps(errors))}")
        return data

    def held(self, identity: Identity) -> HeldBuild | None:
        """What the server has of the build; None where it has no such build."""
        tests: Counter[Test] = Counter()
        after: str | None = None
        while True:
            page = self.held_page(identity, after)
            if page is None:
                return None
            tests.update(page.tests)
            if page.next is None:
                return HeldBuild(page.build, tests)
            if page.next == after or not page.tests:
                raise CdashError(f"{self.address.url}/graphql: its list of tests has no end")
            after = page.next

    def held_page(self, identity: Identity, after: str | None) -> HeldPage | None:
        # Literals, as the types of the filters have generated names.
        project, name, site, stamp = (
            json.dumps(text) for text in
            (self.address.project, identity.name, identity.site, identity.stamp))
        start = f", after: {json.dumps(after)}" if after is not None else ""
        data = self.graphql(f"""query {{ project(name: {project}) {{ builds(first: 2,
            filters: {{all: [{{eq: {{name: {name}}}}}, {{eq: {{stamp: {stamp}}}}},
            {{has: {{site: {{eq: {{name: {site}}}}}}}}}]}}) {{ edges {{ node {{ id
            tests(first: {PAGE}{start}) {{ pageInfo {{ hasNextPage endCursor }} edges {{ node {{
            name status testMeasurements(filters: {{eq: {{name: "latency_us"}}}}) {{ value }}
            }} }} }} }} }} }} }} }}""")
        if data.get("project") is None:
            raise CdashError(
                f"{self.address.url} shows no project {self.address.project!r}: does it exist? The "
                "tests of a private project can be read with a FULL_ACCESS token only, not with a "
                "SUBMIT_ONLY one, and without reading them nobody knows what was kept")
        try:
            builds = data["project"]["builds"]["edges"]
            if not builds:
                return None
            node = builds[0]["node"]
            page = [Test(t["name"], STATUS[t["status"]],
                         t["testMeasurements"][0]["value"] if t["testMeasurements"] else "")
                    for t in (edge["node"] for edge in node["tests"]["edges"])]
            info = node["tests"]["pageInfo"]
            cursor = info["endCursor"] if info["hasNextPage"] else None
            return HeldPage(str(node["id"]), page, cursor)
        except (KeyError, TypeError, IndexError):
            raise CdashError(f"{self.address.url}/graphql: an answer of another shape: is this a "
                             "CDash of version 5?") from None

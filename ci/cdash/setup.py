#!/usr/bin/env python3
"""Sets up a CDash server for zl-bench: project, group, pinned measurements, token.

What is there already is left as it is, so a second run only adds what is missing. The token is
written to a file that only you can read and is never shown; the same for the password, which is
read from a file or asked for.
"""

import argparse
import datetime
import getpass
import json
import os
import pathlib
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from cdash_server import CdashError, Server, SettingsError, parse_address  # noqa: E402

# Columns of CDash's tests page. The rest is on each test's page.
PINNED = ("latency_us", "cv_pct", "peak_pct", "speedup", "method", "cache", "capture", "verdict")


def say(text: str) -> None:
    print(f"setup: {text}", file=sys.stderr, flush=True)


def log_in(server: Server, email: str, password: str) -> None:
    server.request("GET", "/login")  # for the cookies of a session
    form = urllib.parse.urlencode({"email": email, "password": password}).encode()
    response = server.request("POST", "/login", form, {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-XSRF-TOKEN": urllib.parse.unquote(server.cookies.get("XSRF-TOKEN", ""))})
    if response.status not in (200, 302):
        raise CdashError(f"{server.address.url}/login answered {response.status}: are e-mail and "
                         "password right?")
    me = server.graphql("query { me { id } }")["me"]
    if me is None:
        raise CdashError(f"{server.address.url}/login: not logged in: are e-mail and password "
                         "right?")


def mutate(server: Server, name: str, selection: str, given: dict) -> dict:
    kind = f"{name[0].upper()}{name[1:]}Input"
    query = f"mutation m($input: {kind}!) {{ {name}(input: $input) {{ {selection} }} }}"
    answer = server.graphql(query, {"input": given})[name]
    if not isinstance(answer, dict) or answer.get("message"):
        why = server.shown(str((answer or {}).get("message", "no answer")))
        raise CdashError(f"{server.address.url}: {name}: {why}")
    return answer


def find_project(server: Server) -> dict | None:
    name = json.dumps(server.address.project)
    return server.graphql(f"query {{ project(name: {name}) {{ id visibility pinnedTestMeasurements"
                          "(first: 1000) { edges { node { name } } } } }")["project"]


def set_up_project(server: Server, visibility: str) -> str:
    """Its id."""
    project = find_project(server)
    if project is None:
        made = mutate(server, "createProject", "id", {
            "name": server.address.project, "visibility": visibility,
            "description": "Speed of GPU ops, by zl-bench", "authenticateSubmissions": True})
        say(f"project {server.address.project} created, {visibility.lower()}")
        return str(made["id"])
    say(f"project {server.address.project} is there, {project['visibility'].lower()}")
    return str(project["id"])


def set_up_group(server: Server, group: str) -> None:
    body = json.dumps({"project": server.address.project, "newbuildgroup": group, "type": "Daily"})
    response = server.request("POST", "/api/v1/buildgroup.php", body.encode(), {
        "Content-Type": "application/json", "Accept": "application/json",
        "X-XSRF-TOKEN": urllib.parse.unquote(server.cookies.get("XSRF-TOKEN", ""))})
    if response.status not in (200, 201):
        raise server.refusal(response, f"the group {group}")
    say(f"group {group} {'created' if response.status == 201 else 'is there'}")


def pin_measurements(server: Server, project: str) -> None:
    found = find_project(server) or {}
    edges = found.get("pinnedTestMeasurements", {}).get("edges", [])
    pinned = {edge["node"]["name"] for edge in edges}
    for name in PINNED:
        if name not in pinned:
            mutate(server, "createPinnedTestMeasurement", "message", {"projectId": project,
                                                                     "name": name})
            say(f"pinned {name}")


def set_up_token(server: Server, project: str, scope: str, days: int, file: pathlib.Path) -> None:
    if file.exists() and file.stat().st_size:
        say(f"{file} holds a token already: kept; remove it to have a new one made")
        return
    # Opened first: a token that cannot be written down is lost, CDash shows it once.
    file.unlink(missing_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="ascii") as out:
        end = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=days)
        given = {"scope": scope, "description": "zl-bench dashboard",
                 "expiration": end.strftime("%Y-%m-%dT%H:%M:%S+00:00")}
        if scope == "SUBMIT_ONLY":
            given["projectId"] = project
        made = mutate(server, "createAuthenticationToken", "message rawToken", given)
        if not made.get("rawToken"):
            raise CdashError(f"{server.address.url}: createAuthenticationToken gave no token")
        out.write(made["rawToken"] + "\n")
    say(f"token ({scope}, until {end:%F}) in {file}")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="exit codes: 0 set up; 2 it is not, the message says why")
    parser.add_argument("--url", default=os.environ.get("ZL_CDASH_URL", "http://localhost:8080"))
    parser.add_argument("--project", default=os.environ.get("ZL_CDASH_PROJECT", ""),
                        help="ZL_CDASH_PROJECT, else zl-bench")
    parser.add_argument("--group", default="Perf", help="for the nightly runs (Perf)")
    parser.add_argument("--email", required=True, help="of an administrator of the server")
    parser.add_argument("--password-file", type=pathlib.Path, help="else the password is asked for")
    parser.add_argument("--token-file", type=pathlib.Path, required=True,
                        help="where to write the token; then ZL_CDASH_TOKEN_FILE")
    parser.add_argument("--days", type=int, default=180, help="how long the token is valid (180)")
    parser.add_argument("--private", action="store_true",
                        help="only members see the project; then the token has to be one with full "
                        "access, as ci/submit.py reads the tests back")
    arguments = parser.parse_args(argv)
    try:
        server = Server(parse_address(arguments.url, arguments.project))
        if arguments.password_file:
            password = arguments.password_file.read_text(encoding="utf-8").rstrip("\r\n")
        else:
            password = getpass.getpass(f"CDash password of {arguments.email}: ")
        log_in(server, arguments.email, password)
        project = set_up_project(server, "PRIVATE" if arguments.private else "PUBLIC")
        set_up_group(server, arguments.group)
        pin_measurements(server, project)
        scope = "FULL_ACCESS" if arguments.private else "SUBMIT_ONLY"
        set_up_token(server, project, scope, arguments.days, arguments.token_file)
    except (CdashError, SettingsError) as e:
        say(str(e))
        return 2
    except (KeyError, TypeError) as e:
        say(f"{arguments.url}: an answer of another shape ({e}): is this a CDash of version 5?")
        return 2
    except OSError as e:
        say(f"{e.filename}: {e.strerror}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

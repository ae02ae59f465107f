"""A headless Chromium for tests, driven over its DevTools pipe: no network, no other package."""

import base64
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import time
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str:
    """ZL_CHROMIUM, else one that is installed. ci/setup.sh --all installs it: none is an error."""
    for name in (os.environ.get("ZL_CHROMIUM", ""), *NAMES):
        path = shutil.which(name) if name else None
        if path:
            return path
    raise FileNotFoundError(f"none of {', '.join(NAMES)} is installed, nor is ZL_CHROMIUM one: "
                            "ci/setup.sh --all installs chromium")


class Chromium:
    """One page. `problems` collects what its console said and what it threw; `requests` all that it
    asked to load."""

    def __init__(self, width: int = 1400, height: int = 900) -> None:
        self.problems: list[str] = []
        self.requests: list[str] = []
        self._events: list[dict] = []
        program = find()
        self._profile = tempfile.mkdtemp(prefix="zl-chromium-")
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        self._log = open(pathlib.Path(self._profile, "log"), "w+")

        def pipes() -> None:
            # The protocol reads 3 and writes 4. Copies first: one may be the other's number.
            read, write = os.dup(to_browser), os.dup(from_browser)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self._process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={self._profile}", f"--window-size={width},{height}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log, close_fds=False,
            preexec_fn=pipes, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self._buffer = b""
        self._next = 0
        self._session: str | None = None
        try:
            targets = self.call("Target.getTargets")["targetInfos"]
            page = next(t["targetId"] for t in targets if t["type"] == "page")
            self._session = self.call("Target.attachToTarget", targetId=page,
                                      flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(f"{domain}.enable")
            self.resize(width, height)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Chromium":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
        self._log.close()
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, method: str, **parameters: Any) -> dict:
        self._next += 1
        message = {"id": self._next, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._next:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self._event(answer)

    def open(self, url: str) -> float:
        """Seconds until the page has loaded and its next frame is due."""
        self._load("about:blank")  # else an address that differs after its # only is no new page
        begin = time.monotonic()
        self._load(url)
        self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        return time.monotonic() - begin

    def _load(self, url: str) -> None:
        self._events.clear()
        self.call("Page.navigate", url=url)
        while not any(e.get("method") == "Page.loadEventFired" for e in self._events):
            self._event(self._message())

    def evaluate(self, expression: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {exception_text(answer['exceptionDetails'])}")
        return answer["result"].get("value")

    def click(self, selector: str) -> None:
        """In its middle, with a real press of the mouse."""
        x, y = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); "
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, key: str) -> None:
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Tab": 9, "End": 35}
        text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
        code = {"windowsVirtualKeyCode": codes[key]} if key in codes else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, **code)

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def resize(self, width: int, height: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def dark(self, on: bool) -> None:
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if on else "light"}])

    def screenshot(self, file: pathlib.Path | str, whole: bool = False) -> None:
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        pathlib.Path(file).write_bytes(base64.b64decode(data["data"]))

    def pdf(self) -> bytes:
        data = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
        return base64.b64decode(data["data"])

    def _message(self, limit_s: float = 60) -> dict:
        end = time.monotonic() + limit_s
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0, end - time.monotonic()))
            part = os.read(self._read, 1 << 20) if ready else b""
            if not part:
                self._log.seek(0)
                raise RuntimeError("Chromium " + ("ended: " if ready else "does not answer: ")
                                   + self._log.read()[-2000:])
            self._buffer += part
        first, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(first)

    def _event(self, event: dict) -> None:
        self._events.append(event)
        parameters = event.get("params", {})
        match event.get("method"):
            case "Runtime.exceptionThrown":
                self.problems.append(exception_text(parameters["exceptionDetails"]))
            case "Runtime.consoleAPICalled":
                said = [str(a.get("value", a.get("description"))) for a in parameters["args"]]
                self.problems.append(f"console.{parameters['type']}: {' '.join(said)}")
            case "Log.entryAdded":
                self.problems.append(parameters["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])


def exception_text(details: dict) -> str:
    return details.get("exception", {}).get("description") or details.get("text", "exception")

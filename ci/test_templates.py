"""python3 -m unittest discover ci: the CI templates call what there is."""

import json
import pathlib
import re
import subprocess
import unittest

CI = pathlib.Path(__file__).resolve().parent
TEMPLATES = ("github-actions.yml", "gitlab-ci.yml", "musa-ci.yml")


def commands(text: str) -> list[str]:
    """Calls of our scripts, lines that go on joined."""
    joined = re.sub(r"(\\\n|\n {6}(?=--))\s*", " ", text)
    return re.findall(r"(?<![\w./-])ci/[a-z_0-9]+\.(?:py|sh)[^\n]*", joined)


class Templates(unittest.TestCase):
    def test_every_script_and_each_of_its_options_is_there(self):
        found = 0
        for name in TEMPLATES:
            for command in commands((CI / name).read_text()):
                script, *words = command.split()
                path = CI.parent / script
                self.assertTrue(path.exists(), f"{name}: {command}")
                options = [word for word in words if word.startswith("--")]
                if options:
                    helped = subprocess.run(
                        [path, "--help"], capture_output=True, text=True, check=True
                    )
                    for option in options:
                        self.assertIn(f"{option} ", helped.stdout, f"{name}: {command}")
                found += 1
        self.assertGreaterEqual(found, 8)

    def test_every_preset_is_there(self):
        presets = json.loads((CI.parent / "CTestPresets.json").read_text())
        names = {preset["name"] for preset in presets["workflowPresets"]}
        for name in TEMPLATES:
            text = (CI / name).read_text()
            used = re.findall(r"--preset[ =](\w+)", text)
            used += re.findall(r"dashboard\.py (\w+)", text)
            self.assertTrue(used, name)
            for preset in used:
                self.assertIn(preset, names, name)


if __name__ == "__main__":
    unittest.main()

"""python3 -m unittest discover ci"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECTION = re.compile(r"^## When it does not work\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
MESSAGE = re.compile(r"^\| `([^|]+?)` \|", re.MULTILINE)  # a row's first cell
SOURCES = (".cpp", ".cmake")


def as_said(source: str) -> str:
    """A test's source with its texts in one piece, as they are printed."""
    joined = re.sub(r'"\s*\n\s*"|\\\n', "", source)
    return joined.replace('\\"', '"').replace("\\\\", "\\")


def pattern(message: str) -> re.Pattern[str]:
    """`...` stands for names and numbers, which a test may put together from parts."""
    return re.compile(r"(?:(?!;\n).){0,200}?".join(map(re.escape, message.split("..."))), re.DOTALL)


class Messages(unittest.TestCase):
    def test_each_that_the_authors_guide_explains_is_expected_by_a_test(self):
        section = SECTION.search((ROOT / "docs" / "authors.md").read_text())
        assert section is not None
        messages = MESSAGE.findall(section.group(1))
        self.assertGreater(len(messages), 20)
        texts = [as_said(file.read_text()) for file in (ROOT / "harness" / "tests").rglob("*")
                 if file.suffix in SOURCES]
        for message in messages:
            with self.subTest(message):
                self.assertTrue(any(pattern(message).search(text) for text in texts),
                                f"no test expects: {message}")

    def test_a_message_is_found_across_the_lines_of_a_source(self):
        said = as_said('expect("op \\"mm\\" has the " +\n  name + " too, "\n  "without a test");\n')
        self.assertTrue(pattern('op "mm" has the ... too, without').search(said))
        self.assertFalse(pattern("has the ... without a tes.").search(said))


if __name__ == "__main__":
    unittest.main()

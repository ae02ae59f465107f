"""python3 -m unittest discover ci"""

import pathlib
import tempfile
import unittest

import documents

TEXT = """
```sh
# a comment
ci/setup.sh && true
second \\
  --long
```
```sh gpu
only here
```
```cpp
// a/b.cpp: what it is
int x;
```
```text
ci/none
```
"""


def problems(text: str, root: pathlib.Path = documents.ROOT) -> list[str]:
    return list(documents.problems(text, root))


class Documents(unittest.TestCase):
    def test_commands_are_the_lines_of_their_blocks(self):
        self.assertEqual(documents.commands(TEXT, "sh"), ["ci/setup.sh && true", "second    --long"])
        self.assertEqual(documents.commands(TEXT, "sh gpu"), ["only here"])

    def test_code_must_stand_in_its_file(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            block = "```cpp\n// a/b.cpp: what it is\nint x;\n```\n"
            self.assertIn("no such file", problems(block, root)[0])
            (root / "a").mkdir()
            (root / "a" / "b.cpp").write_text("// a/b.cpp: what it is\nint x;\n")
            self.assertEqual(problems(block, root), [])
            (root / "a" / "b.cpp").write_text("int w;\nint x;\nint y;\n")
            self.assertEqual(problems(block, root), [])
            (root / "a" / "b.cpp").write_text("// a/b.cpp: what it is\nint y;\n")
            self.assertIn("not in it", problems(block, root)[0])
            self.assertIn("must begin", problems("```cmake\nproject(x)\n```\n", root)[0])

    def test_a_block_says_what_it_is(self):
        self.assertIn("is marked ''", problems("```\nls\n```\n")[0])
        self.assertIn("cannot be read", problems("```json\n{\n```\n")[0])
        self.assertEqual(problems("```json\n{}\n```\n"), [])

    def test_a_command_that_is_not_run_has_a_program_that_knows_its_options(self):
        def found(command: str) -> list[str]:
            return problems(f"```sh example\n{command}\n```\n")

        self.assertEqual(found("ci/compare.py BASE NEW --json compare.json"), [])
        self.assertEqual(found("X=1 ci/setup.sh && cmake --preset cuda"), [])
        self.assertEqual(found("ci/baseline.py add baselines build/cuda"), [])
        self.assertIn("does not know --jsn", found("ci/compare.py BASE NEW --jsn=x")[0])
        self.assertIn("does not know --js", found("ci/compare.py BASE NEW --js x")[0])
        self.assertIn("no such program", found("ci/compared.py BASE NEW")[0])


if __name__ == "__main__":
    unittest.main()

"""python3 -m unittest discover ci"""

import pathlib
import tempfile
import unittest

import readme

TEXT = """
```sh
# a comment
ci/setup.sh && true
second
```
```sh gpu
only here
```
```cpp
// a/b.cpp: what it is
int x;
```
```
ci/none
```
"""


class Readme(unittest.TestCase):
    def test_commands_are_the_lines_of_their_blocks(self):
        self.assertEqual(readme.commands(TEXT, gpu=False), ["ci/setup.sh && true", "second"])
        self.assertEqual(readme.commands(TEXT, gpu=True), ["only here"])

    def test_a_block_must_equal_its_file(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            self.assertIn("no such file", readme.unlike_files(TEXT, root)[0])
            (root / "a").mkdir()
            (root / "a" / "b.cpp").write_text("// a/b.cpp: what it is\nint x;\n")
            self.assertEqual(readme.unlike_files(TEXT, root), [])
            (root / "a" / "b.cpp").write_text("// a/b.cpp: what it is\nint y;\n")
            self.assertIn("differs", readme.unlike_files(TEXT, root)[0])


if __name__ == "__main__":
    unittest.main()

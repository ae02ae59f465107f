"""python3 -m unittest discover ci"""

import unittest
import xml.etree.ElementTree as ElementTree

from shown_text import markdown, one_line, xml


class ShownText(unittest.TestCase):
    def test_a_line_stays_one_line_without_colours(self):
        self.assertEqual(one_line("a\nb\x1b[31m\u202eü"), "a\\nb\\x1b[31m\\u202eü")

    def test_a_long_line_is_cut(self):
        self.assertEqual(one_line("abcdefgh", 6), "abc...")
        self.assertEqual(one_line("abcdef", 6), "abcdef")

    def test_markdown_holds_no_cell_end_tag_or_mention(self):
        self.assertEqual(markdown("a|b <i> `c` @you\n&"),
                         r"a\|b &lt;i\> \`c\` &#64;you\\n&amp;")

    def test_xml_gives_back_what_it_can_hold(self):
        text = "\"'<>&\n\t ü"
        self.assertEqual(ElementTree.fromstring(f'<a b="{xml(text)}"/>').get("b"), text)
        self.assertEqual(ElementTree.fromstring(f"<a>{xml('x' + chr(27))}</a>").text, "x\ufffd")


if __name__ == "__main__":
    unittest.main()

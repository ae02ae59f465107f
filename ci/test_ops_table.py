"""python3 -m unittest discover ci"""

import unittest

import ops_table


class OpsTable(unittest.TestCase):
    def test_a_call_s_words_go_to_the_keyword_before_them(self):
        call = "OP mm\n  TYPES f16 e4m3:bf16  SHAPES 1x2 3x4\n  HOST_SHAPES 1x1"
        self.assertEqual(
            ops_table.arguments_of(call),
            {
                "OP": ["mm"],
                "TYPES": ["f16", "e4m3:bf16"],
                "SHAPES": ["1x2", "3x4"],
                "HOST_SHAPES": ["1x1"],
            },
        )

    def test_the_table_has_every_op_with_its_axes(self):
        table = ops_table.table()
        self.assertIn(
            "| [bmm](bmm) | b m n k | 16x1024x1024x1024<br>16x2048x2048x2048 | f16 f32 bf16 | "
            "cublaslt |",
            table,
        )
        self.assertEqual(len(table.splitlines()), 2 + 25)

    def test_only_the_marked_part_is_replaced(self):
        text = f"above\n{ops_table.BEGIN}\nold\n{ops_table.END}\nbelow\n"
        self.assertEqual(
            ops_table.with_table(text),
            f"above\n{ops_table.BEGIN}\n{ops_table.table()}\n{ops_table.END}\nbelow\n",
        )
        with self.assertRaises(ValueError):
            ops_table.with_table("no marks")


if __name__ == "__main__":
    unittest.main()

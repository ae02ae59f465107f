"""python3 -m unittest discover ci"""

import unittest

from shards import balanced


class Shards(unittest.TestCase):
    def test_the_longest_come_first_and_each_goes_where_least_is(self):
        shards = balanced({"a": 1, "b": 5, "c": 3, "d": 2, "e": 4}, 2)
        # 5 | 4, then 3 to the 4, 2 to the 5, 1 to one of two 7s
        self.assertEqual([shard.tests for shard in shards], [("b", "d", "a"), ("e", "c")])
        self.assertEqual([shard.seconds for shard in shards], [8, 7])

    def test_every_test_is_in_one_shard_and_no_shard_is_empty(self):
        for count in (1, 2, 3, 7, 50):
            shards = balanced({f"t{i}": i % 4 for i in range(23)}, count)
            self.assertEqual(len(shards), min(count, 23))
            self.assertTrue(all(shard.tests for shard in shards))
            self.assertEqual(sorted(name for shard in shards for name in shard.tests),
                             sorted(f"t{i}" for i in range(23)))

    def test_tests_that_take_no_time_are_spread_too(self):
        shards = balanced(dict.fromkeys("abcdef", 0.0), 3)
        self.assertEqual([len(shard.tests) for shard in shards], [2, 2, 2])

    def test_the_order_of_the_input_does_not_matter(self):
        seconds = {"a": 2, "b": 2, "c": 1, "d": 1}
        self.assertEqual(balanced(seconds, 2), balanced(dict(reversed(seconds.items())), 2))


if __name__ == "__main__":
    unittest.main()

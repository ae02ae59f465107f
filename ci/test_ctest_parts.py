"""python3 -m unittest discover ci"""

import pathlib
import tempfile
import unittest
from collections import Counter

from cdash_server import SettingsError, parse_address, read_token
from ctest_parts import Identity, PartsError, Test, TestPart, build_name, with_identity
from delivery import comparable

PART = b"""<?xml version="1.0" encoding="UTF-8"?>
<Site BuildName="cuda"
\tBuildStamp="20260101-0203-Nightly"
\tName="(empty)"
\tHostname="vm"
\t>
<Log BuildName="inner">Name="x" &lt;Site&gt;</Log>
</Site>
"""


class Names(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)

    def compiler(self, language: str, vendor: str, version: str) -> None:
        folder = self.build / "CMakeFiles" / "3.25.1"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"CMake{language}Compiler.cmake").write_text(
            f'set(CMAKE_{language}_COMPILER_ID "{vendor}")\n'
            f'set(CMAKE_{language}_COMPILER_VERSION "{version}")\n')

    def part(self, *devices: str) -> TestPart:
        return TestPart((Test("perf.cuda.add.own.f32.1", "passed", "1"),), devices)

    def test_backend_device_and_major_version_of_the_kernels_compiler(self) -> None:
        self.compiler("CXX", "GNU", "12.2.0")
        self.assertEqual(build_name(self.build, "p", self.part("NVIDIA H200")),
                         "cuda-NVIDIA_H200-gcc12")
        self.compiler("CUDA", "NVIDIA", "12.4.131")
        self.assertEqual(build_name(self.build, "p", self.part("NVIDIA H200")),
                         "cuda-NVIDIA_H200-nvcc12")
        self.assertEqual(build_name(self.build, "p", self.part("AMD EPYC(R) <9> & \"x\"\n")),
                         "cuda-AMD_EPYC_9_x-nvcc12")

    def test_a_run_without_a_device_keeps_the_name_of_the_last_that_had_one(self) -> None:
        self.assertEqual(build_name(self.build, "cuda", None), "cuda-no_device-no_compiler")
        (self.build / "zl-build-name").write_text("cuda-NVIDIA_H200-gcc12\n")
        self.assertEqual(build_name(self.build, "cuda", None), "cuda-NVIDIA_H200-gcc12")

    def test_two_device_models_are_not_one_build(self) -> None:
        with self.assertRaisesRegex(PartsError, "ZL_CDASH_BUILD_NAME"):
            build_name(self.build, "cuda", self.part("A", "B"))

    def test_nothing_but_the_identity_of_a_part_changes(self) -> None:
        before = PART
        after = with_identity(before, Identity("s", "n", "t"), "x")
        self.assertEqual(after, before.replace(b'BuildName="cuda"', b'BuildName="n"').replace(
            b'\tName="(empty)"', b'\tName="s"').replace(b"20260101-0203-Nightly", b"t"))

    def test_the_address_is_read_from_either_form(self) -> None:
        self.assertEqual(parse_address("https://h:8443/cdash/submit.php?project=P").url,
                         "https://h:8443/cdash")
        self.assertEqual(parse_address("https://h/submit.php?project=P").project, "P")
        self.assertEqual(parse_address("https://h/").project, "zl-bench")
        with self.assertRaises(SettingsError):
            parse_address("https://h/submit.php?project=P", "Q")
        self.assertEqual(read_token(None), "")

    def test_numbers_are_compared_as_numbers_and_tests_are_counted(self) -> None:
        a, b = Test("t", "passed", "1.50"), Test("t", "passed", "1.5")
        self.assertEqual(comparable(Counter([a])), comparable(Counter([b])))
        self.assertNotEqual(comparable(Counter([a])), comparable(Counter([a, b])))


if __name__ == "__main__":
    unittest.main()

"""python3 -m unittest discover ci"""

import os
import pathlib
import struct
import tempfile
import unittest
from unittest import mock

import elf
import machine_code
from machine_code import code_of_cubin, code_of_object, levelled, op_code

ALLOC, TEXTS = elf.SHF_ALLOC, elf.SHF_ALLOC | machine_code.SHF_STRINGS
NO_CUBINS = lambda image: []  # noqa: E731
# As nvcc names one kernel in builds of two folders: hash of the path, process id.
ONE = "_ZN3ops43_GLOBAL__N__bd408dd1_6_add_cu_6371d3fe_996110add_kernelIfEEvPT_"
OTHER = "_ZN3ops44_GLOBAL__N__322230e2_6_add_cu_04a3e916_1039710add_kernelIfEEvPT_"


def elf_file(sections: dict[str, tuple[int, bytes]], relocations=(), notes: bytes = b"") -> bytes:
    """`sections`: name: (flags, content); `relocations`: (section, offset, symbol's section, value,
    addend), PC-relative."""
    names = ["", *sections]
    body: list[tuple[str, int, int, int, int, bytes]] = [("", 0, 0, 0, 0, b"")]
    body += [(name, 1, flags, 0, 0, content) for name, (flags, content) in sections.items()]
    symbols, rows = [struct.pack("<IBBHQQ", 0, 0, 0, 0, 0, 0)], {}
    for section, offset, target, value, addend in relocations:
        rows.setdefault(section, b"")
        rows[section] += struct.pack("<QQq", offset, len(symbols) << 32 | 2, addend)
        symbols.append(struct.pack("<IBBHQQ", 0, 0, 0, names.index(target), value, 0))
    symtab = len(body)
    body.append((".symtab", elf.SHT_SYMTAB, 0, symtab + 1, 0, b"".join(symbols)))
    body.append((".strtab", elf.SHT_STRTAB, 0, 0, 0, b"\0"))
    body += [(f".rela{name}", elf.SHT_RELA, 0, symtab, names.index(name), row)
             for name, row in rows.items()]
    body.append((".note.build", machine_code.SHT_NOTE, ALLOC, 0, 0, notes))
    strings = b"\0".join(row[0].encode() for row in body) + b"\0.shstrtab\0"
    body.append((".shstrtab", elf.SHT_STRTAB, 0, 0, 0, strings))
    contents, headers, at = b"", b"", 64
    for name, kind, flags, link, info, content in body:
        headers += struct.pack("<IIQQQQIIQQ", strings.find(name.encode() + b"\0"), kind, flags, 0,
                               at + len(contents), len(content), link, info, 1, 0)
        contents += content
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    return ident + struct.pack("<HHIQQQIHHHHHH", 1, 62, 1, 0, 0, at + len(contents), 0, 64, 0, 0,
                               64, len(body), len(body) - 1) + contents + headers


def host_object(code: bytes = b"code", texts: bytes = b"hello\0", **more) -> bytes:
    return elf_file({".text": (ALLOC, code), ".rodata.str1.1": (TEXTS, texts)}, **more)


class Names(unittest.TestCase):
    def test_what_nvcc_makes_up_is_levelled_out(self):
        self.assertEqual(levelled(ONE), "_ZN3ops#10add_kernelIfEEvPT_")
        self.assertEqual(levelled(OTHER), levelled(ONE))
        self.assertEqual(levelled("_ZL111__device_stub_" + ONE),
                         "_ZL#__device_stub_" + levelled(ONE))
        self.assertEqual(levelled("tmpxft_000026e2_00000000-6_add.cudafe1.cpp"),
                         levelled("tmpxft_00002896_00000000-6_add.cudafe1.cpp"))

    def test_a_name_before_it_may_end_with_digits(self):
        self.assertEqual(levelled(ONE.replace("3ops43", "4ops243")),
                         "_ZN4ops2#10add_kernelIfEEvPT_")

    def test_other_names_stay(self):
        for name in ("_ZN3ops3addIfEEvN2zl6StreamEPT_PKS3_S6_l", "_GLOBAL__N_1", "", "a\nb",
                     "12_GLOBAL__N__bd408dd1_", ONE.replace("10add", "10sub")):
            with self.subTest(name):
                self.assertNotEqual(levelled(name), levelled(ONE))
        self.assertEqual(levelled("_ZN3ops3addEv"), "_ZN3ops3addEv")


class HostCode(unittest.TestCase):
    def same(self, a: bytes, b: bytes, cubins=NO_CUBINS) -> bool:
        return code_of_object(a, cubins) == code_of_object(b, cubins)

    def test_another_instruction_or_constant_is_another_code(self):
        self.assertTrue(self.same(host_object(), host_object()))
        self.assertFalse(self.same(host_object(), host_object(code=b"cade")))
        self.assertFalse(self.same(host_object(), host_object(texts=b"hullo\0")))

    def test_notes_and_tables_of_debuggers_are_not_code(self):
        self.assertTrue(self.same(host_object(notes=b"id 1"), host_object(notes=b"id 2")))

    def test_a_call_of_another_target_is_another_code(self):
        def calling(value: int) -> bytes:
            return elf_file({".text": (ALLOC, bytes(9)), ".text.other": (ALLOC, bytes(99))},
                            [(".text", 4, ".text.other", value, -4)])

        self.assertTrue(self.same(calling(16), calling(16)))
        self.assertFalse(self.same(calling(16), calling(32)))

    def test_texts_may_move_where_a_made_up_name_is_longer(self):
        def using(name: str, used: bytes = b"used\0") -> bytes:
            texts = name.encode() + b"\0" + used
            return host_object(texts=texts, relocations=[
                (".text", 0, ".rodata.str1.1", 0, len(name) + 1 - 4)])

        self.assertTrue(self.same(using(ONE), using(OTHER)))
        self.assertFalse(self.same(using(ONE), using(OTHER, b"ursd\0")))
        into_the_name = host_object(texts=ONE.encode() + b"\0used\0", relocations=[
            (".text", 0, ".rodata.str1.1", 0, -4)])
        self.assertFalse(self.same(using(ONE), into_the_name))

    def test_objects_without_machine_code_are_refused(self):
        for image in (b"", b"BC\xc0\xde bitcode", host_object()[:200],
                      elf_file({".gnu.lto_main": (0, b"x")})):
            with self.assertRaises(machine_code.NoObjects):
                code_of_object(image, NO_CUBINS)


class DeviceCode(unittest.TestCase):
    def cubin(self, name: str, code: bytes = b"sass", shared: bytes = b"",
              source: bytes = b"") -> bytes:
        return elf_file({f".text.{name}": (6, code), f".nv.shared.{name}": (3, shared),
                         ".debug_line": (0, source)})

    def test_a_kernel_is_the_same_under_a_made_up_name_and_from_another_line(self):
        self.assertEqual(code_of_cubin(self.cubin(ONE)), code_of_cubin(self.cubin(OTHER)))
        self.assertEqual(code_of_cubin(self.cubin(ONE)),
                         code_of_cubin(self.cubin(ONE, source=b"line 2")))
        self.assertNotEqual(code_of_cubin(self.cubin(ONE)),
                            code_of_cubin(self.cubin(ONE, code=b"sbss")))
        self.assertNotEqual(code_of_cubin(self.cubin(ONE)),
                            code_of_cubin(self.cubin(ONE, shared=b"48 KiB")))

    def test_with_cuobjdump_the_kernels_count_and_without_it_the_fat_binary(self):
        one, two = (elf_file({".text": (ALLOC, b"stub"), ".nv_fatbin": (ALLOC, name.encode())})
                    for name in (ONE, OTHER))
        self.assertNotEqual(code_of_object(one, NO_CUBINS), code_of_object(two, NO_CUBINS))
        unpack = lambda image: [self.cubin(ONE if b"_9961" in image else OTHER)]  # noqa: E731
        self.assertEqual(code_of_object(one, unpack), code_of_object(two, unpack))
        slower = lambda image: [self.cubin(ONE, b"slow")]  # noqa: E731
        self.assertNotEqual(code_of_object(one, unpack), code_of_object(one, slower))

    def test_cuobjdump_is_asked_and_its_failure_is_not_taken_for_no_kernels(self):
        with tempfile.TemporaryDirectory() as folder:
            tool = pathlib.Path(folder) / "cuobjdump"
            with mock.patch.dict(os.environ, {"PATH": f"{folder}:/usr/bin:/bin"}):
                tool.write_text('#!/bin/sh\n[ "$1 $2" = "-xelf all" ] && cp "$3" 1.sm_90.cubin\n')
                tool.chmod(0o755)
                self.assertEqual(machine_code.cubins_of(b"image"), [b"image"])
                tool.write_text("#!/bin/sh\ntouch 1.cubin\nexit 1\n")
                self.assertEqual(machine_code.cubins_of(b"image"), [])


class Builds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def build(self, name: str, code: bytes, link: str | None = "c++ a.o lib/libk.a "
              "h/libzl_harness_host.a -lm -o zl_a_host", harness: bytes = b"1",
              archived: bytes = b"k", whole: bytes | None = None) -> pathlib.Path:
        build = self.root / name
        for folder in ("lib", "h", "CMakeFiles/zl_a_host.dir"):
            (build / folder).mkdir(parents=True)
        (build / "a.o").write_bytes(host_object(code))
        member = host_object(archived)
        (build / "lib/libk.a").write_bytes(
            b"!<arch>\n" + b"k.o/".ljust(48) + b"%-10d`\n" % len(member) + member)
        (build / "h/libzl_harness_host.a").write_bytes(b"!<arch>\n" + harness)
        (build / "zl_a_host").write_bytes(host_object(whole or name.encode() + code))
        if link is not None:
            (build / "CMakeFiles/zl_a_host.dir/link.txt").write_text(link + "\n")
        return build

    def code(self, *arguments, **more) -> str:
        build = self.build(*arguments, **more)
        return op_code(build, build / "zl_a_host")

    def test_two_folders_of_the_same_code_are_alike_and_the_harness_does_not_count(self):
        one = self.code("one", b"code")
        self.assertTrue(one.startswith("op "))
        self.assertEqual(self.code("two", b"code", harness=b"2"), one)
        self.assertNotEqual(self.code("three", b"cade"), one)

    def test_the_code_of_an_archive_of_the_build_and_the_names_of_libraries_count(self):
        one = self.code("one", b"code")
        self.assertNotEqual(self.code("two", b"code", archived=b"K"), one)
        self.assertNotEqual(self.code("three", b"code", link="c++ a.o lib/libk.a -lother"), one)

    def test_the_code_of_a_shared_library_of_the_build_counts(self):
        for link in ("c++ a.o lib/libkernels.so", None, "c++ @a.rsp"):
            codes = []
            for name, kernel in (("one", b"k"), ("two", b"k"), ("three", b"K")):
                build = self.build(f"{name} {link}".replace("/", "-"), b"code", link, whole=b"1")
                (build / "lib/libkernels.so").write_bytes(host_object(kernel))
                codes.append(op_code(build, build / "zl_a_host"))
            with self.subTest(link=link):
                self.assertEqual(codes[0], codes[1])
                self.assertNotEqual(codes[0], codes[2])

    def test_without_a_link_line_or_with_bitcode_the_executable_counts(self):
        one = self.code("one", b"code", link=None, whole=b"linked")
        self.assertTrue(one.startswith("executable "))
        self.assertEqual(self.code("two", b"code", link=None, whole=b"linked"), one)
        self.assertNotEqual(self.code("three", b"code", link=None, whole=b"Linked"), one)
        build = self.build("four", b"code")
        (build / "a.o").write_bytes(b"BC\xc0\xde")
        self.assertTrue(op_code(build, build / "zl_a_host").startswith("executable "))


if __name__ == "__main__":
    unittest.main()

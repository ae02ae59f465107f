include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)

foreach(keyword IN ITEMS SHAPES HOST_SHAPES)
  function(expect_shape_error name shapes message)
    expect_error_of("${keyword}_${name}"
      "zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 ${keyword} ${shapes} IMPLS own)"
      "zl_add_perf_test(OP mm): ${keyword}${message}")
  endfunction()
  foreach(shape IN ITEMS ax2x3 1x2x 1xx3 1*2*3 1,2,3 -1x2x3 1.5x2x3)
    string(MAKE_C_IDENTIFIER "malformed_${shape}" name)
    expect_shape_error(${name} "${shape}"
      ": '${shape}', allowed: whole numbers joined by 'x', in the order mxnxk")
  endforeach()
  expect_shape_error(rank "1x2x3 4x5"
    ": '4x5' has 2 axes, allowed: 3, in the order mxnxk")
  expect_shape_error(rank_high "1x2x3x4" ": '1x2x3x4' has 4 axes, allowed: 3")
  expect_shape_error(spelling "01x2x3" " '01x2x3': '01', allowed: whole numbers, as 4096")
  expect_shape_error(range "1x2x1234567890123456789"
    " '1x2x1234567890123456789': '1234567890123456789', allowed: at most 18 digits")
  expect_shape_error(repeated "1x2x3 1x2x3" ": case '1x2x3' is repeated")
endforeach()

# The axes come from the C++ source.
function(expect_source_error name source message)
  expect_error_of("${name}" "file(WRITE other.cpp [==[${source}]==])
zl_add_perf_test(OP mm CASE other.cpp TYPES f16 SHAPES 1x2x3 IMPLS own)"
    "zl_add_perf_test(OP mm): ${message}")
endfunction()
set(none "CASE: found no ZL_OP(mm, \"axis\", ...) in")
# Behind it the file's path, then what to do.
function(expect_no_ZL_OP name source remedy)
  expect_source_error(${name} "${source}" "${none} ${WORK_DIR}/${name}/other.cpp: ${remedy}")
endfunction()
set(write_it "write it at the end of the file, with the names of a shape's axes")
expect_no_ZL_OP(no_ZL_OP "int x;" "${write_it}")
expect_no_ZL_OP(ZL_OP_of_another "ZL_OP(mm2, \"m\", \"n\", \"k\"); ZL_OP( add, \"n\")"
  "it registers mm2, add, and OP has to be one of them")
expect_no_ZL_OP(ZL_OP_in_comment "// ZL_OP(mm, \"m\", \"n\", \"k\");" "${write_it}")
expect_no_ZL_OP(ZL_OP_without_axes "ZL_OP(mm);" "${write_it}")
expect_source_error(axis_repeated "ZL_OP(mm, \"m\", \"m\", \"k\");" "the axes of ZL_OP in")
expect_error_of(no_case_file "zl_add_perf_test(OP mm CASE no.cpp TYPES f16 SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(OP mm): CASE: there is no file 'no.cpp' in")

# A CSV error names the file and the line.
function(expect_csv_error name csv message)
  expect_error_of("${name}" "file(WRITE list.csv [==[\n${csv}]==])
zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 CASES list.csv IMPLS own)"
    "zl_add_perf_test(OP mm): CASES ${WORK_DIR}/${name}/list.csv${message}")
endfunction()
expect_csv_error(csv_axis "m,n,kk\n1,2,3\n"
  ":1: no column for axis 'k'; needed: m, n, k; found: m, n, kk")
expect_csv_error(csv_missing "m,n\n1,2\n" ":1: no column for axis 'k'")
expect_csv_error(csv_column "m,n,k,a b\n1,2,3,x\n" ":1: column: 'a b', allowed: [A-Za-z0-9._-]")
expect_csv_error(csv_column_repeated "m,n,k,m\n1,2,3,1\n" ":1: column 'm' is repeated")
expect_csv_error(csv_value "m,n,k\n1,2,3\n\n1,x,3\n" ":4: n: 'x', allowed: whole numbers, as 4096")
expect_csv_error(csv_empty_value "m,n,k\n1,,3\n" ":2: n: '', allowed: whole numbers")
expect_csv_error(csv_repeated "# models\nm,n,k\n1,2,3\n1,2,4\n1,2,3\n" ":5: case '1x2x3' is repeated")
expect_csv_error(csv_fields "m,n,k\n1,2\n" ":2: 2 fields, the header has 3")
expect_csv_error(csv_quotes "m,n,k,model\n1,2,3,\"a\"\n" ":2: quotes and tabs are not allowed")
expect_csv_error(csv_no_rows "m,n,k\n" ": no cases in it")
expect_csv_error(csv_empty "" ": no cases in it")
expect_error(csv_repeats_shapes "CASES list.csv)\nfile(WRITE list.csv \"x\"" "CASES: there is no file 'list.csv'")
expect_error_of(csv_and_shapes "file(WRITE list.csv \"k,m,n\\n3,1,2\\n\")
zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 SHAPES 1x2x3 CASES list.csv IMPLS own)"
  "list.csv:2: case '1x2x3' is repeated")
